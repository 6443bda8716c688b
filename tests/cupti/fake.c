/* fake.c: a CUPTI that has recorded what is written here, for tests of harness/gpu/activity.c where
 * there is no GPU (tests/e2e/activity.sh). KIT_FAKE_CUPTI: "refuses" to record, or is "newer" than
 * its header. */
#include <cupti.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;

static bool is(const char *behaviour) {
  const char *asked = getenv("KIT_FAKE_CUPTI");
  return asked && strcmp(asked, behaviour) == 0;
}

CUptiResult cuptiGetVersion(uint32_t *version) {
  *version = CUPTI_API_VERSION + (is("newer") ? 10000 : 0);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) return CUPTI_ERROR_NOT_SUPPORTED;
  return is("refuses") ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) { return (void)kind, CUPTI_SUCCESS; }
CUptiResult cuptiActivityConfigureUnifiedMemoryCounter(
    CUpti_ActivityUnifiedMemoryCounterConfig *config, uint32_t count) {
  return (void)config, (void)count, CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                           CUpti_BuffersCallbackCompleteFunc completed) {
  request = requested;
  complete = completed;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetTimestamp(uint64_t *ns) {
  *ns = 1000;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t per_thread,
                               uint32_t *id) {
  (void)context, (void)stream, (void)per_thread;
  *id = 7;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name) {
  static const char *const names[] = {"cudaMemcpyAsync_v3020", "cudaLaunchKernel_v7000",
                                      "cudaDeviceSynchronize_v3020"};
  (void)domain;
  *name = names[id];
  return CUPTI_SUCCESS;
}

/* ---- the records: each 1 KiB of a buffer, its size in front ---- */

enum { ROOM = 1024 };
static uint8_t *buffer;
static size_t used;

static void add(const void *record, size_t size) {
  memcpy(buffer + used, record, size);
  used += ROOM;
}
static void begin_buffer(void) {
  size_t size, most;
  used = 0;
  request(&buffer, &size, &most);
}
static void end_buffer(void) { complete(NULL, 0, buffer, 1 << 20, used); }

CUptiResult cuptiActivityGetNextRecord(uint8_t *bytes, size_t valid, CUpti_Activity **record) {
  size_t at = *record ? (size_t)((uint8_t *)*record - bytes) + ROOM : 0;
  if (at >= valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)(void *)(bytes + at);
  return CUPTI_SUCCESS;
}

#define ADD(type, ...)                 \
  do {                                 \
    const type record = {__VA_ARGS__}; \
    add(&record, sizeof record);       \
  } while (0)
#define KIND(name) .kind = CUPTI_ACTIVITY_KIND_##name
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
typedef CUpti_ActivityMemcpy6 copy_record;
typedef CUpti_ActivityUnifiedMemoryCounter3 pages_record;
#else
typedef CUpti_ActivityKernel9 kernel_record;
typedef CUpti_ActivityMemcpy5 copy_record;
typedef CUpti_ActivityUnifiedMemoryCounter2 pages_record;
#endif

/* Not in order, as CUPTI reports them, and in two buffers. */
CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  (void)flag;
  begin_buffer();
  ADD(kernel_record, KIND(CONCURRENT_KERNEL), .correlationId = 2, .streamId = 13, .start = 3500,
      .end = 9500, .name = "_Z4tileILi16EEvPKfS1_Pf");
  ADD(copy_record, KIND(MEMCPY), .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
      .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
      .bytes = 8192, .correlationId = 3, .streamId = 21, .start = 4000, .end = 6000);
  end_buffer();
  begin_buffer();
  ADD(CUpti_ActivityAPI, KIND(RUNTIME), .cbid = 1, .correlationId = 2, .start = 1500, .end = 2500);
  ADD(CUpti_ActivityAPI, KIND(RUNTIME), .cbid = 0, .correlationId = 3, .start = 2600, .end = 7000);
  ADD(CUpti_ActivityAPI, KIND(RUNTIME), .cbid = 0, .correlationId = 1, .start = 1100, .end = 1500);
  ADD(CUpti_ActivityAPI, KIND(RUNTIME), .cbid = 2, .correlationId = 5, .start = 7000, .end = 12500);
  ADD(copy_record, KIND(MEMCPY), .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
      .srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED, .dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
      .bytes = 4096, .correlationId = 1, .streamId = 13, .start = 2000, .end = 3000);
  ADD(CUpti_ActivityMemset4, KIND(MEMSET), .bytes = 256, .correlationId = 4, .streamId = 7,
      .start = 10000, .end = 10500);
  ADD(pages_record, KIND(UNIFIED_MEMORY_COUNTER),
      .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD, .value = 65536,
      .streamId = 7, .start = 11000, .end = 12000);
  ADD(pages_record, KIND(UNIFIED_MEMORY_COUNTER),
      .counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT, .value = 3,
      .streamId = 7, .start = 11000, .end = 12000);
  end_buffer();
  return CUPTI_SUCCESS;
}
