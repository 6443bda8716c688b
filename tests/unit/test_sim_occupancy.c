/* test_sim_occupancy.c: what limits the blocks of an SM (harness/sim/base/occupancy.c): by hand,
 * and over random launches against the calculator that NVIDIA ships, where the CUDA Toolkit is
 * installed. */
#include "tests/unit/sim_device.h"

#include <math.h>
#include <unistd.h>

#include "harness/sim/base/gpu.h"

#ifdef KIT_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include KIT_CUDA_OCCUPANCY
#pragma GCC diagnostic pop
#endif

static void read_gpu(struct gpu *gpu) {
  char error[256] = "";
  if (!gpu_read(gpu, NULL, error, sizeof error)) fail_msg("%s", error);
}

/* By the rules in gpu.h. Registers: 16384 of a scheduler / (registers x 32, rounded up to 256),
 * times 4, are warps. Shared: 233472 / (bytes + 1024, rounded up to 128). Warps: 64 / those of a
 * block. */
static const struct {
  int threads, registers, shared;
  struct occupancy expected;
} cases[] = {
    /* 1024 a warp: 16 a scheduler, 64; 233472 / 1024; 64 / 8 */
    {256, 32, 0, {8, 228, 8, 32, 8}},
    /* 1280 a warp: 12 a scheduler, 48, of 8; 4096 + 1024: 45.6 */
    {256, 38, 4096, {6, 45, 8, 32, 6}},
    /* 8192 a warp: 2 a scheduler; 8 / 32 warps */
    {1024, 255, 8192, {0, 25, 2, 32, 0}},
    /* 33 threads are two warps, which take registers for two; 512 a warp: 32 a scheduler */
    {33, 16, 1, {64, 202, 32, 32, 32}},
    /* 24 warps of 1024: 64 / 24; 50176 a block */
    {768, 32, 49152, {2, 4, 2, 32, 2}},
    /* 1536 a warp: 10 a scheduler, 40, of 4; 17408 */
    {128, 48, 16384, {10, 13, 16, 32, 10}},
    /* 4096 a warp: 4 a scheduler, 16 */
    {64, 128, 100000, {8, 2, 32, 32, 2}},
    /* none: they limit nothing */
    {512, 0, 0, {32, 228, 4, 32, 4}},
};

static void limits_by_hand(void **state) {
  (void)state;
  struct gpu gpu;
  read_gpu(&gpu);
  for (int i = 0; i < LENGTH(cases); i++) {
    struct occupancy o = occupancy_of(&gpu.info, cases[i].threads, cases[i].registers,
                                      (size_t)cases[i].shared),
                     e = cases[i].expected;
    if (memcmp(&o, &e, sizeof o) != 0)
      fail_msg("case %d: %d %d %d %d: %d, not %d %d %d %d: %d", i, o.registers, o.shared, o.warps,
               o.slots, o.blocks, e.registers, e.shared, e.warps, e.slots, e.blocks);
  }
}

#ifdef KIT_CUDA_OCCUPANCY
static uint64_t random_state = 1;
static int random_below(int limit) { /* xorshift */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (int)(random_state % (uint64_t)limit);
}

static void as_the_toolkit_calculates(void **state) {
  (void)state;
  enum { TRIES = 200000 };
  struct gpu gpu;
  read_gpu(&gpu);
  const struct device_info *info = &gpu.info;
  const cudaOccDeviceProp properties = {
      .computeMajor = info->compute_major,
      .computeMinor = info->compute_minor,
      .maxThreadsPerBlock = info->max_threads_per_block,
      .maxThreadsPerMultiprocessor = info->max_threads_per_sm,
      .regsPerBlock = info->registers_per_block,
      .regsPerMultiprocessor = info->registers_per_sm,
      .warpSize = info->warp_size,
      .sharedMemPerBlock = (size_t)info->shared_per_block,
      .sharedMemPerMultiprocessor = (size_t)info->shared_per_sm,
      .numSms = info->sm_count,
      .sharedMemPerBlockOptin = (size_t)info->shared_per_block_optin,
      .reservedSharedMemPerBlock = 1024};
  const cudaOccDeviceState device = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
  for (int i = 0; i < TRIES; i++) {
    int threads = 1 + random_below(info->max_threads_per_block), registers = 1 + random_below(255),
        fixed = random_below(2) ? random_below(49152) : 0,
        dynamic = random_below(2) ? random_below(info->shared_per_block_optin - fixed) : 0;
    const cudaOccFuncAttributes attributes = {
        .maxThreadsPerBlock = info->max_threads_per_block,
        .numRegs = registers,
        .sharedSizeBytes = (size_t)fixed,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = (size_t)(info->shared_per_block_optin - fixed)};
    cudaOccResult result;
    assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes,
                                                             &device, threads, (size_t)dynamic),
                     CUDA_OCC_SUCCESS);
    struct occupancy o = occupancy_of(info, threads, registers, (size_t)(fixed + dynamic));
    if (o.registers != result.blockLimitRegs || o.shared != result.blockLimitSharedMem ||
        o.warps != result.blockLimitWarps || o.slots != result.blockLimitBlocks ||
        o.blocks != result.activeBlocksPerMultiprocessor)
      fail_msg("%d threads, %d registers, %d + %d bytes: %d %d %d %d: %d, not %d %d %d %d: %d",
               threads, registers, fixed, dynamic, o.registers, o.shared, o.warps, o.slots,
               o.blocks, result.blockLimitRegs, result.blockLimitSharedMem, result.blockLimitWarps,
               result.blockLimitBlocks, result.activeBlocksPerMultiprocessor);
  }
}
#else
static void as_the_toolkit_calculates(void **state) {
  (void)state;
  skip(); /* its cuda_occupancy.h is not here */
}
#endif

/* ---- as Nsight Compute reads it on an H100 (tests/occupancy/README.md) ---- */

struct reading {
  char kernel[64];
  double threads, grid, registers, fixed, dynamic, driver, config;
  double by_registers, by_shared, by_warps, by_slots, by_barriers, percent, waves, achieved;
};

/* False: a comment or the heading. */
static bool read_row(const char *line, struct reading *r) {
  if (*line == '#' || strncmp(line, "kernel\t", 7) == 0) return false;
  int got =
      sscanf(line, "%63[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf",
             r->kernel, &r->threads, &r->grid, &r->registers, &r->fixed, &r->dynamic, &r->driver,
             &r->config, &r->by_registers, &r->by_shared, &r->by_warps, &r->by_slots,
             &r->by_barriers, &r->percent, &r->waves);
  if (got != 15) fail_msg("%d of 15 values: %s", got, line);
  return true;
}

static bool differ(int ours, double theirs) { return (double)ours != theirs; }

static void as_nsight_compute_reads(void **state) {
  (void)state;
  enum { AT_LEAST = 20 };
  struct gpu gpu;
  read_gpu(&gpu);
  FILE *file = fopen("tests/occupancy/h100.tsv", "r");
  if (!file && access("solutions", F_OK) != 0) skip(); /* a student's copy has no readings */
  if (!file) fail_msg("tests/occupancy/h100.tsv is missing");
  int rows = 0, wrong = 0;
  struct reading r;
  for (char line[1024]; fgets(line, sizeof line, file);) {
    if (!read_row(line, &r)) continue;
    rows++;
    struct occupancy o =
        occupancy_of(&gpu.info, (int)r.threads, (int)r.registers, (size_t)(r.fixed + r.dynamic));
    int warps = o.blocks * (((int)r.threads + 31) / 32);
    double waves = r.grid / (o.blocks * gpu.info.sm_count);
    /* Its limit by shared memory is that of the carve-out that the driver chose for the launch. */
    bool all_shared = r.config == gpu.info.shared_per_sm;
    if (!differ(o.registers, r.by_registers) && (!all_shared || !differ(o.shared, r.by_shared)) &&
        !differ(o.warps, r.by_warps) && !differ(o.slots, r.by_slots) &&
        fabs(warps * 100 / 64. - r.percent) < 0.005 &&
        fabs(waves - r.waves) < 0.005 * waves + 0.005)
      continue;
    wrong++;
    print_error(
        "%s, %g threads, %g registers, %g + %g bytes: %d %d %d %d, %d warps, %.2f waves; "
        "read: %g %g %g %g, %g%%, %g waves\n",
        r.kernel, r.threads, r.registers, r.fixed, r.dynamic, o.registers, o.shared, o.warps,
        o.slots, warps, waves, r.by_registers, r.by_shared, r.by_warps, r.by_slots, r.percent,
        r.waves);
  }
  fclose(file);
  if (rows < AT_LEAST || wrong) fail_msg("%d of %d launches differ", wrong, rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_by_hand),
      cmocka_unit_test(as_the_toolkit_calculates),
      cmocka_unit_test(as_nsight_compute_reads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
