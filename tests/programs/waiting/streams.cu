// A kernel waits for what another stream stores, a kernel or a copy, with the host between or not.
#include <cstdio>
__device__ int gate, result;
__global__ void wait(volatile int *flag, int value) {
  while (*flag < value) {}
  __threadfence();
  atomicAdd(&result, value);
}
__global__ void open(volatile int *flag, int value) { *flag = value; }
static int read(cudaStream_t s) {
  int value;
  cudaMemcpyFromSymbolAsync(&value, result, sizeof value, 0, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  return value;
}
int main() {
  int *flag, *two;
  cudaStream_t a, b, c;
  cudaEvent_t done;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  cudaMallocHost(&two, sizeof *two);
  *two = 2;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  wait<<<1, 1, 0, a>>>(flag, 1);  // no host between them
  open<<<1, 1, 0, b>>>(flag, 1);
  printf("%s %d\n", cudaGetErrorName(cudaStreamSynchronize(a)), read(a));
  wait<<<1, 1, 0, a>>>(flag, 2);
  cudaEventRecord(done, a);
  printf("%s ", cudaGetErrorName(cudaEventQuery(done)));
  cudaGetLastError();
  printf("%d ", read(b));  // the host waits for another stream
  cudaMemcpyAsync(flag, two, sizeof *flag, cudaMemcpyHostToDevice, b);
  printf("%s ", cudaGetErrorName(cudaEventSynchronize(done)));
  printf("%d\n", read(b));
  wait<<<1, 1, 0, a>>>(flag, 3);  // two that wait, for one
  wait<<<1, 1, 0, c>>>(flag, 3);
  cudaStreamWaitEvent(b, done, 0);
  open<<<1, 1, 0, b>>>(flag, 3);
  printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), read(b));
}
