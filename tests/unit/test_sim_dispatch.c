/* test_sim_dispatch.c: when the last of blocks ends that have more or less to do. */
#include <math.h>

#include "harness/sim/model/dispatch.h"
#include "tests/unit/sim_device.h"

/* To a part in a million. */
static void assert_near(double value, double right) {
  if (!(fabs(value - right) <= 1e-6 * right)) fail_msg("%.9g, not %.9g", value, right);
}
/* Within bounds. */
static void assert_between(double value, double least, double most) {
  if (!(value >= least && value <= most)) fail_msg("%.9g, not %g to %g", value, least, most);
}

enum { MOST = 200000 };
static struct block_work works[MOST];

static void all_do(int count, float instructions, float longest) {
  for (int i = 0; i < count; i++) works[i] = (struct block_work){instructions, longest};
}

static double cycles_of(struct dispatch dispatch, uint64_t count) {
  return dispatch_cycles(&dispatch, works, count);
}

/* Warps that leave the SM time enough: as many rounds as it takes to hold all blocks. Blocks that
 * want more than there is: what all want, spread over the SMs. */
static void equal_blocks(void **state) {
  (void)state;
  all_do(1000, 80, 10);
  assert_near(cycles_of((struct dispatch){10, 4, 5, 0.01}, 40), 10 * 5);
  assert_near(cycles_of((struct dispatch){10, 4, 5, 0.01}, 41), 2 * 10 * 5);
  assert_near(cycles_of((struct dispatch){10, 4, 5, 0.01}, 1000), 25 * 10 * 5);
  assert_near(cycles_of((struct dispatch){10, 4, 5, 1}, 1000), 1000 * 80 / 10);
}

/* 5 of 100 blocks do all: each on an SM of its own, unless there are fewer. */
static void few_blocks_with_work(void **state) {
  (void)state;
  all_do(100, 1, 0);
  for (int i = 0; i < 5; i++) works[i] = (struct block_work){80, 10};
  assert_between(cycles_of((struct dispatch){10, 4, 5, 0.5}, 100), 50, 55);
  assert_between(cycles_of((struct dispatch){1, 8, 5, 0.5}, 100), 200, 260);
}

/* The same long block is waited for at the end, and not at the beginning. */
static void where_the_long_block_is(void **state) {
  (void)state;
  struct dispatch dispatch = {10, 2, 5, 0.01};
  double first, last, even = 100 * 50 / 20;
  all_do(100, 80, 10);
  works[0].longest = 30;
  first = cycles_of(dispatch, 100);
  works[0].longest = 10;
  works[99].longest = 30;
  last = cycles_of(dispatch, 100);
  assert_near(first, even + 50); /* 99 others, and 20 places */
  assert_near(last, even - 50 + 150);
  assert_true(dispatch_is_uneven(works, 100) == false); /* warps may differ */
  works[99].instructions = 90;
  assert_true(dispatch_is_uneven(works, 100));
  assert_near(dispatch_mean(works, 100), 80.1);
}

/* Of very many only the last are looked at one by one. */
static void very_many_blocks(void **state) {
  (void)state;
  all_do(MOST, 80, 10);
  works[MOST - 1] = (struct block_work){8000, 1000};
  double all = cycles_of((struct dispatch){100, 8, 5, 0.2}, MOST), busy = MOST * 80.0 * 0.2 / 100;
  assert_between(all, busy + 4900, busy + 5100);
}

static void fits_what_a_replay_took(void **state) {
  (void)state;
  for (int i = 0; i < 64; i++) works[i] = (struct block_work){(float)(50 + i % 7 * 20), 10};
  struct dispatch dispatch = {100, 4, 5, 0}, one = {1, 4, 5, 0};
  dispatch_fit(&dispatch, works, 64, 3000, 0);
  one.busy = dispatch.busy;
  assert_near(dispatch_cycles(&one, works, 64), 3000);
  dispatch_fit(&dispatch, works, 64, 3000, 2); /* what is busy all the time takes as long */
  assert_near(dispatch.busy, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_blocks),
      cmocka_unit_test(few_blocks_with_work),
      cmocka_unit_test(where_the_long_block_is),
      cmocka_unit_test(very_many_blocks),
      cmocka_unit_test(fits_what_a_replay_took),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
