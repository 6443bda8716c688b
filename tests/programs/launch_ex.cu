// cudaLaunchKernelEx: arguments as in a call, shared memory, a stream, attributes. With an
// argument: an attribute by its number, which the simulator lacks.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#define CODE(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void scale(float *out, float factor, long n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = factor * tile[n - 1 - threadIdx.x];
}

__global__ void meet(int *counts) {
  if (threadIdx.x == 0) atomicAdd(&counts[0], 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) atomicAdd(&counts[1], counts[0]);
}

__global__ void nothing() {}

int main(int argc, char **) {
  float *out, host[64];
  int *counts, both[2];
  cudaStream_t stream;
  CODE(cudaMalloc(&out, sizeof host));
  CODE(cudaMalloc(&counts, sizeof both));
  CODE(cudaMemset(counts, 0, sizeof both));
  CODE(cudaStreamCreate(&stream));
  cudaLaunchAttribute attributes[2] = {};
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 64;
  config.dynamicSmemBytes = 64 * sizeof(float);
  config.stream = stream;
  config.attrs = attributes;
  if (argc > 1) {
    attributes[0].id = (cudaLaunchAttributeID)4;
    config.numAttrs = 1;
    CODE(cudaLaunchKernelEx(&config, nothing));
    return 0;
  }
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = -1;
  config.numAttrs = 1;
  CODE(cudaLaunchKernelEx(&config, scale, out, 2, 64));  // an int as a float and as a long
  CODE(cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream));
  CODE(cudaStreamSynchronize(stream));
  printf("%g %g\n", host[0], host[63]);

  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  config.numAttrs = 2;
  config.gridDim = 8;
  CODE(cudaLaunchKernelEx(&config, meet, counts));
  CODE(cudaMemcpyAsync(both, counts, sizeof both, cudaMemcpyDeviceToHost, stream));
  CODE(cudaStreamSynchronize(stream));
  printf("%d %d\n", both[0], both[1]);
  config.gridDim = 100000;
  CODE(cudaLaunchKernelEx(&config, meet, counts));
  config.attrs = nullptr;
  CODE(cudaLaunchKernelEx(&config, nothing));
  CODE(cudaLaunchKernelEx(nullptr, nothing));
  CODE(cudaGetLastError());
  CODE(cudaStreamDestroy(stream));
  CODE(cudaFree(counts));
  CODE(cudaFree(out));
  return 0;
}
