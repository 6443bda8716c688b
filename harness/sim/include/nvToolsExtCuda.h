/* nvToolsExtCuda.h: names of devices, contexts, streams and events of the driver API for a
 * profiler, of which there is none. */
#ifndef KIT_NVTOOLSEXTCUDA_H
#define KIT_NVTOOLSEXTCUDA_H

#pragma GCC system_header

#include "cuda.h"
#include "nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice device, const char *name) {
  (void)device, (void)name;
}
static inline void nvtxNameCuContextA(CUcontext context, const char *name) {
  (void)context, (void)name;
}
static inline void nvtxNameCuStreamA(CUstream stream, const char *name) {
  (void)stream, (void)name;
}
static inline void nvtxNameCuEventA(CUevent event, const char *name) { (void)event, (void)name; }
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif
