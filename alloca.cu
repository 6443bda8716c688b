__device__ void f_(void *);
__device__ void f_(void *);
__global__ void f(int n) { f_(__builtin_alloca(n)); }
