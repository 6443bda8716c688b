/* test_sim_gpu.c: descriptions of GPUs (harness/sim/gpus/), those that are wrong included, and how
 * many blocks an SM holds. */
#include "tests/unit/sim_device.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "harness/sim/base/gpu.h"

/* ---- descriptions ---- */

#define FOLDER "harness/sim/gpus"

static void check_figures(const struct gpu *gpu) {
  const double *figures = (const double *)&gpu->model;
  for (size_t i = 0; i < sizeof gpu->model / sizeof *figures; i++)
    assert_true(isfinite(figures[i]) && figures[i] > 0);
  assert_true(strlen(gpu->info.name) > 3);
  assert_true(gpu->info.sm_count > 1 && gpu->info.clock_khz > 100000);
  assert_true(gpu->info.l2_bytes >= 1 << 20 && gpu->info.memory_bytes >= 1u << 30);
  assert_true(gpu->info.registers_per_sm >= gpu->info.registers_per_block);
  assert_true(gpu->info.shared_per_sm ==
              gpu->info.shared_per_block_optin + gpu_capability(&gpu->info)->shared_reserved);
  assert_true(gpu->info.shared_per_block_optin >= gpu->info.shared_per_block);
  assert_true(gpu->model.l2_keeps < gpu->model.l2_loses);
  assert_true(gpu->model.shared_latency < gpu->model.l1_latency);
  assert_true(gpu->model.l1_latency < gpu->model.l2_latency);
  assert_true(gpu->model.l2_latency < gpu->model.dram_latency);
  /* two bits a clock and line of the bus, and L2 faster than DRAM */
  double bus = 2e-6 * gpu->info.memory_clock_khz * gpu->info.memory_bus_bits / 8;
  assert_true(gpu->model.dram_reads_per_ns < bus && gpu->model.dram_writes_per_ns < bus);
  assert_true(gpu->model.dram_bytes_per_ns <= gpu->model.dram_reads_per_ns);
  assert_true(gpu->model.dram_bytes_per_ns > bus / 2);
  assert_true(gpu->model.l2_sectors_per_ns * 32 > gpu->model.dram_reads_per_ns);
  assert_true(gpu->model.dram_random_loads_per_ns * 32 < gpu->model.dram_reads_per_ns);
  const struct gpu_timeline *t = &gpu->timeline;
  assert_true(t->link_bytes_per_ns < t->link_both_per_ns);
  assert_true(t->link_both_per_ns < 2 * t->link_bytes_per_ns);
  assert_true(t->pageable_near_per_ns < t->link_bytes_per_ns);
  assert_true(t->pageable_far_per_ns < t->pageable_near_per_ns);
  assert_true(t->pageable_out_per_ns < t->link_bytes_per_ns);
  assert_true(t->mapped_per_ns < t->link_bytes_per_ns);
  assert_true(t->link_bytes_per_ns < gpu->model.dram_bytes_per_ns);
  assert_true(t->copy_on_device_per_ns < gpu->model.dram_bytes_per_ns);
}

/* A figure that was not measured says behind it where it comes from. */
static void check_sources(const char *path) {
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  for (char line[512]; fgets(line, sizeof line, in);) {
    const char *source = strstr(line, " ; ");
    if (line[0] != ';' && strstr(line, " = ") && (!source || strlen(source) < 5))
      fail_msg("%s: no source: %s", path, line);
  }
  fclose(in);
}

static void every_description_is_readable(void **state) {
  (void)state;
  struct gpu gpu, built_in;
  char error[256] = "";
  DIR *folder = opendir(FOLDER);
  int found = 0;
  bool same = false;
  if (!gpu_read(&built_in, NULL, error, sizeof error)) fail_msg("%s", error);
  check_figures(&built_in);
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 4, ".ini") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
    if (!gpu_read(&gpu, path, error, sizeof error)) fail_msg("%s", error);
    check_figures(&gpu);
    if (!gpu.info.measured) check_sources(path);
    same = same || memcmp(&gpu, &built_in, sizeof gpu) == 0;
    found++;
  }
  closedir(folder);
  assert_true(found >= 5 && same); /* one of them is built in */
}

static void open_gpu(struct gpu *gpu, const char *name) {
  char path[64], error[256] = "";
  snprintf(path, sizeof path, FOLDER "/%s.ini", name);
  if (!gpu_read(gpu, path, error, sizeof error)) fail_msg("%s", error);
}

/* NVIDIA's data sheets: fp32 peak in TFLOP/s, bandwidth of the bus in GB/s. */
static void peaks_of_data_sheets(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double tflops, bus;
    const char *words;
  } sheets[] = {
      {"h100", 66.9, 3352, "simulated NVIDIA H100 80GB HBM3"},
      {"t4", 8.1, 320, "simulated Tesla T4 (published figures, not measured)"},
      {"rtx3060", 12.7, 360, "simulated NVIDIA GeForce RTX 3060 (published figures, not measured)"},
      {"rtx4060", 15.1, 272, "simulated NVIDIA GeForce RTX 4060 (published figures, not measured)"},
  };
  for (int i = 0; i < LENGTH(sheets); i++) {
    struct gpu gpu;
    char words[GPU_WORDS];
    open_gpu(&gpu, sheets[i].name);
    assert_true(fabs(gpu_fp32_per_ns(&gpu) * 1e-3 - sheets[i].tflops) < 0.05);
    double bus = 2e-6 * gpu.info.memory_clock_khz * gpu.info.memory_bus_bits / 8;
    assert_true(fabs(bus - sheets[i].bus) < 1);
    gpu_describe(&gpu.info, words, sizeof words);
    assert_string_equal(words, sheets[i].words);
  }
}

/* Writes the description of an H100 to a file of its own: with line `from` (its beginning says
 * which) replaced by `to`, which may be several lines or none. Returns the number of the line. */
static int write_changed(char *path, size_t size, const char *from, const char *to) {
  snprintf(path, size, "%s/kit-gpu-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  int made = mkstemp(path), number = 0, found = 0;
  FILE *in = fopen(FOLDER "/h100.ini", "r"), *out = fdopen(made, "w");
  assert_non_null(in);
  assert_non_null(out);
  for (char line[512]; fgets(line, sizeof line, in);) {
    number++;
    bool here = strncmp(line, from, strlen(from)) == 0;
    if (here) found = number;
    fputs(here ? to : line, out);
  }
  fclose(in);
  assert_int_equal(fclose(out), 0);
  assert_true(found > 0);
  return found;
}

static const struct {
  const char *name, *from, *to;
  int line; /* of the fault, from the changed one on; -1: it is in no line */
  const char *says[3];
} wrong_descriptions[] = {
    {"a missing figure", "l1_latency =", "", -1, {"l1_latency", "missing", "[model]"}},
    {"a missing property", "sm_count =", "", -1, {"sm_count", "missing", "[gpu]"}},
    {"a missing name", "name =", "", -1, {"name", "missing", "[gpu]"}},
    {"a key twice",
     "l1_latency =",
     "l1_latency = 30\nl1_latency = 30\n",
     1,
     {"l1_latency", "twice"}},
    {"one twice and another missing",
     "l1_latency =",
     "l2_latency = 30\n",
     1,
     {"l2_latency", "twice"}},
    {"a key that there is not",
     "clock_khz =",
     "clock_khz = 1000000\nspeed = 3\n",
     1,
     {"unknown", "speed"}},
    {"a key of another section",
     "[model]",
     "[model]\nsm_count = 3\n",
     1,
     {"unknown", "sm_count", "[model]"}},
    {"a negative number",
     "l2_latency =",
     "l2_latency = -272\n",
     0,
     {"l2_latency = -272", "positive"}},
    {"zero", "sm_count =", "sm_count = 0\n", 0, {"sm_count = 0", "positive"}},
    {"a negative size", "memory_mib =", "memory_mib = -1\n", 0, {"memory_mib = -1", "positive"}},
    {"no number", "l2_mib =", "l2_mib = many\n", 0, {"l2_mib = many", "positive"}},
    {"a number and more",
     "l2_keeps =",
     "l2_keeps = 0.5 MiB\n",
     0,
     {"l2_keeps = 0.5 MiB", "positive"}},
    {"too large", "clock_khz =", "clock_khz = 1e300\n", 0, {"clock_khz = 1e300"}},
    {"not even a key", "sm_count =", "sm_count = 132\nhere we are\n", 1, {"="}},
    {"figures of no kind",
     "figures =",
     "figures = guessed\n",
     0,
     {"figures = guessed", "measured", "published"}},
    {"no word on where they come from", "figures =", "", -1, {"figures", "missing", "[gpu]"}},
    {"a compute capability that is not modelled",
     "compute_minor =",
     "compute_minor = 4\n",
     -1,
     {"9.4", "not modelled", "7.0, 7.5, 8.0, 8.6, 8.9, 9.0"}},
    {"two faults", "clock_khz =", "clock_khz = -5\nsm_count = -5\n", 0, {"clock_khz = -5"}},
};

static void what_is_wrong_and_where(void **state) {
  (void)state;
  for (int i = 0; i < LENGTH(wrong_descriptions); i++) {
    char path[256], error[400] = "", place[300];
    struct gpu gpu;
    int line =
        write_changed(path, sizeof path, wrong_descriptions[i].from, wrong_descriptions[i].to);
    bool read = gpu_read(&gpu, path, error, sizeof error);
    unlink(path);
    if (read) fail_msg("%s: accepted", wrong_descriptions[i].name);
    if (wrong_descriptions[i].line < 0)
      snprintf(place, sizeof place, "%s: ", path);
    else
      snprintf(place, sizeof place, "%s:%d: ", path, line + wrong_descriptions[i].line);
    if (strncmp(error, place, strlen(place)) != 0 || strchr(error, '\n'))
      fail_msg("%s: %s, not of %s", wrong_descriptions[i].name, error, place);
    for (int k = 0; k < 3 && wrong_descriptions[i].says[k]; k++)
      if (!strstr(error + strlen(place), wrong_descriptions[i].says[k]))
        fail_msg("%s: %s", wrong_descriptions[i].name, error);
  }
  struct gpu gpu;
  char error[256] = "";
  assert_false(gpu_read(&gpu, "/nowhere/h100.ini", error, sizeof error));
  assert_non_null(strstr(error, "/nowhere/h100.ini"));
}

static void a_changed_figure_is_read(void **state) {
  (void)state;
  struct gpu gpu;
  char path[256], error[256] = "";
  write_changed(path, sizeof path, "l2_keeps =", "l2_keeps = 0.125\n");
  bool read = gpu_read(&gpu, path, error, sizeof error);
  unlink(path);
  if (!read) fail_msg("%s", error);
  assert_true(gpu.model.l2_keeps == 0.125);
}

/* ---- occupancy ---- */

/* Blocks of an SM of compute capability 9.0, by the rules of the CUDA C++ Programming Guide and as
 * cudaOccMaxActiveBlocksPerMultiprocessor (cuda_occupancy.h of CUDA 13.0) has them: 64 warps, 32
 * blocks, 16384 registers for the warps of each of four schedulers, in units of 256 a warp; 228 KiB
 * of shared memory, of which each block takes 1 KiB more than it asks for. */
static const struct {
  int threads, registers, shared, blocks;
} occupancies[] = {
    /* blocks */
    {32, 16, 0, 32},
    {1, 8, 0, 32},
    {33, 16, 0, 32},
    {32, 16, 1, 32},
    /* warps: 64 / those of a block */
    {128, 32, 0, 16},
    {192, 32, 0, 10},
    {256, 32, 0, 8},
    {768, 24, 0, 2},
    {1024, 32, 0, 2},
    /* registers: 33 a thread are 1056 a warp, so 1280: 12 warps a scheduler */
    {256, 33, 0, 6},
    {1024, 33, 0, 1},
    {256, 64, 0, 4},
    {1024, 64, 0, 1},
    {256, 128, 0, 2},
    {256, 255, 0, 1},
    {1024, 65, 0, 0},
    {1024, 128, 0, 0},
    /* 48 warps of 40 registers; 65536 / 1280 would be 51 */
    {96, 40, 0, 16},
    {160, 40, 0, 9},
    {512, 40, 0, 3},
    /* 28 warps of 72 registers, 24 of 73 to 80, 12 of 168, 20 of 96 */
    {256, 72, 0, 3},
    {288, 72, 0, 3},
    {32, 73, 0, 24},
    {48, 168, 0, 6},
    {160, 96, 0, 4},
    /* shared memory: 13 times 17 KiB, 4 times 49, 6 times 33, 3 times 65 */
    {128, 32, 16384, 13},
    {256, 32, 49152, 4},
    {256, 32, 32768, 6},
    {256, 32, 65536, 3},
    {64, 16, 115712, 2},
    {64, 16, 115713, 1}, /* units of 128 bytes */
    {64, 16, 232448, 1},
    {64, 16, 232449, 0},
    /* the least of them */
    {256, 40, 32768, 6},
    {256, 80, 32768, 3},
};

static void blocks_of_an_sm(void **state) {
  (void)state;
  struct gpu gpu;
  char error[256] = "";
  if (!gpu_read(&gpu, NULL, error, sizeof error)) fail_msg("%s", error);
  for (int i = 0; i < LENGTH(occupancies); i++) {
    int blocks = occupancy_blocks(&gpu.info, occupancies[i].threads, occupancies[i].registers,
                                  (size_t)occupancies[i].shared);
    if (blocks != occupancies[i].blocks)
      fail_msg("%d threads, %d registers, %d bytes: %d blocks, not %d", occupancies[i].threads,
               occupancies[i].registers, occupancies[i].shared, blocks, occupancies[i].blocks);
  }
}

/* 256 KiB, less the smallest of the sizes 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 that does. */
static void what_is_left_to_l1(void **state) {
  (void)state;
  static const struct {
    int blocks, shared, l1_kib;
  } cases[] = {{8, 0, 256},       {1, 4 << 10, 248},  {1, 7 << 10, 248},
               {2, 7 << 10, 240}, {1, 48 << 10, 192}, {4, 48 << 10, 60},
               {32, 1, 192},      {3, 43 << 10, 124}, {1, 227 << 10, 28}};
  struct gpu gpu;
  char error[256] = "";
  if (!gpu_read(&gpu, NULL, error, sizeof error)) fail_msg("%s", error);
  for (int i = 0; i < LENGTH(cases); i++)
    assert_int_equal(occupancy_l1_bytes(&gpu.info, cases[i].blocks, (size_t)cases[i].shared),
                     cases[i].l1_kib << 10);
}

/* Of other capabilities, by "Technical Specifications per Compute Capability": 7.5 has 32 warps and
 * 16 blocks, 64 KiB of shared memory in units of 256 bytes, nothing reserved; 8.6 and 8.9 have 48
 * warps, 16 and 24 blocks, 100 KiB, 1 KiB of each block reserved. */
static void blocks_of_other_sms(void **state) {
  (void)state;
  static const struct {
    const char *gpu;
    int threads, registers, shared, blocks;
  } cases[] = {
      {"t4", 32, 16, 0, 16},         {"t4", 256, 32, 0, 4},          {"t4", 1024, 64, 0, 1},
      {"t4", 1024, 65, 0, 0},        {"t4", 64, 16, 8192, 8},        {"t4", 64, 16, 8193, 7},
      {"t4", 64, 16, 65536, 1},      {"t4", 64, 16, 65537, 0},       {"t4", 768, 32, 0, 1},
      {"rtx3060", 32, 16, 0, 16},    {"rtx3060", 256, 32, 0, 6},     {"rtx3060", 1024, 32, 0, 1},
      {"rtx3060", 64, 16, 8192, 11}, {"rtx3060", 64, 16, 101376, 1}, {"rtx3060", 64, 16, 101377, 0},
      {"rtx3060", 64, 16, 50176, 2}, {"rtx3060", 64, 16, 50177, 1},  {"rtx4060", 32, 16, 0, 24},
      {"rtx4060", 64, 16, 0, 24},    {"rtx4060", 96, 16, 0, 16},     {"rtx4060", 256, 40, 0, 6},
      {"rtx4060", 256, 48, 0, 5},
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    struct gpu gpu;
    open_gpu(&gpu, cases[i].gpu);
    int blocks =
        occupancy_blocks(&gpu.info, cases[i].threads, cases[i].registers, (size_t)cases[i].shared);
    if (blocks != cases[i].blocks)
      fail_msg("%s, %d threads, %d registers, %d bytes: %d blocks, not %d", cases[i].gpu,
               cases[i].threads, cases[i].registers, cases[i].shared, blocks, cases[i].blocks);
  }
}

/* 7.5: 96 KiB, less 32 or 64; 8.6 and 8.9: 128 KiB, less 0, 8, 16, 32, 64 or 100. */
static void what_is_left_to_other_l1s(void **state) {
  (void)state;
  static const struct {
    const char *gpu;
    int blocks, shared, l1_kib;
  } cases[] = {{"t4", 8, 0, 64},
               {"t4", 4, 8 << 10, 64},
               {"t4", 5, 8 << 10, 32},
               {"t4", 1, 64 << 10, 32},
               {"rtx3060", 8, 0, 128},
               {"rtx3060", 1, 7 << 10, 120},
               {"rtx3060", 1, 8 << 10, 112},
               {"rtx3060", 4, 16 << 10, 28},
               {"rtx4060", 2, 8 << 10, 96},
               {"rtx4060", 1, 99 << 10, 28}};
  for (int i = 0; i < LENGTH(cases); i++) {
    struct gpu gpu;
    open_gpu(&gpu, cases[i].gpu);
    assert_int_equal(occupancy_l1_bytes(&gpu.info, cases[i].blocks, (size_t)cases[i].shared),
                     cases[i].l1_kib << 10);
  }
}

/* ---- NVIDIA's own answers, where the CUDA Toolkit is ---- */

#if __has_include("/usr/local/cuda/include/cuda_occupancy.h")
#include <limits.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#include "/usr/local/cuda/include/cuda_occupancy.h"
#pragma GCC diagnostic pop

static void check_blocks(const struct device_info *info, int threads, int registers, int shared) {
  cudaOccDeviceProp device = {
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
      .reservedSharedMemPerBlock = (size_t)gpu_capability(info)->shared_reserved};
  cudaOccFuncAttributes function = {.maxThreadsPerBlock = INT_MAX,
                                    .numRegs = registers,
                                    .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                    .maxDynamicSharedSizeBytes = (size_t)shared};
  cudaOccDeviceState any = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
  cudaOccResult theirs;
  assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device, &function, &any,
                                                           threads, (size_t)shared),
                   CUDA_OCC_SUCCESS);
  int ours = occupancy_blocks(info, threads, registers, (size_t)shared);
  if (ours != theirs.activeBlocksPerMultiprocessor)
    fail_msg("%s, %d threads, %d registers, %d bytes: %d blocks, cuda_occupancy.h has %d",
             info->name, threads, registers, shared, ours, theirs.activeBlocksPerMultiprocessor);
}

static void blocks_as_nvidia_counts_them(void **state) {
  (void)state;
  static const char *const names[] = {"t4", "rtx3060", "rtx4060", "h100"};
  for (int i = 0; i < LENGTH(names); i++) {
    struct gpu gpu;
    open_gpu(&gpu, names[i]);
    for (int threads = 32; threads <= 1024; threads += 32)
      for (int registers = 8; registers <= 255; registers += 13)
        for (int shared = 0; shared <= gpu.info.shared_per_block_optin; shared += 1999)
          check_blocks(&gpu.info, threads, registers, shared);
  }
}
#else
static void blocks_as_nvidia_counts_them(void **state) {
  (void)state;
  skip(); /* there is no CUDA Toolkit */
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_description_is_readable),
      cmocka_unit_test(what_is_wrong_and_where),
      cmocka_unit_test(a_changed_figure_is_read),
      cmocka_unit_test(blocks_of_an_sm),
      cmocka_unit_test(what_is_left_to_l1),
      cmocka_unit_test(peaks_of_data_sheets),
      cmocka_unit_test(blocks_of_other_sms),
      cmocka_unit_test(what_is_left_to_other_l1s),
      cmocka_unit_test(blocks_as_nvidia_counts_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
