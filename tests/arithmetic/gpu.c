/* gpu.c: executes PTX on a GPU by the CUDA driver API, looked up when needed (arithmetic.h). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/arithmetic/arithmetic.h"

/* As cuda.h declares them. */
static struct {
  int (*init)(unsigned flags);
  int (*driver_version)(int *version);
  int (*device_get)(int *device, int ordinal);
  int (*device_name)(char *name, int size, int device);
  int (*retain)(void **context, int device);
  int (*set_current)(void *context);
  int (*load)(void **module, const void *image, unsigned count, int *options, void **values);
  int (*get_function)(void **function, void *module, const char *name);
  int (*allocate)(uint64_t *address, size_t bytes);
  int (*release)(uint64_t address);
  int (*write)(uint64_t to, const void *from, size_t bytes);
  int (*read)(void *to, uint64_t from, size_t bytes);
  int (*fill)(uint64_t to, unsigned char value, size_t bytes);
  int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                void **params, void **extra);
  int (*synchronize)(void);
} cuda;
static void *module;

static void check(int code, const char *what) {
  if (code != 0) die("GPU: %s: CUDA error %d", what, code);
}

static void load(int first, int end) {
  enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 }; /* CU_JIT_ERROR_LOG_BUFFER, ..._SIZE_BYTES */
  char log[4096] = "", *ptx = instructions_module(first, end);
  int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log}; /* the second is no pointer */
  if (cuda.load(&module, ptx, 2, options, values) != 0) die("GPU: the driver refuses: %s", log);
  free(ptx);
}

static void run(int number, const uint64_t *operands, int count, uint64_t *answers) {
  const char *opcode = instructions[number].row.opcode;
  int sources = instructions[number].sources;
  size_t bytes = (size_t)count * sizeof *operands;
  uint64_t in, out, tuples = (uint64_t)count, arrays[SOURCES + 1];
  void *function, *params[SOURCES + 2];
  char kernel[16];
  snprintf(kernel, sizeof kernel, "k%d", number);
  check(cuda.get_function(&function, module, kernel), opcode);
  check(cuda.allocate(&in, (size_t)sources * bytes), "cuMemAlloc");
  check(cuda.allocate(&out, bytes), "cuMemAlloc");
  check(cuda.write(in, operands, (size_t)sources * bytes), "cuMemcpyHtoD");
  check(cuda.fill(out, 0, bytes), "cuMemsetD8");
  for (int k = 0; k <= sources; k++) {
    arrays[k] = k < sources ? in + (size_t)k * bytes : out;
    params[k] = &arrays[k];
  }
  params[sources + 1] = &tuples;
  check(
      cuda.launch(function, ((unsigned)count + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL),
      opcode);
  check(cuda.synchronize(), opcode);
  check(cuda.read(answers, out, bytes), "cuMemcpyDtoH");
  cuda.release(in);
  cuda.release(out);
}

void executor_open_gpu(struct executor *executor) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) die("no GPU: %s", dlerror());
  const struct {
    const char *name;
    void *function;
  } functions[] = {{"cuInit", &cuda.init},
                   {"cuDriverGetVersion", &cuda.driver_version},
                   {"cuDeviceGet", &cuda.device_get},
                   {"cuDeviceGetName", &cuda.device_name},
                   {"cuDevicePrimaryCtxRetain", &cuda.retain},
                   {"cuCtxSetCurrent", &cuda.set_current},
                   {"cuModuleLoadDataEx", &cuda.load},
                   {"cuModuleGetFunction", &cuda.get_function},
                   {"cuMemAlloc_v2", &cuda.allocate},
                   {"cuMemFree_v2", &cuda.release},
                   {"cuMemcpyHtoD_v2", &cuda.write},
                   {"cuMemcpyDtoH_v2", &cuda.read},
                   {"cuMemsetD8_v2", &cuda.fill},
                   {"cuLaunchKernel", &cuda.launch},
                   {"cuCtxSynchronize", &cuda.synchronize}};
  for (size_t i = 0; i < ROWS_OF(functions); i++) {
    void *symbol = dlsym(library, functions[i].name);
    if (!symbol) die("libcuda.so.1 has no %s", functions[i].name);
    memcpy(functions[i].function, &symbol, sizeof symbol);
  }
  int device, version;
  void *context;
  char name[96] = "";
  check(cuda.init(0), "cuInit");
  check(cuda.device_get(&device, 0), "cuDeviceGet");
  check(cuda.device_name(name, sizeof name, device), "cuDeviceGetName");
  check(cuda.driver_version(&version), "cuDriverGetVersion");
  check(cuda.retain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuda.set_current(context), "cuCtxSetCurrent");
  *executor = (struct executor){.load = load, .run = run};
  snprintf(executor->name, sizeof executor->name, "%s, CUDA %d.%d", name, version / 1000,
           version % 1000 / 10);
}
