/* suite.h: the launches that the modelled time is held against. One description serves the GPU
 * (time.cu) and the simulator (model.c): harness/compile builds it for one, nvcc for the other.
 *
 * A family is a file in families/: correct kernels that have something in common, and a function
 * that goes through their launches. For each launch it says what is coming (next_launch), makes its
 * arrays (input, output, upload), launches once (launch) and looks at what came out (expect). When
 * the next launch is announced this one is over: the program measures it and frees its arrays.
 */
#ifndef KIT_SUITE_H
#define KIT_SUITE_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* A row of the table; family, kernel and arg together are its name, of which there is only one. */
struct launch {
  const char *family, *kernel, *arg;
  dim3 grid, block;
  const void *function; /* from here on: as the launch itself says it, after it was announced */
  void **arguments;
  size_t dynamic_shared; /* bytes */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Goes through all families; returns how many launches had a wrong result, each of which is told on
 * stderr. Ends the program (exit 2) if a launch fails. */
int suite_run(void);

/* From the program: is this launch wanted? Asked before its arrays are made. */
bool program_wants(const struct launch *launch);
/* From the program: are results to be looked at? */
bool program_checks(void);
/* From the program: the launch has run once and was checked; its arrays are still there. */
void program_measures(const struct launch *launch);

#ifdef __cplusplus
}

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <vector>

/* ---- what families call ---- */

/* The next launch, and its arg as printf would write it. False: it is not wanted, leave it out. */
bool next_launch(const char *kernel, dim3 grid, dim3 block, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Ends the program, naming the launch. */
[[noreturn]] void suite_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says that the launch's result is wrong. */
void suite_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How many blocks of `part` cover `whole`. */
static inline int cover(long long whole, int part) { return (int)((whole + part - 1) / part); }

/* Inputs are no table: element i of one that starts at `first` is value(first + i), in [0, 1). */
float value(size_t i);
/* As value(), an integer of 32 bits, and its bits are as good as random. */
unsigned bits(size_t i);

/* Arrays in device memory, freed after the launch. Outputs are all 0. */
const float *input(size_t count, size_t first = 0);
void *device_bytes(size_t bytes);
void copy_to_device(void *to, const void *from, size_t bytes);
template <class T = float>
T *output(size_t count) {
  return (T *)device_bytes(count * sizeof(T));
}
template <class T>
T *upload(const std::vector<T> &from) {
  T *to = output<T>(from.size());
  copy_to_device(to, from.data(), from.size() * sizeof(T));
  return to;
}
/* A permutation of 0..count - 1 with no order in it. */
std::vector<int> permutation(int count);

void suite_parameter(const void *parameter, size_t bytes);
void suite_launch(const void *function, size_t dynamic_shared);

/* Launches the kernel with the grid and the block that were announced. */
template <class... P, class... A>
void launch_shared(size_t dynamic_shared, void (*kernel)(P...), A... arguments) {
  auto add = [](auto parameter) { suite_parameter(&parameter, sizeof parameter); };
  (add(P(arguments)), ...);
  suite_launch((const void *)kernel, dynamic_shared);
}
template <class... P, class... A>
void launch(void (*kernel)(P...), A... arguments) {
  launch_shared(0, kernel, arguments...);
}

void copy_from_device(void *to, const void *from, size_t bytes);

/* Elements of a result, spread over all of them, must be what expected(index) says: within
 * `tolerance`, relative where the value is over 1. */
template <class T, class F>
void expect(const T *result, size_t count, F expected, double tolerance = 1e-4) {
  enum { LOOKS = 150 };
  if (!program_checks()) return;
  for (size_t look = 0; look < std::min(count, (size_t)LOOKS); look++) {
    size_t i = count <= LOOKS ? look : look + 1 == LOOKS ? count - 1 : bits(look) % count;
    T got;
    copy_from_device(&got, result + i, sizeof got);
    double want = (double)expected(i), off = fabs((double)got - want);
    if (!(off <= tolerance * std::max(1.0, fabs(want))))
      return suite_wrong("element %zu of %zu is %.9g, should be %.9g", i, count, (double)got, want);
  }
}
#endif
#endif
