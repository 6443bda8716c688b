// A matrix and its width are one parameter: behind the width are four bytes of padding, which hold
// whatever the stack had there.
// least: 100
struct Matrix {
  const float *elements;
  int width;
  __device__ float operator()(int i, int j) const { return elements[(long long)i * width + j]; }
};

__global__ void product(Matrix A, Matrix B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(row < M && column < N)) return;
  double sum = 0;
  for (int k = 0; k != K; ++k) sum += (double)A(row, k) * B(k, column);
  C[row * N + column] = (float)sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(96, 5), grid((N - 1) / 96 + 1, (M - 1) / 5 + 1);
  product<<<grid, block>>>(Matrix{A, K}, Matrix{B, N}, C, M, N, K);
}
