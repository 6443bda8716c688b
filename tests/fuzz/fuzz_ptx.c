/* fuzz_ptx.c: any bytes as the PTX of a module: it is loaded, every kernel is described, and
 * launched once if it can be.
 *
 *     make fuzz && build/fuzz/fuzz_ptx CORPUS    libFuzzer; tests/fuzz/run uses several cores
 *
 * What must hold: an error or a result, never a crash, a leak, or a second of work. The budget of
 * instructions and the memory are small, so that an endless loop is no finding.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/device/device.h"
#include "harness/sim/device/report_json.h"
#include "harness/sim/ptx/ptx.h"
#include "tests/fuzz/fuzz.h"

enum { BUDGET = 3000, ARRAY_BYTES = 4096, MAX_KERNELS = 4 };

static void launched(void *context, const struct launch_report *report) {
  (void)context;
  json_decref(launch_to_json(report));
}

static void hazard_found(void *context, const struct hazard *hazard) {
  (void)context;
  json_decref(hazard_to_json(hazard));
}

static void printed(void *context, const char *text, size_t length) {
  (void)context, (void)text, (void)length;
}

/* Arguments: where a pointer may stand, the address of an array; else a small number. */
static void launch_kernel(struct device *device, int module, const char *kernel, uint64_t array) {
  static struct kernel_info info;
  static uint64_t params[4096];
  if (device_get_kernel(device, module, kernel, &info) != 0) return;
  if (info.param_bytes > sizeof params) return;
  for (size_t i = 0; i < sizeof params / sizeof *params; i++) params[i] = 33;
  for (int i = 0; i < info.param_count; i++)
    if (info.params[i].size == 8) memcpy((char *)params + info.params[i].offset, &array, 8);
  struct launch launch = {.module = module,
                          .kernel = kernel,
                          .grid = {2, 1, 1},
                          .block = {40, 1, 1},
                          .shared_bytes = 256,
                          .params = params,
                          .param_bytes = info.param_bytes};
  device_launch(device, &launch);
}

static void try_module(const char *text, size_t length) {
  struct device *device = device_open(&(struct device_options){
      .threads = 1, .budget.instructions = BUDGET, .memory_limit = 32 << 20});
  if (!device) return;
  device_listen(device, &(struct device_listener){.launched = launched,
                                                  .hazard = hazard_found,
                                                  .printed = printed,
                                                  .wants_accesses = true});
  int module;
  uint64_t array;
  char error[512];
  struct ptx_module *ptx = ptx_parse(text, length, error, sizeof error);
  device_malloc(device, ARRAY_BYTES, (struct source_place){NULL, 0}, &array);
  device_fill(device, array, 0, ARRAY_BYTES);
  if (ptx && device_load_module(device, text, length, &module, error, sizeof error) == 0) {
    int tried = 0;
    for (int i = 0; i < ptx->function_count && tried < MAX_KERNELS; i++) {
      if (!ptx->functions[i].entry) continue;
      launch_kernel(device, module, ptx->functions[i].name, array);
      tried++;
    }
  }
  ptx_free(ptx);
  device_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try_module((const char *)data, size);
  return 0;
}
