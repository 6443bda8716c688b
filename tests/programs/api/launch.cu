// launch.cu: codes of launches, of calls about kernels, and of calls after a kernel's fault.
#include "codes.h"

__global__ void kernel(int *p) {
  if (p) *p = 1;
}
__global__ void bounded(int *p) __launch_bounds__(128);
__global__ void bounded(int *p) {
  if (p) *p = 2;
}
__global__ void large(int *p) {
  __shared__ int tile[10000];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (p) *p = tile[threadIdx.x ^ 1];
}
static void on_host() {}

template <class F>
static cudaError_t launch(F f, dim3 grid, dim3 block, size_t shared, cudaStream_t stream = 0) {
  f<<<grid, block, shared, stream>>>(NULL);
  return cudaPeekAtLastError();
}

int main(int argc, char **) {
  int blocks = -7, size = -7;
  size_t bytes;
  cudaFuncAttributes of;
  void *arguments[1];
  int *null = NULL;
  arguments[0] = &null;
  CODE(launch(kernel, 1, 1024, 0));
  CODE(launch(kernel, 0, 1, 0));
  CODE(launch(kernel, 1, 0, 0));
  CODE(launch(kernel, 1, 1025, 0));
  CODE(launch(kernel, 1, dim3(1, 1, 65), 0));
  CODE(launch(kernel, dim3(1, 65536), 1, 0));
  CODE(launch(kernel, 1, 1, 49153));
  CODE(launch(kernel, 1, 1, (size_t)1 << 33));
  CODE(launch(bounded, 1, 256, 0));
  CODE(launch(large, 1, 1024, 16384));
  CODE(cudaLaunchKernel((void *)NULL, dim3(1), dim3(1), arguments, 0, 0));
  CODE(cudaLaunchKernel((void *)on_host, dim3(1), dim3(1), arguments, 0, 0));
  CODE(cudaLaunchKernel((void *)kernel, dim3(1), dim3(1), arguments, 0, 0));
  CODE(cudaLaunchCooperativeKernel((void *)kernel, dim3(1), dim3(32), arguments, 0, 0));
  CODE(cudaLaunchCooperativeKernel((void *)kernel, dim3(100000), dim3(1024), arguments, 0, 0));
  CODE(cudaFuncGetAttributes(&of, (void *)NULL));
  CODE(cudaFuncGetAttributes(&of, (void *)on_host));
  CODE(cudaFuncGetAttributes(NULL, kernel));
  CODE(cudaFuncGetAttributes(&of, large));
  VALUE(of.sharedSizeBytes);
  VALUE(of.maxDynamicSharedSizeBytes);
  VALUE(of.preferredShmemCarveout);
  CODE(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  CODE(cudaFuncGetAttributes(&of, large));
  VALUE(of.maxDynamicSharedSizeBytes);
  CODE(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  CODE(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  CODE(cudaFuncSetAttribute(large, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CODE(cudaFuncSetAttribute(large, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  CODE(cudaFuncSetAttribute(large, (cudaFuncAttribute)99, 0));
  CODE(cudaFuncSetAttribute((void *)NULL, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  CODE(launch(large, 1, 1024, 100000));
  CODE(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared));
  CODE(cudaFuncSetCacheConfig(kernel, (cudaFuncCache)99));
  CODE(cudaFuncSetCacheConfig((void *)on_host, cudaFuncCachePreferShared));
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1025, 0));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, -1, 0));
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)NULL, kernel, 256, 0));
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 100000));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 300000));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 256, 0, 1));
  VALUE(blocks);
  CODE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 256, 0, 9));
  CODE(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, kernel));
  VALUE(blocks);
  VALUE(size);
  CODE(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, kernel, 0, 100));
  VALUE(blocks);
  VALUE(size);
  CODE(cudaOccupancyMaxPotentialBlockSize(&blocks, &size, bounded));
  VALUE(blocks);
  VALUE(size);
  CODE(cudaOccupancyMaxPotentialBlockSize((int *)NULL, &size, kernel));
  auto per_thread = [](int threads) { return (size_t)threads * 64; };
  CODE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &size, kernel, per_thread));
  VALUE(blocks);
  VALUE(size);
  CODE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 2, 256));
  VALUE(bytes);
  CODE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, large, 1, 256));
  VALUE(bytes);
  CODE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 256));
  CODE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 32, 2048));
  const char *name = NULL;
  CODE(cudaFuncGetName(&name, (const void *)kernel));
  VALUE(name && strcmp(name, "_Z6kernelPi") == 0);
  CODE(cudaFuncGetName(NULL, (const void *)kernel));
  CODE(cudaFuncGetName(&name, (const void *)on_host));
  CODE(cudaDeviceSynchronize());

  int *device;
  cudaStream_t stream;
  cudaEvent_t event;
  CODE(cudaMalloc(&device, 64));
  CODE(cudaStreamCreate(&stream));
  CODE(cudaEventCreate(&event));
  kernel<<<1, 1>>>((int *)16);
  CODE(cudaGetLastError());
  CODE(cudaDeviceSynchronize());
  CODE(cudaGetLastError());
  CODE(cudaMalloc(&device, 64));
  CODE(cudaMemcpy(&size, device, 4, cudaMemcpyDeviceToHost));
  CODE(cudaMemset(device, 0, 4));
  CODE(launch(kernel, 1, 1, 0));
  CODE(cudaStreamQuery(stream));
  CODE(cudaStreamSynchronize(stream));
  CODE(cudaEventRecord(event, stream));
  CODE(cudaEventQuery(event));
  CODE(cudaMemGetInfo(&bytes, &bytes));
  CODE(cudaGetDevice(&size));
  CODE(cudaGetDeviceCount(&size));
  CODE(cudaSetDevice(0));
  CODE(cudaFree(device));
  CODE(cudaFree(NULL));
  CODE(cudaStreamDestroy(stream));
  CODE(cudaEventDestroy(event));
  CODE(cudaFuncGetAttributes(&of, kernel));
  CODE(cudaDeviceReset());
  CODE(cudaMalloc(&device, 64));
  CODE(launch(kernel, 1, 1, 0));
  CODE(cudaDeviceSynchronize());
  return argc > 5;
}
