/* sim_device.h: what the tests of the simulator share: a device with one module of PTX text,
 * buffers, launches, and what the device reported. Functions assert that what they do succeeds,
 * save those that return a CUDA error code.
 *
 * A test writes the body of a kernel "k" with four 64-bit parameters. SIM_ENTRY declares registers:
 *
 *   %r0 tid.x   %r1 ctaid.x   %r2 ntid.x   %r3 number of the thread in the grid   %r4 lane
 *   %rd0..%rd3  the parameters             %rd4 %r3 * 4                           %rd5 %r0 * 4
 *
 * all at line 1; AT(n) puts what follows at line n. */
#ifndef KIT_TESTS_SIM_DEVICE_H
#define KIT_TESTS_SIM_DEVICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/sim/decode/isa.h"
#include "harness/sim/device/device.h"
#include "tests/unit/sim_random.h"
#include "tests/unit/sim_seed.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))
#define AT(line) "\n.loc 1 " #line " 0\n"
#define SIM_HEADER ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"k.cu\"\n"
#define SIM_REGISTERS                                                              \
  ".reg .pred %p<40>; .reg .b16 %rs<40>; .reg .b32 %r<100>; .reg .b64 %rd<100>;\n" \
  ".reg .f32 %f<40>; .reg .f64 %fd<40>;\n"
#define SIM_PROLOGUE                                                    \
  AT(1)                                                                 \
  "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n" \
  "mad.lo.s32 %r3, %r1, %r2, %r0; mov.u32 %r4, %laneid;\n"              \
  "ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1];\n"                 \
  "ld.param.u64 %rd2, [p2]; ld.param.u64 %rd3, [p3];\n"                 \
  "mul.wide.u32 %rd4, %r3, 4; mul.wide.u32 %rd5, %r0, 4;\n"
#define SIM_ENTRY(name)                                                                 \
  ".visible .entry " name                                                               \
  "(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n" SIM_REGISTERS \
      SIM_PROLOGUE
/* A module: variables, then the kernel k. The body must end with ret. */
#define SIM_KERNEL(variables, body) SIM_HEADER variables "\n" SIM_ENTRY("k") body "\n}\n"

struct sim {
  struct device *device;
  int module;
  struct hazard hazards[64];
  int hazard_count;
  struct launch_report report; /* of the last launch; lines points into lines */
  struct line_report lines[128];
  struct access_report accesses[128]; /* if sim_record said so */
  struct warp_access access_warps[128][32];
  int launches;
  char printed[1 << 16];
  size_t printed_bytes;
};

static void sim_launched(void *context, const struct launch_report *report) {
  struct sim *sim = context;
  sim->launches++;
  sim->report = *report;
  assert_in_range(report->line_count, 0, LENGTH(sim->lines));
  memcpy(sim->lines, report->lines, (size_t)report->line_count * sizeof *sim->lines);
  sim->report.lines = sim->lines;
  assert_in_range(report->access_count, 0, LENGTH(sim->accesses));
  for (int i = 0; i < report->access_count; i++) {
    struct access_report *access = &sim->accesses[i];
    *access = report->accesses[i];
    memcpy(sim->access_warps[i], access->warps, (size_t)access->warp_count * sizeof *access->warps);
    access->warps = sim->access_warps[i];
  }
  sim->report.accesses = sim->accesses;
}

static void sim_hazard(void *context, const struct hazard *hazard) {
  struct sim *sim = context;
  if (sim->hazard_count < LENGTH(sim->hazards)) sim->hazards[sim->hazard_count] = *hazard;
  sim->hazard_count++;
}

static void sim_printed(void *context, const char *text, size_t length) {
  struct sim *sim = context;
  assert_true(sim->printed_bytes + length < sizeof sim->printed);
  memcpy(sim->printed + sim->printed_bytes, text, length);
  sim->printed_bytes += length;
  sim->printed[sim->printed_bytes] = '\0';
}

/* Reports of later launches have accesses, or no more. */
static inline void sim_record(struct sim *sim, bool on) {
  device_listen(sim->device, &(struct device_listener){.context = sim,
                                                       .launched = sim_launched,
                                                       .hazard = sim_hazard,
                                                       .printed = sim_printed,
                                                       .wants_accesses = on});
}

/* A device without a module; threads as in device.h. */
static inline struct sim *sim_open_bare(struct device_options options) {
  struct sim *sim = calloc(1, sizeof *sim);
  assert_non_null(sim);
  sim->device = device_open(&options);
  assert_non_null(sim->device);
  sim_record(sim, false);
  return sim;
}

static inline void sim_load(struct sim *sim, const char *ptx) {
  char error[256] = "";
  sim_keep_seed(ptx, strlen(ptx));
  if (device_load_module(sim->device, ptx, strlen(ptx), &sim->module, error, sizeof error) != 0)
    fail_msg("%s in:\n%s", error, ptx);
}

static inline struct sim *sim_open(const char *ptx, int threads) {
  struct sim *sim = sim_open_bare((struct device_options){.threads = threads});
  sim_load(sim, ptx);
  return sim;
}

static inline void sim_close(struct sim *sim) {
  device_close(sim->device);
  free(sim);
}

/* Device memory that holds a copy of data, or was never written if data is NULL. */
static inline uint64_t sim_buffer(struct sim *sim, const void *data, size_t bytes) {
  uint64_t address = 0;
  assert_int_equal(device_malloc(sim->device, bytes, (struct source_place){0}, &address), 0);
  if (data) assert_int_equal(device_write(sim->device, address, data, bytes), 0);
  return address;
}

static inline uint64_t sim_zeros(struct sim *sim, size_t bytes) {
  uint64_t address = sim_buffer(sim, NULL, bytes);
  assert_int_equal(device_fill(sim->device, address, 0, bytes), 0);
  return address;
}

static inline void sim_read(struct sim *sim, void *to, uint64_t from, size_t bytes) {
  assert_int_equal(device_read(sim->device, to, from, bytes), 0);
}

struct sim_shape {
  unsigned grid[3], block[3];
  size_t shared_bytes;
};

/* Launches; returns the code of the launch itself. Forgets hazards and text of earlier launches. */
static inline int sim_try_params(struct sim *sim, const char *kernel, struct sim_shape shape,
                                 const void *params) {
  struct launch launch = {.module = sim->module,
                          .kernel = kernel,
                          .shared_bytes = shape.shared_bytes,
                          .params = params,
                          .place = {"k.cu", 900}};
  struct kernel_info info;
  if (device_get_kernel(sim->device, sim->module, kernel, &info) == 0)
    launch.param_bytes = info.param_bytes;
  memcpy(launch.grid, shape.grid, sizeof launch.grid);
  memcpy(launch.block, shape.block, sizeof launch.block);
  sim->hazard_count = 0;
  sim->printed_bytes = 0;
  return device_launch(sim->device, &launch);
}

static inline int sim_try(struct sim *sim, struct sim_shape shape, uint64_t p0, uint64_t p1,
                          uint64_t p2, uint64_t p3) {
  uint64_t params[4] = {p0, p1, p2, p3};
  return sim_try_params(sim, "k", shape, params);
}

static inline struct sim_shape sim_line(unsigned blocks, unsigned threads) {
  return (struct sim_shape){{blocks, 1, 1}, {threads, 1, 1}, 0};
}

static inline void sim_print_hazards(const struct sim *sim) {
  for (int i = 0; i < sim->hazard_count && i < LENGTH(sim->hazards); i++) {
    const struct hazard *h = &sim->hazards[i];
    print_message("%s%s line %d other %d array '%s' count %llu: %s\n", hazard_names[h->kind],
                  h->warning ? " (warning)" : "", h->line, h->other_line, h->array,
                  (unsigned long long)h->count, h->message);
  }
}

/* Launches k in a line of blocks and expects no error and no hazard. */
static inline void sim_run(struct sim *sim, unsigned blocks, unsigned threads, uint64_t p0,
                           uint64_t p1, uint64_t p2, uint64_t p3) {
  assert_int_equal(sim_try(sim, sim_line(blocks, threads), p0, p1, p2, p3), 0);
  if (sim->hazard_count) sim_print_hazards(sim);
  assert_int_equal(sim->hazard_count, 0);
  assert_int_equal(device_synchronize(sim->device), 0);
}

/* The instruction sets that exec.c is compiled for; false if this processor lacks it. Takes effect
 * for devices opened later; NULL: the best one. */
static const char *const sim_isas[] = {"sse2", "avx2"};

static inline bool sim_choose_isa(const char *isa) {
  if (!isa) {
    unsetenv("KIT_SIM_ISA");
    return true;
  }
#if defined __x86_64__
  bool here = strcmp(isa, "sse2") == 0 || __builtin_cpu_supports("avx2");
#else
  bool here = false;
#endif
  if (!here) {
    print_message("not tested: this processor has no %s\n", isa);
    return false;
  }
  setenv("KIT_SIM_ISA", isa, 1);
  if (strcmp(isa_best()->name, isa) != 0) {
    print_message("not tested: built without %s (make ISAS=all)\n", isa);
    return false;
  }
  return true;
}

#endif
