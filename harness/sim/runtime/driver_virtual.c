/* driver_virtual.c: CUDA's driver API: virtual memory management, by device_mapping. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/driver.h"

enum { GRANULARITY = 2 << 20 };

/* What handles were made with. */
struct made {
  struct made *next;
  CUmemGenericAllocationHandle handle;
  CUmemAllocationProp properties;
};
static struct made *all_made;
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult call(struct mapping_request request, uint64_t *stored) {
  uint64_t ignored;
  request.line = runtime_line();
  return driver_result(
      (cudaError_t)device_mapping(runtime_device(), &request, stored ? stored : &ignored));
}

static bool is_device(const CUmemLocation *location) {
  return location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == 0;
}

static CUresult check_properties(const CUmemAllocationProp *properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE && properties->location.id != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  if (properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return driver_result_of(
        runtime_unsupported("cuMemCreate's memory for other processes", runtime_line()));
  if (!is_device(&properties->location))
    return driver_result_of(runtime_unsupported("cuMemCreate on the host", runtime_line()));
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option) {
  if (!bytes || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = check_properties(properties);
  if (!error) *bytes = GRANULARITY;
  return error;
}

/* Windows of addresses begin at multiples of 32 GiB. */
CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags) {
  enum { MAX_ALIGNMENT_SHIFT = 35 };
  NEED_CONTEXT;
  (void)wanted;
  if (!address || flags || alignment & (alignment - 1) || alignment >> (MAX_ALIGNMENT_SHIFT + 1))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t stored;
  CUresult error = call((struct mapping_request){.call = MAPPING_RESERVE, .bytes = bytes}, &stored);
  if (!error) *address = stored;
  return error;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  NEED_CONTEXT;
  return call((struct mapping_request){.call = MAPPING_FREE, .address = address, .bytes = bytes},
              NULL);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                     const CUmemAllocationProp *properties, unsigned long long flags) {
  NEED_CONTEXT;
  if (!handle || flags) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = check_properties(properties);
  if (error) return error;
  struct made *made = malloc(sizeof *made);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  uint64_t stored;
  error = call((struct mapping_request){.call = MAPPING_CREATE, .bytes = bytes}, &stored);
  if (error) {
    free(made);
    return error;
  }
  HOLD(&made_lock);
  *made = (struct made){all_made, stored, *properties};
  all_made = made;
  *handle = stored;
  return CUDA_SUCCESS;
}

/* What it was made with stays, for those who retain it by an address. */
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  NEED_CONTEXT;
  return call((struct mapping_request){.call = MAPPING_RELEASE, .handle = handle}, NULL);
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  NEED_CONTEXT;
  if (offset || flags) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = call(
      (struct mapping_request){
          .call = MAPPING_MAP, .address = address, .bytes = bytes, .handle = handle},
      NULL);
  if (error == CUDA_ERROR_NOT_SUPPORTED)
    runtime_unsupported("memory that is mapped twice at a time, or in part, by cuMemMap",
                        runtime_line());
  return error;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  NEED_CONTEXT;
  return call((struct mapping_request){.call = MAPPING_UNMAP, .address = address, .bytes = bytes},
              NULL);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *list,
                        size_t count) {
  NEED_CONTEXT;
  if (!list || !count) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = CUDA_SUCCESS;
  for (size_t i = 0; i < count && !error; i++) {
    CUmemAccess_flags flags = list[i].flags;
    if (!is_device(&list[i].location)) return CUDA_ERROR_INVALID_DEVICE;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return CUDA_ERROR_INVALID_VALUE;
    error = call(
        (struct mapping_request){
            .call = MAPPING_ACCESS, .address = address, .bytes = bytes, .access = (int)flags},
        NULL);
  }
  return error;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr address) {
  uint64_t access;
  NEED_CONTEXT;
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(location)) return CUDA_ERROR_INVALID_DEVICE;
  CUresult error = call((struct mapping_request){.call = MAPPING_ASK, .address = address}, &access);
  if (!error) *flags = access;
  return error;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle) {
  HOLD(&made_lock);
  const struct made *made = all_made;
  while (made && made->handle != handle) made = made->next;
  if (!properties || !made) return CUDA_ERROR_INVALID_VALUE;
  *properties = made->properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  NEED_CONTEXT;
  uint64_t stored;
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = call(
      (struct mapping_request){.call = MAPPING_RETAIN, .address = (uintptr_t)address}, &stored);
  if (!error) *handle = stored;
  return error;
}
