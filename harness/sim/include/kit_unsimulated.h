/* kit_unsimulated.h: what the CUDA runtime and driver have and the simulator lacks: declared, so that
 * the compiler says so, by name, where a program calls it. Types without a use of their own are
 * plain handles: only calls with them are refused. */
#ifndef KIT_UNSIMULATED_H
#define KIT_UNSIMULATED_H

#include "driver_types.h"

typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

#if defined(__cplusplus) && defined(__clang__)
/* The compiler's words: "'name' is unavailable: not simulated: ...". */
#define KIT_LACKS(why) __attribute__((unavailable("not simulated: " why)))
#define KIT_LACKED(name) extern "C" cudaError_t name(...) KIT_LACKS(KIT_WHY);

#define KIT_WHY "textures and cudaArrays; read arrays from cudaMalloc by index"
KIT_LACKED(cudaMallocArray)
KIT_LACKED(cudaMalloc3DArray)
KIT_LACKED(cudaMallocMipmappedArray)
KIT_LACKED(cudaFreeArray)
KIT_LACKED(cudaFreeMipmappedArray)
KIT_LACKED(cudaGetMipmappedArrayLevel)
KIT_LACKED(cudaArrayGetInfo)
KIT_LACKED(cudaMemcpyToArray)
KIT_LACKED(cudaMemcpyFromArray)
KIT_LACKED(cudaMemcpyToArrayAsync)
KIT_LACKED(cudaMemcpyFromArrayAsync)
KIT_LACKED(cudaMemcpyArrayToArray)
KIT_LACKED(cudaMemcpy2DToArray)
KIT_LACKED(cudaMemcpy2DFromArray)
KIT_LACKED(cudaMemcpy2DToArrayAsync)
KIT_LACKED(cudaMemcpy2DFromArrayAsync)
KIT_LACKED(cudaMemcpy2DArrayToArray)
KIT_LACKED(cudaCreateTextureObject)
KIT_LACKED(cudaDestroyTextureObject)
KIT_LACKED(cudaGetTextureObjectResourceDesc)
KIT_LACKED(cudaGetTextureObjectTextureDesc)
KIT_LACKED(cudaCreateSurfaceObject)
KIT_LACKED(cudaDestroySurfaceObject)
KIT_LACKED(cudaBindTexture)
KIT_LACKED(cudaBindTexture2D)
KIT_LACKED(cudaBindTextureToArray)
KIT_LACKED(cudaBindSurfaceToArray)
KIT_LACKED(cudaUnbindTexture)
KIT_LACKED(cudaGetTextureReference)
KIT_LACKED(cudaGetTextureAlignmentOffset)
KIT_LACKED(cudaCreateChannelDesc)
KIT_LACKED(cudaGetChannelDesc)
#undef KIT_WHY

#define KIT_WHY "CUDA graphs; launch the kernels in a stream"
KIT_LACKED(cudaStreamBeginCapture)
KIT_LACKED(cudaStreamEndCapture)
KIT_LACKED(cudaStreamGetCaptureInfo)
KIT_LACKED(cudaThreadExchangeStreamCaptureMode)
KIT_LACKED(cudaStreamUpdateCaptureDependencies)
KIT_LACKED(cudaGraphCreate)
KIT_LACKED(cudaGraphDestroy)
KIT_LACKED(cudaGraphClone)
KIT_LACKED(cudaGraphInstantiate)
KIT_LACKED(cudaGraphInstantiateWithFlags)
KIT_LACKED(cudaGraphInstantiateWithParams)
KIT_LACKED(cudaGraphUpload)
KIT_LACKED(cudaGraphLaunch)
KIT_LACKED(cudaGraphExecDestroy)
KIT_LACKED(cudaGraphExecUpdate)
KIT_LACKED(cudaGraphAddKernelNode)
KIT_LACKED(cudaGraphAddMemcpyNode)
KIT_LACKED(cudaGraphAddMemcpyNode1D)
KIT_LACKED(cudaGraphAddMemsetNode)
KIT_LACKED(cudaGraphAddHostNode)
KIT_LACKED(cudaGraphAddChildGraphNode)
KIT_LACKED(cudaGraphAddEmptyNode)
KIT_LACKED(cudaGraphAddEventRecordNode)
KIT_LACKED(cudaGraphAddEventWaitNode)
KIT_LACKED(cudaGraphAddMemAllocNode)
KIT_LACKED(cudaGraphAddMemFreeNode)
KIT_LACKED(cudaGraphAddDependencies)
KIT_LACKED(cudaGraphAddNode)
KIT_LACKED(cudaGraphGetNodes)
KIT_LACKED(cudaGraphGetRootNodes)
KIT_LACKED(cudaGraphGetEdges)
KIT_LACKED(cudaGraphNodeGetType)
KIT_LACKED(cudaGraphKernelNodeGetParams)
KIT_LACKED(cudaGraphKernelNodeSetParams)
KIT_LACKED(cudaGraphExecKernelNodeSetParams)
KIT_LACKED(cudaGraphExecMemcpyNodeSetParams)
KIT_LACKED(cudaGraphExecHostNodeSetParams)
KIT_LACKED(cudaGraphConditionalHandleCreate)
KIT_LACKED(cudaGraphDebugDotPrint)
KIT_LACKED(cudaDeviceGraphMemTrim)
#undef KIT_WHY

#define KIT_WHY "graphics; keep what is to be drawn in arrays of your own"
KIT_LACKED(cudaGraphicsGLRegisterBuffer)
KIT_LACKED(cudaGraphicsGLRegisterImage)
KIT_LACKED(cudaGraphicsUnregisterResource)
KIT_LACKED(cudaGraphicsMapResources)
KIT_LACKED(cudaGraphicsUnmapResources)
KIT_LACKED(cudaGraphicsResourceGetMappedPointer)
KIT_LACKED(cudaGraphicsSubResourceGetMappedArray)
KIT_LACKED(cudaGraphicsResourceSetMapFlags)
KIT_LACKED(cudaGLSetGLDevice)
KIT_LACKED(cudaGLGetDevices)
KIT_LACKED(cudaGLRegisterBufferObject)
KIT_LACKED(cudaGLMapBufferObject)
KIT_LACKED(cudaGLUnmapBufferObject)
KIT_LACKED(cudaGLUnregisterBufferObject)
#undef KIT_WHY

#define KIT_WHY "memory of other processes and libraries"
KIT_LACKED(cudaIpcGetMemHandle)
KIT_LACKED(cudaIpcOpenMemHandle)
KIT_LACKED(cudaIpcCloseMemHandle)
KIT_LACKED(cudaIpcGetEventHandle)
KIT_LACKED(cudaIpcOpenEventHandle)
KIT_LACKED(cudaImportExternalMemory)
KIT_LACKED(cudaExternalMemoryGetMappedBuffer)
KIT_LACKED(cudaDestroyExternalMemory)
KIT_LACKED(cudaImportExternalSemaphore)
KIT_LACKED(cudaSignalExternalSemaphoresAsync)
KIT_LACKED(cudaWaitExternalSemaphoresAsync)
KIT_LACKED(cudaDestroyExternalSemaphore)
KIT_LACKED(cudaMemPoolExportToShareableHandle)
KIT_LACKED(cudaMemPoolImportFromShareableHandle)
KIT_LACKED(cudaMemPoolExportPointer)
KIT_LACKED(cudaMemPoolImportPointer)
#undef KIT_WHY

#define KIT_WHY "clusters, and attributes of launches; launch with <<<>>>"
KIT_LACKED(cudaLaunchKernelExC)
KIT_LACKED(cudaLaunchKernelEx)
KIT_LACKED(cudaOccupancyMaxActiveClusters)
KIT_LACKED(cudaOccupancyMaxPotentialClusterSize)
KIT_LACKED(cudaStreamSetAttribute)
KIT_LACKED(cudaStreamGetAttribute)
KIT_LACKED(cudaStreamCopyAttributes)
#undef KIT_WHY

#define KIT_WHY "launches on several devices at a time"
KIT_LACKED(cudaLaunchCooperativeKernelMultiDevice)
#undef KIT_WHY

#define KIT_WHY "CUDA's driver API; the runtime API (cudaMalloc, <<<>>>) does the same"
KIT_LACKED(cudaGetDriverEntryPoint)
KIT_LACKED(cudaGetFuncBySymbol)
KIT_LACKED(cudaGetKernel)
#undef KIT_WHY

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3 };
template <class T, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct KIT_LACKS("textures; read arrays from cudaMalloc by index") texture;
template <class T, int dimensions = 1>
struct KIT_LACKS("surfaces; write arrays from cudaMalloc by index") surface;

#define KIT_NO_TEXTURES KIT_LACKS("textures and cudaArrays; read arrays from cudaMalloc by index")
struct KIT_NO_TEXTURES cudaChannelFormatDesc;
struct KIT_NO_TEXTURES cudaResourceDesc;
struct KIT_NO_TEXTURES cudaTextureDesc;
struct KIT_NO_TEXTURES cudaResourceViewDesc;
#undef KIT_NO_TEXTURES
#undef KIT_LACKED
#endif

#endif
