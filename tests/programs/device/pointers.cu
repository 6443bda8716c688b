// Functions as values: tables of them, virtual calls, lanes that call different ones, recursion.
#include <cstdio>
typedef int (*function)(int, int);
struct operation {
  __device__ virtual int run(int) const = 0;
  __device__ virtual ~operation() {}
};
struct plus : operation {
  int k;
  __device__ plus(int a) : k(a) {}
  __device__ int run(int x) const override { return x + k; }
};
struct times : operation {
  int k;
  __device__ times(int a) : k(a) {}
  __device__ int run(int x) const override { return x * k; }
};

__device__ int minus(int a, int b) { return a - b; }
__device__ __noinline__ int deep(int n) {
  volatile int a[4];
  a[n & 3] = n;
  return n ? deep(n - 1) + a[n & 3] : 0;
}
__device__ int sum_to(int a, int b) { return deep(a % 50) + b; }
__device__ int leaves(int a, int b) {
  if (a & 2) return 7 + b;
  asm volatile("exit;");
  return 0;
}
__device__ function table[] = {minus, sum_to, leaves};
__constant__ function chosen = sum_to;
__device__ int numbers[4] = {1, 2, 3, 4}, *first = numbers;

__global__ void make(operation **to) {
  to[0] = new plus(1);
  to[1] = new times(2);
  to[2] = new plus(10);
  to[3] = new times(5);
}
__global__ void run(int *out, operation **operations, function given) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 4; i++) sum += operations[(t + i) % 4]->run(t);
  out[t] = sum + given(t, 1) + chosen(t, 2) + first[t % 3];
  out[t] += table[t % 3](t, 3);
}
__global__ void end(operation **operations) { delete operations[threadIdx.x]; }
template <class Function>
__global__ void call(Function f, int *out) {
  out[threadIdx.x] = f(threadIdx.x);
}
__device__ int forever(int n) { return n < 0 ? 0 : forever(n + 1) * 3 + n; }
__global__ void overflow(int *n) { *n = forever(*n); }
__global__ void wild(function f, int *out) { *out = f(1, 2); }

int main(int argc, char **argv) {
  int *out, wrong = 0;
  operation **operations;
  function given;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMalloc(&operations, 4 * sizeof *operations);
  make<<<1, 1>>>(operations);
  cudaMemcpyFromSymbol(&given, table, sizeof given);
  run<<<1, 64>>>(out, operations, given);
  if (cudaDeviceSynchronize()) wrong++;
  for (int t = 0; t < 64; t++) {
    int sum = t + 1 + t * 2 + t + 10 + t * 5, to = t % 50 * (t % 50 + 1) / 2;
    int want = sum + t - 1 + to + 2 + t % 3 + 1;
    want += t % 3 == 0 ? t - 3 : t % 3 == 1 ? to + 3 : t & 2 ? 10 : 0;
    if (out[t] != want) wrong++, printf("thread %d: %d, not %d\n", t, out[t], want);
  }
  end<<<1, 4>>>(operations);
  int k = 4;
  call<<<1, 64>>>([=] __device__(int t) { return t * k; }, out);
  if (cudaDeviceSynchronize()) wrong++;
  for (int t = 0; t < 64; t++) wrong += out[t] != t * k;
  printf("%d wrong\n", wrong);
  if (argc == 1) return wrong > 0;
  out[0] = 1;
  if (*argv[1] == 'w')
    wild<<<1, 1>>>((function)(void *)main, out);
  else
    overflow<<<1, 1>>>(out);
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
