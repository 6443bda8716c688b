// malloc, free, new and delete in kernels.
#include <cstdio>
struct node {
  int value;
  node *next;
};
enum { THREADS = 64, BLOCKS = 4, NODES = 50 };
__device__ node *lists[BLOCKS * THREADS];
__global__ void build() {
  node *head = nullptr;
  int t = blockIdx.x * THREADS + threadIdx.x;
  for (int i = 0; i < NODES; i++) head = new node{i * t, head};
  lists[t] = head;
}
// Which block is first matters, so the launch is tried in several orders.
__global__ void undone(int *out) { out[blockIdx.x] = atomicExch(out + 2, 3); }
__global__ void sum(int *out) {
  int sum = 0, t = blockIdx.x * THREADS + threadIdx.x;
  for (node *at = lists[t]; at;) {
    node *next = at->next;
    sum += at->value;
    delete at;
    at = next;
  }
  out[t] = sum;
}
// MiB that there are in the heap.
__global__ void fill(int *out) {
  volatile int *block;
  int n = 0;
  void *last = nullptr;
  while ((block = (volatile int *)malloc(1 << 20))) {
    block[0] = 0;
    *(void **)(block + 2) = last;
    last = (void *)block;
    n++;
  }
  while (last) {
    void *before = *(void **)((int *)last + 2);
    free(last);
    last = before;
  }
  *out = n;
}
__global__ void misuse(int how, int *out) {
  volatile int *p = (volatile int *)malloc(64);
  p[1] = 3;
  lists[0] = (node *)p;
  free((void *)lists[0]);
  if (how == 1) free((void *)lists[0]);
  if (how == 2) *out = p[1];
}
int main(int argc, char **) {
  int *out, wrong = 0;
  cudaMallocManaged(&out, BLOCKS * THREADS * sizeof *out);
  if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20)) wrong++;
  for (int round = 0; round < 3; round++) {
    build<<<BLOCKS, THREADS>>>();
    cudaMemset(out, 0, 12);
    undone<<<2, 1>>>(out);
    sum<<<BLOCKS, THREADS>>>(out);
    if (cudaDeviceSynchronize()) wrong++;
    for (int t = 0; t < BLOCKS * THREADS; t++) wrong += out[t] != NODES * (NODES - 1) / 2 * t;
  }
  for (int round = 0; round < 2; round++) {
    fill<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() || *out < 13 || *out > 15) wrong++;
  }
  printf("%d wrong\n", wrong);
  printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20)));
  if (argc > 1) misuse<<<1, 1>>>(2, out), cudaDeviceSynchronize();
  if (argc > 1) misuse<<<1, 1>>>(1, out), puts(cudaGetErrorName(cudaDeviceSynchronize()));
  return wrong > 0;
}
