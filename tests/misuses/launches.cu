// launches.cu: launches that cannot be: configurations, kernels, arguments; attributes of kernels
// and questions about occupancy.
#include "misuse.h"

static __global__ void store(int *p) {
  if (p) *p = 1;
}
static __global__ void __launch_bounds__(128) bounded(int *p) {
  if (p) *p = 2;
}
static __global__ void large(int *p) {
  __shared__ int tile[10000];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (p) *p = tile[threadIdx.x ^ 1];
}
// More registers than a block of 1024 threads can have: 160 sums alive at a time.
static __global__ void greedy(float *p, int steps) {
  float sum[160];
#pragma unroll
  for (int i = 0; i < 160; i++) sum[i] = p[i];
  for (int step = 0; step < steps; step++) {
#pragma unroll
    for (int i = 0; i < 160; i++) sum[i] = sum[i] * sum[(i + 7) % 160] + p[step];
  }
#pragma unroll
  for (int i = 0; i < 160; i++) p[i] = sum[i];
}
static void on_host() {}
static int *const null = NULL;

MISUSE(launch_no_blocks) { LAUNCH(store<<<0, 1>>>(null)); }
MISUSE(launch_no_threads) { LAUNCH(store<<<1, 0>>>(null)); }
MISUSE(launch_no_rows_of_blocks) { LAUNCH(store<<<dim3(1, 0), 32>>>(null)); }
MISUSE(launch_negative_threads) {
  int threads = -32;
  LAUNCH(store<<<1, threads>>>(null));
}
MISUSE(launch_1025_threads) { LAUNCH(store<<<1, 1025>>>(null)); }
MISUSE(launch_2048_threads_in_two_dimensions) { LAUNCH(store<<<1, dim3(64, 32)>>>(null)); }
MISUSE(launch_block_too_deep) { LAUNCH(store<<<1, dim3(1, 1, 65)>>>(null)); }
MISUSE(launch_swapped_grid_and_block) { LAUNCH(store<<<32, 100000>>>(null)); }
MISUSE(launch_grid_too_high) { LAUNCH(store<<<dim3(1, 65536), 1>>>(null)); }
MISUSE(launch_grid_too_deep) { LAUNCH(store<<<dim3(1, 1, 65536), 1>>>(null)); }
MISUSE(launch_grid_too_wide) { LAUNCH(store<<<dim3(0x80000000u), 1>>>(null)); }
MISUSE(launch_shared_over_48_kib) { LAUNCH(store<<<1, 1, 48 * 1024 + 1>>>(null)); }
MISUSE(launch_shared_huge) { LAUNCH(store<<<1, 1, (size_t)1 << 33>>>(null)); }
MISUSE(launch_shared_negative) {
  int bytes = -16;
  LAUNCH(store<<<1, 1, bytes>>>(null));
}
MISUSE(launch_static_and_dynamic_shared) { LAUNCH(large<<<1, 32, 16384>>>(null)); }
MISUSE(launch_shared_as_fourth_argument) { LAUNCH(store<<<1, 32, 0, (cudaStream_t)4096>>>(null)); }
MISUSE(launch_over_its_bounds) { LAUNCH(bounded<<<1, 256>>>(null)); }
MISUSE(launch_too_many_registers) {
  float *p = device_memory<float>(160);
  NEED(cudaMemset(p, 0, 640));
  LAUNCH(greedy<<<1, 1024>>>(p, 10));
  LAUNCH(greedy<<<1, 128>>>(p, 10));  // the error stays
  TRY(cudaGetLastError());
  TRY(cudaDeviceSynchronize());
}
MISUSE(launch_null_function) {
  TRY(cudaLaunchKernel((void *)NULL, dim3(1), dim3(1), (void **)NULL, 0, 0));
}
MISUSE(launch_function_of_host) {
  TRY(cudaLaunchKernel((void *)on_host, dim3(1), dim3(1), (void **)NULL, 0, 0));
}
MISUSE(launch_without_arguments) {
  TRY(cudaLaunchKernel((void *)store, dim3(1), dim3(1), (void **)NULL, 0, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(launch_in_destroyed_stream) {
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  LAUNCH(store<<<1, 1, 0, stream>>>(null));
}
MISUSE(launch_cooperative_too_large) {
  void *arguments[] = {(void *)&null};
  TRY(cudaLaunchCooperativeKernel((void *)store, dim3(100000), dim3(1024), arguments, 0, 0));
}
MISUSE(launch_cooperative_no_blocks) {
  void *arguments[] = {(void *)&null};
  TRY(cudaLaunchCooperativeKernel((void *)store, dim3(0), dim3(32), arguments, 0, 0));
}
MISUSE(launch_right_after_wrong) {
  LAUNCH(store<<<0, 32>>>(null));
  TRY(cudaDeviceSynchronize());  // a launch that failed is nothing to wait for
  LAUNCH(store<<<1, 32>>>(null));
  TRY(cudaGetLastError());
  LAUNCH(store<<<1, 32>>>(null));
}

MISUSE(attribute_shared_too_large) {
  TRY(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  LAUNCH(store<<<1, 1, 300000>>>(null));
}
MISUSE(attribute_shared_beside_static) {
  TRY(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  TRY(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 - 40000));
}
MISUSE(attribute_shared_negative) {
  TRY(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
}
MISUSE(attribute_carveout_over_100) {
  TRY(cudaFuncSetAttribute(store, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
}
MISUSE(attribute_unknown) { TRY(cudaFuncSetAttribute(store, (cudaFuncAttribute)99, 0)); }
MISUSE(attribute_of_null) {
  TRY(cudaFuncSetAttribute((void *)NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
}
MISUSE(attributes_nowhere) { TRY(cudaFuncGetAttributes(NULL, store)); }
MISUSE(attributes_of_host_function) {
  cudaFuncAttributes of;
  TRY(cudaFuncGetAttributes(&of, (void *)on_host));
}
MISUSE(cache_config_unknown) { TRY(cudaFuncSetCacheConfig(store, (cudaFuncCache)99)); }
MISUSE(occupancy_no_threads) {
  int blocks = -7;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0));
  NOTE(blocks);
}
MISUSE(occupancy_negative_threads) {
  int blocks = -7;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, -1, 0));
}
MISUSE(occupancy_1025_threads) {
  int blocks = -7;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 1025, 0));
  NOTE(blocks);
}
MISUSE(occupancy_too_much_shared) {
  int blocks = -7;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 300000));
  NOTE(blocks);
}
MISUSE(occupancy_nowhere) {
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)NULL, store, 256, 0));
}
MISUSE(occupancy_of_host_function) {
  int blocks = -7;
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void *)on_host, 256, 0));
}
MISUSE(occupancy_size_nowhere) {
  int size;
  TRY(cudaOccupancyMaxPotentialBlockSize((int *)NULL, &size, store));
}
