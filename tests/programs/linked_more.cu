__device__ int more = 5;
