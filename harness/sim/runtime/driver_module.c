/* driver_module.c: CUDA's driver API over the runtime API: modules, whose images are PTX, and their
 * kernels. A CUfunction stands for its kernel in the runtime API, too. */
#include "harness/sim/runtime/driver.h"
#include "harness/sim/runtime/fat_binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUmod_st {
  CUfunction functions;
};

struct CUfunc_st {
  CUfunction next;
  CUmodule module;
  char name[];
};

CUresult driver_load(CUmodule *module, const char *image, size_t room) {
  char *unpacked;
  const char *missing = fat_binary_ptx(image, room, &unpacked);
  if (missing) {
    runtime_explained(
        cudaErrorNoKernelImageForDevice, "cuModuleLoadData", 0, missing,
        "The simulator runs PTX: compile with nvcc -ptx, or with -fatbin --no-compress "
        "-gencode arch=compute_90,code=compute_90.");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  CUmodule made = calloc(1, sizeof *made);
  CUresult error =
      made ? driver_result((cudaError_t)registration_load(made, unpacked ? unpacked : image))
           : CUDA_ERROR_OUT_OF_MEMORY;
  if (error == CUDA_ERROR_INVALID_PTX && !strstr(unpacked ? unpacked : image, ".version"))
    error = CUDA_ERROR_INVALID_IMAGE;
  free(unpacked);
  if (error)
    free(made);
  else
    *module = made;
  return error;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  NEED_CONTEXT;
  return module && image ? driver_load(module, image, SIZE_MAX) : CUDA_ERROR_INVALID_VALUE;
}

/* The options are those of a compiler that there is none of. */
void driver_empty_logs(unsigned int count, const CUjit_option *options, void **values) {
  for (unsigned i = 0; i < count && options && values; i++) {
    if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
        options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      values[i] = NULL;
    if ((options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) &&
        values[i])
      *(char *)values[i] = 0;
  }
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values) {
  driver_empty_logs(count, options, values);
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

char *driver_read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  long bytes = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = bytes >= 0 ? calloc(1, (size_t)bytes + 4) : NULL;
  if (text) {
    rewind(file);
    if (fread(text, 1, (size_t)bytes, file) != (size_t)bytes) *text = 0;
  }
  if (file) fclose(file);
  *size = text ? (size_t)bytes : 0;
  return text;
}

CUresult cuModuleLoad(CUmodule *module, const char *file) {
  NEED_CONTEXT;
  if (!module || !file) return CUDA_ERROR_INVALID_VALUE;
  size_t size;
  char *image = driver_read_file(file, &size);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  CUresult error = driver_load(module, image, size);
  free(image);
  return error;
}

CUresult driver_unload(CUmodule module) {
  if (!module || !registration_unload(module)) return CUDA_ERROR_INVALID_HANDLE;
  for (CUfunction next, at = module->functions; at; at = next) {
    next = at->next;
    free(at);
  }
  free(module);
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  NEED_CONTEXT;
  return driver_unload(module);
}

CUresult driver_get_function(CUfunction *function, CUmodule module, const char *name) {
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
  for (CUfunction at = module->functions; at; at = at->next) {
    if (strcmp(at->name, name) != 0) continue;
    *function = at;
    return CUDA_SUCCESS;
  }
  CUfunction made = malloc(sizeof *made + strlen(name) + 1);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  strcpy(made->name, name);
  made->module = module;
  CUresult error = driver_result((cudaError_t)registration_function(module, made, made->name));
  if (error) {
    free(made);
    return error;
  }
  made->next = module->functions;
  module->functions = made;
  *function = made;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  NEED_CONTEXT;
  return driver_get_function(function, module, name);
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  int module;
  NEED_CONTEXT;
  if (!name || !function) return CUDA_ERROR_INVALID_VALUE;
  return registration_kernel(function, &module, name) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Modules of the program itself have no handle. */
CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  int number;
  const char *name;
  NEED_CONTEXT;
  if (!module || !function) return CUDA_ERROR_INVALID_VALUE;
  if (!registration_kernel(function, &number, &name)) return CUDA_ERROR_INVALID_HANDLE;
  if (name != function->name) return CUDA_ERROR_NOT_SUPPORTED;
  *module = function->module;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  uint64_t found;
  size_t size;
  NEED_CONTEXT;
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  int error = registration_global(module, name, &found, &size);
  if (!error && address) *address = found;
  if (!error && bytes) *bytes = size;
  return driver_result_of((cudaError_t)error);
}

/* They lie in the buffer as in the kernel's. */
CUresult driver_unpack(CUfunction function, void **extra, void **parameters) {
  static _Thread_local struct kernel_info info; /* large */
  char *buffer = NULL;
  size_t bytes = 0;
  int module;
  const char *name;
  for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *(size_t *)extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  cudaError_t error = runtime_kernel(function, &module, &name, &info);
  if (error) return driver_result_of(error);
  for (int i = 0; i < info.param_count; i++) {
    if (!buffer || info.params[i].offset + info.params[i].size > bytes)
      return CUDA_ERROR_INVALID_VALUE;
    parameters[i] = buffer + info.params[i].offset;
  }
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **parameters, void **extra) {
  void *unpacked[DRIVER_MAX_PARAMS];
  NEED_CONTEXT;
  if (!function) return CUDA_ERROR_INVALID_HANDLE;
  if (parameters && extra) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = extra ? driver_unpack(function, extra, unpacked) : CUDA_SUCCESS;
  if (error) return error;
  dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
  error = driver_result(
      cudaLaunchKernel(function, grid, block, extra ? unpacked : parameters, shared_bytes, stream));
  return error == CUDA_ERROR_NOT_FOUND ? CUDA_ERROR_INVALID_HANDLE : error; /* of another module */
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  struct cudaFuncAttributes a;
  NEED_CONTEXT;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = driver_result(cudaFuncGetAttributes(&a, function));
  if (error) return error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = a.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = (int)a.sharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = (int)a.constSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = (int)a.localSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = a.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = a.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = a.binaryVersion;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = a.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = a.preferredShmemCarveout;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  NEED_CONTEXT;
  return driver_result(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int block_size, size_t shared_bytes) {
  NEED_CONTEXT;
  return driver_result(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes));
}

CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize dynamic, size_t shared_bytes,
                                          int limit) {
  int processors, largest, best = 0;
  NEED_CONTEXT;
  if (!min_grid_size || !block_size || limit < 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = cuFuncGetAttribute(&largest, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (!error)
    error = cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0 && !error; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size,
                                                        dynamic ? dynamic(size) : shared_bytes);
    if (error || blocks * size <= best) continue;
    best = blocks * size;
    *block_size = size;
    *min_grid_size = blocks * processors;
  }
  return error;
}
