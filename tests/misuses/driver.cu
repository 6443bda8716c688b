// driver.cu: the driver API: order of initialisation, contexts, modules, launches, memory.
#include <cstring>

#include "driver.h"

// A kernel that stores 7 at the address that it gets.
static const char *const image =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 factor;\n"
    ".visible .entry seven(.param .u64 p) {\n"
    "  .reg .u64 %rd<3>;\n  .reg .u32 %r<2>;\n"
    "  ld.param.u64 %rd1, [p];\n  cvta.to.global.u64 %rd2, %rd1;\n"
    "  mov.u32 %r1, 7;\n  st.global.u32 [%rd2], %r1;\n  ret;\n}\n";

static CUdevice device;
static CUcontext context;
static CUmodule module;
static CUfunction function;
static void start() {
  NEED(cuInit(0));
  NEED(cuDeviceGet(&device, 0));
  NEED(cuDevicePrimaryCtxRetain(&context, device));
  NEED(cuCtxSetCurrent(context));
}
static void start_module() {
  start();
  NEED(cuModuleLoadData(&module, image));
  NEED(cuModuleGetFunction(&function, module, "seven"));
}
static CUdeviceptr driver_memory(size_t bytes) {
  CUdeviceptr address = 0;
  NEED(cuMemAlloc(&address, bytes));
  return address;
}

MISUSE(driver_device_before_init) { TRY(cuDeviceGet(&device, 0)); }
MISUSE(driver_malloc_before_init) {
  CUdeviceptr p;
  TRY(cuMemAlloc(&p, 4));
}
MISUSE(driver_init_flags) { TRY(cuInit(1)); }
MISUSE(driver_no_such_device) {
  int count;
  NEED(cuInit(0));
  NEED(cuDeviceGetCount(&count));
  TRY(cuDeviceGet(&device, count));
}
MISUSE(driver_attribute_unknown) {
  int value;
  start();
  TRY(cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, device));
}
MISUSE(driver_malloc_without_context) {
  CUdeviceptr p;
  NEED(cuInit(0));
  TRY(cuMemAlloc(&p, 4));
}
MISUSE(driver_wait_without_context) {
  NEED(cuInit(0));
  TRY(cuCtxSynchronize());
}
MISUSE(driver_pop_without_context) {
  NEED(cuInit(0));
  TRY(cuCtxPopCurrent(&context));
}
MISUSE(driver_context_destroyed) {
  CUdeviceptr p;
  NEED(cuInit(0));
  NEED(cuDeviceGet(&device, 0));
  NEED(cuCtxCreate(&context, NULL, 0, device));
  NEED(cuMemAlloc(&p, 64));
  TRY(cuCtxDestroy(context));
  TRY(cuMemFree(p));
  TRY(cuCtxSetCurrent(context));
}
MISUSE(driver_context_destroy_null) {
  start();
  TRY(cuCtxDestroy(NULL));
}
MISUSE(driver_malloc_nothing) {
  CUdeviceptr p;
  start();
  TRY(cuMemAlloc(&p, 0));
}
MISUSE(driver_malloc_too_much) {
  CUdeviceptr p;
  start();
  TRY(cuMemAlloc(&p, (size_t)1 << 50));
}
MISUSE(driver_free_null) {
  start();
  TRY(cuMemFree(0));
}
MISUSE(driver_free_twice) {
  start();
  CUdeviceptr p = driver_memory(64);
  TRY(cuMemFree(p));
  TRY(cuMemFree(p));
}
MISUSE(driver_free_inside) {
  start();
  TRY(cuMemFree(driver_memory(64) + 4));
}
MISUSE(driver_copy_beyond_the_end) {
  static char large[1 << 20];
  start();
  TRY(cuMemcpyHtoD(driver_memory(1024), large, sizeof large));
}
MISUSE(driver_copy_from_null) {
  start();
  TRY(cuMemcpyHtoD(driver_memory(64), NULL, 64));
}
MISUSE(driver_copy_from_host_as_device) {
  static int plain[16];
  start();
  TRY(cuMemcpyDtoD(driver_memory(64), (CUdeviceptr)plain, 64));
}
MISUSE(driver_fill_misaligned) {
  start();
  TRY(cuMemsetD32(driver_memory(64) + 1, 0, 4));
}
MISUSE(driver_module_no_file) {
  start();
  TRY(cuModuleLoad(&module, "/nowhere/at/all.ptx"));
}
MISUSE(driver_module_no_ptx) {
  start();
  TRY(cuModuleLoadData(&module, "no PTX"));
}
MISUSE(driver_module_wrong_ptx) {
  start();
  TRY(cuModuleLoadData(&module,
                       ".version 7.0\n.target sm_70\n.address_size 64\n"
                       ".visible .entry f() {\n  no.such.instruction;\n}\n"));
}
MISUSE(driver_module_null) {
  start();
  TRY(cuModuleLoadData(&module, NULL));
}
MISUSE(driver_module_unload_twice) {
  start_module();
  TRY(cuModuleUnload(module));
  TRY(cuModuleUnload(module));
}
MISUSE(driver_module_unload_null) {
  start();
  TRY(cuModuleUnload(NULL));
}
MISUSE(driver_function_not_there) {
  start_module();
  TRY(cuModuleGetFunction(&function, module, "none"));
}
MISUSE(driver_function_of_no_module) {
  start();
  TRY(cuModuleGetFunction(&function, NULL, "seven"));
}
MISUSE(driver_function_null_name) {
  start_module();
  TRY(cuModuleGetFunction(&function, module, NULL));
}
MISUSE(driver_global_not_there) {
  CUdeviceptr p;
  size_t bytes;
  start_module();
  TRY(cuModuleGetGlobal(&p, &bytes, module, "none"));
}
static CUresult run(unsigned int grid, unsigned int block, unsigned int shared, CUstream stream,
                    void **parameters, void **extra = NULL) {
  return cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared, stream, parameters, extra);
}
MISUSE(driver_launch_null_function) {
  start();
  TRY(run(1, 1, 0, NULL, NULL));
}
MISUSE(driver_launch_2000_threads) {
  start_module();
  CUdeviceptr p = driver_memory(4);
  void *parameters[] = {&p};
  TRY(run(1, 2000, 0, NULL, parameters));
  TRY(run(1, 1, 0, NULL, parameters));
  TRY(cuCtxSynchronize());
}
MISUSE(driver_launch_no_blocks) {
  start_module();
  CUdeviceptr p = driver_memory(4);
  void *parameters[] = {&p};
  TRY(run(0, 1, 0, NULL, parameters));
}
MISUSE(driver_launch_too_much_shared) {
  start_module();
  CUdeviceptr p = driver_memory(4);
  void *parameters[] = {&p};
  TRY(run(1, 1, 50000, NULL, parameters));
}
MISUSE(driver_launch_without_parameters) {
  start_module();
  TRY(run(1, 1, 0, NULL, NULL));
}
MISUSE(driver_launch_parameters_twice) {
  start_module();
  CUdeviceptr p = driver_memory(4);
  size_t bytes = sizeof p;
  void *parameters[] = {&p};
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  TRY(run(1, 1, 0, NULL, parameters, extra));
}
MISUSE(driver_launch_after_unload) {
  start_module();
  CUdeviceptr p = driver_memory(4);
  void *parameters[] = {&p};
  NEED(cuModuleUnload(module));
  TRY(run(1, 1, 0, NULL, parameters));
}
MISUSE(driver_launch_faults) {
  start_module();
  CUdeviceptr p = 16;
  void *parameters[] = {&p};
  TRY(run(1, 1, 0, NULL, parameters));
  TRY(cuCtxSynchronize());
  TRY(cuMemAlloc(&p, 4));
  TRY(cudaGetLastError());
}
MISUSE(driver_attribute_shared_too_large) {
  start_module();
  TRY(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000));
}
MISUSE(driver_error_is_not_the_runtimes) {
  CUdeviceptr p;
  start();
  TRY(cuMemAlloc(&p, 0));
  TRY(cudaGetLastError());
}
MISUSE(driver_event_query_null) {
  start();
  TRY(cuEventQuery(NULL));
}
MISUSE(driver_event_elapsed_not_recorded) {
  CUevent first, second;
  float ms;
  start();
  NEED(cuEventCreate(&first, CU_EVENT_DEFAULT));
  NEED(cuEventCreate(&second, CU_EVENT_DEFAULT));
  TRY(cuEventElapsedTime(&ms, first, second));
}
MISUSE(driver_stream_unknown_flags) {
  CUstream stream;
  start();
  TRY(cuStreamCreate(&stream, 99));
}
MISUSE(driver_name_of_no_error) {
  const char *name = "unchanged";
  TRY(cuGetErrorName((CUresult)12345, &name));
  NOTE(name == NULL);
}
