// The host follows a kernel by copies in another stream, asks whether it is done, and stops it.
#include <cstdio>
__global__ void work(int *progress, volatile int *stop, int limit) {
  for (int i = 1; i <= limit && !*stop; i++) {
    *(volatile int *)progress = i;
    __threadfence_system();
  }
}
int main() {
  int *progress, *seen, *stop, *mapped, *end;
  cudaStream_t s, side;
  cudaEvent_t done;
  cudaMalloc(&progress, sizeof *progress);
  cudaMemset(progress, 0, sizeof *progress);
  cudaMallocHost(&seen, sizeof *seen);
  cudaHostAlloc(&stop, sizeof *stop, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, stop, 0);
  cudaMalloc(&end, sizeof *end);
  cudaMemset(end, 0, sizeof *end);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  *stop = *seen = 0;
  work<<<1, 1, 0, s>>>(progress, mapped, 1 << 30);
  while (*seen < 5000) {
    cudaMemcpyAsync(seen, progress, sizeof *seen, cudaMemcpyDeviceToHost, side);
    cudaStreamSynchronize(side);
  }
  printf("%s ", cudaGetErrorName(cudaStreamQuery(s)));
  *(volatile int *)stop = 1;
  while (cudaStreamQuery(s) == cudaErrorNotReady) {}
  cudaGetLastError();
  printf("%s %d\n", cudaGetErrorName(cudaStreamSynchronize(s)), *seen < 1 << 30);
  *stop = *seen = 0;
  work<<<1, 1, 0, s>>>(progress, mapped, 20000);  // ends by itself
  cudaEventRecord(done, s);
  while (cudaEventQuery(done) == cudaErrorNotReady) {}
  cudaGetLastError();
  cudaMemcpy(seen, progress, sizeof *seen, cudaMemcpyDeviceToHost);
  printf("%d %s\n", *seen, cudaGetErrorName(cudaDeviceSynchronize()));
  work<<<1, 1, 0, s>>>(progress, end, 1 << 30);  // a flag on the device, set by a copy
  *seen = 1;
  cudaMemcpyAsync(end, seen, sizeof *end, cudaMemcpyHostToDevice, side);
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
}
