/* kernel_gpu.c: random kernels on a GPU, by its driver, which is opened when it is asked for. ptxas
 * does not optimise them: what it makes of one in seventy, predicates in loops, constants that only
 * a fuzzer writes, it makes wrong (CUDA 13.0: 42 of 3097 kernels, none of those looked at right).
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/random_kernel.h"

typedef int context_t(void **context, int device);
typedef int destroy_t(void *handle);
typedef int load_t(void **module, const void *image, unsigned count, int *options, void **values);
typedef int find_t(void **function, void *module, const char *name);
typedef int global_t(uint64_t *address, size_t *bytes, void *module, const char *name);
typedef int allocate_t(uint64_t *address, size_t bytes);
typedef int put_t(uint64_t to, const void *from, size_t bytes);
typedef int get_t(void *to, uint64_t from, size_t bytes);
typedef int launch_t(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                     void *stream, void **params, void **extra);
typedef int name_t(int error, const char **name);

static struct {
  context_t *retain;
  destroy_t *use, *unload;
  load_t *load;
  find_t *find;
  global_t *global;
  allocate_t *allocate;
  put_t *put;
  get_t *get;
  launch_t *launch;
  name_t *name;
} driver;

static void *library;

/* One function of the driver; remembers whether any is missing. */
static void bring(void *function, const char *name, bool *complete) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  *complete &= found != NULL;
}

const char *gpu_open(struct arrays *arrays) {
  bool complete = true;
  int (*init)(unsigned) = NULL;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return "there is no libcuda.so.1";
  bring(&init, "cuInit", &complete);
  bring(&driver.retain, "cuDevicePrimaryCtxRetain", &complete);
  bring(&driver.use, "cuCtxSetCurrent", &complete);
  bring(&driver.load, "cuModuleLoadDataEx", &complete);
  bring(&driver.unload, "cuModuleUnload", &complete);
  bring(&driver.find, "cuModuleGetFunction", &complete);
  bring(&driver.global, "cuModuleGetGlobal_v2", &complete);
  bring(&driver.allocate, "cuMemAlloc_v2", &complete);
  bring(&driver.put, "cuMemcpyHtoD_v2", &complete);
  bring(&driver.get, "cuMemcpyDtoH_v2", &complete);
  bring(&driver.launch, "cuLaunchKernel", &complete);
  bring(&driver.name, "cuGetErrorName", &complete);
  if (!complete) return "libcuda.so.1 lacks a function";
  void *context;
  if (init(0) || driver.retain(&context, 0) || driver.use(context)) return "there is no GPU";
  const struct kernel largest = {.threads = MAX_THREADS, .blocks = MAX_BLOCKS};
  if (driver.allocate(&arrays->input, INPUT_BYTES) ||
      driver.allocate(&arrays->rows, row_bytes(&largest)) ||
      driver.allocate(&arrays->columns, column_bytes(&largest)) ||
      driver.allocate(&arrays->counters, TALLIES * 8) ||
      driver.allocate(&arrays->dump, threads_of(&largest) * DUMP_BYTES))
    return "no memory on the GPU";
  return NULL;
}

static int launch(const struct kernel *k, void *module, const struct arrays *arrays) {
  void *function;
  uint64_t constants;
  size_t bytes;
  int code = driver.find(&function, module, "k");
  if (!code) code = driver.global(&constants, &bytes, module, "constants");
  if (!code) code = driver.put(constants, arrays->constants, CONST_BYTES);
  enum { ADDRESSES = 5, DATA = 48 }; /* where the data is, aligned to 16 bytes */
  void *params[ADDRESSES + 1];
  unsigned char copy[sizeof arrays->params];
  memcpy(copy, arrays->params, sizeof copy);
  for (size_t i = 0; i < ADDRESSES; i++) params[i] = copy + i * sizeof(uint64_t);
  params[ADDRESSES] = copy + DATA;
  if (!code)
    code = driver.launch(function, k->blocks, 1, 1, k->threads, 1, 1, 0, NULL, params, NULL);
  return code;
}

const char *gpu_run(const struct kernel *k, const struct gpu_part *parts, int count,
                    const struct arrays *arrays) {
  char *text = kernel_text(k);
  void *module = NULL, *level = NULL; /* 0 */
  int optimisation_level = 7;         /* CU_JIT_OPTIMIZATION_LEVEL */
  int code = driver.load(&module, text, 1, &optimisation_level, &level);
  free(text);
  for (int i = 0; i < count && !code; i++)
    code = driver.put(parts[i].address, parts[i].before, parts[i].bytes);
  if (!code) code = launch(k, module, arrays);
  for (int i = 0; i < count && !code; i++)
    code = driver.get(parts[i].after, parts[i].address, parts[i].bytes);
  const char *name = NULL;
  if (code && (driver.name(code, &name) || !name)) name = "an unknown error";
  if (module) driver.unload(module);
  return name;
}
