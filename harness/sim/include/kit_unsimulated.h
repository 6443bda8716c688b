/* kit_unsimulated.h: what the CUDA runtime and driver have and the simulator lacks: declared, so
 * that the compiler says so, by name, where a program calls it. Types without a use of their own
 * are plain handles: only calls with them are refused. */
#ifndef KIT_UNSIMULATED_H
#define KIT_UNSIMULATED_H

#include "driver_types.h"

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

#if defined(__cplusplus) && defined(__clang__)
#define KIT_LACKED(name) extern "C" KIT_RESULT name(...) KIT_LACKS(KIT_WHY);
#define KIT_RESULT cudaError_t

#define KIT_WHY "mipmaps; make a texture of each level from an array of its own"
KIT_LACKED(cudaMallocMipmappedArray)
KIT_LACKED(cudaFreeMipmappedArray)
KIT_LACKED(cudaGetMipmappedArrayLevel)
#undef KIT_WHY

#define KIT_WHY "sparse arrays; use cudaMallocArray"
KIT_LACKED(cudaArrayGetPlane)
KIT_LACKED(cudaArrayGetSparseProperties)
KIT_LACKED(cudaArrayGetMemoryRequirements)
#undef KIT_WHY

#define KIT_WHY "texture and surface references, which CUDA 12 has removed; use texture objects"
KIT_LACKED(cudaBindTexture)
KIT_LACKED(cudaBindTexture2D)
KIT_LACKED(cudaBindTextureToArray)
KIT_LACKED(cudaBindTextureToMipmappedArray)
KIT_LACKED(cudaBindSurfaceToArray)
KIT_LACKED(cudaUnbindTexture)
KIT_LACKED(cudaGetTextureReference)
KIT_LACKED(cudaGetSurfaceReference)
KIT_LACKED(cudaGetTextureAlignmentOffset)
#undef KIT_WHY

#define KIT_WHY "this part of graphs; launch such work in a stream"
KIT_LACKED(cudaGraphKernelNodeSetAttribute)
KIT_LACKED(cudaGraphDebugDotPrint)
KIT_LACKED(cudaUserObjectCreate)
KIT_LACKED(cudaGraphRetainUserObject)
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

#define KIT_WHY "memory of other libraries"
KIT_LACKED(cudaImportExternalMemory)
KIT_LACKED(cudaExternalMemoryGetMappedBuffer)
KIT_LACKED(cudaDestroyExternalMemory)
KIT_LACKED(cudaImportExternalSemaphore)
KIT_LACKED(cudaSignalExternalSemaphoresAsync)
KIT_LACKED(cudaWaitExternalSemaphoresAsync)
KIT_LACKED(cudaDestroyExternalSemaphore)
#undef KIT_WHY

#define KIT_WHY "clusters"
KIT_LACKED(cudaOccupancyMaxActiveClusters)
KIT_LACKED(cudaOccupancyMaxPotentialClusterSize)
#undef KIT_WHY

#define KIT_WHY "launches on several devices at a time"
KIT_LACKED(cudaLaunchCooperativeKernelMultiDevice)
#undef KIT_WHY

/* Launches from kernels. CUB and Thrust have code that calls these and that no kernel here has: the
 * compiler only reads it, in its pass for the host. */
#ifdef __CUDA_ARCH__
#define KIT_NESTED KIT_LACKS("launches from kernels (dynamic parallelism)")
#else
#define KIT_NESTED
#endif
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes) KIT_NESTED;
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream) KIT_NESTED;
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void) KIT_NESTED;
}
#undef KIT_NESTED

struct KIT_LACKS("tensor maps (TMA); copy with cp.async or cuda::memcpy_async") CUtensorMap {};

#define KIT_NO_REFERENCES \
  KIT_LACKS("texture and surface references, which CUDA 12 has removed; use texture objects")
struct KIT_NO_REFERENCES textureReference {};
struct KIT_NO_REFERENCES surfaceReference {};
#undef KIT_NO_REFERENCES
struct KIT_LACKS("memory of other libraries") cudaExternalMemoryHandleDesc {};
struct KIT_LACKS("memory of other libraries") cudaExternalSemaphoreHandleDesc {};
#undef KIT_LACKED
#undef KIT_RESULT
#endif

#endif
