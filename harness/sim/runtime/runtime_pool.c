/* runtime_pool.c: the CUDA runtime API over device.h: allocations in stream order, and the pools
 * that count them. What a pool reserves is a figure: the device allocates each array by itself. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/pool.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

enum { RESERVED_UNIT = 32 << 20 };

struct array {
  struct array *next;
  const void *pointer;
  size_t bytes;
};

struct CUmemPoolHandle_st {
  struct CUmemPoolHandle_st *next;
  int reuse[3]; /* cudaMemPoolReuse..: they change nothing */
  uint64_t threshold;
  uint64_t used, used_high, reserved, reserved_high;
  struct array *arrays;
};

static struct CUmemPoolHandle_st standard = {.reuse = {1, 1, 1}}; /* cudaDeviceGetDefaultMemPool */
static struct CUmemPoolHandle_st *pools = &standard;
static cudaMemPool_t current = &standard;
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static cudaMemPool_t *find_pool(cudaMemPool_t pool) {
  cudaMemPool_t *at = &pools;
  while (*at && *at != pool) at = &(*at)->next;
  return at;
}

static bool pool_exists(cudaMemPool_t pool) { return pool && *find_pool(pool); }

static uint64_t reserve_for(uint64_t used) {
  return (used + RESERVED_UNIT - 1) / RESERVED_UNIT * RESERVED_UNIT;
}

/* Gives back what is above `kept` bytes and not in use. */
static void trim(cudaMemPool_t pool, uint64_t kept) {
  uint64_t least = reserve_for(pool->used);
  if (pool->reserved > kept) pool->reserved = kept > least ? reserve_for(kept) : least;
}

static void note(cudaMemPool_t pool, const void *pointer, size_t bytes) {
  struct array *array = malloc(sizeof *array);
  if (!array) return;
  *array = (struct array){pool->arrays, pointer, bytes};
  pool->arrays = array;
  pool->used += bytes;
  if (pool->used > pool->used_high) pool->used_high = pool->used;
  if (reserve_for(pool->used) > pool->reserved) pool->reserved = reserve_for(pool->used);
  if (pool->reserved > pool->reserved_high) pool->reserved_high = pool->reserved;
}

void pool_forget(const void *pointer) {
  HOLD(&pools_lock);
  for (cudaMemPool_t pool = pools; pool; pool = pool->next)
    for (struct array **at = &pool->arrays; *at; at = &(*at)->next) {
      struct array *array = *at;
      if (array->pointer != pointer) continue;
      *at = array->next;
      pool->used -= array->bytes;
      trim(pool, pool->threshold);
      free(array);
      return;
    }
}

/* ---- allocations ---- */

/* In a stream that is captured, an allocation becomes a node. */
static cudaError_t capture_allocation(void **pointer, size_t bytes, cudaStream_t stream) {
  struct cudaMemAllocNodeParams params = {
      .poolProps = {.allocType = cudaMemAllocationTypePinned,
                    .location = {.type = cudaMemLocationTypeDevice}},
      .bytesize = bytes};
  struct graph_work work = {.place = runtime_call_place()};
  cudaError_t error = pointer ? work_allocate(&work, &params) : cudaErrorInvalidValue;
  if (!error) *pointer = params.dptr;
  capture_work(stream, &work, error, &error);
  return error;
}

cudaError_t kit_malloc_async_at(void **pointer, size_t bytes, cudaMemPool_t pool,
                                cudaStream_t stream, const char *file, int line) {
  uint32_t number;
  if (!runtime_stream(stream, &number)) return runtime_result(cudaErrorInvalidResourceHandle);
  {
    HOLD(&pools_lock);
    if (!pool_exists(pool)) return runtime_result(cudaErrorInvalidValue);
  }
  if (capture_is_on(stream)) return runtime_result(capture_allocation(pointer, bytes, stream));
  cudaError_t error = kit_malloc_at(pointer, bytes, file, line);
  HOLD(&pools_lock);
  if (!error && *pointer && pool_exists(pool)) note(pool, *pointer, bytes);
  return error;
}

cudaError_t kit_malloc_current_at(void **pointer, size_t bytes, cudaStream_t stream,
                                  const char *file, int line) {
  return kit_malloc_async_at(pointer, bytes, current, stream, file, line);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
  return kit_malloc_current_at(pointer, bytes, stream, NULL, 0);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return kit_malloc_async_at(pointer, bytes, pool, stream, NULL, 0);
}

/* ---- pools ---- */

/* A pool is on the device, and not for other processes. */
static bool can_be_made(const struct cudaMemPoolProps *properties) {
  return properties && properties->allocType == cudaMemAllocationTypePinned &&
         properties->handleTypes == cudaMemHandleTypeNone &&
         properties->location.type == cudaMemLocationTypeDevice && properties->location.id == 0;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
  if (!pool || !can_be_made(properties)) return runtime_result(cudaErrorInvalidValue);
  cudaMemPool_t made = calloc(1, sizeof *made);
  if (!made) return runtime_result(cudaErrorMemoryAllocation);
  for (int i = 0; i < 3; i++) made->reuse[i] = 1;
  HOLD(&pools_lock);
  made->next = standard.next;
  standard.next = made;
  *pool = made;
  return cudaSuccess;
}

/* Its arrays stay, and count no more. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  HOLD(&pools_lock);
  if (!pool_exists(pool) || pool == &standard) return runtime_result(cudaErrorInvalidValue);
  *find_pool(pool) = pool->next;
  if (current == pool) current = &standard;
  while (pool->arrays) {
    struct array *array = pool->arrays;
    pool->arrays = array->next;
    free(array);
  }
  free(pool);
  return cudaSuccess;
}

static cudaError_t get_pool(cudaMemPool_t *pool, int device, cudaMemPool_t which,
                            const char *function) {
  if (device != 0) return runtime_result_of(cudaErrorInvalidDevice, function);
  if (!pool) return runtime_result_of(cudaErrorInvalidValue, function);
  *pool = which;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return get_pool(pool, device, &standard, __func__);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return get_pool(pool, device, current, __func__);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  HOLD(&pools_lock);
  if (device != 0) return runtime_result(cudaErrorInvalidDevice);
  if (!pool_exists(pool)) return runtime_result(cudaErrorInvalidValue);
  current = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) {
  HOLD(&pools_lock);
  if (!pool_exists(pool)) return runtime_result(cudaErrorInvalidValue);
  trim(pool, kept);
  return cudaSuccess;
}

/* The figure behind an attribute, if it is one of 64 bits. */
static uint64_t *figure(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return &pool->threshold;
    case cudaMemPoolAttrReservedMemCurrent:
      return &pool->reserved;
    case cudaMemPoolAttrReservedMemHigh:
      return &pool->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent:
      return &pool->used;
    case cudaMemPoolAttrUsedMemHigh:
      return &pool->used_high;
    default:
      return NULL;
  }
}

static int *reuse(cudaMemPool_t pool, enum cudaMemPoolAttr attribute) {
  unsigned index = (unsigned)attribute - cudaMemPoolReuseFollowEventDependencies;
  return index < 3 ? &pool->reuse[index] : NULL;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
  HOLD(&pools_lock);
  if (!pool_exists(pool) || !value) return runtime_result(cudaErrorInvalidValue);
  const uint64_t *number = figure(pool, attribute);
  const int *flag = reuse(pool, attribute);
  if (!number && !flag) return runtime_result(cudaErrorInvalidValue);
  if (number) memcpy(value, number, sizeof *number);
  if (flag) memcpy(value, flag, sizeof *flag);
  return cudaSuccess;
}

/* High-water marks can be set to 0, which means: begin again. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value) {
  HOLD(&pools_lock);
  if (!pool_exists(pool) || !value) return runtime_result(cudaErrorInvalidValue);
  uint64_t *number = figure(pool, attribute), wanted;
  int *flag = reuse(pool, attribute);
  bool high =
      attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (flag) {
    memcpy(flag, value, sizeof *flag);
    return cudaSuccess;
  }
  if (!number || (!high && attribute != cudaMemPoolAttrReleaseThreshold))
    return runtime_result(cudaErrorInvalidValue);
  memcpy(&wanted, value, sizeof wanted);
  if (high && wanted) return runtime_result(cudaErrorInvalidValue);
  *number = wanted;
  if (attribute == cudaMemPoolAttrUsedMemHigh) *number = pool->used;
  if (attribute == cudaMemPoolAttrReservedMemHigh) *number = pool->reserved;
  return cudaSuccess;
}

static bool is_device(const struct cudaMemLocation *location) {
  return location->type == cudaMemLocationTypeDevice && location->id == 0;
}

/* The device has access to its own pools, which cannot be taken from it. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count) {
  HOLD(&pools_lock);
  if (!pool_exists(pool) || (count && !list)) return runtime_result(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (!is_device(&list[i].location) || list[i].flags != cudaMemAccessFlagsProtReadWrite)
      return runtime_result(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  HOLD(&pools_lock);
  if (!flags || !location || !pool_exists(pool) || !is_device(location))
    return runtime_result(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
