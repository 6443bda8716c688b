/* kit_errors.h: CUDA's error codes with their names, and what they mean in our words. One table for
 * the enum, the names and the strings. */
#ifndef KIT_ERRORS_H
#define KIT_ERRORS_H

/* clang-format off */
#define KIT_ERRORS(X) \
  X(cudaSuccess, 0, "no error") \
  X(cudaErrorInvalidValue, 1, "invalid argument") \
  X(cudaErrorMemoryAllocation, 2, "out of memory") \
  X(cudaErrorInitializationError, 3, "initialization error") \
  X(cudaErrorCudartUnloading, 4, "the runtime is shutting down") \
  X(cudaErrorProfilerDisabled, 5, "profiling is disabled") \
  X(cudaErrorProfilerNotInitialized, 6, "the profiler is not initialized") \
  X(cudaErrorProfilerAlreadyStarted, 7, "the profiler is running already") \
  X(cudaErrorProfilerAlreadyStopped, 8, "the profiler is stopped already") \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference") \
  X(cudaErrorInvalidTextureBinding, 19, "invalid texture binding") \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(cudaErrorAddressOfConstant, 22, "the address of a constant cannot be taken here") \
  X(cudaErrorTextureFetchFailed, 23, "texture fetch failed") \
  X(cudaErrorTextureNotBound, 24, "the texture is not bound") \
  X(cudaErrorSynchronizationError, 25, "synchronization failed") \
  X(cudaErrorInvalidFilterSetting, 26, "this filter mode is not possible for the texture") \
  X(cudaErrorInvalidNormSetting, 27, "this read mode is not possible for the texture") \
  X(cudaErrorMixedDeviceExecution, 28, "device code and device emulation cannot be mixed") \
  X(cudaErrorNotYetImplemented, 31, "not implemented yet") \
  X(cudaErrorMemoryValueTooLarge, 32, "the memory value is too large") \
  X(cudaErrorStubLibrary, 34, "the CUDA driver is a stub library") \
  X(cudaErrorInsufficientDriver, 35, "the driver is too old for this runtime") \
  X(cudaErrorCallRequiresNewerDriver, 36, "the call needs a newer driver") \
  X(cudaErrorInvalidSurface, 37, "invalid surface reference") \
  X(cudaErrorDuplicateVariableName, 43, "two variables have the same name") \
  X(cudaErrorDuplicateTextureName, 44, "two textures have the same name") \
  X(cudaErrorDuplicateSurfaceName, 45, "two surfaces have the same name") \
  X(cudaErrorDevicesUnavailable, 46, "all devices are busy or unavailable") \
  X(cudaErrorIncompatibleDriverContext, 49, "the driver's context does not fit the runtime") \
  X(cudaErrorMissingConfiguration, 52, "kernel launched without a configuration") \
  X(cudaErrorPriorLaunchFailure, 53, "an earlier launch failed") \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launches are nested too deep") \
  X(cudaErrorLaunchFileScopedTex, 66, "a nested kernel uses a texture of file scope") \
  X(cudaErrorLaunchFileScopedSurf, 67, "a nested kernel uses a surface of file scope") \
  X(cudaErrorSyncDepthExceeded, 68, "synchronization is nested too deep") \
  X(cudaErrorLaunchPendingCountExceeded, 69, "too many launches are pending") \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  X(cudaErrorNoDevice, 100, "no CUDA device found") \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  X(cudaErrorDeviceNotLicensed, 102, "the device has no valid license") \
  X(cudaErrorSoftwareValidityNotEstablished, 103, "the software's integrity is not known") \
  X(cudaErrorStartupFailure, 127, "the runtime could not start") \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  X(cudaErrorMapBufferObjectFailed, 205, "the buffer object could not be mapped") \
  X(cudaErrorUnmapBufferObjectFailed, 206, "the buffer object could not be unmapped") \
  X(cudaErrorArrayIsMapped, 207, "the array is mapped") \
  X(cudaErrorAlreadyMapped, 208, "the resource is mapped already") \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image for this device") \
  X(cudaErrorAlreadyAcquired, 210, "the resource is acquired already") \
  X(cudaErrorNotMapped, 211, "the resource is not mapped") \
  X(cudaErrorNotMappedAsArray, 212, "the resource is not mapped as an array") \
  X(cudaErrorNotMappedAsPointer, 213, "the resource is not mapped as a pointer") \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable memory error") \
  X(cudaErrorUnsupportedLimit, 215, "the device does not know this limit") \
  X(cudaErrorDeviceAlreadyInUse, 216, "the device is used by another thread") \
  X(cudaErrorPeerAccessUnsupported, 217, "the devices cannot access each other's memory") \
  X(cudaErrorInvalidPtx, 218, "the PTX could not be compiled") \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid graphics context") \
  X(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error") \
  X(cudaErrorJitCompilerNotFound, 221, "the PTX compiler was not found") \
  X(cudaErrorUnsupportedPtxVersion, 222, "unsupported PTX version") \
  X(cudaErrorJitCompilationDisabled, 223, "compiling PTX is disabled") \
  X(cudaErrorUnsupportedExecAffinity, 224, "this execution affinity is not supported") \
  X(cudaErrorUnsupportedDevSideSync, 225, "device code cannot synchronize with its launches here") \
  X(cudaErrorContained, 226, "a memory error was contained") \
  X(cudaErrorInvalidSource, 300, "the device kernel source is invalid") \
  X(cudaErrorFileNotFound, 301, "file not found") \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "a symbol of a shared library was not found") \
  X(cudaErrorSharedObjectInitFailed, 303, "a shared library could not be initialized") \
  X(cudaErrorOperatingSystem, 304, "operating system call failed") \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  X(cudaErrorIllegalState, 401, "the operation is not allowed in this state") \
  X(cudaErrorLossyQuery, 402, "the query would lose information") \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  X(cudaErrorNotReady, 600, "device not ready") \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  X(cudaErrorLaunchIncompatibleTexturing, 703, "the launch uses an incompatible texturing mode") \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is enabled already") \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access is not enabled") \
  X(cudaErrorSetOnActiveProcess, 708, "this cannot be set once the device is in use") \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  X(cudaErrorAssert, 710, "device-side assert triggered") \
  X(cudaErrorTooManyPeers, 711, "too many peers") \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "host memory is already registered") \
  X(cudaErrorHostMemoryNotRegistered, 713, "host memory is not registered") \
  X(cudaErrorHardwareStackError, 714, "device stack error") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  X(cudaErrorMisalignedAddress, 716, "misaligned address") \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported in this address space") \
  X(cudaErrorInvalidPc, 718, "invalid program counter") \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in a cooperative launch") \
  X(cudaErrorTensorMemoryLeak, 721, "tensor memory was not freed") \
  X(cudaErrorNotPermitted, 800, "operation not permitted") \
  X(cudaErrorNotSupported, 801, "operation not supported") \
  X(cudaErrorSystemNotReady, 802, "the system is not ready") \
  X(cudaErrorSystemDriverMismatch, 803, "the driver and the runtime do not fit each other") \
  X(cudaErrorCompatNotSupportedOnDevice, 804, "the device has no forward compatibility") \
  X(cudaErrorMpsConnectionFailed, 805, "no connection to the MPS server") \
  X(cudaErrorMpsRpcFailure, 806, "a call of the MPS server failed") \
  X(cudaErrorMpsServerNotReady, 807, "the MPS server is not ready") \
  X(cudaErrorMpsMaxClientsReached, 808, "the MPS server has its maximum of clients") \
  X(cudaErrorMpsMaxConnectionsReached, 809, "the MPS server has its maximum of connections") \
  X(cudaErrorMpsClientTerminated, 810, "the MPS client was terminated") \
  X(cudaErrorCdpNotSupported, 811, "dynamic parallelism is not supported") \
  X(cudaErrorCdpVersionMismatch, 812, "versions of dynamic parallelism differ") \
  X(cudaErrorStreamCaptureUnsupported, 900, "not permitted while a stream is captured") \
  X(cudaErrorStreamCaptureInvalidated, 901, "an earlier error has ended the capture") \
  X(cudaErrorStreamCaptureMerge, 902, "the call would merge two captures") \
  X(cudaErrorStreamCaptureUnmatched, 903, "the capture was not begun in this stream") \
  X(cudaErrorStreamCaptureUnjoined, 904, "a stream of the capture was not joined again") \
  X(cudaErrorStreamCaptureIsolation, 905, "the capture would depend on work outside of it") \
  X(cudaErrorStreamCaptureImplicit, 906, "the capture would wait for the legacy stream") \
  X(cudaErrorCapturedEvent, 907, "the event was last recorded in a capture") \
  X(cudaErrorStreamCaptureWrongThread, 908, "the capture was begun by another thread") \
  X(cudaErrorTimeout, 909, "wait operation timed out") \
  X(cudaErrorGraphExecUpdateFailure, 910, "the graph could not be updated") \
  X(cudaErrorExternalDevice, 911, "an external device failed") \
  X(cudaErrorInvalidClusterSize, 912, "invalid cluster size") \
  X(cudaErrorFunctionNotLoaded, 913, "the function is not loaded") \
  X(cudaErrorInvalidResourceType, 914, "invalid resource type") \
  X(cudaErrorInvalidResourceConfiguration, 915, "invalid resource configuration") \
  X(cudaErrorUnknown, 999, "unknown error") \
  X(cudaErrorApiFailureBase, 10000, "error of the CUDA driver")
/* clang-format on */

enum cudaError {
#define X(name, code, text) name = code,
  KIT_ERRORS(X)
#undef X
};
typedef enum cudaError cudaError_t;

#endif
