// A functor and a struct of all arguments passed by value; member functions, references, default arguments.
#include <cuda_runtime.h>

struct Matrix {
  float *data;
  int rows, columns;
  __host__ __device__ Matrix(float *d, int r, int c) : data(d), rows(r), columns(c) {}
  __device__ float &operator()(int r, int c) { return data[r * columns + c]; }
  __device__ const float &operator()(int r, int c) const { return data[r * columns + c]; }
  __host__ __device__ bool contains(int r, int c) const { return r < rows && c < columns; }
};

struct Product {
  Matrix a, b;
  __device__ float operator()(int row, int column) const {
    float sum = 0;
    for (int k = 0; k < a.columns; k++) sum += a(row, k) * b(k, column);
    return sum;
  }
};

template <class F>
__global__ void for_each_element(Matrix c, F f) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (c.contains(row, column)) c(row, column) = f(row, column);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  Matrix c(C, M, N);
  Product f{Matrix(const_cast<float *>(A), M, K), Matrix(const_cast<float *>(B), K, N)};
  for_each_element<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(c, f);
}
