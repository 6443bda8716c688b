// A kernel whose code is the same whether another kernel launches it (NESTED) or not.
__global__ void scaled_sum(float *y, const float *x, float a, int n) {
  __shared__ float tile[256];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = a * tile[threadIdx.x ^ 1] + y[i] + sinf(x[i]);
    for (int k = 0; k < 8; k++) y[i] = y[i] * tile[k] + 1.0f / a;
  }
}
#ifdef NESTED
__global__ void outer() { scaled_sum<<<1, 1>>>(0, 0, 1, 1); }
#endif
