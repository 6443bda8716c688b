/* driver.h: what the files of the driver API share. Its handles are those of the runtime API. */
#ifndef KIT_DRIVER_H
#define KIT_DRIVER_H

#include "harness/sim/runtime/runtime.h"
#include <cuda.h>

/* The driver's code for a call of the runtime. cudaGetLastError does not return its failure. */
#define driver_result(call) (runtime_save_error(), driver_result_of(call))
CUresult driver_result_of(cudaError_t error);
/* CUDA_SUCCESS if cuInit was called and this thread has a context. */
CUresult driver_check(void);
/* Returns from a function that cannot go on without a context. After it, driver_result_of does for
 * calls of the runtime that were made before. */
#define NEED_CONTEXT                             \
  do {                                           \
    CUresult missing = driver_check();           \
    if (missing != CUDA_SUCCESS) return missing; \
    runtime_save_error();                        \
  } while (0)

/* driver_names.c: the function of libcuda that has this name ("cuInit", "cuMemAlloc_v2"), or NULL.
 */
void *driver_function(const char *symbol);

/* driver_array.c: the runtime's description of a copy. */
CUresult driver_copy(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *params);
/* driver_module.c: modules, without a context. room: bytes of the image at most. */
CUresult driver_load(CUmodule *module, const char *image, size_t room);
CUresult driver_unload(CUmodule module);
CUresult driver_get_function(CUfunction *function, CUmodule module, const char *name);
/* The whole file, with a NUL behind it; NULL: it cannot be read. */
char *driver_read_file(const char *name, size_t *size);
/* Options of a compiler: logs, of which there are none. */
void driver_empty_logs(unsigned int count, const CUjit_option *options, void **values);
/* Points at each of the parameters that `extra` has in one buffer
 * (cuLaunchKernel). */
enum {
  DRIVER_MAX_PARAMS =
      sizeof((struct kernel_info *)0)->params / sizeof((struct kernel_info *)0)->params[0]
};
CUresult driver_unpack(CUfunction function, void **extra, void **parameters);

static inline void *driver_pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

#endif
