/* driver_graph.c: CUDA's driver API over the runtime API: graphs and capture. */
#include "harness/sim/runtime/driver.h"
#include "harness/sim/runtime/graph.h"

/* A function that is the runtime's, called so. */
#define SAME(name, parameters, call) \
  CUresult name parameters {         \
    NEED_CONTEXT;                    \
    return driver_result(call);      \
  }

SAME(cuGraphCreate, (CUgraph * graph, unsigned int flags), cudaGraphCreate(graph, flags))
SAME(cuGraphDestroy, (CUgraph graph), cudaGraphDestroy(graph))
SAME(cuGraphClone, (CUgraph * clone, CUgraph graph), cudaGraphClone(clone, graph))
SAME(cuGraphGetNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
     cudaGraphGetNodes(graph, nodes, count))
SAME(cuGraphGetRootNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
     cudaGraphGetRootNodes(graph, nodes, count))
SAME(cuGraphAddDependencies,
     (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
     cudaGraphAddDependencies(graph, from, to, count))
SAME(cuGraphNodeGetType, (CUgraphNode node, CUgraphNodeType *type),
     cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type))
SAME(cuGraphNodeFindInClone, (CUgraphNode * found, CUgraphNode original, CUgraph clone),
     cudaGraphNodeFindInClone(found, original, clone))
SAME(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *child),
     cudaGraphChildGraphNodeGetGraph(node, child))
SAME(cuGraphDestroyNode, (CUgraphNode node), cudaGraphDestroyNode(node))
SAME(cuGraphConditionalHandleCreate,
     (CUgraphConditionalHandle * handle, CUgraph graph, CUcontext context, unsigned int initial,
      unsigned int flags),
     ((void)context, cudaGraphConditionalHandleCreate(handle, graph, initial, flags)))
SAME(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags),
     cudaGraphInstantiateWithFlags(exec, graph, flags))
SAME(cuGraphExecDestroy, (CUgraphExec exec), cudaGraphExecDestroy(exec))
SAME(cuGraphLaunch, (CUgraphExec exec, CUstream stream), cudaGraphLaunch(exec, stream))
SAME(cuGraphUpload, (CUgraphExec exec, CUstream stream), cudaGraphUpload(exec, stream))
SAME(cuGraphExecUpdate, (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *result),
     cudaGraphExecUpdate(exec, graph, result))
SAME(cuStreamBeginCapture, (CUstream stream, CUstreamCaptureMode mode),
     cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode))
SAME(cuStreamBeginCaptureToGraph,
     (CUstream stream, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
      size_t count, CUstreamCaptureMode mode),
     cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count,
                                   (enum cudaStreamCaptureMode)mode))
SAME(cuStreamEndCapture, (CUstream stream, CUgraph *graph), cudaStreamEndCapture(stream, graph))
SAME(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status),
     cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status))
SAME(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * mode),
     cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode))

#define NEW_NODE CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count
SAME(cuGraphAddChildGraphNode, (NEW_NODE, CUgraph child),
     cudaGraphAddChildGraphNode(node, graph, dependencies, count, child))
SAME(cuGraphAddEmptyNode, (NEW_NODE), cudaGraphAddEmptyNode(node, graph, dependencies, count))
SAME(cuGraphAddEventRecordNode, (NEW_NODE, CUevent event),
     cudaGraphAddEventRecordNode(node, graph, dependencies, count, event))
SAME(cuGraphAddEventWaitNode, (NEW_NODE, CUevent event),
     cudaGraphAddEventWaitNode(node, graph, dependencies, count, event))

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edges, size_t count) {
  NEED_CONTEXT;
  cudaError_t error = graph_check_edges(edges, count);
  return error ? driver_result_of(error) : cuGraphAddDependencies(graph, from, to, count);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *failed, char *log,
                               size_t bytes) {
  if (failed) *failed = NULL;
  if (log && bytes) *log = 0;
  return cuGraphInstantiateWithFlags(exec, graph, 0);
}

/* ---- parameters ---- */

/* What the driver describes, as the runtime does; unpacked: room for pointers to the parameters. */
static CUresult kernel_params(const CUDA_KERNEL_NODE_PARAMS *from, void **unpacked,
                              struct cudaKernelNodeParams *to) {
  if (!from || (from->kernelParams && from->extra)) return CUDA_ERROR_INVALID_VALUE;
  CUfunction function = from->func ? from->func : (CUfunction)(void *)from->kern;
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  *to =
      (struct cudaKernelNodeParams){.func = function,
                                    .gridDim = {from->gridDimX, from->gridDimY, from->gridDimZ},
                                    .blockDim = {from->blockDimX, from->blockDimY, from->blockDimZ},
                                    .sharedMemBytes = from->sharedMemBytes,
                                    .kernelParams = from->extra ? unpacked : from->kernelParams};
  return from->extra ? driver_unpack(function, from->extra, unpacked) : CUDA_SUCCESS;
}

static struct cudaMemsetParams fill_params(const CUDA_MEMSET_NODE_PARAMS *from) {
  return (struct cudaMemsetParams){.dst = driver_pointer(from->dst),
                                   .pitch = from->pitch,
                                   .value = from->value,
                                   .elementSize = from->elementSize,
                                   .width = from->width,
                                   .height = from->height};
}

/* A function whose parameters are described: to_runtime makes `made` of them. */
#define TRANSLATED(name, parameters, type, to_runtime, call) \
  CUresult name parameters {                                 \
    type made;                                               \
    NEED_CONTEXT;                                            \
    CUresult error = to_runtime;                             \
    return error ? error : driver_result(call);              \
  }
#define KERNEL(name, parameters, call)                                                        \
  CUresult name parameters {                                                                  \
    void *unpacked[DRIVER_MAX_PARAMS];                                                        \
    struct cudaKernelNodeParams made;                                                         \
    NEED_CONTEXT;                                                                             \
    CUresult error = kernel_params(params, unpacked, &made);                                  \
    if (!error) error = driver_result(call);                                                  \
    return error == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_HANDLE : error; /* no kernel */ \
  }
#define FILL (params ? (made = fill_params(params), CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE)
#define HOST                                                                                 \
  (params ? (made = (struct cudaHostNodeParams){params->fn, params->userData}, CUDA_SUCCESS) \
          : CUDA_ERROR_INVALID_VALUE)

KERNEL(cuGraphAddKernelNode, (NEW_NODE, const CUDA_KERNEL_NODE_PARAMS *params),
       cudaGraphAddKernelNode(node, graph, dependencies, count, &made))
KERNEL(cuGraphKernelNodeSetParams, (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params),
       cudaGraphKernelNodeSetParams(node, &made))
KERNEL(cuGraphExecKernelNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params),
       cudaGraphExecKernelNodeSetParams(exec, node, &made))
TRANSLATED(cuGraphAddMemcpyNode, (NEW_NODE, const CUDA_MEMCPY3D *params, CUcontext context),
           struct cudaMemcpy3DParms, ((void)context, driver_copy(params, &made)),
           cudaGraphAddMemcpyNode(node, graph, dependencies, count, &made))
TRANSLATED(cuGraphExecMemcpyNodeSetParams,
           (CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context),
           struct cudaMemcpy3DParms, ((void)context, driver_copy(params, &made)),
           cudaGraphExecMemcpyNodeSetParams(exec, node, &made))
TRANSLATED(cuGraphAddMemsetNode,
           (NEW_NODE, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context),
           struct cudaMemsetParams, ((void)context, FILL),
           cudaGraphAddMemsetNode(node, graph, dependencies, count, &made))
TRANSLATED(cuGraphExecMemsetNodeSetParams,
           (CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
            CUcontext context),
           struct cudaMemsetParams, ((void)context, FILL),
           cudaGraphExecMemsetNodeSetParams(exec, node, &made))
TRANSLATED(cuGraphAddHostNode, (NEW_NODE, const CUDA_HOST_NODE_PARAMS *params),
           struct cudaHostNodeParams, HOST,
           cudaGraphAddHostNode(node, graph, dependencies, count, &made))
TRANSLATED(cuGraphExecHostNodeSetParams,
           (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
           struct cudaHostNodeParams, HOST, cudaGraphExecHostNodeSetParams(exec, node, &made))

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  struct cudaKernelNodeParams is;
  NEED_CONTEXT;
  if (!params) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = driver_result(cudaGraphKernelNodeGetParams(node, &is));
  if (!error)
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = is.func,
                                        .gridDimX = is.gridDim.x,
                                        .gridDimY = is.gridDim.y,
                                        .gridDimZ = is.gridDim.z,
                                        .blockDimX = is.blockDim.x,
                                        .blockDimY = is.blockDim.y,
                                        .blockDimZ = is.blockDim.z,
                                        .sharedMemBytes = is.sharedMemBytes,
                                        .kernelParams = is.kernelParams};
  return error;
}

/* ---- a node of any type ---- */

/* What the runtime describes in the same way. */
static CUresult add_same(NEW_NODE, CUgraphNodeParams *params) {
  struct cudaGraphNodeParams same = {.type = (enum cudaGraphNodeType)params->type};
  CUDA_CONDITIONAL_NODE_PARAMS *decision = &params->conditional;
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
      same.graph.graph = params->graph.graph;
      same.graph.ownership = (enum cudaGraphChildGraphNodeOwnership)params->graph.ownership;
      break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      same.eventWait.event = params->eventWait.event;
      break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      same.eventRecord.event = params->eventRecord.event;
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      same.conditional.handle = decision->handle;
      same.conditional.type = (enum cudaGraphConditionalNodeType)decision->type;
      same.conditional.size = decision->size;
      break;
    case CU_GRAPH_NODE_TYPE_EMPTY:
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  CUresult error = driver_result(cudaGraphAddNode(node, graph, dependencies, count, &same));
  if (!error && params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    decision->phGraph_out = same.conditional.phGraph_out;
  return error;
}

CUresult cuGraphAddNode(NEW_NODE, CUgraphNodeParams *params) {
  NEED_CONTEXT;
  if (!params || params->reserved2) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMSET_NODE_PARAMS_v2 *f = &params->memset;
  CUDA_MEMSET_NODE_PARAMS fill = {f->dst, f->pitch, f->value, f->elementSize, f->width, f->height};
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return cuGraphAddKernelNode(node, graph, dependencies, count, &params->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams,
                                  params->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return cuGraphAddMemsetNode(node, graph, dependencies, count, &fill, f->ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuGraphAddHostNode(node, graph, dependencies, count, &params->host);
    default:
      return add_same(node, graph, dependencies, count, params);
  }
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params) {
  NEED_CONTEXT;
  cudaError_t error = graph_check_edges(edges, count);
  return error ? driver_result_of(error) : cuGraphAddNode(node, graph, dependencies, count, params);
}
