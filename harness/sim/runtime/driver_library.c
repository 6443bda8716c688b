/* driver_library.c: CUDA's driver API over the runtime API: libraries and their kernels. A library
 * is a module, and a kernel a function; the runtime's libraries (cudaLibraryLoadData) are the same.
 */
#include <stdlib.h>

#include "harness/sim/runtime/driver.h"

static CUmodule module_of(CUlibrary library) { return (CUmodule)(void *)library; }
static CUfunction function_of(CUkernel kernel) { return (CUfunction)(void *)kernel; }

/* Libraries need no context, but cuInit. */
static CUresult check_init(void) {
  int count;
  return cuDeviceGetCount(&count);
}

static CUresult load(CUlibrary *library, const char *image, size_t room) {
  CUmodule module;
  runtime_save_error();
  CUresult error = driver_load(&module, image, room);
  if (!error) *library = (CUlibrary)(void *)module;
  return error;
}

static CUresult load_file(CUlibrary *library, const char *file) {
  size_t size;
  char *image = driver_read_file(file, &size);
  if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
  CUresult error = load(library, image, size);
  free(image);
  return error;
}

/* Options say how and when code is loaded, which changes nothing here. */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit_options,
                           void **jit_values, unsigned int jit_count, CUlibraryOption *options,
                           void **values, unsigned int count) {
  CUresult error = check_init();
  (void)options, (void)values, (void)count;
  if (!error && (!library || !code)) error = CUDA_ERROR_INVALID_VALUE;
  driver_empty_logs(jit_count, jit_options, jit_values);
  return error ? error : load(library, code, SIZE_MAX);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jit_options,
                               void **jit_values, unsigned int jit_count, CUlibraryOption *options,
                               void **values, unsigned int count) {
  CUresult error = check_init();
  (void)options, (void)values, (void)count;
  if (!error && (!library || !file)) error = CUDA_ERROR_INVALID_VALUE;
  driver_empty_logs(jit_count, jit_options, jit_values);
  return error ? error : load_file(library, file);
}

CUresult cuLibraryUnload(CUlibrary library) {
  CUresult error = check_init();
  return error ? error : driver_unload(module_of(library));
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  CUfunction function;
  CUresult error = check_init();
  if (!error && !kernel) error = CUDA_ERROR_INVALID_VALUE;
  runtime_save_error();
  if (!error) error = driver_get_function(&function, module_of(library), name);
  if (!error) *kernel = (CUkernel)(void *)function;
  return error;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  NEED_CONTEXT;
  if (!module || !library) return CUDA_ERROR_INVALID_VALUE;
  *module = module_of(library);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name) {
  return cuModuleGetGlobal(address, bytes, module_of(library), name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  NEED_CONTEXT;
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  *function = function_of(kernel);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  CUmodule module;
  if (!library) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = cuFuncGetModule(&module, function_of(kernel));
  if (!error) *library = (CUlibrary)(void *)module;
  return error;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return cuFuncGetName(name, function_of(kernel));
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncGetAttribute(value, attribute, function_of(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  return cuFuncSetAttribute(function_of(kernel), attribute, value);
}

/* ---- the runtime's ---- */

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit_options, void **jit_values,
                                unsigned int jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned int count) {
  (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
  if (!library || !code) return runtime_result(cudaErrorInvalidValue);
  runtime_device();
  return runtime_result((cudaError_t)load((CUlibrary *)library, code, SIZE_MAX));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file,
                                    enum cudaJitOption *jit_options, void **jit_values,
                                    unsigned int jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned int count) {
  (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
  if (!library || !file) return runtime_result(cudaErrorInvalidValue);
  runtime_device();
  return runtime_result((cudaError_t)load_file((CUlibrary *)library, file));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return runtime_result((cudaError_t)driver_unload(module_of(library)));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  if (!kernel) return runtime_result(cudaErrorInvalidValue);
  return runtime_result((cudaError_t)cuLibraryGetKernel((CUkernel *)kernel, library, name));
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
  uint64_t address;
  size_t size;
  if (!library || !name) return runtime_result(cudaErrorInvalidValue);
  int error = registration_global(library, name, &address, &size);
  if (!error && pointer) *pointer = driver_pointer(address);
  if (!error && bytes) *bytes = size;
  return runtime_result(error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound
                                                        : (cudaError_t)error);
}

/* A host stub stands for its kernel where a handle may, too. */

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  int module;
  const char *name;
  if (!kernel) return runtime_result(cudaErrorInvalidValue);
  if (!registration_kernel(stub, &module, &name))
    return runtime_result(cudaErrorInvalidDeviceFunction);
  *kernel = (cudaKernel_t)(uintptr_t)stub;
  return cudaSuccess;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub) {
  return cudaGetKernel((cudaKernel_t *)function, stub);
}
