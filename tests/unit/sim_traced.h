/* sim_traced.h: a kernel without a device around it, for the tests of the model of time: its
 * program and its plan, and of a launch the traces of all its blocks. Kernels are written as for
 * sim_device.h; functions assert that what they do succeeds. */
#ifndef KIT_TESTS_SIM_TRACED_H
#define KIT_TESTS_SIM_TRACED_H

#include "tests/unit/sim_device.h"

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"
#include "harness/sim/ptx/ptx.h"

enum { ENOUGH_ROOM = 1 << 16 }; /* words of a warp's trace */

struct traced {
  struct gpu gpu;
  struct memory *memory;
  struct module module;
  struct kernel kernel; /* kernel.plan is made */
  struct launch_result result;
  int hazards; /* of the last launch */
  int workers;
  uint32_t room; /* words after which a warp's trace ends */
};

static inline struct traced *traced_open(const char *ptx) {
  struct traced *t = calloc(1, sizeof *t);
  assert_non_null(t);
  char error[256] = "";
  if (!gpu_read(&t->gpu, NULL, error, sizeof error)) fail_msg("%s", error);
  sim_keep_seed(ptx, strlen(ptx));
  t->memory = memory_open(t->gpu.info.memory_bytes, 0);
  t->module.ptx = ptx_parse(ptx, strlen(ptx), error, sizeof error);
  if (!t->memory || !t->module.ptx) fail_msg("%s in:\n%s", error, ptx);
  t->kernel.function = ptx_function(t->module.ptx, "k");
  t->kernel.module = &t->module;
  kernel_describe(&t->kernel);
  assert_true(kernel_decode(&t->kernel));
  if (t->kernel.error[0]) fail_msg("%s in:\n%s", t->kernel.error, ptx);
  t->kernel.plan = plan_make(&t->kernel, gpu_capability(&t->gpu.info));
  assert_non_null(t->kernel.plan);
  t->workers = 1;
  t->room = ENOUGH_ROOM;
  return t;
}

static inline void traced_close(struct traced *t) {
  launch_result_release(&t->result);
  plan_free(t->kernel.plan);
  kernel_release(&t->kernel);
  ptx_free(t->module.ptx);
  memory_close(t->memory);
  free(t);
}

/* Device memory, zero, or a copy of data. */
static inline uint64_t traced_buffer(struct traced *t, const void *data, size_t bytes) {
  struct allocation *a = memory_allocate(t->memory, bytes, false);
  assert_non_null(a);
  if (data)
    memcpy(a->data, data, bytes);
  else
    memset(a->data, 0, bytes);
  memory_mark_initialised(a, 0, bytes);
  return a->address;
}

/* Launches the kernel in a line of blocks, all of them traced. */
static inline void traced_launch(struct traced *t, unsigned blocks, unsigned threads, uint64_t p0,
                                 uint64_t p1) {
  static uint64_t all[1 << 12];
  uint64_t params[4] = {p0, p1, 0, 0};
  assert_in_range(blocks, 1, LENGTH(all));
  for (unsigned i = 0; i < blocks; i++) all[i] = i;
  struct launch launch = {
      .kernel = "k", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .params = params};
  struct launch_options options = {.threads = t->workers,
                                   .budget = 1 << 24,
                                   .traced = all,
                                   .traced_count = (int)blocks,
                                   .trace_room = t->room};
  struct hazard_list list = {.kernel = "k"};
  launch_result_release(&t->result);
  assert_true(
      launch_run(&launch, &t->kernel, t->memory, &t->gpu.info, &options, &list, &t->result));
  t->hazards = list.count;
  hazard_list_clear(&list);
  free(list.items);
  assert_int_equal(t->result.trace_count, blocks);
}

static inline const struct warp_trace *traced_warp(const struct traced *t, int block, int warp) {
  assert_true(warp < t->result.traces[block].warp_count);
  return &t->result.traces[block].warps[warp];
}

/* Words of an access: its header, lines and masks. */
static inline uint32_t traced_words(struct trace_memory access) {
  return access.lines ? 1 + (uint32_t)access.lines + (uint32_t)(access.lines + 7) / 8 : 1;
}

/* Where a warp's access number n begins in its words. */
static inline const uint32_t *traced_access(const struct traced *t, const struct warp_trace *warp,
                                            int n) {
  for (uint32_t at = 0; at < warp->count;) {
    assert_in_range(warp->words[at], 0, t->kernel.plan->block_count - 1);
    const struct plan_block *block = &t->kernel.plan->blocks[warp->words[at++]];
    for (int i = 0; i < block->traced_count; i++) {
      if (n-- == 0) return &warp->words[at];
      at += traced_words(trace_unpack(warp->words[at]));
    }
  }
  fail_msg("the warp has no such access");
  return NULL;
}

#endif
