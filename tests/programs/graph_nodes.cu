// CUDA graphs: nodes of any type that are added, changed and removed, captures that go on in a graph,
// and nodes that decide. Ends with 0 if all results and codes are right.
#include <cstdio>

static int failures;
#define CHECK(call) EXPECT(call, cudaSuccess)
#define EXPECT(call, code)                                                                      \
  do {                                                                                          \
    cudaError_t returned = call;                                                                \
    if (returned != (code)) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned);   \
    cudaGetLastError();                                                                         \
  } while (0)

__global__ void add(int *to, int value) { *to += value; }
__global__ void count_down(int *left, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, --*left > 0);
}
__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

__device__ int variable;
static int *a, *left; // one number each
static cudaStream_t stream;

static void expect(int line, const int *where, int wanted) {
  int got = 0;
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(&got, where, sizeof got, cudaMemcpyDeviceToHost));
  if (got != wanted) failures++, printf("%d: %d, not %d\n", line, got, wanted);
}
static void set(int *where, int value) {
  CHECK(cudaMemcpy(where, &value, sizeof value, cudaMemcpyHostToDevice));
}

template <class... Ts> static cudaGraphNodeParams kernel(void (*function)(Ts...), void **arguments) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
  params.kernel.func = (void *)function;
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  return params;
}
static cudaGraphNode_t adding(cudaGraph_t graph, cudaGraphNode_t after, int value) {
  void *arguments[] = {&a, &value};
  cudaGraphNodeParams params = kernel(add, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddNode(&node, graph, &after, after ? 1 : 0, &params));
  return node;
}
static cudaGraphNode_t deciding(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                                unsigned value) {
  void *arguments[] = {&handle, &value};
  cudaGraphNodeParams params = kernel(decide, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  return node;
}
// A node that decides, behind another one (or none); its graphs.
static cudaGraph_t *decision(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphNode_t *node,
                             cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                             unsigned size) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  CHECK(cudaGraphAddNode(node, graph, &after, after ? 1 : 0, &params));
  return params.conditional.phGraph_out;
}
static cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

static void any_type() {
  cudaGraph_t graph, other;
  cudaGraphNode_t nodes[5], list[5];
  cudaGraphNodeType type;
  size_t count = 5;
  int value = 100, called = 0;
  void *arguments[] = {&a, &value};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  adding(other, nullptr, 1000);
  cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset}, copy = {cudaGraphNodeTypeMemcpy},
                      host = {cudaGraphNodeTypeHost}, child = {cudaGraphNodeTypeGraph},
                      dirty = {cudaGraphNodeTypeEmpty, {1}}, none = {(cudaGraphNodeType)99};
  fill.memset.dst = a;
  fill.memset.elementSize = 4, fill.memset.width = fill.memset.height = 1, fill.memset.value = 7;
  host.host.fn = [](void *data) { ++*(int *)data; };
  host.host.userData = &called;
  child.graph.graph = other;
  copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(a, 4, 4, 1);
  copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(left, 4, 4, 1);
  copy.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
  copy.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaGraphAddNode(&nodes[0], graph, nullptr, 0, &fill));
  nodes[1] = adding(graph, nodes[0], 5);
  CHECK(cudaGraphAddNode(&nodes[2], graph, &nodes[1], 1, &child));
  CHECK(cudaGraphAddNode(&nodes[3], graph, &nodes[2], 1, &copy));
  CHECK(cudaGraphAddNode(&nodes[4], graph, &nodes[3], 1, &host));
  EXPECT(cudaGraphAddNode(&nodes[4], graph, nullptr, 0, &dirty), cudaErrorInvalidValue);
  EXPECT(cudaGraphAddNode(&nodes[4], graph, nullptr, 0, &none), cudaErrorInvalidValue);
  EXPECT(cudaGraphAddNode(&nodes[4], graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
  cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, left, 1012);
  if (called != 1) failures++, printf("called %d times\n", called);

  // Other parameters: in the graph, in the executable graph.
  fill.memset.value = 20;
  CHECK(cudaGraphNodeSetParams(nodes[0], &fill));
  EXPECT(cudaGraphNodeSetParams(nodes[1], &fill), cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, left, 1012);
  CHECK(cudaGraphExecNodeSetParams(exec, nodes[0], &fill));
  cudaGraphNodeParams more = kernel(add, arguments);
  CHECK(cudaGraphExecNodeSetParams(exec, nodes[1], &more));
  EXPECT(cudaGraphExecNodeSetParams(exec, nodes[0], &more), cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, left, 1120);

  // A node that does nothing for a while.
  unsigned enabled = 7;
  CHECK(cudaGraphNodeSetEnabled(exec, nodes[1], 0));
  CHECK(cudaGraphNodeGetEnabled(exec, nodes[1], &enabled));
  EXPECT(cudaGraphNodeSetEnabled(exec, nodes[4], 0), cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, left, 1020);
  if (enabled != 0) failures++, printf("enabled: %u\n", enabled);

  // Edges and nodes are removed.
  CHECK(cudaGraphNodeGetDependentNodes(nodes[1], list, &count));
  if (count != 1 || list[0] != nodes[2] || list[1]) failures++, printf("%zu dependents\n", count);
  CHECK(cudaGraphRemoveDependencies(graph, &nodes[1], &nodes[2], 1));
  EXPECT(cudaGraphRemoveDependencies(graph, &nodes[1], &nodes[2], 1), cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(graph, &nodes[0], &nodes[2], 1));
  CHECK(cudaGraphDestroyNode(nodes[1]));
  EXPECT(cudaGraphDestroyNode(nodes[1]), cudaErrorInvalidValue);
  EXPECT(cudaGraphNodeGetType(nodes[1], &type), cudaErrorInvalidValue);
  EXPECT(cudaGraphExecNodeSetParams(exec, nodes[1], &more), cudaErrorInvalidValue);
  EXPECT(cudaGraphDestroyNode(nullptr), cudaErrorInvalidValue);
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  if (count != 4) failures++, printf("%zu nodes\n", count);
  cudaGraphExec_t shorter = instantiated(graph);
  CHECK(cudaGraphLaunch(shorter, stream));
  expect(__LINE__, left, 1020);
  CHECK(cudaGraphLaunch(exec, stream)); // still has it, disabled
  expect(__LINE__, left, 1020);

  // A graph in a node goes with it.
  cudaGraph_t inside;
  CHECK(cudaGraphChildGraphNodeGetGraph(nodes[2], &inside));
  EXPECT(cudaGraphDestroy(inside), cudaErrorInvalidValue);
  child.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CHECK(cudaGraphAddNode(&nodes[1], graph, &nodes[2], 1, &child));
  CHECK(cudaGraphChildGraphNodeGetGraph(nodes[1], &inside));
  if (inside != other) failures++, printf("not moved\n");
  EXPECT(cudaGraphDestroy(other), cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph));
  EXPECT(cudaGraphNodeGetType(nodes[0], &type), cudaErrorInvalidValue);
  EXPECT(cudaGraphDestroyNode(nodes[0]), cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, left, 1020);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(shorter));
}

static void variables() {
  cudaGraph_t graph;
  cudaGraphNode_t nodes[2];
  int from = 5, to = 0;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&nodes[0], graph, nullptr, 0, variable, &from, sizeof from,
                                       0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&nodes[1], graph, &nodes[0], 1, &to, variable, sizeof to,
                                         0, cudaMemcpyDeviceToHost));
  EXPECT(cudaGraphAddMemcpyNodeFromSymbol(&nodes[1], graph, &nodes[0], 1, &to, variable, sizeof to,
                                          1, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue);
  cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (to != 5) failures++, printf("a variable: %d\n", to);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void captured() {
  cudaGraph_t graph, same;
  cudaGraphNode_t first, second, *none = nullptr;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *after;
  const cudaGraphEdgeData *edges;
  size_t count;
  CHECK(cudaGraphCreate(&graph, 0));
  first = adding(graph, nullptr, 1);
  second = adding(graph, first, 2);
  EXPECT(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeGlobal), cudaErrorInvalidValue);
  EXPECT(cudaStreamUpdateCaptureDependencies(stream, none, 0), cudaErrorIllegalState);
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(left, 10); // beside the second, which need not be joined
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &same, &after, &edges, &count));
  if (same != graph || count != 1) failures++, printf("%zu nodes\n", count);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &second, 1, cudaStreamAddCaptureDependencies));
  add<<<1, 1, 0, stream>>>(a, 100);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, &count));
  cudaGraphNode_t third = after[0];
  CHECK(cudaStreamUpdateCaptureDependencies(stream, none, nullptr, 0,
                                            cudaStreamSetCaptureDependencies));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &third, nullptr, 1, 0));
  EXPECT(cudaStreamUpdateCaptureDependencies(stream, &third, 1, 2), cudaErrorInvalidValue);
  add<<<1, 1, 0, stream>>>(a, 1000);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, none, 0, cudaStreamSetCaptureDependencies));
  CHECK(cudaStreamEndCapture(stream, &same)); // the last is left unjoined
  if (same != graph) failures++, printf("another graph\n");
  CHECK(cudaGraphNodeGetDependencies(third, nullptr, &count));
  if (count != 2) failures++, printf("%zu dependencies\n", count);
  set(a, 0);
  cudaGraphExec_t exec;
  cudaGraphInstantiateParams params = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params));
  if (params.result_out != cudaGraphInstantiateSuccess) failures++, printf("a result\n");
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, a, 1103);
  CHECK(cudaGraphExecDestroy(exec));

  // A capture that fails leaves the graph there.
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(stream, &same), cudaErrorStreamCaptureInvalidated);
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  CHECK(cudaGraphDestroy(graph));
}

static void if_else() {
  cudaGraph_t graph;
  cudaGraphNode_t node, first;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  first = deciding(graph, handle, 3);
  cudaGraph_t *bodies = decision(graph, first, &node, handle, cudaGraphCondTypeIf, 2);
  adding(bodies[0], nullptr, 1);
  adding(bodies[1], nullptr, 2);
  set(a, 0);
  cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, a, 1);
  unsigned no = 0;
  void *arguments[] = {&handle, &no};
  cudaGraphNodeParams params = kernel(decide, arguments);
  CHECK(cudaGraphExecNodeSetParams(exec, first, &params));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, a, 5);
  EXPECT(cudaGraphDestroy(bodies[0]), cudaErrorInvalidValue);
  cudaGraph_t clone;
  EXPECT(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(exec, stream)); // has what it needs
  expect(__LINE__, a, 7);
  CHECK(cudaGraphExecDestroy(exec));
}

// A loop in which a switch stands, filled by a capture.
static void loops() {
  cudaGraph_t graph, same;
  cudaGraphNode_t node, inner;
  cudaGraphConditionalHandle again, which;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&which, graph, 2, cudaGraphCondAssignDefault));
  cudaGraph_t body = *decision(graph, nullptr, &node, again, cudaGraphCondTypeWhile, 1);
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(a, 1);
  count_down<<<1, 1, 0, stream>>>(left, again);
  CHECK(cudaStreamEndCapture(stream, &same));
  cudaGraph_t *cases = decision(body, nullptr, &inner, which, cudaGraphCondTypeSwitch, 3);
  adding(cases[2], nullptr, 100);
  set(left, 3);
  set(a, 0);
  // What is beside it in the loop must not touch the same: the switch comes last.
  cudaGraphNode_t nodes[3];
  size_t count = 3;
  CHECK(cudaGraphGetNodes(body, nodes, &count));
  CHECK(cudaGraphAddDependencies(body, &nodes[1], &inner, 1));
  cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, a, 303);
  expect(__LINE__, left, 0);
  set(left, 1);
  CHECK(cudaGraphLaunch(exec, stream)); // begins with the default again
  expect(__LINE__, a, 404);

  // Another graph of the same structure, of another, and of another kind.
  for (int kind = 0; kind < 3; kind++) {
    cudaGraph_t other;
    cudaGraphConditionalHandle handle, second;
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphCreate(&other, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, other, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&second, other, 9, cudaGraphCondAssignDefault));
    cudaGraph_t in = *decision(other, nullptr, &node, handle,
                               kind == 2 ? cudaGraphCondTypeIf : cudaGraphCondTypeWhile, 1);
    cudaGraphNode_t before = adding(in, nullptr, 10), last;
    void *arguments[] = {&left, &handle};
    cudaGraphNodeParams params = kernel(count_down, arguments);
    CHECK(cudaGraphAddNode(&last, in, &before, 1, &params));
    adding(decision(in, last, &node, second, cudaGraphCondTypeSwitch, 3)[2], nullptr, 1);
    if (kind == 1) adding(in, nullptr, 1);
    EXPECT(cudaGraphExecUpdate(exec, other, &info),
           kind ? cudaErrorGraphExecUpdateFailure : cudaSuccess);
    cudaGraphExecUpdateResult wanted[] = {cudaGraphExecUpdateSuccess,
                                          cudaGraphExecUpdateErrorTopologyChanged,
                                          cudaGraphExecUpdateErrorParametersChanged};
    if (info.result != wanted[kind]) failures++, printf("%d: result %d\n", kind, info.result);
    CHECK(cudaGraphDestroy(other));
  }
  set(left, 4);
  CHECK(cudaGraphLaunch(exec, stream));
  expect(__LINE__, a, 444);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void misused() {
  cudaGraph_t graph, other;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle handle, unused;
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional}, child = {cudaGraphNodeTypeGraph},
                      event = {cudaGraphNodeTypeEventRecord};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  EXPECT(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2), cudaErrorInvalidValue);
  EXPECT(cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
  EXPECT(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue); // unused
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params.conditional.size = 1;
  EXPECT(cudaGraphAddNode(&node, other, nullptr, 0, &params), cudaErrorInvalidValue);
  CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
  EXPECT(cudaGraphAddNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  EXPECT(cudaGraphNodeSetParams(node, &params), cudaErrorNotSupported);
  child.graph.graph = graph;
  EXPECT(cudaGraphAddNode(&node, other, nullptr, 0, &child), cudaErrorNotSupported);
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  event.eventRecord.event = done;
  cudaGraph_t body = params.conditional.phGraph_out[0];
  CHECK(cudaGraphAddNode(&node, other, nullptr, 0, &event));
  child.graph.graph = other;
  // What a body may not have is said when the graph is instantiated.
  CHECK(cudaGraphAddNode(&node, body, nullptr, 0, &event));
  EXPECT(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(node));
  CHECK(cudaGraphAddNode(&node, body, nullptr, 0, &child));
  EXPECT(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(node));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream)); // 0: nothing
  cudaGraphInstantiateParams how = {};
  CHECK(cudaGraphConditionalHandleCreate(&unused, graph));
  cudaGraphExec_t second;
  EXPECT(cudaGraphInstantiateWithParams(&second, graph, &how), cudaErrorInvalidValue);
  if (how.result_out != cudaGraphInstantiateConditionalHandleUnused) failures++, printf("unused\n");
  CHECK(cudaEventDestroy(done));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaGraphDestroy(graph));
}

// Two kernels that decide, in no order.
static void raced() {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  deciding(graph, handle, 0);
  decision(graph, deciding(graph, handle, 1), &node, handle, cudaGraphCondTypeIf, 1);
  cudaGraphExec_t exec = instantiated(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main(int count, char **) {
  CHECK(cudaMalloc(&a, sizeof *a));
  CHECK(cudaMalloc(&left, sizeof *left));
  CHECK(cudaStreamCreate(&stream));
  set(a, 0);
  if (count > 1) raced();
  any_type();
  variables();
  captured();
  if_else();
  loops();
  misused();
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(left));
  return failures != 0;
}
