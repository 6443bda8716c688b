// driver.h: TRY and NEED for calls of the driver API.
#ifndef MISUSES_DRIVER_H
#define MISUSES_DRIVER_H

#include <cuda.h>

#include "misuse.h"

static inline CUresult misuse_code(CUresult code) {
  const char *name = NULL;
  if (cuGetErrorName(code, &name) != CUDA_SUCCESS || !name) name = "no name";
  misuse_code((int)code, name);
  return code;
}
static inline void misuse_need(const char *text, CUresult code) {
  const char *name = NULL;
  if (code == CUDA_SUCCESS) return;
  misuse_need(text, cuGetErrorName(code, &name) ? cudaErrorUnknown : (cudaError_t)code);
}

#endif
