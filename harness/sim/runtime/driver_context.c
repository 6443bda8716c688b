/* driver_context.c: CUDA's driver API over the runtime API: initialisation, errors, the device and
 * its contexts. All contexts are the primary one: what is allocated in one is there in all. */
#include "harness/sim/runtime/driver.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct CUctx_st {
  bool primary;
};

enum { MAX_CONTEXTS = 64 };
static atomic_bool initialised;
static struct CUctx_st primary = {true};
static _Thread_local CUcontext stack[MAX_CONTEXTS];
static _Thread_local int depth;

CUresult driver_result_of(cudaError_t error) {
  runtime_restore_error();
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_NOT_FOUND;
    default:
      return (CUresult)error;
  }
}

/* By cuInit, or by the runtime's first call. */
static bool is_initialised(void) { return atomic_load(&initialised) || runtime_is_open(); }

/* The thread's context. The runtime makes the primary one current where there is none. */
static CUcontext current(void) {
  bool bound = runtime_take_binding();
  if (!depth && bound) stack[depth++] = &primary;
  return depth ? stack[depth - 1] : NULL;
}

CUresult driver_check(void) {
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (current()) return CUDA_SUCCESS;
  return !atomic_load(&initialised) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuInit(unsigned int flags) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (runtime_is_open() && !current()) cuCtxPushCurrent(&primary);
  atomic_store(&initialised, true);
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) { return driver_result(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = NULL;
  switch (error) {
#define X(code, number) \
  case code:            \
    *name = #code;      \
    break;
    KIT_RESULTS(X)
#undef X
  }
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  const char *name;
  CUresult known = cuGetErrorName(error, &name);
  if (!text || known) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

/* ---- the device ---- */

static CUresult check_device(CUdevice device) {
  int count = 0;
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  cudaGetDeviceCount(&count);
  return device >= 0 && device < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count) {
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return count ? driver_result(cudaGetDeviceCount(count)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CUresult error = device ? check_device(ordinal) : CUDA_ERROR_INVALID_VALUE;
  if (!error) *device = ordinal;
  return error;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  CUresult error = name && length > 0 ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
  if (!error) error = driver_result(cudaGetDeviceProperties(&properties, device));
  if (!error) snprintf(name, (size_t)length, "%s", properties.name);
  return error;
}

/* What the runtime has no attribute for: -1, if it has. */
static int driver_attribute(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
      return 0;
    default:
      return -1;
  }
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  CUresult error = value ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
  if (!error && driver_attribute(attribute) >= 0) {
    *value = driver_attribute(attribute);
    return CUDA_SUCCESS;
  }
  return error
             ? error
             : driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  CUresult error = bytes ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
  if (!error) error = driver_result(cudaGetDeviceProperties(&properties, device));
  if (!error) *bytes = properties.totalGlobalMem;
  return error;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  CUresult error =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return error ? error
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

/* ---- contexts ---- */

CUresult cuCtxPushCurrent(CUcontext context) {
  current(); /* that is now below */
  if (!context || depth == MAX_CONTEXTS) return CUDA_ERROR_INVALID_CONTEXT;
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
  CUcontext popped = stack[--depth];
  if (context) *context = popped;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  current();
  if (depth) depth--;
  return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  *context = current();
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  enum { ALL_FLAGS = 0x1f };
  CUresult error = context && flags <= ALL_FLAGS ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
  if (error) return error;
  CUcontext made = calloc(1, sizeof *made);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  error = cuCtxPushCurrent(made);
  *context = made;
  return error;
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}

/* Parts of the device: there are none to be had. */
CUresult cuCtxCreate_v3(CUcontext *context, struct CUexecAffinityParam_st *affinities, int count,
                        unsigned int flags, CUdevice device) {
  if (affinities || count) return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                        CUdevice device) {
  return params && (params->execAffinityParams || params->cigParams)
             ? CUDA_ERROR_NOT_SUPPORTED
             : cuCtxCreate(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (current() == context) depth--;
  free(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  NEED_CONTEXT;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  NEED_CONTEXT;
  return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  NEED_CONTEXT;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (!peer || (depth && peer == stack[depth - 1])) return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  NEED_CONTEXT;
  return peer ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult error = context ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
  if (!error) *context = &primary;
  return error;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return check_device(device); }
