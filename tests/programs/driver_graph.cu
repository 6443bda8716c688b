// The driver API's graphs, captures, arrays, textures and copies of rows and boxes. Ends with 0 if
// all results and codes are right.
#include <cstdio>
#include <cstring>
#include <cuda.h>

static int failures;
#define CHECK(call) EXPECT(call, CUDA_SUCCESS)
#define EXPECT(call, code)                                                                   \
  do {                                                                                       \
    CUresult returned = call;                                                                \
    if (returned != (code)) failures++, printf("%d: %s is %d\n", __LINE__, #call, returned); \
  } while (0)

// Adds a number to one word; reads a texture at a point into a word.
static const char *const image = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 p, .param .u32 value) {
  .reg .u64 %rd<3>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [value];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r2, [%rd2];
  add.u32 %r3, %r2, %r1;
  st.global.u32 [%rd2], %r3;
  ret;
}
.visible .entry fetch(.param .u64 p, .param .u64 texture, .param .f32 x, .param .f32 y) {
  .reg .u64 %rd<4>;
  .reg .f32 %f<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [texture];
  ld.param.f32 %f1, [x];
  ld.param.f32 %f2, [y];
  cvta.to.global.u64 %rd3, %rd1;
  tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

static CUfunction add, fetch;
static CUdeviceptr word;
static CUstream stream;

template <class T> static void expect(int line, T wanted) {
  T got;
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(&got, word, sizeof got));
  if (got - wanted > 1e-4 || wanted - got > 1e-4) failures++, printf("%d: %g, not %g\n", line, (double)got, (double)wanted);
}

static void graphs() {
  CUgraph graph, captured;
  CUgraphNode nodes[4], found[4];
  CUgraphExec exec;
  CUgraphNodeType type;
  CUstreamCaptureStatus status;
  CUgraphExecUpdateResultInfo info;
  size_t count = 4, bytes;
  int called = 0;
  unsigned value = 5;
  void *arguments[] = {&word, &value};
  CUDA_MEMSET_NODE_PARAMS fill = {word, 0, 100, 4, 1, 1};
  CUDA_KERNEL_NODE_PARAMS kernel = {add, 1, 1, 1, 1, 1, 1, 0, arguments}, was;
  CUDA_HOST_NODE_PARAMS host = {[](void *data) { ++*(int *)data; }, &called};
  CHECK(cuGraphCreate(&graph, 0));
  EXPECT(cuGraphCreate(&graph, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &fill, NULL));
  CHECK(cuGraphAddKernelNode(&nodes[1], graph, nodes, 1, &kernel));
  CHECK(cuGraphAddHostNode(&nodes[2], graph, NULL, 0, &host));
  CHECK(cuGraphAddEmptyNode(&nodes[3], graph, NULL, 0));
  CHECK(cuGraphAddDependencies(graph, &nodes[1], &nodes[2], 1));
  EXPECT(cuGraphAddDependencies(graph, &nodes[1], &nodes[2], NULL, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGraphGetNodes(graph, found, &count));
  CHECK(cuGraphNodeGetType(found[1], &type));
  if (count != 4 || type != CU_GRAPH_NODE_TYPE_KERNEL) failures++, printf("%zu nodes\n", count);
  CHECK(cuGraphKernelNodeGetParams(nodes[1], &was));
  if (was.func != add || was.blockDimX != 1) failures++, printf("another kernel\n");
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, stream));
  expect(__LINE__, 105);
  if (called != 1) failures++, printf("called %d times\n", called);

  // The parameters in one buffer.
  struct {
    CUdeviceptr p;
    unsigned value;
  } packed = {word, 7};
  bytes = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  kernel.kernelParams = NULL;
  kernel.extra = extra;
  CHECK(cuGraphExecKernelNodeSetParams(exec, nodes[1], &kernel));
  kernel.kernelParams = arguments;
  EXPECT(cuGraphExecKernelNodeSetParams(exec, nodes[1], &kernel), CUDA_ERROR_INVALID_VALUE);
  fill.value = 200;
  CHECK(cuGraphExecMemsetNodeSetParams(exec, nodes[0], &fill, NULL));
  CHECK(cuGraphLaunch(exec, stream));
  expect(__LINE__, 207);
  kernel.extra = NULL;
  kernel.func = NULL;
  EXPECT(cuGraphKernelNodeSetParams(nodes[1], &kernel), CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuGraphDestroyNode(nodes[3]));
  EXPECT(cuGraphExecUpdate(exec, graph, &info), (CUresult)910);
  if (info.result != CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED) failures++, printf("an update\n");
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  EXPECT(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);

  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuMemsetD32Async(word, 1, 1, stream));
  CHECK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
  CHECK(cuStreamIsCapturing(stream, &status));
  if (status != CU_STREAM_CAPTURE_STATUS_ACTIVE) failures++, printf("status %d\n", status);
  EXPECT(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
  CHECK(cuStreamEndCapture(stream, &captured));
  expect(__LINE__, 207);
  CHECK(cuGraphInstantiateWithFlags(&exec, captured, 0));
  CHECK(cuGraphLaunch(exec, stream));
  expect(__LINE__, 6);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(captured));
}

// Nodes by general parameters; one decides whether the last of them run.
static void any_type() {
  CUgraph graph;
  CUgraphNode fill, decides, node;
  CUgraphExec exec;
  CUgraphConditionalHandle handle;
  unsigned value = 30;
  void *arguments[] = {&word, &value};
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphConditionalHandleCreate(&handle, graph, NULL, 0, CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams params = {CU_GRAPH_NODE_TYPE_MEMSET};
  params.memset.dst = word;
  params.memset.value = 3;
  params.memset.elementSize = 4;
  params.memset.width = params.memset.height = 1;
  CHECK(cuGraphAddNode(&fill, graph, NULL, 0, &params));
  CUgraphNodeParams decision = {CU_GRAPH_NODE_TYPE_CONDITIONAL}, none = {(CUgraphNodeType)77};
  decision.conditional.handle = handle;
  decision.conditional.type = CU_GRAPH_COND_TYPE_IF;
  decision.conditional.size = 2;
  CHECK(cuGraphAddNode(&decides, graph, &fill, NULL, 1, &decision));
  EXPECT(cuGraphAddNode(&node, graph, NULL, NULL, 0, &decision), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuGraphAddNode(&node, graph, NULL, NULL, 0, &none), CUDA_ERROR_NOT_SUPPORTED);
  CUgraphNodeParams kernel = {CU_GRAPH_NODE_TYPE_KERNEL};
  kernel.kernel = {add, 1, 1, 1, 1, 1, 1, 0, arguments};
  CHECK(cuGraphAddNode(&node, decision.conditional.phGraph_out[1], NULL, NULL, 0, &kernel));
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphLaunch(exec, stream));
  expect(__LINE__, 33);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
}

static void fetched(int line, CUtexObject texture, float x, float y, float wanted) {
  void *arguments[] = {&word, &texture, &x, &y};
  CHECK(cuLaunchKernel(fetch, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
  expect(line, wanted);
}

static void arrays() {
  enum { W = 4, H = 3 };
  unsigned char bytes[H][W], back[H][8];
  for (int i = 0; i < H * W; i++) bytes[i / W][i % W] = (unsigned char)(i * 51 % 256);
  CUDA_ARRAY_DESCRIPTOR shape = {W, H, CU_AD_FORMAT_UNSIGNED_INT8, 1}, is;
  CUDA_ARRAY3D_DESCRIPTOR box = {W, H, 2, CU_AD_FORMAT_FLOAT, 2, CUDA_ARRAY3D_LAYERED}, box_is;
  CUarray array, layers;
  CHECK(cuArrayCreate(&array, &shape));
  CHECK(cuArray3DCreate(&layers, &box));
  CHECK(cuArrayGetDescriptor(&is, array));
  CHECK(cuArray3DGetDescriptor(&box_is, layers));
  if (is.Width != W || is.Height != H || is.Format != shape.Format || is.NumChannels != 1 ||
      box_is.Depth != 2 || box_is.Format != box.Format || box_is.NumChannels != 2 ||
      box_is.Flags != box.Flags)
    failures++, printf("another shape\n");
  shape.NumChannels = 3;
  EXPECT(cuArrayCreate(&array, &shape), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuArrayGetDescriptor(&is, NULL), CUDA_ERROR_INVALID_HANDLE);

  // To the array, and a part of it back.
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = bytes;
  copy.srcPitch = W;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = W;
  copy.Height = H;
  CHECK(cuMemcpy2D(&copy));
  CUDA_MEMCPY3D part = {};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  part.srcArray = array;
  part.srcXInBytes = 1, part.srcY = 1;
  part.dstMemoryType = CU_MEMORYTYPE_HOST;
  part.dstHost = back;
  part.dstXInBytes = 2, part.dstPitch = 8, part.dstHeight = H;
  part.WidthInBytes = 2, part.Height = 2, part.Depth = 1;
  memset(back, 9, sizeof back);
  CHECK(cuMemcpy3D(&part));
  if (back[0][1] != 9 || back[0][2] != bytes[1][1] || back[1][3] != bytes[2][2] || back[1][4] != 9)
    failures++, printf("another part\n");
  part.srcLOD = 1;
  EXPECT(cuMemcpy3D(&part), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
  unsigned char line[2] = {77, 78}, was[2] = {};
  CHECK(cuMemcpyHtoA(array, 2, line, 2));
  CHECK(cuMemcpyAtoH(was, array, 2, 2));
  if (memcmp(line, was, 2)) failures++, printf("another row\n");

  // Fractions of bytes, halfway between two; the same as integers is no float to filter.
  CUDA_RESOURCE_DESC resource = {CU_RESOURCE_TYPE_ARRAY};
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  for (auto &mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL));
  fetched(__LINE__, texture, 1, 1.5f, (bytes[1][0] + bytes[1][1]) / 510.f);
  CHECK(cuTexObjectDestroy(texture));
  how.flags = CU_TRSF_READ_AS_INTEGER;
  EXPECT(cuTexObjectCreate(&texture, &resource, &how, NULL), (CUresult)26);

  // A texture of pitched memory, with coordinates from 0 to 1, wrapped around.
  CUdeviceptr rows;
  size_t pitch;
  float numbers[2][2] = {{1, 2}, {3, 4}};
  CHECK(cuMemAllocPitch(&rows, &pitch, 8, 2, 4));
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = numbers;
  copy.srcPitch = 8;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  CHECK(cuMemcpy2DAsync(&copy, stream));
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = pitch;
  how = {};
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL));
  fetched(__LINE__, texture, 1.75f, 0.25f, 2);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuMemFree(rows));
  CHECK(cuArrayDestroy(layers));
  CHECK(cuArrayDestroy(array));
  EXPECT(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
}

int main() {
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, 0, 0));
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuModuleGetFunction(&add, module, "add"));
  CHECK(cuModuleGetFunction(&fetch, module, "fetch"));
  CHECK(cuMemAlloc(&word, 4));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  graphs();
  any_type();
  arrays();
  CHECK(cuMemFree(word));
  return failures != 0;
}
