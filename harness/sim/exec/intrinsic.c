/* intrinsic.c: functions that the simulator itself provides to kernels: math (kit_intrinsics.h),
 * printf, failed assertions.
 *
 * Their arguments lie in the caller's parameter area, lane by lane, where st.param has put them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/base/heap.h"
#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/access.h"
#include "harness/sim/exec/planes.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/include/kit_intrinsics.h"

typedef void any_function(void);

/* The C library's own double versions may be off by more than a GPU's (tests/functions). */
static double wide_cbrt(double x) { return (double)cbrtl(x); }
static double wide_exp10(double x) { return (double)exp10l(x); }
static double wide_tanh(double x) { return (double)tanhl(x); }

/* What it has not, or with other arguments (kit_special.h). */
static double order_jn(double x, int n) { return jn(n, x); }
static double order_yn(double x, int n) { return yn(n, x); }
/* Abramowitz and Stegun 9.6.10: all terms are positive. */
static double modified_bessel(double x, int order) {
  long double quarter = (long double)x * x / 4, term = order ? (long double)x / 2 : 1, sum = term;
  for (int k = 1; isfinite(sum) && fabsl(term) > fabsl(sum) * 0x1p-66L; k++)
    sum += term *= quarter / ((long double)k * (k + order));
  return (double)sum;
}
static double cyl_bessel_i0(double x) { return modified_bessel(x, 0); }
static double cyl_bessel_i1(double x) { return modified_bessel(x, 1); }

/* The first of a name is taken. */
static const struct intrinsic intrinsics[] = {
    {"cbrt", "dd", (any_function *)wide_cbrt},
    {"exp10", "dd", (any_function *)wide_exp10},
    {"tanh", "dd", (any_function *)wide_tanh},
    {"j0", "dd", (any_function *)j0},
    {"j1", "dd", (any_function *)j1},
    {"y0", "dd", (any_function *)y0},
    {"y1", "dd", (any_function *)y1},
    {"jn", "ddi", (any_function *)order_jn},
    {"yn", "ddi", (any_function *)order_yn},
    {"cyl_bessel_i0", "dd", (any_function *)cyl_bessel_i0},
    {"cyl_bessel_i1", "dd", (any_function *)cyl_bessel_i1},
#define M1(name) {#name, "dd", (any_function *)name}, {#name "f", "ff", (any_function *)name##f},
#define M2(name) {#name, "ddd", (any_function *)name}, {#name "f", "fff", (any_function *)name##f},
#define MI(name) {#name, "ddi", (any_function *)name}, {#name "f", "ffi", (any_function *)name##f},
    KIT_INTRINSICS(M1, M2, MI, M1)};

const struct intrinsic *intrinsic_find(const char *name) {
  for (size_t i = 0; i < sizeof intrinsics / sizeof intrinsics[0]; i++)
    if (strcmp(name, intrinsics[i].name) == 0) return &intrinsics[i];
  return NULL;
}

static void *parameter_area(const struct warp *warp) {
  return warp->calls[warp->call_depth].params;
}

#define CALL(type, letter)                                                                 \
  type a, b = 0, result;                                                                   \
  planes_get(area, (uint64_t)call->arguments[0], i, &a, sizeof a);                         \
  if (second == (letter)) planes_get(area, (uint64_t)call->arguments[1], i, &b, sizeof b); \
  result = second == (letter) ? ((type(*)(type, type))f)(a, b)                             \
           : second == 'i'    ? ((type(*)(type, int))f)(a, n)                              \
                              : ((type(*)(type))f)(a);                                        \
  planes_put(area, (uint64_t)call->result, i, &result, sizeof result);

void cold_intrinsic(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct intrinsic_call *call = op->call;
  char second = call->intrinsic->signature[2]; /* argument, if any */
  any_function *f = call->intrinsic->function;
  void *area = parameter_area(warp);
  slice_charge(warp, FUNCTION_INSTRUCTIONS * __builtin_popcount(warp->mask));
  EACH_ACTIVE (i, warp->mask) {
    int n = 0;
    if (second == 'i') planes_get(area, (uint64_t)call->arguments[1], i, &n, sizeof n);
    if (call->intrinsic->signature[0] == 'd') {
      CALL(double, 'd')
    } else {
      CALL(float, 'f')
    }
  }
}

/* ---- printf ---- */

enum { PRINT_LIMIT = 1 << 20 }; /* bytes per block; CUDA's own buffer holds 1 MiB per launch */

static void put_text(struct warp *warp, const char *text, size_t length) {
  struct worker *worker = warp->worker;
  slice_charge(warp, (int)length);
  if (worker->printed_bytes + length > PRINT_LIMIT) length = PRINT_LIMIT - worker->printed_bytes;
  if (!ARRAY_RESERVE(worker->printed, worker->printed_room, worker->printed_bytes + length)) return;
  memcpy(worker->printed + worker->printed_bytes, text, length);
  worker->printed_bytes += length;
}

/* Copies a string from device memory, at most size - 1 bytes of it. */
static void get_string(struct warp *warp, int lane, uint64_t address, char *text, size_t size) {
  size_t n = 0;
  for (; n + 1 < size; n++) {
    if (!access_peek(warp, lane, address + n, &text[n], 1) || !text[n]) break;
  }
  text[n] = '\0';
}

/* One conversion, "%-8.3f", with its value at `at`. */
static void print_one(struct warp *warp, int lane, const char *spec, char kind, bool wide,
                      const unsigned char *at, char *out, size_t size) {
  uint64_t bits = 0;
  double value;
  char text[1024];
  size_t bytes = strchr("diuxXoc", kind) && !wide ? 4 : 8;
  memcpy(&bits, at, bytes);
  memcpy(&value, at, sizeof value);
  if (kind == 's') {
    get_string(warp, lane, bits, text, sizeof text);
    snprintf(out, size, spec, text);
  } else if (kind == 'p') {
    snprintf(out, size, "0x%llx", (unsigned long long)bits);
  } else if (!strchr("diuxXoc", kind)) {
    snprintf(out, size, spec, value);
  } else if (wide) {
    snprintf(out, size, spec, (long long)bits);
  } else {
    snprintf(out, size, spec, (int)bits);
  }
}

/* The next argument, of 4 or 8 bytes, out of the arguments' memory. */
static void next_argument(struct warp *warp, int lane, uint64_t arguments, size_t *used,
                          size_t bytes, unsigned char value[8]) {
  *used = (*used + bytes - 1) / bytes * bytes;
  memset(value, 0, 8);
  access_peek(warp, lane, arguments + *used, value, bytes);
  *used += bytes;
}

/* Returns how many arguments it has printed, as CUDA's printf does. */
static int print_lane(struct warp *warp, int lane, uint64_t format_address, uint64_t arguments) {
  char format[4096], out[4096] = "";
  get_string(warp, lane, format_address, format, sizeof format);
  size_t used = 0;
  int count = 0;
  for (const char *at = format; *at;) {
    if (*at != '%' || at[1] == '%') {
      put_text(warp, at, 1);
      at += *at == '%' ? 2 : 1;
      continue;
    }
    /* rebuilt from known parts, so that nothing else reaches the host's printf */
    char spec[64] = "%";
    size_t n = 1;
    bool wide = false;
    int digits =
        0; /* of a width or precision, which is limited so that printing takes bounded time */
    for (at++; *at && strchr("-+ #0123456789.hlzjtLq*", *at) && n < 40 && digits < 5; at++) {
      if (*at == '*') { /* a width or precision among the arguments */
        unsigned char given[8];
        int number;
        next_argument(warp, lane, arguments, &used, 4, given);
        memcpy(&number, given, sizeof number);
        if (number < -9999 || number > 9999) number = 9999;
        n += (size_t)sprintf(spec + n, "%d", number);
        count++;
        continue;
      }
      digits = *at >= '0' && *at <= '9' ? digits + 1 : 0;
      if (strchr("lzjtq", *at)) wide = true;
      if (!strchr("hlzjtLq", *at)) spec[n++] = *at;
    }
    char kind = *at;
    if (digits > 4 || !kind || !strchr("diuxXocsfFeEgGaAp", kind)) break;
    at++;
    if (wide && strchr("diuxXo", kind)) spec[n++] = 'l', spec[n++] = 'l';
    spec[n++] = kind;
    spec[n] = '\0';
    unsigned char value[8];
    next_argument(warp, lane, arguments, &used, strchr("diuxXoc", kind) && !wide ? 4 : 8, value);
    print_one(warp, lane, spec, kind, wide, value, out, sizeof out);
    put_text(warp, out, strlen(out));
    count++;
  }
  return count;
}

void cold_printf(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct intrinsic_call *call = op->call;
  EACH_ACTIVE (i, warp->mask) {
    void *area = parameter_area(warp);
    uint64_t format, arguments;
    int32_t result = 0;
    planes_get(area, (uint64_t)call->arguments[0], i, &format, 8);
    planes_get(area, (uint64_t)call->arguments[1], i, &arguments, 8);
    slice_charge(warp, PRINT_INSTRUCTIONS);
    result = print_lane(warp, i, format, arguments);
    if (call->result >= 0) planes_put(area, (uint64_t)call->result, i, &result, 4);
  }
}

/* ---- malloc and free ---- */

void cold_malloc(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct intrinsic_call *call = op->call;
  void *area = parameter_area(warp);
  slice_charge(warp, FUNCTION_INSTRUCTIONS * __builtin_popcount(warp->mask));
  EACH_ACTIVE (i, warp->mask) {
    uint64_t bytes, address;
    planes_get(area, (uint64_t)call->arguments[0], i, &bytes, 8);
    address = heap_take(warp->worker->launch->memory, bytes);
    planes_put(area, (uint64_t)call->result, i, &address, 8);
  }
}

void cold_free(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  slice_charge(warp, FUNCTION_INSTRUCTIONS * __builtin_popcount(warp->mask));
  EACH_ACTIVE (i, warp->stop ? 0 : warp->mask) {
    uint64_t address;
    planes_get(parameter_area(warp), (uint64_t)op->call->arguments[0], i, &address, 8);
    if (!address || heap_give_back(warp->worker->launch->memory, address)) continue;
    access_describe(access_hazard(warp, HAZARD_trap, op->line, 0, "", 1), warp,
                    first_thread(warp, 1u << i),
                    "frees 0x%llx, which no malloc or new of a kernel has returned, or which has "
                    "been freed before.",
                    (unsigned long long)address);
    access_stop(warp, cudaErrorLaunchFailure);
    return;
  }
}

/* ---- failures ---- */

/* __kit_trap(reason), of our headers */
void cold_trap_reason(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  int lane = __builtin_ctz(warp->mask);
  char text[160];
  uint64_t reason;
  planes_get(parameter_area(warp), (uint64_t)op->call->arguments[0], lane, &reason, 8);
  get_string(warp, lane, reason, text, sizeof text);
  access_describe(access_hazard(warp, HAZARD_trap, op->line, 0, "", 1), warp,
                  first_thread(warp, warp->mask), "executed a trap: %s.", text);
  access_stop(warp, cudaErrorLaunchFailure);
}

/* __assertfail(message, file, line, function, size) */
void cold_assert_fail(char *frame, const struct op *op, struct warp *warp) {
  (void)frame;
  const struct intrinsic_call *call = op->call;
  int lane = __builtin_ctz(warp->mask), line;
  char text[160], function[160];
  uint64_t message, name;
  planes_get(parameter_area(warp), (uint64_t)call->arguments[0], lane, &message, 8);
  planes_get(parameter_area(warp), (uint64_t)call->arguments[2], lane, &line, 4);
  planes_get(parameter_area(warp), (uint64_t)call->arguments[3], lane, &name, 8);
  get_string(warp, lane, message, text, sizeof text);
  get_string(warp, lane, name, function, sizeof function);
  struct hazard *h = access_hazard(warp, HAZARD_trap, op->line ? op->line : line, 0, "",
                                   (uint64_t)__builtin_popcount(warp->mask));
  const uint32_t *at = warp->block->ctaid;
  if (h) /* as CUDA says it */
    snprintf(h->message, sizeof h->message,
             "%s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", function, at[0],
             at[1], at[2], warp->tid[0][lane], warp->tid[1][lane], warp->tid[2][lane], text);
  access_stop(warp, cudaErrorAssert);
}
