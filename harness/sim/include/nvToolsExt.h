/* nvToolsExt.h: NVTX, marks and ranges for a profiler, of which there is none: nothing happens. */
#ifndef KIT_NVTOOLSEXT_H
#define KIT_NVTOOLSEXT_H

#pragma GCC system_header

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
};
enum {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
};

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomain *nvtxDomainHandle_t;
typedef struct nvtxString *nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define KIT_NVTX(result, name, arguments)                                    \
  static inline __attribute__((unused)) result name arguments { \
    return (result)0;                                                        \
  }
KIT_NVTX(int, nvtxRangePushA, (const char *message))
KIT_NVTX(int, nvtxRangePushW, (const wchar_t *message))
KIT_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *event))
KIT_NVTX(int, nvtxRangePop, (void))
KIT_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *message))
KIT_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *message))
KIT_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *event))
KIT_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t range))
KIT_NVTX(void, nvtxMarkA, (const char *message))
KIT_NVTX(void, nvtxMarkW, (const wchar_t *message))
KIT_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *event))
KIT_NVTX(void, nvtxNameCategoryA, (uint32_t category, const char *name))
KIT_NVTX(void, nvtxNameOsThreadA, (uint32_t thread, const char *name))
KIT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name))
KIT_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain))
KIT_NVTX(int, nvtxDomainRangePushEx,
         (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event))
KIT_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain))
#undef KIT_NVTX
#ifndef UNICODE
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#endif

#endif
