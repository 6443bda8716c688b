/* runtime_managed.c: the CUDA runtime API over device.h: managed memory. Hints where it should be
 * are checked and kept, for those who ask; only prefetches change anything: times. */
#include <string.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/base/memory.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

cudaError_t kit_malloc_managed_at(void **pointer, size_t bytes, unsigned int flags,
                                  const char *file, int line) {
  if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return runtime_result(cudaErrorInvalidValue);
  cudaError_t sticky = runtime_sticky();
  if (sticky) return runtime_result(sticky);
  *pointer = NULL;
  if (bytes == 0) return cudaSuccess;
  uint64_t address = 0;
  int pages = -1;
  struct source_place place = {file, line ? runtime_place(file, line) : runtime_line()};
  int error = device_malloc_managed(runtime_device(), bytes, place, &address, &pages);
  if (!error && !managed_map(address, bytes, pages)) {
    device_free(runtime_device(), address);
    error = cudaErrorMemoryAllocation;
  }
  if (pages >= 0) close(pages);
  *pointer = error ? NULL : (void *)(uintptr_t)address;
  return runtime_result(error);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return kit_malloc_managed_at(pointer, bytes, flags, NULL, 0);
}

/* Hints, kept for whole arrays */

static struct hints {
  bool read_mostly, by_device, by_host;
  int preferred, prefetched;
  uint64_t address; /* of the array that they are about; 0: of none yet */
} all_hints[MAX_MANAGED];
static pthread_mutex_t hints_lock = PTHREAD_MUTEX_INITIALIZER;

/* Those of the array that has all of the bytes; NULL: none has. */
static struct hints *find_hints(const void *pointer, size_t bytes) {
  static const struct hints none = {.preferred = cudaInvalidDeviceId,
                                    .prefetched = cudaInvalidDeviceId};
  uint64_t address = (uint64_t)(uintptr_t)pointer, first, end;
  mapped_variable(&address);
  if (!bytes || !address_is_managed(address) || !managed_bounds(address, &first, &end) ||
      bytes > end - address)
    return NULL;
  struct hints *hints = &all_hints[(address - MANAGED_WINDOW) >> ALLOCATION_SHIFT];
  if (hints->address != first) *hints = none;
  hints->address = first;
  return hints;
}

static bool device_exists(int device) { return device == 0 || device == cudaCpuDeviceId; }

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  uint32_t number;
  if (!device_exists(device)) return runtime_result(cudaErrorInvalidDevice);
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  HOLD(&hints_lock);
  struct hints *hints = find_hints(pointer, bytes);
  if (!hints) return runtime_result(cudaErrorInvalidValue);
  hints->prefetched = device;
  if (runtime_sticky()) return runtime_result(runtime_sticky());
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  mapped_variable(&address);
  const struct device_issue issue = {.stream = number, .line = runtime_line()};
  managed_report();
  int error = device_prefetch(runtime_device(), &issue, address, bytes, device == 0);
  managed_guard();
  return runtime_result(error);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy ||
      !device_exists(device))
    return runtime_result(cudaErrorInvalidValue);
  HOLD(&hints_lock);
  struct hints *hints = find_hints(pointer, bytes);
  if (!hints) return runtime_result(cudaErrorInvalidValue);
  bool *accessed = device == 0 ? &hints->by_device : &hints->by_host;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      hints->read_mostly = advice == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
    case cudaMemAdviseUnsetPreferredLocation:
      hints->preferred = advice == cudaMemAdviseSetPreferredLocation ? device : cudaInvalidDeviceId;
      break;
    default:
      *accessed = advice == cudaMemAdviseSetAccessedBy;
  }
  return runtime_result(runtime_sticky());
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void *pointer, size_t bytes) {
  HOLD(&hints_lock);
  const struct hints *hints = find_hints(pointer, bytes);
  size_t count = size / sizeof(int);
  if (!hints || !data || count == 0 || size % sizeof(int) ||
      (count != 1 && attribute != cudaMemRangeAttributeAccessedBy))
    return runtime_result(cudaErrorInvalidValue);
  int *values = data;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *values = hints->read_mostly;
      break;
    case cudaMemRangeAttributePreferredLocation:
      *values = hints->preferred;
      break;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *values = hints->prefetched;
      break;
    case cudaMemRangeAttributeAccessedBy:
      for (size_t i = 0; i < count; i++) values[i] = cudaInvalidDeviceId;
      if (hints->by_device) *values++ = 0, count--;
      if (hints->by_host && count > 0) *values = cudaCpuDeviceId;
      break;
    default:
      return runtime_result(cudaErrorInvalidValue);
  }
  return runtime_result(runtime_sticky());
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                      enum cudaMemRangeAttribute *attributes, size_t count,
                                      const void *pointer, size_t bytes) {
  if (!data || !sizes || !attributes || count == 0) return runtime_result(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && !error; i++)
    error = cudaMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, bytes);
  return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned int flags) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
    return runtime_result(cudaErrorInvalidValue);
  uint64_t address = (uint64_t)(uintptr_t)pointer, first, end;
  mapped_variable(&address);
  bool whole = address_is_managed(address) && managed_bounds(address, &first, &end) &&
               (!bytes || (address == first && bytes == end - first));
  bool known = whole && !runtime_is_legacy(stream);
  return runtime_result(known ? runtime_sticky() : cudaErrorInvalidValue);
}
