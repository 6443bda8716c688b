/* test_grader_resources.c: what kernels take of a multiprocessor (grader/show/resources.c), and the
 * assembler's list of their registers (grader/run/registers.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/show/resources.h"

/* ---- the list ---- */

static void a_list_is_read(void **state) {
  (void)state;
  struct register_list list;
  assert_true(registers_read("# nvcc 13.0, sm_90\nk<4>\t34\t4096\t0\na::b\t255\t0\t16\n", &list));
  assert_string_equal(list.compiler, "nvcc 13.0, sm_90");
  assert_int_equal(list.count, 2);
  assert_int_equal(registers_of(&list, "k<4>")->registers, 34);
  assert_int_equal(registers_of(&list, "k<4>")->shared_bytes, 4096);
  assert_int_equal(registers_of(&list, "a::b")->spilled_bytes, 16);
  assert_null(registers_of(&list, "k"));
  registers_free(&list);
  /* two of one name, as in two anonymous namespaces: nobody knows which */
  assert_true(registers_read("# x\nk\t34\t0\t0\nk\t35\t0\t0\n", &list));
  assert_null(registers_of(&list, "k"));
  registers_free(&list);
}

static void anything_else_is_no_list(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "k\t34\t0\t0\n",
                                      "# x",
                                      "# x\nk\n",
                                      "# x\nk\t34\t0\n",
                                      "# x\n\t34\t0\t0\n",
                                      "# x\nk\t34\t0\t0\t0\n",
                                      "# x\nk\t34\t0\tmany\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct register_list list;
    if (registers_read(wrong[i], &list)) fail_msg("'%s' is a list", wrong[i]);
    assert_int_equal(list.count, 0);
    assert_null(list.compiler);
  }
}

/* ---- resources ---- */

static struct gpu gpu;

static struct kernel_resources of(uint64_t threads, uint64_t registers, uint64_t fixed,
                                  uint64_t dynamic, uint64_t blocks) {
  static char name[] = "k";
  const struct launch_record launch = {.launches = 1,
                                       .kernel = name,
                                       .grid = {blocks, 1, 1},
                                       .block = {threads, 1, 1},
                                       .registers = registers,
                                       .shared_bytes = fixed + dynamic,
                                       .dynamic_shared_bytes = dynamic};
  return resources_of_launch(&gpu, &launch, &(struct register_list){.count = 0});
}

/* On an H100, of 132 SMs with 64 warps each. What is expected is worked out by hand from gpu.h. */
static const struct {
  uint64_t threads, registers, fixed, dynamic, blocks;
  int warps;
  double percent, waves;
  const char *limit, *advice; /* advice: words of it; NULL: there is none */
} cases[] = {
    /* 1280 registers a warp: 12 of 16 warps a scheduler, 48 in all */
    {256, 38, 4096, 0, 7920, 48, 75, 10, "registers", "with 32 registers a thread instead of 38"},
    /* 8 blocks of 8 warps; a quarter of 1056 blocks */
    {256, 32, 0, 0, 264, 64, 100, 0.25, "registers and warps", NULL},
    {256, 24, 0, 0, 1056, 64, 100, 1, "warps", NULL},
    /* 233472 / 17408 = 13.4 blocks of 4 warps; 14 take 16676, of which 1024 are reserved: 15616 */
    {128, 24, 12288, 4096, 1716, 52, 81.25, 1, "shared memory", "with 15616 bytes"},
    /* 2 of 24 warps */
    {768, 24, 0, 0, 264, 48, 75, 1, "warps", "24 warps a block do not divide an SM's 64"},
    {32, 24, 0, 0, 4224, 32, 50, 1, "blocks", "with 64 threads or more"},
    {33, 16, 0, 0, 4224, 64, 100, 1, "warps and blocks", "31 of 32 lanes stay idle"},
    /* 65536 / 2048 = 32 blocks of one warp, as many as there are slots */
    {32, 64, 0, 0, 4224, 32, 50, 1, "registers and blocks", "with 64 threads or more"},
    {1024, 65, 0, 0, 10, 0, 0, 0, "registers", "not even one block fits"},
    {256, 32, 0, 0, 10, 64, 100, 10 / 1056.0, "registers and warps", "10 blocks for 132 SMs"},
    /* 255 registers a thread: to halve them is no small matter */
    {256, 255, 0, 0, 132, 8, 12.5, 1, "registers", NULL},
};

static void what_limits_a_kernel(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct kernel_resources kernel =
        of(cases[i].threads, cases[i].registers, cases[i].fixed, cases[i].dynamic, cases[i].blocks);
    autofree char *limit = resources_limit(&kernel), *advice = resources_advice(&gpu, &kernel);
    assert_int_equal(kernel.warps, cases[i].warps);
    assert_float_equal(kernel.percent, cases[i].percent, 1e-9);
    assert_float_equal(kernel.waves, cases[i].waves, 1e-9);
    assert_string_equal(limit, cases[i].limit);
    if (!cases[i].advice != !advice || (advice && !strstr(advice, cases[i].advice)))
      fail_msg("case %zu: '%s', not '%s'", i, advice ? advice : "", cases[i].advice);
  }
}

/* What the assembler says counts more than what the simulator estimates. */
static void the_list_goes_before_the_estimate(void **state) {
  (void)state;
  static char name[] = "k";
  const struct launch_record launch = {
      .kernel = name, .grid = {1, 1, 1}, .block = {256, 1, 1}, .registers = 20};
  struct register_list list;
  assert_true(registers_read("# ptxas\nk\t38\t16\t8\n", &list));
  struct kernel_resources kernel = resources_of_launch(&gpu, &launch, &list);
  assert_true(kernel.counted);
  assert_int_equal(kernel.registers, 38);
  assert_int_equal(kernel.spilled_bytes, 8);
  assert_int_equal(kernel.static_bytes, 16);
  assert_int_equal(kernel.limits.blocks, 6);
  registers_free(&list);
  kernel = resources_of_launch(&gpu, &launch, &list);
  assert_false(kernel.counted);
  assert_int_equal(kernel.registers, 20);
}

/* A group of launches of several kernels has no block. */
static void several_kernels_are_none(void **state) {
  (void)state;
  assert_false(resources_is_kernel(&(struct launch_record){.block = {0, 0, 0}}));
  assert_false(resources_is_kernel(&(struct launch_record){.block = {1025, 1, 1}}));
  assert_false(resources_is_kernel(
      &(struct launch_record){.block = {1, 1, 1}, .shared_bytes = 1, .dynamic_shared_bytes = 2}));
  assert_true(resources_is_kernel(&(struct launch_record){.block = {1024, 1, 1}}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_list_is_read),
      cmocka_unit_test(anything_else_is_no_list),
      cmocka_unit_test(what_limits_a_kernel),
      cmocka_unit_test(the_list_goes_before_the_estimate),
      cmocka_unit_test(several_kernels_are_none),
  };
  unsetenv("KIT_SIM_GPU");
  resources_read_gpu(&gpu);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
