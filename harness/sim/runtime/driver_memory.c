/* driver_memory.c: CUDA's driver API over the runtime API: memory, copies and fills. */
#include "harness/sim/runtime/backlog.h"
#include "harness/sim/runtime/driver.h"

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  void *pointer;
  NEED_CONTEXT;
  if (!address || !bytes) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMalloc(&pointer, bytes);
  if (!error) *address = (uintptr_t)pointer;
  return driver_result_of(error);
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                         unsigned int element) {
  void *pointer;
  NEED_CONTEXT;
  if (!address || !width || !height || (element != 4 && element != 8 && element != 16))
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMallocPitch(&pointer, pitch, width, height);
  if (!error) *address = (uintptr_t)pointer;
  return driver_result_of(error);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags) {
  void *pointer;
  NEED_CONTEXT;
  if (!address || !bytes) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMallocManaged(&pointer, bytes, flags);
  if (!error) *address = (uintptr_t)pointer;
  return driver_result_of(error);
}

CUresult cuMemFree(CUdeviceptr address) {
  NEED_CONTEXT;
  return driver_result(cudaFree(driver_pointer(address)));
}

CUresult cuMemAllocHost(void **pointer, size_t bytes) {
  NEED_CONTEXT;
  return driver_result(cudaMallocHost(pointer, bytes));
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  NEED_CONTEXT;
  return driver_result(cudaHostAlloc(pointer, bytes, flags));
}

CUresult cuMemFreeHost(void *pointer) {
  NEED_CONTEXT;
  return driver_result(cudaFreeHost(pointer));
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) {
  NEED_CONTEXT;
  return driver_result(cudaMemGetInfo(free_bytes, total));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemcpy(driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemcpyAsync(driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
  uint64_t first, size;
  NEED_CONTEXT;
  if (device_find_array(runtime_device(), address, &first, &size)) return CUDA_ERROR_NOT_FOUND;
  if (start) *start = first;
  if (bytes) *bytes = size;
  return CUDA_SUCCESS;
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemAdvise(driver_pointer(address), bytes, (enum cudaMemoryAdvise)advice, device));
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaMemPrefetchAsync(driver_pointer(address), bytes, device, stream));
}

/* -1 is the host (CU_DEVICE_CPU), INVALID_DEVICE what no place is. */
enum { INVALID_DEVICE = -3 };
static CUdevice device_of(CUmemLocation location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id
         : location.type == CU_MEM_LOCATION_TYPE_HOST ||
                 location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                 location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
             ? CU_DEVICE_CPU
             : INVALID_DEVICE;
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice,
                        CUmemLocation location) {
  return cuMemAdvise(address, bytes, advice, device_of(location));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location,
                               unsigned int flags, CUstream stream) {
  return flags ? CUDA_ERROR_INVALID_VALUE
               : cuMemPrefetchAsync(address, bytes, device_of(location), stream);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  NEED_CONTEXT;
  return driver_result(cudaMemcpy(driver_pointer(to), from, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemcpyAsync(driver_pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  NEED_CONTEXT;
  return driver_result(cudaMemcpy(to, driver_pointer(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemcpyAsync(to, driver_pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  NEED_CONTEXT;
  return driver_result(
      cudaMemcpy(driver_pointer(to), driver_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaMemcpyAsync(driver_pointer(to), driver_pointer(from), bytes,
                                       cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  NEED_CONTEXT;
  return driver_result(cudaMemset(driver_pointer(to), value, count));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  NEED_CONTEXT;
  return driver_result(cudaMemsetAsync(driver_pointer(to), value, count, stream));
}

/* Elements of several bytes, which a stream that is captured or waits keeps as one fill. */
static CUresult fill(CUdeviceptr to, unsigned value, size_t element, size_t count,
                     CUstream stream) {
  struct cudaMemsetParams params = {driver_pointer(to), count * element, value,
                                    (unsigned)element,  count,           1};
  struct graph_work work = {.place = runtime_call_place()};
  uint32_t number;
  cudaError_t error;
  if (to % element || count > SIZE_MAX / element) return CUDA_ERROR_INVALID_VALUE;
  if (!count) return CUDA_SUCCESS;
  if (!runtime_stream(stream, &number)) return CUDA_ERROR_INVALID_HANDLE;
  cudaError_t made = work_fill(&work, &params);
  if (capture_work(stream, &work, made, &error)) return driver_result(runtime_result(error));
  if (!made && backlog_defers(stream))
    return driver_result(runtime_result(backlog_add(stream, &work, made)));
  return driver_result(made ? runtime_result(made) : work_run(&work, stream));
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  NEED_CONTEXT;
  return fill(to, value, sizeof value, count, NULL);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  NEED_CONTEXT;
  return fill(to, value, sizeof value, count, stream);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  NEED_CONTEXT;
  return fill(to, value, sizeof value, count, NULL);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  NEED_CONTEXT;
  return fill(to, value, sizeof value, count, stream);
}
