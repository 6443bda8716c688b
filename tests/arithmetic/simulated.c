/* simulated.c: executes PTX on the simulator; see arithmetic.h. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/device/device.h"
#include "tests/arithmetic/arithmetic.h"

static struct device *device;
static int module;

static void check(int code, const char *what) {
  if (code != 0) die("simulator: %s: error %d", what, code);
}

static void load(int first, int end) {
  char error[256] = "", *ptx = instructions_module(first, end);
  if (device_load_module(device, ptx, strlen(ptx), &module, error, sizeof error) != 0)
    die("simulator: %s", error);
  free(ptx);
}

static uint64_t allocate(size_t bytes) {
  uint64_t address = 0;
  check(device_malloc(device, bytes, (struct source_place){0}, &address), "allocation");
  return address;
}

static void run(int number, const uint64_t *operands, int count, uint64_t *answers) {
  int sources = instructions[number].sources;
  size_t bytes = (size_t)count * sizeof *operands;
  uint64_t in = allocate((size_t)sources * bytes), out = allocate(bytes), params[SOURCES + 2];
  char kernel[16];
  snprintf(kernel, sizeof kernel, "k%d", number);
  check(device_write(device, in, operands, (size_t)sources * bytes), "copy");
  check(device_fill(device, out, 0, bytes), "fill");
  for (int k = 0; k < sources; k++) params[k] = in + (size_t)k * bytes;
  params[sources] = out;
  params[sources + 1] = (uint64_t)count;
  struct launch launch = {.module = module,
                          .kernel = kernel,
                          .grid = {((unsigned)count + 255) / 256, 1, 1},
                          .block = {256, 1, 1},
                          .params = params,
                          .param_bytes = (size_t)(sources + 2) * sizeof params[0]};
  check(device_launch(device, &launch), instructions[number].row.opcode);
  check(device_synchronize(device), instructions[number].row.opcode);
  check(device_read(device, answers, out, bytes), "copy");
  device_free(device, in);
  device_free(device, out);
}

void executor_open_simulator(struct executor *executor) {
  device = device_open(NULL);
  if (!device) die("the simulator does not start");
  *executor = (struct executor){.name = "simulator", .load = load, .run = run};
}
