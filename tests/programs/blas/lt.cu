// lt.cu: cublasLtMatmul with a bias and GELU, and the time that the GPU's ceiling gives a product.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cmath>
#include <cstdio>
#include <vector>

static double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

static float *upload(const std::vector<float> &values) {
  float *device;
  cudaMalloc(&device, values.size() * sizeof(float));
  cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

static double worst(const float *device, const std::vector<double> &want) {
  std::vector<float> got(want.size());
  cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (size_t i = 0; i < want.size(); i++) worst = std::fmax(worst, std::fabs(got[i] - want[i]));
  return worst;
}

// out = gelu(weight^T in + bias), what is before gelu into aux
static void layer() {
  const int m = 24, n = 10, k = 16;
  std::vector<float> weight(k * m), in(k * n), bias(m), nothing(m * n);
  for (int i = 0; i < k * m; i++) weight[i] = 0.1f * (i % 13 - 6);
  for (int i = 0; i < k * n; i++) in[i] = 0.1f * (i % 7 - 3);
  for (int i = 0; i < m; i++) bias[i] = 0.5f * (i % 5 - 2);
  std::vector<double> before(m * n), after(m * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double sum = bias[i];
      for (int l = 0; l < k; l++) sum += (double)weight[i * k + l] * in[j * k + l];
      before[j * m + i] = sum, after[j * m + i] = gelu(sum);
    }
  float *d_weight = upload(weight), *d_in = upload(in), *d_bias = upload(bias), *d_out, *d_aux;
  cudaMalloc(&d_out, m * n * sizeof(float));
  cudaMalloc(&d_aux, m * n * sizeof(float));
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t a, b, c;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t heuristic;
  cublasLtCreate(&handle);
  cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasOperation_t transposed = CUBLAS_OP_T;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
  int64_t ld = m;
  int count;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias, sizeof d_bias);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &d_aux,
                                 sizeof d_aux);
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld);
  cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, k, m, k);
  cublasLtMatrixLayoutCreate(&b, CUDA_R_32F, k, n, k);
  cublasLtMatrixLayoutCreate(&c, CUDA_R_32F, m, n, m);
  cublasLtMatmulPreferenceCreate(&preference);
  float one = 1, zero = 0;
  cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, c, c, preference, 1, &heuristic, &count);
  cublasStatus_t status = cublasLtMatmul(handle, desc, &one, d_weight, a, d_in, b, &zero, d_out, c,
                                         d_out, c, &heuristic.algo, nullptr, 0, 0);
  printf("%d algorithm, %s\n", count, cublasLtGetStatusName(status));
  printf("bias %s, gelu %s\n", worst(d_aux, before) < 1e-5 ? "right" : "wrong",
         worst(d_out, after) < 1e-5 ? "right" : "wrong");
  epilogue = CUBLASLT_EPILOGUE_BGRADB;
  cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  status =
      cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, c, c, preference, 1, &heuristic, &count);
  printf("another epilogue: %d algorithms, %s\n", count, cublasLtGetStatusName(status));
  cublasLtMatmulDescDestroy(desc);
  cublasLtMatrixLayoutDestroy(a), cublasLtMatrixLayoutDestroy(b), cublasLtMatrixLayoutDestroy(c);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtDestroy(handle);
}

// 2 n^3 operations at 66.9 per ns; the sum of two vectors of 64 MiB at 2976 bytes per ns
static void times() {
  const int n = 1024, length = 1 << 24;
  cublasHandle_t handle;
  cudaEvent_t events[3];
  float *x, *y, one = 1, zero = 0, ms[2];
  cudaMalloc(&x, length * sizeof *x);
  cudaMalloc(&y, length * sizeof *y);
  cudaMemset(x, 0, length * sizeof *x);
  cudaMemset(y, 0, length * sizeof *y);
  cublasCreate(&handle);
  for (cudaEvent_t &event : events) cudaEventCreate(&event);
  cudaEventRecord(events[0]);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, x, n, &zero, y, n);
  cudaEventRecord(events[1]);
  cublasSaxpy(handle, length, &one, x, 1, y, 1);
  cudaEventRecord(events[2]);
  cudaEventSynchronize(events[2]);
  cudaEventElapsedTime(&ms[0], events[0], events[1]);
  cudaEventElapsedTime(&ms[1], events[1], events[2]);
  printf("%.3f ms, %.3f ms\n", ms[0], ms[1]);
  cublasDestroy(handle);
}

int main() {
  layer();
  times();
}
