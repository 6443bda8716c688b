/* A line of which 32 lanes reach 32 sectors (scattered.cu). */
__device__ inline void put(float *a, int i, float factor) { a[i * 64] *= factor; }
