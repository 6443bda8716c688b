/* driver_lacking.h: what libcuda has (cuda.h of CUDA 13.0) and the simulator lacks, by name. */
#ifndef KIT_DRIVER_LACKING_H
#define KIT_DRIVER_LACKING_H

/* clang-format off */
#define KIT_DRIVER_LACKS(X) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) \
  X(cuCheckpointProcessCheckpoint) X(cuCheckpointProcessGetRestoreThreadId) \
  X(cuCheckpointProcessGetState) X(cuCheckpointProcessLock) X(cuCheckpointProcessRestore) \
  X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) X(cuCoredumpGetAttributeGlobal) \
  X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxFromGreenCtx) \
  X(cuCtxGetApiVersion) X(cuCtxGetCacheConfig) X(cuCtxGetDevResource) X(cuCtxGetExecAffinity) \
  X(cuCtxGetFlags) X(cuCtxGetId) X(cuCtxGetLimit) X(cuCtxGetStreamPriorityRange) \
  X(cuCtxRecordEvent) X(cuCtxResetPersistingL2Cache) X(cuCtxSetCacheConfig) X(cuCtxSetFlags) \
  X(cuCtxSetLimit) X(cuCtxWaitEvent) X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) \
  X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplitByCount) X(cuDeviceGetByPCIBusId) \
  X(cuDeviceGetDefaultMemPool) X(cuDeviceGetDevResource) X(cuDeviceGetExecAffinitySupport) \
  X(cuDeviceGetGraphMemAttribute) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) \
  X(cuDeviceGetMemPool) X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) \
  X(cuDeviceGetP2PAttribute) X(cuDeviceGetPCIBusId) X(cuDeviceGetTexture1DLinearMaxWidth) \
  X(cuDeviceGetUuid) X(cuDeviceGraphMemTrim) X(cuDevicePrimaryCtxGetState) \
  X(cuDevicePrimaryCtxReset) X(cuDevicePrimaryCtxSetFlags) X(cuDeviceRegisterAsyncNotification) \
  X(cuDeviceSetGraphMemAttribute) X(cuDeviceSetMemPool) X(cuDeviceUnregisterAsyncNotification) \
  X(cuEventRecordWithFlags) X(cuExternalMemoryGetMappedBuffer) \
  X(cuExternalMemoryGetMappedMipmappedArray) X(cuFlushGPUDirectRDMAWrites) X(cuFuncGetParamInfo) \
  X(cuFuncIsLoaded) X(cuFuncLoad) X(cuFuncSetCacheConfig) X(cuGetExportTable) \
  X(cuGraphAddBatchMemOpNode) X(cuGraphAddExternalSemaphoresSignalNode) \
  X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphAddMemAllocNode) X(cuGraphAddMemFreeNode) \
  X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) X(cuGraphDebugDotPrint) \
  X(cuGraphEventRecordNodeGetEvent) X(cuGraphEventRecordNodeSetEvent) \
  X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent) \
  X(cuGraphExecBatchMemOpNodeSetParams) X(cuGraphExecChildGraphNodeSetParams) \
  X(cuGraphExecEventRecordNodeSetEvent) X(cuGraphExecEventWaitNodeSetEvent) \
  X(cuGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cuGraphExecExternalSemaphoresWaitNodeSetParams) X(cuGraphExecGetFlags) \
  X(cuGraphExecNodeSetParams) X(cuGraphExternalSemaphoresSignalNodeGetParams) \
  X(cuGraphExternalSemaphoresSignalNodeSetParams) X(cuGraphExternalSemaphoresWaitNodeGetParams) \
  X(cuGraphExternalSemaphoresWaitNodeSetParams) X(cuGraphGetEdges) X(cuGraphHostNodeGetParams) \
  X(cuGraphHostNodeSetParams) X(cuGraphInstantiateWithParams) X(cuGraphKernelNodeCopyAttributes) \
  X(cuGraphKernelNodeGetAttribute) X(cuGraphKernelNodeSetAttribute) \
  X(cuGraphMemAllocNodeGetParams) X(cuGraphMemFreeNodeGetParams) X(cuGraphMemcpyNodeGetParams) \
  X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeGetParams) X(cuGraphMemsetNodeSetParams) \
  X(cuGraphNodeGetDependencies) X(cuGraphNodeGetDependentNodes) X(cuGraphNodeGetEnabled) \
  X(cuGraphNodeSetEnabled) X(cuGraphNodeSetParams) X(cuGraphReleaseUserObject) \
  X(cuGraphRemoveDependencies) X(cuGraphRetainUserObject) X(cuGraphicsMapResources) \
  X(cuGraphicsResourceGetMappedMipmappedArray) X(cuGraphicsResourceGetMappedPointer) \
  X(cuGraphicsResourceSetMapFlags) X(cuGraphicsSubResourceGetMappedArray) \
  X(cuGraphicsUnmapResources) X(cuGraphicsUnregisterResource) X(cuGreenCtxCreate) \
  X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) \
  X(cuGreenCtxStreamCreate) X(cuGreenCtxWaitEvent) X(cuImportExternalMemory) \
  X(cuImportExternalSemaphore) X(cuKernelGetParamInfo) X(cuKernelSetCacheConfig) \
  X(cuLaunchCooperativeKernel) X(cuLaunchKernelEx) X(cuLibraryEnumerateKernels) \
  X(cuLibraryGetKernelCount) X(cuLibraryGetManaged) X(cuLibraryGetUnifiedFunction) \
  X(cuLogsCurrent) X(cuLogsDumpToFile) X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) \
  X(cuLogsUnregisterCallback) X(cuMemAllocAsync) X(cuMemAllocFromPoolAsync) \
  X(cuMemBatchDecompressAsync) X(cuMemDiscardAndPrefetchBatchAsync) X(cuMemDiscardBatchAsync) \
  X(cuMemFreeAsync) X(cuMemGetDefaultMemPool) X(cuMemGetHandleForAddressRange) \
  X(cuMemGetMemPool) X(cuMemHostGetDevicePointer) X(cuMemHostGetFlags) X(cuMemHostRegister) \
  X(cuMemHostUnregister) X(cuMemMapArrayAsync) X(cuMemPoolCreate) X(cuMemPoolDestroy) \
  X(cuMemPoolExportPointer) X(cuMemPoolExportToShareableHandle) X(cuMemPoolGetAccess) \
  X(cuMemPoolGetAttribute) X(cuMemPoolImportFromShareableHandle) X(cuMemPoolImportPointer) \
  X(cuMemPoolSetAccess) X(cuMemPoolSetAttribute) X(cuMemPoolTrimTo) X(cuMemPrefetchBatchAsync) \
  X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes) X(cuMemSetMemPool) \
  X(cuMemcpy3DBatchAsync) X(cuMemcpy3DPeer) X(cuMemcpy3DPeerAsync) X(cuMemcpyAtoA) \
  X(cuMemcpyAtoHAsync) X(cuMemcpyBatchAsync) X(cuMemcpyHtoAAsync) X(cuMemcpyPeer) \
  X(cuMemcpyPeerAsync) X(cuMemsetD2D16) X(cuMemsetD2D16Async) X(cuMemsetD2D32) \
  X(cuMemsetD2D32Async) X(cuMemsetD2D8) X(cuMemsetD2D8Async) X(cuMipmappedArrayCreate) \
  X(cuMipmappedArrayDestroy) X(cuMipmappedArrayGetLevel) \
  X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) \
  X(cuModuleEnumerateFunctions) X(cuModuleGetFunctionCount) X(cuModuleGetLoadingMode) \
  X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) X(cuMulticastCreate) \
  X(cuMulticastGetGranularity) X(cuMulticastUnbind) X(cuOccupancyAvailableDynamicSMemPerBlock) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) X(cuOccupancyMaxActiveClusters) \
  X(cuOccupancyMaxPotentialBlockSizeWithFlags) X(cuOccupancyMaxPotentialClusterSize) \
  X(cuPointerGetAttribute) X(cuPointerGetAttributes) X(cuPointerSetAttribute) \
  X(cuSignalExternalSemaphoresAsync) X(cuStreamAddCallback) X(cuStreamAttachMemAsync) \
  X(cuStreamBatchMemOp) X(cuStreamCopyAttributes) X(cuStreamCreateWithPriority) \
  X(cuStreamGetAttribute) X(cuStreamGetCaptureInfo) X(cuStreamGetCtx) X(cuStreamGetDevice) \
  X(cuStreamGetFlags) X(cuStreamGetGreenCtx) X(cuStreamGetId) X(cuStreamGetPriority) \
  X(cuStreamSetAttribute) X(cuStreamUpdateCaptureDependencies) X(cuStreamWaitValue32) \
  X(cuStreamWaitValue64) X(cuStreamWriteValue32) X(cuStreamWriteValue64) \
  X(cuSurfObjectGetResourceDesc) X(cuTensorMapEncodeIm2col) X(cuTensorMapEncodeIm2colWide) \
  X(cuTensorMapEncodeTiled) X(cuTensorMapReplaceAddress) X(cuTexObjectGetResourceDesc) \
  X(cuTexObjectGetResourceViewDesc) X(cuTexObjectGetTextureDesc) X(cuUserObjectCreate) \
  X(cuUserObjectRelease) X(cuUserObjectRetain) X(cuWaitExternalSemaphoresAsync)
/* clang-format on */

#endif
