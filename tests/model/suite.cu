// suite.cu: what all families of suite.h have in common.
#include "suite.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAMILIES  // tests/e2e/model has its own
// clang-format off
#define FAMILIES(family) \
  family(product) family(transpose) family(copy) family(gather) family(reduction) family(scan) \
  family(stencil) family(histogram) family(vector) family(sparse) family(nbody) family(arithmetic) \
  family(divergence) family(layout) family(softmax) family(image) family(sort) family(latency) \
  family(local) family(solutions)
// clang-format on
#endif

#define DECLARE(name) void family_##name();
FAMILIES(DECLARE)

static struct {
  struct launch launch;
  char arg[64];
  alignas(16) unsigned char parameters[16][16];
  void *arguments[16];
  int parameter_count;
  std::vector<void *> arrays;
  std::vector<float> values;  // value(0), value(1), ...
  int wrong;                  // launches with a wrong result
} suite;

static void tell(const char *format, va_list arguments) {
  fprintf(stderr, "model: %s %s: ", suite.launch.kernel ? suite.launch.kernel : "", suite.arg);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void suite_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(format, arguments);
  va_end(arguments);
  exit(2);
}

void suite_wrong(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(format, arguments);
  va_end(arguments);
  suite.wrong++;
}

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) suite_fail("%s: %s", what, cudaGetErrorString(error));
}

// ---- launches ----

static void finish_launch() {
  if (suite.launch.function) program_measures(&suite.launch);
  check(cudaDeviceSynchronize(), "measuring");
  for (void *array : suite.arrays) check(cudaFree(array), "cudaFree");
  suite.arrays.clear();
  suite.parameter_count = 0;
  suite.launch.function = NULL;
}

bool next_launch(const char *kernel, dim3 grid, dim3 block, const char *format, ...) {
  finish_launch();
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(suite.arg, sizeof suite.arg, format, arguments);
  va_end(arguments);
  suite.launch.kernel = kernel;
  suite.launch.arg = suite.arg;
  suite.launch.grid = grid;
  suite.launch.block = block;
  return program_wants(&suite.launch);
}

void suite_parameter(const void *parameter, size_t bytes) {
  int i = suite.parameter_count++;
  if (i >= 16 || bytes > 16) suite_fail("more than 16 parameters, or one of more than 16 bytes");
  memcpy(suite.parameters[i], parameter, bytes);
  suite.arguments[i] = suite.parameters[i];
}

void suite_launch(const void *function, size_t dynamic_shared) {
  struct launch *launch = &suite.launch;
  launch->function = function;
  launch->arguments = suite.arguments;
  launch->dynamic_shared = dynamic_shared;
  check(
      cudaLaunchKernel(function, launch->grid, launch->block, launch->arguments, dynamic_shared, 0),
      "launch");
  check(cudaDeviceSynchronize(), "kernel");
}

int suite_run(void) {
#define RUN(name) suite.launch.family = #name, family_##name(), finish_launch();
  FAMILIES(RUN)
  return suite.wrong;
}

// ---- arrays ----

unsigned bits(size_t i) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  return (unsigned)(x >> 32);
}

float value(size_t i) { return (float)(bits(i) >> 8) * 0x1p-24f; }

void *device_bytes(size_t bytes) {
  void *array;
  check(cudaMalloc(&array, bytes), "cudaMalloc");
  suite.arrays.push_back(array);
  check(cudaMemset(array, 0, bytes), "cudaMemset");
  return array;
}

void copy_to_device(void *to, const void *from, size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

void copy_from_device(void *to, const void *from, size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

const float *input(size_t count, size_t first) {
  for (size_t i = suite.values.size(); i < first + count; i++) suite.values.push_back(value(i));
  float *to = output<float>(count);
  copy_to_device(to, suite.values.data() + first, count * sizeof *to);
  return to;
}

std::vector<int> permutation(int count) {
  std::vector<int> order(count);
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) std::swap(order[i], order[bits(i) % (unsigned)(i + 1)]);
  return order;
}
