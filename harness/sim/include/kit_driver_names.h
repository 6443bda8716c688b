/* kit_driver_names.h: the functions of the driver that there are, by name: X(name, version of
 * CUDA that has these parameters, suffix of libcuda's symbol). V: the function here has the suffix,
 * too, as there is another one without. O: it has others of its name in C++. Versions are those of
 * cudaTypedefs.h, suffixes those of cuda.h (CUDA 13.0). */
#ifndef KIT_DRIVER_NAMES_H
#define KIT_DRIVER_NAMES_H

/* clang-format off */
#define KIT_DRIVER_FUNCTIONS(X, V, O) \
  V(cuCtxCreate, 3020, _v2) \
  V(cuCtxCreate, 11040, _v3) \
  V(cuCtxCreate, 12050, _v4) \
  X(cuCtxDestroy, 4000, _v2) \
  X(cuCtxGetCurrent, 4000, ) \
  X(cuCtxGetDevice, 2000, ) \
  X(cuCtxPopCurrent, 4000, _v2) \
  X(cuCtxPushCurrent, 4000, _v2) \
  X(cuCtxSetCurrent, 4000, ) \
  X(cuCtxSynchronize, 2000, ) \
  X(cuDeviceCanAccessPeer, 4000, ) \
  X(cuDeviceComputeCapability, 2000, ) \
  X(cuDeviceGet, 2000, ) \
  X(cuDeviceGetAttribute, 2000, ) \
  X(cuDeviceGetCount, 2000, ) \
  X(cuDeviceGetName, 2000, ) \
  X(cuDevicePrimaryCtxRelease, 11000, _v2) \
  X(cuDevicePrimaryCtxRetain, 7000, ) \
  X(cuDeviceTotalMem, 3020, _v2) \
  X(cuDriverGetVersion, 2020, ) \
  X(cuEventCreate, 2000, ) \
  X(cuEventDestroy, 4000, _v2) \
  X(cuEventElapsedTime, 2000, ) \
  X(cuEventQuery, 2000, ) \
  X(cuEventRecord, 2000, ) \
  X(cuEventSynchronize, 2000, ) \
  X(cuFuncGetAttribute, 2020, ) \
  X(cuFuncSetAttribute, 9000, ) \
  X(cuGetErrorName, 6000, ) \
  X(cuGetErrorString, 6000, ) \
  O(cuGetProcAddress, 11030, ) \
  V(cuGetProcAddress, 12000, _v2) \
  X(cuInit, 2000, ) \
  X(cuLaunchHostFunc, 10000, ) \
  X(cuLaunchKernel, 4000, ) \
  X(cuMemAddressFree, 10020, ) \
  X(cuMemAddressReserve, 10020, ) \
  O(cuMemAdvise, 8000, ) \
  V(cuMemAdvise, 12020, _v2) \
  X(cuMemAlloc, 3020, _v2) \
  X(cuMemAllocHost, 3020, _v2) \
  X(cuMemAllocManaged, 6000, ) \
  X(cuMemAllocPitch, 3020, _v2) \
  X(cuMemCreate, 10020, ) \
  X(cuMemFree, 3020, _v2) \
  X(cuMemFreeHost, 2000, ) \
  X(cuMemGetAddressRange, 3020, _v2) \
  X(cuMemGetAllocationGranularity, 10020, ) \
  X(cuMemGetAllocationPropertiesFromHandle, 10020, ) \
  X(cuMemGetInfo, 3020, _v2) \
  X(cuMemHostAlloc, 2020, ) \
  X(cuMemMap, 10020, ) \
  O(cuMemPrefetchAsync, 8000, ) \
  V(cuMemPrefetchAsync, 12020, _v2) \
  X(cuMemRelease, 10020, ) \
  X(cuMemRetainAllocationHandle, 11000, ) \
  X(cuMemSetAccess, 10020, ) \
  X(cuMemUnmap, 10020, ) \
  X(cuMemcpy, 4000, ) \
  X(cuMemcpyAsync, 4000, ) \
  X(cuMemcpyDtoD, 3020, _v2) \
  X(cuMemcpyDtoDAsync, 3020, _v2) \
  X(cuMemcpyDtoH, 3020, _v2) \
  X(cuMemcpyDtoHAsync, 3020, _v2) \
  X(cuMemcpyHtoD, 3020, _v2) \
  X(cuMemcpyHtoDAsync, 3020, _v2) \
  X(cuMemsetD16, 3020, _v2) \
  X(cuMemsetD32, 3020, _v2) \
  X(cuMemsetD32Async, 3020, ) \
  X(cuMemsetD8, 3020, _v2) \
  X(cuMemsetD8Async, 3020, ) \
  X(cuModuleGetFunction, 2000, ) \
  X(cuModuleGetGlobal, 3020, _v2) \
  X(cuModuleLoad, 2000, ) \
  X(cuModuleLoadData, 2000, ) \
  X(cuModuleLoadDataEx, 2010, ) \
  X(cuModuleLoadFatBinary, 2000, ) \
  X(cuModuleUnload, 2000, ) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, ) \
  X(cuOccupancyMaxPotentialBlockSize, 6050, ) \
  X(cuStreamCreate, 2000, ) \
  X(cuStreamDestroy, 4000, _v2) \
  X(cuStreamQuery, 2000, ) \
  X(cuStreamSynchronize, 2000, ) \
  X(cuStreamWaitEvent, 3020, )
/* clang-format on */

#endif
