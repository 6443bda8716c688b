// Memory that graphs allocate and free: by nodes and by capture, in one launch, beyond it, and
// again; and, by the first argument, what a kernel may not do with it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

static int failures;

#define CHECK(call) EXPECT(call, cudaSuccess)
#define EXPECT(call, code)                                                                 \
  do {                                                                                     \
    cudaError_t returned = call;                                                           \
    if (returned != code) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned); \
  } while (0)

__global__ void set(int *array, int value) { array[threadIdx.x] = value + threadIdx.x; }
__global__ void sum(const int *array, int *out) { atomicAdd(out, array[threadIdx.x]); }

static uint64_t figure(cudaGraphMemAttributeType which) {
  uint64_t bytes = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
  return bytes;
}

static void expect_sum(int *out, int wanted, int line) {
  int got;
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  if (got != wanted) failures++, printf("%d: %d, not %d\n", line, got, wanted);
}

// What is freed before serves what comes after: an address in a graph, memory for all graphs.
static int reuse(cudaMemAllocNodeParams params, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t exec[3];
  cudaGraphNode_t node[6];
  cudaStream_t other;
  void *first, *array;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceGraphMemTrim(0));
  const uint64_t before = figure(cudaGraphMemAttrUsedMemCurrent);
  params.bytesize = 4 << 20;
  for (auto &e : exec) {
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&node[0], graph, nullptr, 0, &params));
    first = params.dptr;
    CHECK(cudaGraphAddMemFreeNode(&node[1], graph, &node[0], 1, first));
    CHECK(cudaGraphAddMemAllocNode(&node[2], graph, &node[1], 1, &params));
    if (params.dptr != first) failures++, puts("not the same address behind its freeing");
    CHECK(cudaGraphAddMemAllocNode(&node[3], graph, &node[1], 1, &params));
    array = params.dptr;
    if (array == first) failures++, puts("the same address beside its allocation");
    CHECK(cudaGraphAddMemFreeNode(&node[4], graph, &node[2], 1, first));
    CHECK(cudaGraphAddMemFreeNode(&node[5], graph, &node[3], 1, array));
    CHECK(cudaGraphInstantiate(&e, graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  const uint64_t wanted[] = {8 << 20, 8 << 20, 16 << 20, 16 << 20};
  for (int i = 0; i < 4; i++) { // in one stream, in another one at the same time, and when it is over
    if (i == 3) CHECK(cudaStreamSynchronize(other));
    CHECK(cudaGraphLaunch(exec[i % 3], i == 2 ? other : stream));
    uint64_t is = figure(cudaGraphMemAttrReservedMemCurrent) - before;
    if (is != wanted[i]) failures++, printf("launch %d: %d MiB\n", i, (int)(is >> 20));
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceGraphMemTrim(0));
  if (figure(cudaGraphMemAttrUsedMemCurrent) != before) failures++, puts("kept what was trimmed");
  for (auto &e : exec) CHECK(cudaGraphExecDestroy(e));
  CHECK(cudaStreamDestroy(other));
  return failures;
}

int main(int, char **argv) {
  const int mistake = argv[1] ? atoi(argv[1]) : 0;
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t allocate, fill, add, release;
  cudaMemAllocNodeParams params = {}, got = {};
  int *array, *out, value = 5;
  void *freed;
  cudaStream_t stream, other;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEventCreate(&event);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);

  // allocated and freed in one graph
  CHECK(cudaGraphCreate(&graph, 0));
  EXPECT(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64 * sizeof(int);
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params));
  array = (int *)params.dptr;
  void *set_parameters[] = {&array, &value}, *sum_parameters[] = {&array, &out};
  cudaKernelNodeParams kernel = {(void *)set, dim3(1), dim3(64), 0, set_parameters, nullptr};
  CHECK(cudaGraphAddKernelNode(&fill, graph, &allocate, 1, &kernel));
  kernel.func = (void *)sum;
  kernel.kernelParams = sum_parameters;
  CHECK(cudaGraphAddKernelNode(&add, graph, mistake == 1 ? &allocate : &fill, 1, &kernel));
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &add, 1, array));
  CHECK(cudaGraphMemAllocNodeGetParams(allocate, &got));
  CHECK(cudaGraphMemFreeNodeGetParams(release, &freed));
  if (got.dptr != array || freed != array) failures++, puts("another address");
  EXPECT(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  if (figure(cudaGraphMemAttrUsedMemHigh)) failures++, puts("used before it runs");
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect_sum(out, 2 * (64 * 5 + 63 * 32), __LINE__);
  const uint64_t kept = figure(cudaGraphMemAttrUsedMemCurrent);
  if (!kept) failures++, puts("not kept after it has run");
  if (!figure(cudaGraphMemAttrUsedMemHigh)) failures++, puts("never used");
  if (mistake == 2) sum<<<1, 64>>>(array, out), exit(cudaDeviceSynchronize());
  CHECK(cudaDeviceGraphMemTrim(0));
  if (figure(cudaGraphMemAttrReservedMemCurrent)) failures++, puts("still reserved");
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // allocated by capture, freed by the program
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&array, 64 * sizeof(int), stream));
  set<<<1, 64, 0, stream>>>(array, 7);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  EXPECT(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);  // it is not freed
  cudaMemsetAsync(out, 0, sizeof *out, stream);
  sum<<<1, 64, 0, stream>>>(array, out);
  CHECK(cudaFreeAsync(array, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect_sum(out, 64 * 7 + 63 * 32, __LINE__);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaFree(array));

  // freed by the next launch; captured in a second stream, too, which does not last as long
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&array, 64 * sizeof(int), stream));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  set<<<1, 64, 0, other>>>(array, 7);
  CHECK(cudaEventRecord(event, other));
  CHECK(cudaStreamWaitEvent(stream, event, 0));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(array));
  return failures + reuse(params, stream) != 0;
}
