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
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(cudaErrorInsufficientDriver, 35, "the driver is too old for this runtime") \
  X(cudaErrorDevicesUnavailable, 46, "all devices are busy or unavailable") \
  X(cudaErrorMissingConfiguration, 52, "kernel launched without a configuration") \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  X(cudaErrorNoDevice, 100, "no CUDA device found") \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image for this device") \
  X(cudaErrorInvalidPtx, 218, "the PTX could not be compiled") \
  X(cudaErrorUnsupportedPtxVersion, 222, "unsupported PTX version") \
  X(cudaErrorFileNotFound, 301, "file not found") \
  X(cudaErrorOperatingSystem, 304, "operating system call failed") \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  X(cudaErrorIllegalState, 401, "the operation is not allowed in this state") \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  X(cudaErrorNotReady, 600, "device not ready") \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  X(cudaErrorAssert, 710, "device-side assert triggered") \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "host memory is already registered") \
  X(cudaErrorHostMemoryNotRegistered, 713, "host memory is not registered") \
  X(cudaErrorHardwareStackError, 714, "device stack error") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  X(cudaErrorMisalignedAddress, 716, "misaligned address") \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported in this address space") \
  X(cudaErrorInvalidPc, 718, "invalid program counter") \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in a cooperative launch") \
  X(cudaErrorNotPermitted, 800, "operation not permitted") \
  X(cudaErrorNotSupported, 801, "operation not supported") \
  X(cudaErrorTimeout, 909, "wait operation timed out") \
  X(cudaErrorUnknown, 999, "unknown error")
/* clang-format on */

enum cudaError {
#define X(name, code, text) name = code,
  KIT_ERRORS(X)
#undef X
};
typedef enum cudaError cudaError_t;

#endif
