// cuBLAS in a stream that is captured: each call is a node, which reads its operands, and scalars on
// the device, when the graph is launched. Ends with 0 if all results and codes are right.
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>

static int failures;
#define CHECK(call) EXPECT(call, 0)
#define EXPECT(call, code)                                                                      \
  do {                                                                                          \
    int returned = (int)(call);                                                                 \
    if (returned != (code)) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned);    \
  } while (0)

enum { N = 4 };
__global__ void add(float *x, float value) { x[threadIdx.x] += value; }

static void expect(int line, const float *where, float wanted) {
  float got;
  CHECK(cudaMemcpy(&got, where, sizeof got, cudaMemcpyDeviceToHost));
  if (got != wanted) failures++, printf("%d: %g, not %g\n", line, got, wanted);
}

int main() {
  cublasHandle_t blas;
  cublasLtHandle_t lt;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  float *x, *y, *A, *C, *scalar, ones[N * N], two = 2, zero = 0, one = 1;
  for (float &value : ones) value = 1;
  for (float **p : {&x, &y, &A, &C}) {
    CHECK(cudaMalloc(p, sizeof ones));
    CHECK(cudaMemcpy(*p, ones, sizeof ones, cudaMemcpyHostToDevice));
  }
  CHECK(cudaMalloc(&scalar, sizeof two));
  CHECK(cudaMemcpy(scalar, &two, sizeof two, cudaMemcpyHostToDevice));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cublasCreate(&blas));
  CHECK(cublasLtCreate(&lt));
  CHECK(cublasSetStream(blas, stream));

  // y += 2 x (1 at first); A = 2 y x^T + A; C = A A; x is one more each time.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cublasSaxpy(blas, N, &two, x, 1, y, 1));
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSger(blas, N, N, scalar, y, 1, x, 1, A, N));
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
  CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, A, N, A, N, &zero, C, N));
  add<<<1, N, 0, stream>>>(x, 1);
  EXPECT(cublasSaxpy(blas, N, &two, NULL, 1, y, 0), CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t count = 0;
  cudaGraphNode_t nodes[4];
  cudaGraphNodeType type;
  CHECK(cudaGraphGetNodes(graph, NULL, &count));
  if (count != 4) failures++, printf("%zu nodes\n", count);
  count = 4;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  CHECK(cudaGraphNodeGetType(nodes[0], &type));
  if (type != cudaGraphNodeTypeKernel) failures++, printf("type %d\n", type);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  expect(__LINE__, y, 1); // nothing has run
  two = 1000;             // was read when it was captured
  const float three = 3;
  for (int i = 0; i < 2; i++) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    expect(__LINE__, y, i ? 7 : 3);
    expect(__LINE__, A, i ? 7 + 3 * 7 * 2 : 1 + 2 * 3);
    expect(__LINE__, C, i ? N * 49.f * 49 : N * 7.f * 7);
    CHECK(cudaMemcpy(scalar, &three, sizeof three, cudaMemcpyHostToDevice)); // is read at launch
  }
  CHECK(cudaGraphExecDestroy(exec));

  // A result on the device may be captured, one that the host waits for may not.
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cublasSasum(blas, N, x, 1, scalar));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(__LINE__, scalar, 3 * N);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cublasSasum(blas, N, x, 1, &two), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();

  // cublasLt: what describes the product is gone when it is launched.
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t layout;
  cublasLtEpilogue_t relu = CUBLASLT_EPILOGUE_RELU;
  const float minus = -1;
  CHECK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  CHECK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &relu, sizeof relu));
  CHECK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, N, N, N));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cublasLtMatmul(lt, product, &minus, A, layout, A, layout, &zero, C, layout, C, layout, NULL,
                       NULL, 0, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cublasLtMatmulDescDestroy(product));
  CHECK(cublasLtMatrixLayoutDestroy(layout));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(__LINE__, C, 0);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cublasLtDestroy(lt));
  CHECK(cublasDestroy(blas));
  return failures != 0;
}
