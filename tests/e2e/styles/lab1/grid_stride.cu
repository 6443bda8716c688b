// A fixed grid whose threads walk over C in strides, with the matrices as structs and a double sum.
// verdict: pass
// may-lose: time
struct Matrix {
  float *data;
  int rows, columns;
  __device__ float &at(int i, int j) const { return data[(size_t)i * columns + j]; }
};

__global__ void product(Matrix a, Matrix b, Matrix c) {
  for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < c.rows; i += gridDim.y * blockDim.y)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < c.columns;
         j += gridDim.x * blockDim.x) {
      double sum = 0;
      for (int k = 0; k < a.columns; k++) sum += (double)a.at(i, k) * b.at(k, j);
      c.at(i, j) = (float)sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  Matrix a{const_cast<float *>(A), M, K}, b{const_cast<float *>(B), K, N}, c{C, M, N};
  product<<<dim3(8, 32), dim3(32, 8)>>>(a, b, c);
}
