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
  assert_true(gpu->info.shared_per_sm > gpu->info.shared_per_block_optin);
  assert_true(gpu->info.shared_per_block_optin >= gpu->info.shared_per_block);
  assert_true(gpu->model.l2_keeps < gpu->model.l2_loses);
  assert_true(gpu->model.l1_latency < gpu->model.l2_latency);
  assert_true(gpu->model.l2_latency < gpu->model.dram_latency);
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
    same = same || memcmp(&gpu, &built_in, sizeof gpu) == 0;
    found++;
  }
  closedir(folder);
  assert_true(found >= 2 && same); /* one of them is built in */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_description_is_readable),
      cmocka_unit_test(what_is_wrong_and_where),
      cmocka_unit_test(a_changed_figure_is_read),
      cmocka_unit_test(blocks_of_an_sm),
      cmocka_unit_test(what_is_left_to_l1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
