/* aligned.cu: alignas where nvcc takes it, behind __shared__. */
extern __shared__ alignas(16) float dynamic[];

__global__ void kernel(float *out) {
  __shared__ alignas(alignof(float4)) float a[3][4];
  __shared__ alignas(float4) float b[4];
  static __shared__ alignas(32) int c;
  a[0][0] = b[0] = c = dynamic[0] = 1;
  *out = a[0][0] + b[0] + c + dynamic[0];
  if (((unsigned long long)&c & 31) || ((unsigned long long)b & 15)) *out = 0;
}

int main() {
  float *out, host = 0;
  cudaMalloc(&out, sizeof host);
  kernel<<<1, 1, 16>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host != 4;
}
