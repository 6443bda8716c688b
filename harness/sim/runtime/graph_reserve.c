/* graph_reserve.c: the memory that launches of graphs hold: it is reserved by the first, and kept
 * for others until it is trimmed (CUDA C++ Programming Guide, "Physical Memory Footprint"). It
 * serves what its stream does next at once, and other streams when the host knows that it is free.
 * These are figures only: the device allocates each array by itself. On an H100 the figures for
 * memory that is used stay, too, until it is trimmed (NVIDIA's sample graphMemoryFootprint). */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/graph.h"

/* What has been freed: in a stream, as long as the host has not waited for that. */
struct spare {
  struct spare *next;
  size_t bytes;
  uint32_t stream;
  unsigned launch; /* of a graph, in which it was freed; 0: none */
  bool is_free;    /* for all */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spare *spares;
static uint64_t figures[4]; /* by enum cudaGraphMemAttributeType */
static int generation;      /* of the device that has it */
static unsigned launches;
static _Thread_local struct reserve_launch now;

/* Lock held: another device has nothing of it. */
static void follow_device(void) {
  if (generation == runtime_generation()) return;
  generation = runtime_generation();
  memset(figures, 0, sizeof figures);
  for (struct spare *next; spares; spares = next) {
    next = spares->next;
    free(spares);
  }
}

static void drop(struct spare **at) {
  struct spare *spare = *at;
  *at = spare->next;
  free(spare);
}

/* Is work that is issued to the stream now behind what freed this? All that a launch does is behind
 * what its stream had before. */
static bool is_behind(const struct spare *spare, uint32_t stream) {
  return spare->stream == stream ||
         (now.number && spare->stream == now.stream && spare->launch != now.number);
}

/* Takes of what is there, at most so many bytes; returns how many. */
static size_t take_spare(size_t bytes, uint32_t stream, bool own) {
  size_t taken = 0;
  for (struct spare **at = &spares; *at && taken < bytes;) {
    struct spare *spare = *at;
    bool fits = own ? !spare->is_free && is_behind(spare, stream) : spare->is_free;
    size_t part = fits && spare->bytes < bytes - taken ? spare->bytes : fits ? bytes - taken : 0;
    taken += part;
    spare->bytes -= part;
    if (spare->bytes)
      at = &spare->next;
    else
      drop(at);
  }
  return taken;
}

static void raise_to(enum cudaGraphMemAttributeType which, uint64_t least) {
  if (figures[which] < least) figures[which] = least;
}

static void set_current(uint64_t bytes) {
  figures[cudaGraphMemAttrUsedMemCurrent] = figures[cudaGraphMemAttrReservedMemCurrent] = bytes;
  raise_to(cudaGraphMemAttrUsedMemHigh, bytes);
  raise_to(cudaGraphMemAttrReservedMemHigh, bytes);
}

struct reserve_launch reserve_begin(cudaStream_t stream) {
  struct reserve_launch before = now;
  runtime_stream(stream, &now.stream);
  HOLD(&lock);
  now.number = ++launches;
  return before;
}

void reserve_end(struct reserve_launch before) { now = before; }

void reserve_take(size_t bytes, cudaStream_t stream) {
  uint32_t number = 0;
  runtime_stream(stream, &number);
  HOLD(&lock);
  follow_device();
  size_t there = take_spare(bytes, number, true);
  there += take_spare(bytes - there, number, false);
  set_current(figures[cudaGraphMemAttrUsedMemCurrent] + bytes - there);
}

void reserve_give(size_t bytes, cudaStream_t stream, bool is_free) {
  struct spare *spare = calloc(1, sizeof *spare);
  HOLD(&lock);
  follow_device();
  if (!spare) return;
  *spare = (struct spare){.next = spares, .bytes = bytes, .launch = now.number, .is_free = is_free};
  runtime_stream(stream, &spare->stream);
  spares = spare;
}

void reserve_join(cudaStream_t from, cudaStream_t to) {
  uint32_t source, target;
  if (!runtime_stream(from, &source) || !runtime_stream(to, &target)) return;
  HOLD(&lock);
  for (struct spare *spare = spares; spare; spare = spare->next)
    if (spare->stream == source) spare->stream = target;
}

void reserve_settle(const uint32_t *stream) {
  HOLD(&lock);
  for (struct spare *spare = spares; spare; spare = spare->next)
    spare->is_free |= !stream || spare->stream == *stream;
}

/* ---- the API ---- */

static cudaError_t check(int device, enum cudaGraphMemAttributeType attribute, const void *value) {
  if (device != 0) return cudaErrorInvalidDevice;
  return !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = check(device, attribute, value);
  HOLD(&lock);
  follow_device();
  if (!error) memcpy(value, &figures[attribute], sizeof *figures);
  return runtime_result(error);
}

/* High-water marks can be set to 0, which means: begin again. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = check(device, attribute, value);
  bool high =
      attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  uint64_t wanted = 0;
  if (!error) memcpy(&wanted, value, sizeof wanted);
  if (!error && (!high || wanted)) error = cudaErrorInvalidValue;
  HOLD(&lock);
  if (!error) figures[attribute] = figures[attribute - 1];
  return runtime_result(error);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  if (device != 0) return runtime_result(cudaErrorInvalidDevice);
  HOLD(&lock);
  follow_device();
  uint64_t left = figures[cudaGraphMemAttrUsedMemCurrent];
  for (struct spare **at = &spares; *at;) {
    if (!(*at)->is_free) {
      at = &(*at)->next;
      continue;
    }
    left -= (*at)->bytes;
    drop(at);
  }
  set_current(left);
  return cudaSuccess;
}
