// results.cu: cuBLAS against plain loops: every function that the simulator has, in both
// precisions, with leading dimensions, increments, strides and both pointer modes.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

static int failed;
static void check(bool right, const char *what, int line) {
  if (right) return;
  printf("line %d: %s\n", line, what);
  failed++;
}
#define IS(condition) check(condition, #condition, __LINE__)
#define OK(call) check((call) == CUBLAS_STATUS_SUCCESS, #call, __LINE__)

static double random_value() { return rand() % 17 - 8; }  // small and whole: sums are exact

template <class T>
struct array {  // the same numbers on both sides
  std::vector<T> host;
  T *device;
  array(size_t n, bool filled = true) : host(n) {
    for (T &x : host) x = filled ? T(random_value()) : T(0);
    cudaMalloc(&device, n * sizeof(T));
    cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~array() { cudaFree(device); }
  array(const array &) = delete;
  bool same(double most = 0) const {
    std::vector<T> now(host.size());
    cudaMemcpy(now.data(), device, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < now.size(); i++)
      if (!(std::fabs((double)now[i] - (double)host[i]) <= most)) return false;
    return true;
  }
};

// C = alpha op(A) op(B) + beta C
template <class T, class U>
static void product(bool ta, bool tb, int m, int n, int k, double alpha, const T *A, int lda,
                    const T *B, int ldb, double beta, U *C, int ldc) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += (double)(ta ? A[i * lda + l] : A[l * lda + i]) *
               (double)(tb ? B[l * ldb + j] : B[j * ldb + l]);
      C[j * ldc + i] = U(alpha * sum + (beta == 0 ? 0 : beta * (double)C[j * ldc + i]));
    }
}

#define NAMED(T, name)  \
  template <class... A> \
  static cublasStatus_t name(T, A... a)
#define BOTH(S, D, name)                 \
  NAMED(float, name) { return S(a...); } \
  NAMED(double, name) { return D(a...); }
BOTH(cublasSaxpy, cublasDaxpy, axpy)
BOTH(cublasSdot, cublasDdot, dot)
BOTH(cublasSnrm2, cublasDnrm2, nrm2)
BOTH(cublasSasum, cublasDasum, asum)
BOTH(cublasIsamax, cublasIdamax, amax)
BOTH(cublasIsamin, cublasIdamin, amin)
BOTH(cublasSscal, cublasDscal, scal)
BOTH(cublasScopy, cublasDcopy, copy)
BOTH(cublasSswap, cublasDswap, swap)
BOTH(cublasSgemv, cublasDgemv, gemv)
BOTH(cublasSger, cublasDger, ger)
BOTH(cublasSgemm, cublasDgemm, gemm)
BOTH(cublasSgemmStridedBatched, cublasDgemmStridedBatched, gemm_strided)
BOTH(cublasSgemmBatched, cublasDgemmBatched, gemm_batched)
BOTH(cublasSgeam, cublasDgeam, geam)
BOTH(cublasSdgmm, cublasDdgmm, dgmm)
BOTH(cublasStrsm, cublasDtrsm, trsm)

// Element i of n at an increment, as BLAS counts them.
template <class T>
static T &at(std::vector<T> &x, int i, int n, int inc) {
  return x[inc > 0 ? i * inc : (n - 1 - i) * -inc];
}

template <class T>
static void level1(cublasHandle_t handle, int incx, int incy) {
  const int n = 33;
  array<T> x(n * abs(incx)), y(n * abs(incy)), result(1);
  T alpha = 3, got, sum = 0, absolute = 0, squares = 0;
  OK(axpy(T(), handle, n, &alpha, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) at(y.host, i, n, incy) += alpha * at(x.host, i, n, incx);
  IS(y.same());
  for (int i = 0; i < n; i++) sum += at(x.host, i, n, incx) * at(y.host, i, n, incy);
  OK(dot(T(), handle, n, x.device, incx, y.device, incy, &got));
  IS(got == sum);
  OK(swap(T(), handle, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) std::swap(at(x.host, i, n, incx), at(y.host, i, n, incy));
  IS(x.same() && y.same());
  OK(copy(T(), handle, n, x.device, incx, y.device, incy));
  for (int i = 0; i < n; i++) at(y.host, i, n, incy) = at(x.host, i, n, incx);
  IS(y.same());
  if (incx < 0) return;
  OK(scal(T(), handle, n, &alpha, x.device, incx));
  int largest = 0, smallest = 0, index;
  for (int i = 0; i < n; i++) {
    T &value = at(x.host, i, n, incx);
    value *= alpha;
    absolute += std::fabs(value), squares += value * value;
    if (std::fabs(value) > std::fabs(at(x.host, largest, n, incx))) largest = i;
    if (std::fabs(value) < std::fabs(at(x.host, smallest, n, incx))) smallest = i;
  }
  IS(x.same());
  OK(asum(T(), handle, n, x.device, incx, &got));
  IS(got == absolute);
  OK(nrm2(T(), handle, n, x.device, incx, &got));
  IS(std::fabs(got - std::sqrt(squares)) < 1e-5 * got);
  OK(amax(T(), handle, n, x.device, incx, &index));
  IS(index == largest + 1);
  OK(amin(T(), handle, n, x.device, incx, &index));
  IS(index == smallest + 1);
  // Scalars and results on the device
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  OK(asum(T(), handle, n, x.device, incx, result.device));
  result.host[0] = absolute;
  IS(result.same());
  OK(scal(T(), handle, n, result.device, x.device, incx));
  for (int i = 0; i < n; i++) at(x.host, i, n, incx) *= absolute;
  IS(x.same());
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <class T>
static void level2(cublasHandle_t handle) {
  const int m = 13, n = 9, lda = 15;
  for (int transposed = 0; transposed < 2; transposed++)
    for (T beta : {T(0), T(1), T(-2)}) {
      array<T> A(lda * n), x(2 * m), y(3 * m);
      int rows = transposed ? n : m, columns = transposed ? m : n;
      T alpha = 2;
      OK(gemv(T(), handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, A.device, lda,
              x.device, 2, &beta, y.device, -3));
      for (int i = 0; i < rows; i++) {
        T sum = 0;
        for (int j = 0; j < columns; j++)
          sum += (transposed ? A.host[i * lda + j] : A.host[j * lda + i]) * x.host[2 * j];
        T &to = at(y.host, i, rows, -3);
        to = alpha * sum + (beta == 0 ? 0 : beta * to);
      }
      IS(y.same());
    }
  array<T> A(lda * n), x(m), y(n), C(lda * n);
  T alpha = -1;
  OK(ger(T(), handle, m, n, &alpha, x.device, 1, y.device, 1, A.device, lda));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) A.host[j * lda + i] += alpha * x.host[i] * y.host[j];
  IS(A.same());
  OK(dgmm(T(), handle, CUBLAS_SIDE_LEFT, m, n, A.device, lda, x.device, 1, C.device, lda));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) C.host[j * lda + i] = A.host[j * lda + i] * x.host[i];
  IS(C.same());
}

template <class T>
static void level3(cublasHandle_t handle) {
  const int m = 19, n = 70, k = 33, ld = 75, batch = 40;
  for (int how = 0; how < 12; how++) {
    bool ta = how & 1, tb = how & 2;
    T alpha = how < 8 ? 2 : 0, beta = how & 4 ? -1 : 0;
    array<T> A(ld * ld), B(ld * ld), C(ld * n);
    OK(gemm(T(), handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_C : CUBLAS_OP_N, m, n, k,
            &alpha, A.device, ld, B.device, ld, &beta, C.device, ld));
    product(ta, tb, m, n, k, alpha, A.host.data(), ld, B.host.data(), ld, beta, C.host.data(), ld);
    IS(C.same());
    array<T> D(ld * n);
    OK(geam(T(), handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n,
            &alpha, A.device, ld, &beta, B.device, ld, D.device, ld));
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        D.host[j * ld + i] = alpha * (ta ? A.host[i * ld + j] : A.host[j * ld + i]) +
                             beta * (tb ? B.host[i * ld + j] : B.host[j * ld + i]);
    IS(D.same());
  }
  array<T> A(batch * 12), B(batch * 20), C(batch * 15), D(batch * 15);
  T alpha = 1, beta = 2;
  D.host = C.host;
  cudaMemcpy(D.device, D.host.data(), D.host.size() * sizeof(T), cudaMemcpyHostToDevice);
  OK(gemm_strided(T(), handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 5, 4, &alpha, A.device, 3, 12LL,
                  B.device, 4, 20LL, &beta, C.device, 3, 15LL, batch));
  T **tables;
  cudaMallocManaged(&tables, 3 * batch * sizeof *tables);
  for (int i = 0; i < batch; i++) {
    product(false, false, 3, 5, 4, 1, &A.host[i * 12], 3, &B.host[i * 20], 4, 2, &C.host[i * 15],
            3);
    tables[i] = A.device + i * 12;
    tables[batch + i] = B.device + i * 20;
    tables[2 * batch + i] = D.device + i * 15;
  }
  IS(C.same());
  D.host = C.host;
  OK(gemm_batched(T(), handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 5, 4, &alpha, tables, 3, tables + batch,
                  4, &beta, tables + 2 * batch, 3, batch));
  IS(D.same());
  cudaFree(tables);
}

// op(A) X = B or X op(A) = B: multiplied again it is B.
template <class T>
static void triangular(cublasHandle_t handle) {
  const int m = 7, n = 5;
  for (int how = 0; how < 16; how++) {
    bool left = how & 1, lower = how & 2, transposed = how & 4, unit = how & 8;
    int order = left ? m : n;
    array<T> A(order * order), B(m * n);
    for (int i = 0; i < order; i++) A.host[i * order + i] = 4;
    cudaMemcpy(A.device, A.host.data(), A.host.size() * sizeof(T), cudaMemcpyHostToDevice);
    T alpha = 3;
    OK(trsm(T(), handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
            lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
            transposed ? CUBLAS_OP_T : CUBLAS_OP_N, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT,
            m, n, &alpha, A.device, order, B.device, m));
    for (int j = 0; j < order; j++)
      for (int i = 0; i < order; i++)
        if (i == j ? unit : (i > j) != lower) A.host[j * order + i] = i == j;
    std::vector<T> X(m * n), again(m * n);
    cudaMemcpy(X.data(), B.device, X.size() * sizeof(T), cudaMemcpyDeviceToHost);
    if (left)
      product(transposed, false, m, n, m, 1, A.host.data(), m, X.data(), m, 0, again.data(), m);
    else
      product(false, transposed, m, n, n, 1, X.data(), m, A.host.data(), n, 0, again.data(), m);
    double largest = 1, error = 0;
    for (T x : X) largest = std::fmax(largest, std::fabs(x));
    for (int i = 0; i < m * n; i++)
      error = std::fmax(error, std::fabs(again[i] - alpha * B.host[i]) / largest);
    IS(error < (sizeof(T) == 4 ? 1e-4 : 1e-12));
  }
}

/* Compute: cublasComputeType_t, or cudaDataType as before cuBLAS 11. */
template <class T, class U, class S, class Compute>
static void typed(cublasHandle_t handle, cudaDataType type, cudaDataType result, Compute compute) {
  const int m = 8, n = 6, k = 5;
  array<T> A(m * k), B(k * n);
  array<U> C(m * n);
  S alpha = S(2.0f), beta = S(1.0f);
  OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.device, type, m, B.device,
                  type, k, &beta, C.device, result, m, compute, CUBLAS_GEMM_DEFAULT));
  product(false, false, m, n, k, 2, A.host.data(), m, B.host.data(), k, 1, C.host.data(), m);
  IS(C.same());
  OK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A.device, type,
                                m, 0, B.device, type, k, 0, &beta, C.device, result, m, m * n, 1,
                                compute, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  product(false, false, m, n, k, 2, A.host.data(), m, B.host.data(), k, 1, C.host.data(), m);
  IS(C.same());
}

int main() {
  cublasHandle_t handle;
  cudaStream_t stream;
  OK(cublasCreate(&handle));
  for (int round = 0; round < 2; round++) {
    for (int incx : {1, 3, -2})
      for (int incy : {1, 2, -1}) {
        level1<float>(handle, incx, incy);
        level1<double>(handle, incx, incy);
      }
    level2<float>(handle), level2<double>(handle);
    level3<float>(handle), level3<double>(handle);
    triangular<float>(handle), triangular<double>(handle);
    cudaStreamCreate(&stream);  // once more in a stream of its own
    OK(cublasSetStream(handle, stream));
  }
  typed<__half, __half, float>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  typed<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  typed<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  typed<__nv_bfloat16, __nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  typed<float, float, float>(handle, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  typed<double, double, double>(handle, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  typed<signed char, int, int>(handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  typed<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F);
  typed<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F);
  typed<double, double, double>(handle, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F);
  typed<signed char, int, int>(handle, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I);
  float matrix[6] = {1, 2, 3, 4, 5, 6}, back[6] = {}, *device;
  cudaMalloc(&device, 8 * sizeof(float));
  OK(cublasSetMatrix(2, 3, sizeof(float), matrix, 2, device, 2));
  OK(cublasGetMatrix(2, 2, sizeof(float), device, 2, back, 3));
  IS(back[0] == 1 && back[1] == 2 && back[2] == 0 && back[3] == 3 && back[4] == 4);
  OK(cublasSetVector(2, sizeof(float), matrix, 2, device, 1));
  OK(cublasGetVector(2, sizeof(float), device, 1, back, 1));
  IS(back[0] == 1 && back[1] == 3);
  cudaFree(device);
  OK(cublasDestroy(handle));
  cudaStreamDestroy(stream);
  printf("%d wrong\n", failed);
  return failed > 0;
}
