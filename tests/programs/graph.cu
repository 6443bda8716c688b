// CUDA graphs: captured with a fork and a join, and built node by node; updated, cloned, launched
// again. Ends with 0 if all results and codes are right. With an argument, two nodes that nothing
// orders write the same array.
#include <cstdio>

static int failures;

#define CHECK(call) EXPECT(call, cudaSuccess)
#define EXPECT(call, code)                                                              \
  do {                                                                                  \
    cudaError_t returned = call;                                                            \
    if (returned != code) failures++, printf("%d: %s is %d\n", __LINE__, #call, (int)returned);    \
    cudaGetLastError();                                                                 \
  } while (0)

enum { N = 256 };

__global__ void add(float *to, float value) { to[threadIdx.x] += value; }
__global__ void sum(float *to, const float *a, const float *b) {
  to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static float *a, *b, *c;
static cudaStream_t stream, other;
static int called;

static void call(void *data) { called += *(int *)data; }

static void expect(int line, float wanted) {
  float got[N];
  CHECK(cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost));
  if (got[N - 1] != wanted) failures++, printf("%d: %g, not %g\n", line, got[N - 1], wanted);
}

static size_t nodes_of(cudaGraph_t graph) {
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

static void captured() {
  cudaEvent_t forked, joined;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCaptureStatus status;
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaEventCreate(&joined));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, N * 4, stream));
  CHECK(cudaEventRecord(forked, stream));
  CHECK(cudaStreamWaitEvent(other, forked, 0));
  add<<<1, N, 0, stream>>>(a, 1);
  CHECK(cudaMemsetAsync(b, 0, N * 4, other));
  add<<<1, N, 0, other>>>(b, 2);
  CHECK(cudaEventRecord(joined, other));
  CHECK(cudaStreamWaitEvent(stream, joined, 0));
  sum<<<1, N, 0, stream>>>(c, a, b);
  CHECK(cudaStreamIsCapturing(other, &status));
  if (status != cudaStreamCaptureStatusActive) failures++, printf("status %d\n", status);
  CHECK(cudaStreamEndCapture(stream, &graph));
  if (nodes_of(graph) != 5) failures++, printf("%zu nodes\n", nodes_of(graph));
  CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  CHECK(cudaMemset(c, 0, N * 4));
  expect(__LINE__, 0); /* nothing has run */
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(__LINE__, 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  EXPECT(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(forked));
  CHECK(cudaEventDestroy(joined));
}

static void built() {
  cudaGraph_t graph, clone;
  cudaGraphNode_t fill, kernel, child, host, found;
  cudaGraphExec_t exec;
  float value = 4;
  int once = 1;
  void *arguments[] = {&c, &value};
  cudaMemsetParams zeros = {};
  zeros.dst = c;
  zeros.elementSize = 4;
  zeros.value = 0x3f800000;
  zeros.width = N;
  zeros.height = 1;
  cudaKernelNodeParams params = {};
  params.func = (void *)add;
  params.gridDim = 1;
  params.blockDim = N;
  params.kernelParams = arguments;
  cudaHostNodeParams function = {call, &once};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros));
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
  CHECK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &function));
  value = 100; /* it was copied */
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(__LINE__, 5);
  if (called != 2) failures++, printf("called %d times\n", called);
  value = 7;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  CHECK(cudaGraphLaunch(exec, 0));
  expect(__LINE__, 8);
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&found, kernel, clone));
  value = 20;
  CHECK(cudaGraphKernelNodeSetParams(found, &params));
  cudaGraphExecUpdateResultInfo updated;
  CHECK(cudaGraphExecUpdate(exec, clone, &updated));
  CHECK(cudaGraphLaunch(exec, 0));
  expect(__LINE__, 21);
  CHECK(cudaGraphAddChildGraphNode(&child, clone, &found, 1, graph));
  EXPECT(cudaGraphExecUpdate(exec, clone, &updated), cudaErrorGraphExecUpdateFailure);
  if (updated.result != cudaGraphExecUpdateErrorTopologyChanged) failures++, printf("updated\n");
  CHECK(cudaGraphAddDependencies(clone, &child, &found, 1));
  cudaGraphExec_t none;
  EXPECT(cudaGraphInstantiate(&none, clone, 0), cudaErrorInvalidValue); /* a cycle */
  EXPECT(cudaGraphAddEmptyNode(&child, graph, &found, 1), cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(clone));
}

static void refused() {
  cudaGraph_t graph;
  cudaEvent_t event;
  float *memory;
  CHECK(cudaEventCreate(&event));
  EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaMemsetAsync(a, 0, 4, stream), cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1>>>(a, 1); /* in the legacy stream, for which the captured one would have to wait */
  EXPECT(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMalloc(&memory, 4));
  CHECK(cudaEventRecord(event, stream));
  EXPECT(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(a, 0, 4, stream));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  add<<<1, 1, 0, other>>>(a, 1);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  EXPECT(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaFree(memory));
  CHECK(cudaEventDestroy(event));
}

static void races() {
  cudaGraph_t graph;
  cudaGraphNode_t first, second;
  cudaGraphExec_t exec;
  float value = 1;
  void *arguments[] = {&c, &value};
  cudaKernelNodeParams params = {};
  params.func = (void *)add;
  params.gridDim = 1;
  params.blockDim = N;
  params.kernelParams = arguments;
  CHECK(cudaMemset(c, 0, N * 4));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params));
  CHECK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **) {
  CHECK(cudaMalloc(&a, N * 4));
  CHECK(cudaMalloc(&b, N * 4));
  CHECK(cudaMalloc(&c, N * 4));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  if (argc > 1) {
    races();
  } else {
    captured();
    built();
    refused();
  }
  return failures != 0;
}
