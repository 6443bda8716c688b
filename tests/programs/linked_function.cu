// Neither a kernel nor a variable: clang registers nothing of such a file by itself.
__device__ int twice(int x) { return 2 * x; }
