/* registration.c: what the code that clang generates for a .cu file calls: registration of its PTX,
 * kernels and variables before main, and the configuration of a <<<>>>.
 *
 * The PTX text is inside the program; clang 14 puts a NUL behind it and clang 19 does not, so that
 * harness/compile puts one into the file that it embeds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

enum { FATBIN_MAGIC = 0x466243b1 };

/* clang's structure around the embedded text */
struct fatbin_wrapper {
  uint32_t magic, version;
  const char *data;
  void *unused;
};

struct module {
  struct module *next;
  const char *ptx;
  int loaded;  /* the device's number for it; -1: it cannot be read */
  int opening; /* of the device that it is loaded on; 0: not loaded */
  int code;    /* why it cannot be read, and in words */
  char error[512];
  bool refused;             /* that it cannot be read was reported */
  const void *own;          /* of one that the program has loaded: what names it */
  bool has_managed, marked; /* __managed__ variables; the PTX says which, and is malloc'ed */
};

/* A host stub that stands for a kernel, or a host variable that stands for a device variable. */
struct stand_in {
  struct stand_in *next;
  const void *host;
  const char *name;
  struct module *module;
  size_t managed_bytes; /* of a __managed__ variable; 0: it is none */
};

static struct module *modules;
static struct stand_in *kernels, *variables;

/* clang's calls; it declares them itself, so that there is no header for them. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid,
                           int *warp_size);
void __cudaRegisterVar(void **handle, char *variable, char *device_address, const char *name,
                       int external, size_t bytes, int constant, int global);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream, int line, const char *file);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

/* Where kit's headers put __managed__ variables; made by the linker, if there are any. */
extern const char __start_kit_managed[] __attribute__((weak, visibility("hidden"))),
    __stop_kit_managed[] __attribute__((weak, visibility("hidden")));

static bool in_managed_section(const void *variable) {
  uintptr_t address = (uintptr_t)variable;
  return address >= (uintptr_t)__start_kit_managed && address < (uintptr_t)__stop_kit_managed;
}

static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory) return memory;
  fputs("kit: out of memory at the start of the program\n", stderr);
  exit(2);
}

void **__cudaRegisterFatBinary(void *wrapper) {
  const struct fatbin_wrapper *fatbin = wrapper;
  if (fatbin->magic != FATBIN_MAGIC) {
    fputs("kit: the kernels of this program were not built by harness/compile\n", stderr);
    exit(2);
  }
  struct module *module = allocate(sizeof *module);
  module->ptx = fatbin->data;
  module->next = modules;
  modules = module;
  return (void **)module;
}

static int load(struct module *module);

/* Host code may use __managed__ variables from now on. */
void __cudaRegisterFatBinaryEnd(void **handle) {
  struct module *module = (struct module *)handle;
  if (module->has_managed) load(module);
}

/* Called at exit, in no defined order with other clean-up: keeps everything. */
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

static struct stand_in *add_stand_in(struct stand_in **list, void **handle, const void *host,
                                     const char *name) {
  struct stand_in *added = allocate(sizeof *added);
  *added = (struct stand_in){*list, host, name, (struct module *)handle, 0};
  *list = added;
  return added;
}

int __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid,
                           int *warp_size) {
  (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
      (void)warp_size;
  add_stand_in(&kernels, handle, stub, name);
  return 0;
}

void __cudaRegisterVar(void **handle, char *variable, char *device_address, const char *name,
                       int external, size_t bytes, int constant, int global) {
  (void)device_address, (void)external, (void)constant, (void)global;
  struct stand_in *added = add_stand_in(&variables, handle, variable, name);
  if (!in_managed_section(variable)) return;
  added->managed_bytes = bytes;
  added->module->has_managed = true;
}

/* A declaration of this variable in PTX gets what nvcc would have put there. */
static char *with_attribute(const char *ptx, const char *name) {
  static const char global[] = ".global ", attribute[] = ".attribute(.managed) ";
  size_t length = strlen(name);
  for (const char *at = ptx; (at = strstr(at, name)); at += length) {
    const char *line = at;
    while (line > ptx && line[-1] != '\n') line--;
    const char *space = strstr(line, global);
    if (!space || space > at || at[-1] != ' ' || !strchr("[ ;=", at[length])) continue;
    size_t before = (size_t)(space - ptx) + strlen(global);
    char *text = allocate(strlen(ptx) + sizeof attribute);
    sprintf(text, "%.*s%s%s", (int)before, ptx, attribute, ptx + before);
    return text;
  }
  return NULL;
}

static void mark_managed(struct module *module) {
  for (const struct stand_in *v = variables; v; v = v->next) {
    if (v->module != module || !v->managed_bytes) continue;
    char *text = with_attribute(module->ptx, v->name);
    if (!text) continue;
    if (module->marked) free((char *)(uintptr_t)module->ptx);
    module->ptx = text;
    module->marked = true;
  }
}

/* Puts the pages of __managed__ variables where host code has them. */
static int share_managed(const struct module *module) {
  for (const struct stand_in *v = variables; v; v = v->next) {
    if (v->module != module || !v->managed_bytes) continue;
    uint64_t address;
    size_t bytes;
    int pages = -1;
    int code = device_get_symbol(runtime_device(), module->loaded, v->name, &address, &bytes);
    if (!code) code = device_variable_pages(runtime_device(), address, &pages);
    if (!code && (!managed_map_over((void *)(uintptr_t)v->host, address, bytes, pages, false) ||
                  !mapped_add_variable((uint64_t)(uintptr_t)v->host, bytes, address)))
      code = cudaErrorMemoryAllocation;
    if (pages >= 0) close(pages);
    if (code) return code;
  }
  return cudaSuccess;
}

/* Does this line of the PTX come from an asm statement? clang marks these with comments. */
static bool in_asm(const char *ptx, long line) {
  bool inside = false;
  for (long i = 1; i < line && ptx; i++) {
    if (strncmp(ptx, "\t// begin inline asm", 20) == 0) inside = true;
    if (strncmp(ptx, "\t// end inline asm", 18) == 0) inside = false;
    ptx = strchr(ptx, '\n');
    if (ptx) ptx++;
  }
  return inside;
}

/* A module that cannot be read is the simulator's limit, unless the student wrote the line. */
static void refuse(struct module *module) {
  const char *error = module->error;
  if (module->refused) return;
  module->refused = true;
  long line = 0;
  sscanf(error, "PTX line %ld", &line);
  bool refused = module->code == cudaErrorInvalidKernelImage,
       own = refused || in_asm(module->ptx, line);
  struct hazard hazard = {.kind = own ? HAZARD_launch : HAZARD_unsupported, .count = 1};
  snprintf(hazard.message, sizeof hazard.message,
           refused ? "%s."
           : own   ? "an asm statement of this file is no valid PTX, so no kernel can run (%s)"
                   : "the simulator cannot read what the compiler made of this file (%s)",
           error);
  device_report_hazard(runtime_device(), &hazard);
}

static void load_locked(struct module *module) {
  int opening = runtime_openings();
  if (module->opening == opening) return;
  module->opening = opening;
  if (module->has_managed && !module->marked) mark_managed(module);
  int code = device_load_module(runtime_device(), module->ptx, strlen(module->ptx), &module->loaded,
                                module->error, sizeof module->error);
  if (!code) code = share_managed(module);
  if (!code) return;
  module->loaded = -1;
  module->code = code;
  if (!*module->error)
    snprintf(module->error, sizeof module->error, "%s", cudaGetErrorString((cudaError_t)code));
}

/* The device's number for a module, which is loaded if this device does not have it yet, and with
 * it all others, which it may call; -1 if it cannot be read, which is reported where it is used.
 * Host threads may launch their first kernels at the same time. */
static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

static int load(struct module *module) {
  HOLD(&load_lock);
  load_locked(module);
  for (struct module *other = modules; other; other = other->next) load_locked(other);
  if (module->loaded < 0) refuse(module);
  return module->loaded;
}

void registration_load_all(void) {
  HOLD(&load_lock);
  for (struct module *module = modules; module; module = module->next) load_locked(module);
}

void registration_share_managed(void) {
  HOLD(&load_lock);
  for (const struct module *module = modules; module; module = module->next)
    if (module->has_managed && module->opening && module->loaded >= 0) share_managed(module);
}

static const struct stand_in *find(const struct stand_in *list, const void *host) {
  while (list && list->host != host) list = list->next;
  return list;
}

bool registration_kernel(const void *stub, int *module, const char **name) {
  const struct stand_in *kernel = find(kernels, stub);
  if (!kernel) return false;
  *module = load(kernel->module);
  *name = kernel->name;
  return *module >= 0;
}

int registration_symbol(const void *variable, uint64_t *address, size_t *bytes) {
  const struct stand_in *found = find(variables, variable);
  if (!found) return cudaErrorInvalidSymbol;
  int module = load(found->module);
  if (module < 0) return cudaErrorInvalidSymbol;
  return device_get_symbol(runtime_device(), module, found->name, address, bytes);
}

/* Modules that the program loads itself */

/* The next of a module's texts, behind `from` (NULL: the first). */
static struct module *next_own(const void *own, struct module *from) {
  struct module *module = from ? from->next : modules;
  while (module && module->own != own) module = module->next;
  return module;
}

static void release(struct module *module) {
  free((char *)(uintptr_t)module->ptx);
  free(module);
}

static int load_text(void *own, const char *ptx, size_t length) {
  struct module *module = calloc(1, sizeof *module);
  char *text = strndup(ptx, length);
  if (!module || !text) {
    free(module);
    free(text);
    return cudaErrorMemoryAllocation;
  }
  HOLD(&load_lock);
  module->ptx = text;
  module->own = own;
  load_locked(module);
  if (module->loaded < 0) {
    int code = module->code;
    runtime_explained(code, "cuModuleLoadData", 0, module->error,
                      "A module's image is PTX: what kcc -ptx or -fatbin writes.");
    release(module);
    return code;
  }
  module->next = modules;
  modules = module;
  return cudaSuccess;
}

/* The length of the first text: up to the line with which another one begins. */
static size_t text_length(const char *ptx) {
  const char *first = strstr(ptx, ".version"), *next = first ? strstr(first, "\n.version") : NULL;
  return next ? (size_t)(next + 1 - ptx) : strlen(ptx);
}

int registration_load(void *own, const char *ptx) {
  int code = cudaSuccess;
  do {
    size_t length = text_length(ptx);
    code = load_text(own, ptx, length);
    ptx += length;
  } while (!code && *ptx);
  if (code) registration_unload(own);
  return code;
}

static void forget_kernels(const struct module *module) {
  for (struct stand_in **k = &kernels; *k;) {
    struct stand_in *kernel = *k;
    if (kernel->module != module) {
      k = &kernel->next;
      continue;
    }
    *k = kernel->next;
    free(kernel);
  }
}

bool registration_unload(const void *own) {
  HOLD(&load_lock);
  bool found = false;
  for (struct module **at = &modules; *at;) {
    struct module *module = *at;
    if (module->own != own) {
      at = &module->next;
      continue;
    }
    *at = module->next;
    forget_kernels(module);
    release(module);
    found = true;
  }
  return found;
}

int registration_function(const void *own, const void *function, const char *name) {
  static _Thread_local struct kernel_info info; /* large */
  int code = cudaErrorInvalidResourceHandle;
  for (struct module *module = NULL; (module = next_own(own, module));) {
    int number = load(module);
    code = number < 0 ? module->code : device_get_kernel(runtime_device(), number, name, &info);
    if (code) continue;
    add_stand_in(&kernels, (void **)module, function, name);
    return cudaSuccess;
  }
  return code;
}

int registration_global(const void *own, const char *name, uint64_t *address, size_t *bytes) {
  int code = cudaErrorInvalidResourceHandle;
  for (struct module *module = NULL; code && (module = next_own(own, module));) {
    int number = load(module);
    code = number < 0 ? module->code
                      : device_get_symbol(runtime_device(), number, name, address, bytes);
  }
  return code;
}

/* Launch configurations: the arguments of kernel<<<>>>(..) are evaluated between push and pop, and
 * may launch too. */

enum { MAX_CONFIGURATIONS = 64 };

static _Thread_local struct configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  struct source_place place;
} configurations[MAX_CONFIGURATIONS];
static _Thread_local int configuration_count;
static _Thread_local struct source_place popped_place;

/* Not 0: clang's code then does not call the stub. */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream, int line, const char *file) {
  if (configuration_count == MAX_CONFIGURATIONS) return 1;
  configurations[configuration_count++] =
      (struct configuration){grid, block, shared_bytes, stream, {.file = file, .line = line}};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream) {
  if (configuration_count == 0) return runtime_result(cudaErrorMissingConfiguration);
  const struct configuration *popped = &configurations[--configuration_count];
  *grid = popped->grid;
  *block = popped->block;
  *shared_bytes = popped->shared_bytes;
  memcpy(stream, &popped->stream, sizeof popped->stream);
  popped_place = popped->place;
  return cudaSuccess;
}

struct source_place registration_launch_place(void) {
  struct source_place place = {popped_place.file,
                               runtime_place(popped_place.file, popped_place.line)};
  popped_place = (struct source_place){NULL, 0};
  return place;
}
