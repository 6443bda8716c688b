/* driver_names.c: CUDA's driver API: its functions by name, for programs that look them up when
 * they run. What the simulator lacks is found, too, as on a GPU: that it is not simulated is said
 * where it is called. */
#include <kit_driver_names.h>
#include <stdio.h>
#include <string.h>

#include "harness/sim/runtime/driver.h"
#include "harness/sim/runtime/driver_lacking.h"

/* ISO C knows no conversion from a function's address to an object's; POSIX does (dlsym). */
struct row {
  const char *name, *suffix;
  int version;
  void *function;
};

#define X(name, version, suffix) {#name, #suffix, version, (void *)name},
#define V(name, version, suffix) {#name, #suffix, version, (void *)name##suffix},
static const struct row rows[] = {KIT_DRIVER_FUNCTIONS(X, V, X)};
#undef X
#undef V

static CUresult lacks(const char *name) {
  char words[80];
  snprintf(words, sizeof words, "%s, of CUDA's driver API,", name);
  return driver_result_of(runtime_unsupported(words, runtime_line()));
}
#define X(name) \
  static CUresult lacks_##name(void) { return lacks(#name); }
KIT_DRIVER_LACKS(X)
#undef X
#define X(name) {#name, "", 0, (void *)lacks_##name},
static const struct row lacking[] = {KIT_DRIVER_LACKS(X)};
#undef X

enum { ROWS = sizeof rows / sizeof *rows, LACKING = sizeof lacking / sizeof *lacking };

/* The length of a symbol without _v2, _ptds and _ptsz. */
static size_t base_length(const char *symbol) {
  const char *end = strchr(symbol, '_');
  return end ? (size_t)(end - symbol) : strlen(symbol);
}

static bool is_called(const struct row *row, const char *name, size_t length) {
  return strncmp(row->name, name, length) == 0 && !row->name[length];
}

static const struct row *find_lacking(const char *symbol) {
  size_t length = base_length(symbol);
  for (int i = 0; i < LACKING; i++)
    if (is_called(&lacking[i], symbol, length)) return &lacking[i];
  return NULL;
}

/* Is it this suffix, with or without _ptds or _ptsz behind it? */
static bool is_suffix(const char *suffix, const char *wanted) {
  size_t length = strlen(wanted);
  return strncmp(suffix, wanted, length) == 0 &&
         (!suffix[length] || strncmp(suffix + length, "_pt", 3) == 0);
}

/* A name without a suffix is the first of those there are, as in libcuda. */
void *driver_function(const char *symbol) {
  size_t length = base_length(symbol);
  const char *suffix = symbol + length;
  const struct row *found = NULL;
  for (int i = 0; i < ROWS && !found; i++)
    if (is_called(&rows[i], symbol, length) &&
        (is_suffix(suffix, "") || is_suffix(suffix, rows[i].suffix)))
      found = &rows[i];
  if (!found) found = find_lacking(symbol);
  return found ? found->function : NULL;
}

/* The last that a version has. */
static void *find(const char *name, int version, CUdriverProcAddressQueryResult *status) {
  const struct row *found = NULL;
  bool known = false;
  for (int i = 0; i < ROWS; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    known = true;
    if (rows[i].version <= version) found = &rows[i];
  }
  if (!known && !strchr(name, '_')) found = find_lacking(name);
  *status = found   ? CU_GET_PROC_ADDRESS_SUCCESS
            : known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found ? found->function : NULL;
}

/* ---- the API ---- */

CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                             unsigned long long flags, CUdriverProcAddressQueryResult *status) {
  CUdriverProcAddressQueryResult ignored;
  if (!name || !function || version > DRIVER_VERSION ||
      flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  *function = find(name, version, status ? status : &ignored);
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version,
                          unsigned long long flags) {
  return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* Not to be there is no failure here. */
static cudaError_t entry_point(const char *name, void **function, unsigned int version,
                               unsigned long long flags,
                               enum cudaDriverEntryPointQueryResult *status) {
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  CUresult error = version > DRIVER_VERSION
                       ? CUDA_ERROR_INVALID_VALUE
                       : cuGetProcAddress_v2(name, function, (int)version, flags, &found);
  if (error == CUDA_ERROR_NOT_FOUND) error = CUDA_SUCCESS;
  if (!error && status) *status = (enum cudaDriverEntryPointQueryResult)found;
  return (cudaError_t)error;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status) {
  return runtime_result(entry_point(name, function, CUDART_VERSION, flags, status));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                             unsigned int version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status) {
  return runtime_result(entry_point(name, function, version, flags, status));
}
