__device__ int more = 5;
__device__ int twice(int x) { return 2 * x; }
