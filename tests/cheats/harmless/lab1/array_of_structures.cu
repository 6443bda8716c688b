// The matrices are an array of structures with padding; the kernel takes each by its number.
// least: 100
struct Matrix {
  const float *elements;
  int width;
};
struct Operands {
  Matrix of[2];
};

__global__ void product(Operands operands, int left, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  Matrix a = operands.of[left], b = operands.of[1 - left];
  float sum = 0;
  for (int k = 0; k < K; k++)
    sum += a.elements[row * a.width + k] * b.elements[k * b.width + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  Operands operands;
  operands.of[1].elements = A;
  operands.of[1].width = K;
  operands.of[0].elements = B;
  operands.of[0].width = N;
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(operands, 1, C, M, N, K);
}
