/* runtime_properties.c: what the runtime says of its device: the figures of the GPU described
 * (gpus/h100.ini), and what is the same for all of them, as an H100 SXM returns it. Attributes are
 * taken from the properties, so that both agree. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

enum {
  NOT_A_PROPERTY = INT_MIN,
  KIB = 1024,
  WIDTH = 32768, /* of most textures and surfaces */
};

static struct cudaDeviceProp same_for_all(void) {
  return (struct cudaDeviceProp){
      .memPitch = INT_MAX,
      .totalConstMem = 64 * KIB,
      .textureAlignment = 512,
      .texturePitchAlignment = 32,
      .deviceOverlap = 1,
      .canMapHostMemory = 1,
      .computeMode = cudaComputeModeDefault,
      .maxTexture1D = 131072,
      .maxTexture1DMipmap = WIDTH,
      .maxTexture1DLinear = 1 << 28,
      .maxTexture2D = {131072, 65536},
      .maxTexture2DMipmap = {WIDTH, WIDTH},
      .maxTexture2DLinear = {131072, 65000, 2097120},
      .maxTexture2DGather = {WIDTH, WIDTH},
      .maxTexture3D = {16384, 16384, 16384},
      .maxTexture3DAlt = {8192, 8192, WIDTH},
      .maxTextureCubemap = WIDTH,
      .maxTexture1DLayered = {WIDTH, 2048},
      .maxTexture2DLayered = {WIDTH, WIDTH, 2048},
      .maxTextureCubemapLayered = {WIDTH, 2046},
      .maxSurface1D = WIDTH,
      .maxSurface2D = {131072, 65536},
      .maxSurface3D = {16384, 16384, 16384},
      .maxSurface1DLayered = {WIDTH, 2048},
      .maxSurface2DLayered = {WIDTH, WIDTH, 2048},
      .maxSurfaceCubemap = WIDTH,
      .maxSurfaceCubemapLayered = {WIDTH, 2046},
      .surfaceAlignment = 512,
      .concurrentKernels = 1,
      .ECCEnabled = 1,
      .pciBusID = 1,
      .asyncEngineCount = 3,
      .unifiedAddressing = 1,
      .streamPrioritiesSupported = 1,
      .globalL1CacheSupported = 1,
      .localL1CacheSupported = 1,
      .managedMemory = 1,
      .concurrentManagedAccess = 1,
      .computePreemptionSupported = 1,
      .canUseHostPointerForRegisteredMem = 1,
      .cooperativeLaunch = 1,
      .cooperativeMultiDeviceLaunch = 1,
      .hostRegisterSupported = 1,
      .memoryPoolsSupported = 1,
      .unifiedFunctionPointers = 1,
  };
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
  if (!properties) return runtime_result(cudaErrorInvalidValue);
  if (device != 0) return runtime_result(cudaErrorInvalidDevice);
  struct device_info info;
  device_get_info(runtime_device(), &info);
  struct cudaDeviceProp p = same_for_all();
  snprintf(p.name, sizeof p.name, "%s", info.name);
  memcpy(p.uuid.bytes, "simulated GPU 0", sizeof p.uuid.bytes);
  p.totalGlobalMem = info.memory_bytes;
  p.sharedMemPerBlock = (size_t)info.shared_per_block;
  p.sharedMemPerBlockOptin = (size_t)info.shared_per_block_optin;
  p.sharedMemPerMultiprocessor = (size_t)info.shared_per_sm;
  p.regsPerBlock = info.registers_per_block;
  p.regsPerMultiprocessor = info.registers_per_sm;
  p.warpSize = info.warp_size;
  p.maxThreadsPerBlock = info.max_threads_per_block;
  p.maxThreadsPerMultiProcessor = info.max_threads_per_sm;
  p.maxBlocksPerMultiProcessor = info.max_blocks_per_sm;
  p.multiProcessorCount = info.sm_count;
  p.major = info.compute_major;
  p.minor = info.compute_minor;
  p.clockRate = info.clock_khz;
  p.memoryClockRate = info.memory_clock_khz;
  p.memoryBusWidth = info.memory_bus_bits;
  p.l2CacheSize = info.l2_bytes;
  const struct capability *sm = gpu_capability(&info);
  p.reservedSharedMemPerBlock = (size_t)sm->shared_reserved;
  p.singleToDoublePrecisionPerfRatio = sm->fp32 / sm->fp64;
  if (info.compute_major >= 8) { /* "L2 Cache Set-Aside for Persisting Accesses" */
    p.persistingL2CacheMaxSize = info.l2_bytes / 8 * 5;
    p.accessPolicyMaxWindowSize = 128 * KIB * KIB;
  }
  for (int i = 0; i < 3; i++) {
    p.maxThreadsDim[i] = info.max_block[i];
    p.maxGridSize[i] = info.max_grid[i];
  }
  *properties = p;
  return cudaSuccess;
}

static int value_of(const struct cudaDeviceProp *p, enum cudaDeviceAttr attribute) {
  switch ((int)attribute) {
    /* clang-format off */
    case cudaDevAttrMaxThreadsPerBlock: return p->maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p->maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p->maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p->maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p->maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p->maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p->maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return (int)p->sharedMemPerBlock;
    case cudaDevAttrTotalConstantMemory: return (int)p->totalConstMem;
    case cudaDevAttrWarpSize: return p->warpSize;
    case cudaDevAttrMaxPitch: return (int)p->memPitch;
    case cudaDevAttrMaxRegistersPerBlock: return p->regsPerBlock;
    case cudaDevAttrClockRate: return p->clockRate;
    case cudaDevAttrTextureAlignment: return (int)p->textureAlignment;
    case cudaDevAttrGpuOverlap: return p->deviceOverlap;
    case cudaDevAttrMultiProcessorCount: return p->multiProcessorCount;
    case cudaDevAttrKernelExecTimeout: return p->kernelExecTimeoutEnabled;
    case cudaDevAttrIntegrated: return p->integrated;
    case cudaDevAttrCanMapHostMemory: return p->canMapHostMemory;
    case cudaDevAttrComputeMode: return p->computeMode;
    case cudaDevAttrMaxTexture1DWidth: return p->maxTexture1D;
    case cudaDevAttrMaxTexture2DWidth: return p->maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight: return p->maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth: return p->maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight: return p->maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth: return p->maxTexture3D[2];
    case cudaDevAttrMaxTexture2DLayeredWidth: return p->maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredHeight: return p->maxTexture2DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredLayers: return p->maxTexture2DLayered[2];
    case cudaDevAttrSurfaceAlignment: return (int)p->surfaceAlignment;
    case cudaDevAttrConcurrentKernels: return p->concurrentKernels;
    case cudaDevAttrEccEnabled: return p->ECCEnabled;
    case cudaDevAttrPciBusId: return p->pciBusID;
    case cudaDevAttrPciDeviceId: return p->pciDeviceID;
    case cudaDevAttrTccDriver: return p->tccDriver;
    case cudaDevAttrMemoryClockRate: return p->memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p->memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p->l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p->maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount: return p->asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return p->unifiedAddressing;
    case cudaDevAttrMaxTexture1DLayeredWidth: return p->maxTexture1DLayered[0];
    case cudaDevAttrMaxTexture1DLayeredLayers: return p->maxTexture1DLayered[1];
    case cudaDevAttrMaxTexture2DGatherWidth: return p->maxTexture2DGather[0];
    case cudaDevAttrMaxTexture2DGatherHeight: return p->maxTexture2DGather[1];
    case cudaDevAttrMaxTexture3DWidthAlt: return p->maxTexture3DAlt[0];
    case cudaDevAttrMaxTexture3DHeightAlt: return p->maxTexture3DAlt[1];
    case cudaDevAttrMaxTexture3DDepthAlt: return p->maxTexture3DAlt[2];
    case cudaDevAttrPciDomainId: return p->pciDomainID;
    case cudaDevAttrTexturePitchAlignment: return (int)p->texturePitchAlignment;
    case cudaDevAttrMaxTextureCubemapWidth: return p->maxTextureCubemap;
    case cudaDevAttrMaxTextureCubemapLayeredWidth: return p->maxTextureCubemapLayered[0];
    case cudaDevAttrMaxTextureCubemapLayeredLayers: return p->maxTextureCubemapLayered[1];
    case cudaDevAttrMaxSurface1DWidth: return p->maxSurface1D;
    case cudaDevAttrMaxSurface2DWidth: return p->maxSurface2D[0];
    case cudaDevAttrMaxSurface2DHeight: return p->maxSurface2D[1];
    case cudaDevAttrMaxSurface3DWidth: return p->maxSurface3D[0];
    case cudaDevAttrMaxSurface3DHeight: return p->maxSurface3D[1];
    case cudaDevAttrMaxSurface3DDepth: return p->maxSurface3D[2];
    case cudaDevAttrMaxSurface1DLayeredWidth: return p->maxSurface1DLayered[0];
    case cudaDevAttrMaxSurface1DLayeredLayers: return p->maxSurface1DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredWidth: return p->maxSurface2DLayered[0];
    case cudaDevAttrMaxSurface2DLayeredHeight: return p->maxSurface2DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredLayers: return p->maxSurface2DLayered[2];
    case cudaDevAttrMaxSurfaceCubemapWidth: return p->maxSurfaceCubemap;
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth: return p->maxSurfaceCubemapLayered[0];
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers: return p->maxSurfaceCubemapLayered[1];
    case cudaDevAttrMaxTexture1DLinearWidth: return p->maxTexture1DLinear;
    case cudaDevAttrMaxTexture2DLinearWidth: return p->maxTexture2DLinear[0];
    case cudaDevAttrMaxTexture2DLinearHeight: return p->maxTexture2DLinear[1];
    case cudaDevAttrMaxTexture2DLinearPitch: return p->maxTexture2DLinear[2];
    case cudaDevAttrMaxTexture2DMipmappedWidth: return p->maxTexture2DMipmap[0];
    case cudaDevAttrMaxTexture2DMipmappedHeight: return p->maxTexture2DMipmap[1];
    case cudaDevAttrComputeCapabilityMajor: return p->major;
    case cudaDevAttrComputeCapabilityMinor: return p->minor;
    case cudaDevAttrMaxTexture1DMipmappedWidth: return p->maxTexture1DMipmap;
    case cudaDevAttrStreamPrioritiesSupported: return p->streamPrioritiesSupported;
    case cudaDevAttrGlobalL1CacheSupported: return p->globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported: return p->localL1CacheSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return (int)p->sharedMemPerMultiprocessor;
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p->regsPerMultiprocessor;
    case cudaDevAttrManagedMemory: return p->managedMemory;
    case cudaDevAttrIsMultiGpuBoard: return p->isMultiGpuBoard;
    case cudaDevAttrMultiGpuBoardGroupID: return p->multiGpuBoardGroupID;
    case cudaDevAttrHostNativeAtomicSupported: return p->hostNativeAtomicSupported;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p->singleToDoublePrecisionPerfRatio;
    case cudaDevAttrPageableMemoryAccess: return p->pageableMemoryAccess;
    case cudaDevAttrConcurrentManagedAccess: return p->concurrentManagedAccess;
    case cudaDevAttrComputePreemptionSupported: return p->computePreemptionSupported;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return p->canUseHostPointerForRegisteredMem;
    case cudaDevAttrCooperativeLaunch: return p->cooperativeLaunch;
    case cudaDevAttrCooperativeMultiDeviceLaunch: return p->cooperativeMultiDeviceLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return (int)p->sharedMemPerBlockOptin;
    case cudaDevAttrHostRegisterSupported: return p->hostRegisterSupported;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
      return p->pageableMemoryAccessUsesHostPageTables;
    case cudaDevAttrDirectManagedMemAccessFromHost: return p->directManagedMemAccessFromHost;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p->maxBlocksPerMultiProcessor;
    case cudaDevAttrMaxPersistingL2CacheSize: return p->persistingL2CacheMaxSize;
    case cudaDevAttrMaxAccessPolicyWindowSize: return p->accessPolicyMaxWindowSize;
    case cudaDevAttrReservedSharedMemoryPerBlock: return (int)p->reservedSharedMemPerBlock;
    case cudaDevAttrSparseCudaArraySupported: return p->sparseCudaArraySupported;
    case cudaDevAttrHostRegisterReadOnlySupported: return p->hostRegisterReadOnlySupported;
    case cudaDevAttrTimelineSemaphoreInteropSupported: return p->timelineSemaphoreInteropSupported;
    case cudaDevAttrMemoryPoolsSupported: return p->memoryPoolsSupported;
    case cudaDevAttrGPUDirectRDMASupported: return p->gpuDirectRDMASupported;
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions: return (int)p->gpuDirectRDMAFlushWritesOptions;
    case cudaDevAttrGPUDirectRDMAWritesOrdering: return p->gpuDirectRDMAWritesOrdering;
    case cudaDevAttrMemoryPoolSupportedHandleTypes: return (int)p->memoryPoolSupportedHandleTypes;
    case cudaDevAttrClusterLaunch: return p->clusterLaunch;
    case cudaDevAttrDeferredMappingCudaArraySupported: return p->deferredMappingCudaArraySupported;
    case cudaDevAttrIpcEventSupport: return p->ipcEventSupported;
    case cudaDevAttrNumaId: return -1;
    case cudaDevAttrMemSyncDomainCount: return 1;
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrNumaConfig:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrHostNumaId:
    case cudaDevAttrD3D12CigSupported: return 0;
    default: return NOT_A_PROPERTY;
      /* clang-format on */
  }
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  struct cudaDeviceProp properties;
  if (!value) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error) return error;
  int found = value_of(&properties, attribute);
  if (found == NOT_A_PROPERTY) return runtime_result(cudaErrorInvalidValue);
  *value = found;
  return cudaSuccess;
}

/* One device is the best there is, whatever is asked for. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
  if (!device || !properties) return runtime_result(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
