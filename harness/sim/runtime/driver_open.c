/* driver_open.c: libcuda.so.1, for programs that open it when they run: the driver is a part of
 * them. kcc links with --wrap=dlopen and --wrap=dlsym, so that the program's calls come here; those
 * of shared libraries do not. */
#include <dlfcn.h>
#include <string.h>

#include "harness/sim/runtime/driver.h"

void *__real_dlopen(const char *file, int flags);
void *__real_dlsym(void *handle, const char *symbol);
void *__wrap_dlopen(const char *file, int flags);
void *__wrap_dlsym(void *handle, const char *symbol);

static void *driver; /* the handle of the program itself, once it has opened the driver */

static bool is_driver(const char *file) {
  const char *name = file ? strrchr(file, '/') : NULL;
  name = name ? name + 1 : file;
  return name && strncmp(name, "libcuda.so", 10) == 0 && (!name[10] || name[10] == '.');
}

void *__wrap_dlopen(const char *file, int flags) {
  if (!is_driver(file)) return __real_dlopen(file, flags);
  return driver = __real_dlopen(NULL, flags & ~RTLD_NOLOAD);
}

void *__wrap_dlsym(void *handle, const char *symbol) {
  void *function = NULL;
  if (driver && (handle == driver || handle == RTLD_DEFAULT)) function = driver_function(symbol);
  return function ? function : __real_dlsym(handle, symbol);
}
