/* test_grader_score.c: metrics of counters, points by thresholds, reasons with lines, hazards. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/score/answers.h"
#include "grader/score/score.h"

extern const struct family family_matmul;

static double value(const char *name, const struct totals *totals) {
  const struct metric *metric = metric_find(name);
  assert_non_null(metric);
  return metric_value(metric, totals);
}

#define ASSERT_NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void test_metrics(void **state) {
  (void)state;
  struct totals t = {.launches = 2, .time_ns = 3000};
  uint64_t *c = t.counters.value;
  assert_true(isnan(value("global_load_sectors_per_request", &t)));
  assert_true(isnan(value("shared_wavefronts_per_inst", &t)));
  ASSERT_NEAR(value("divergence", &t), 0);
  c[COUNTER_global_load_requests] = 10;
  c[COUNTER_global_load_words] = 40; /* float4: each request counts as four */
  c[COUNTER_global_load_sectors] = 160;
  c[COUNTER_global_load_used_bytes] = 2560;
  c[COUNTER_global_load_bytes] = 5120;
  c[COUNTER_shared_load_inst] = 100;
  c[COUNTER_shared_load_wavefronts] = 250;
  c[COUNTER_shared_load_ideal] = 150;
  c[COUNTER_shared_store_inst] = 100;
  c[COUNTER_shared_store_wavefronts] = 100;
  c[COUNTER_shared_store_ideal] = 100;
  c[COUNTER_shared_load_bytes] = 51200;
  c[COUNTER_inst_executed] = 10;
  c[COUNTER_thread_inst_executed] = 160;
  ASSERT_NEAR(value("global_load_sectors_per_request", &t), 4);
  ASSERT_NEAR(value("global_load_sectors_per_warp", &t), 4); /* 160 sectors, 1280 floats */
  c[COUNTER_global_store_bytes] = 1280;                      /* 10 warps of 32 floats */
  c[COUNTER_global_store_sectors] = 160;
  ASSERT_NEAR(value("global_store_sectors_per_warp", &t), 16);
  ASSERT_NEAR(value("global_sectors_per_warp", &t), 6.4); /* 320 sectors, 1600 floats */
  ASSERT_NEAR(value("global_load_efficiency", &t), 50);
  ASSERT_NEAR(value("shared_load_wavefronts_per_inst", &t), 2.5);
  ASSERT_NEAR(value("shared_conflicts_per_inst", &t), 0.5);
  ASSERT_NEAR(value("shared_wavefronts_per_inst", &t), 2.5); /* of loads; stores: 1 */
  ASSERT_NEAR(value("shared_reuse", &t), 10);
  ASSERT_NEAR(value("active_lanes", &t), 16);
  assert_true(isnan(value("shared_bytes_per_operation", &t)));
  t.operations = 25600;
  ASSERT_NEAR(value("shared_bytes_per_operation", &t), 2);
  ASSERT_NEAR(value("loaded_bytes_per_operation", &t), 0.2);
  ASSERT_NEAR(value("global_load_words_per_request", &t), 4);
  assert_true(isnan(value("local_bytes_per_operation", &(struct totals){0})));
  c[COUNTER_local_load_inst] = 400; /* 32 lanes of 4 bytes each */
  ASSERT_NEAR(value("local_bytes_per_operation", &t), 2);
  assert_true(isnan(value("percent_of_ceiling", &t)));
  t.ceiling_ns = 1200;
  ASSERT_NEAR(value("percent_of_ceiling", &t), 40);
  ASSERT_NEAR(value("launches", &t), 2);
  ASSERT_NEAR(value("time_ns", &t), 3000);
  ASSERT_NEAR(value("global_load_requests", &t), 10);
  assert_null(metric_find("nothing"));
  assert_string_equal(metric_guess("shared_reus"), "shared_reuse");
}

static void test_answer_numbers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double number;
  } numbers[] = {{"5", 5},
                 {"5 sectors", 5},
                 {"80 %", 80},
                 {"12.5%, half of it", 12.5},
                 {"4, from byte 32", 4},
                 {"32 (of 32)", 32},
                 {"8 // 2 a lane", 8},
                 {"-1.", -1}};
  static const char *const others[] = {"five", "16 or 17", "4,5", "1/2",
                                       "4-5",  "%80",      "nan", "inf"};
  double number;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    assert_true(answer_number(numbers[i].text, &number));
    ASSERT_NEAR(number, numbers[i].number);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_false(answer_number(others[i], &number));
}

static void test_thresholds(void **state) {
  (void)state;
  struct threshold full = {true, false, 4}, zero = {true, true, 16}, none = {0};
  assert_int_equal(score_threshold(20, full, none, SCALE_LINEAR, 4), 20);
  assert_int_equal(score_threshold(20, full, none, SCALE_LINEAR, 4.01), 0);
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, 3), 20);
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, 4.001),
                   19); /* never full marks by rounding */
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, 10), 10);
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, 16), 0);
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, 1e9), 0);
  assert_int_equal(score_threshold(20, full, zero, SCALE_LINEAR, (double)NAN), 0);
  struct threshold high = {true, true, 0.9}, low = {true, false, 0.1};
  assert_int_equal(score_threshold(8, high, low, SCALE_LINEAR, 0.95), 8);
  assert_int_equal(score_threshold(8, high, low, SCALE_LINEAR, 0.5), 4);
  assert_int_equal(score_threshold(8, high, low, SCALE_LINEAR, 0.05), 0);
}

/* From 10 to 80 are three doublings: with 6 points one each factor of the square root of two. */
static void test_log_scale(void **state) {
  (void)state;
  struct threshold full = {true, true, 80}, zero = {true, false, 10};
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 80), 6);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 79.9), 5);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 40.1), 4);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 39.9), 3);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 20.1), 2);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 14), 0);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 10), 0);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, 0), 0);
  assert_int_equal(score_threshold(6, full, zero, SCALE_LOG, (double)NAN), 0);
  struct threshold low = {true, false, 1}, high = {true, true, 16}; /* less is better */
  assert_int_equal(score_threshold(4, low, high, SCALE_LOG, 1), 4);
  assert_int_equal(score_threshold(4, low, high, SCALE_LOG, 3.9), 2);
  assert_int_equal(score_threshold(4, low, high, SCALE_LOG, 17), 0);
}

/* What the next point takes is enough for it, and a little less is not. */
static void test_next_point(void **state) {
  (void)state;
  struct threshold full = {true, true, 88}, zero = {true, false, 10}, low = {true, false, 4},
                   high = {true, true, 16};
  ASSERT_NEAR(score_value_for(6, (struct threshold){true, true, 80}, zero, SCALE_LOG, 4), 40);
  ASSERT_NEAR(score_value_for(6, full, zero, SCALE_LOG, 6), 88);
  for (enum item_scale scale = SCALE_LINEAR; scale < ITEM_SCALES; scale++) {
    for (long points = 1; points < 22; points++) {
      double value = score_value_for(22, full, zero, scale, points);
      assert_int_equal(score_threshold(22, full, zero, scale, value), points);
      assert_int_equal(score_threshold(22, full, zero, scale, value - 0.11), points - 1);
      value = score_value_for(22, low, high, scale, points);
      assert_int_equal(score_threshold(22, low, high, scale, value), points);
      assert_int_equal(score_threshold(22, low, high, scale, value + 0.11), points - 1);
    }
  }
}

static void test_steps(void **state) {
  (void)state;
  struct threshold full = {true, false, 1.5}, half = {true, false, 3}, none = {0};
  assert_int_equal(score_steps(5, full, half, 1.5), 5);
  assert_int_equal(score_steps(5, full, half, 1.51), 3);
  assert_int_equal(score_steps(4, full, half, 3), 2);
  assert_int_equal(score_steps(4, full, half, 3.01), 0);
  assert_int_equal(score_steps(4, full, none, 1.51), 0);
  assert_int_equal(score_steps(4, full, half, (double)NAN), 0);
  struct threshold fast = {true, true, 2}, faster = {true, true, 1.2}; /* a speedup */
  assert_int_equal(score_steps(4, fast, faster, 2.5), 4);
  assert_int_equal(score_steps(4, fast, faster, 1.2), 2);
  assert_int_equal(score_steps(4, fast, faster, 1.1), 0);
}

/* --- a small lab with every class of item --- */

static struct case_conf cases[] = {{.name = "17", .dims = {17, 17, 17}, .sets = 1},
                                   {.name = "big", .dims = {99, 99, 99}, .sets = 1}};
static char *both[] = {(char *)"17", (char *)"big"}, *races[] = {(char *)"race"};
static struct item_conf items[] = {
    {.id = (char *)"right",
     .title = (char *)"Right",
     .class = ITEM_CORRECTNESS,
     .points = 31,
     .cases = both,
     .case_count = 2},
    {.id = (char *)"clean", .title = (char *)"Clean", .class = ITEM_HAZARD, .points = 20},
    {.id = (char *)"races",
     .title = (char *)"Races",
     .class = ITEM_HAZARD,
     .points = 10,
     .kinds = races,
     .kind_count = 1},
    {.id = (char *)"loads",
     .title = (char *)"Loads",
     .class = ITEM_TECHNIQUE,
     .points = 20,
     .case_name = (char *)"big",
     .metric = (char *)"global_load_sectors_per_request",
     .full = {true, false, 4},
     .zero = {true, true, 32}},
    {.id = (char *)"time",
     .title = (char *)"Time",
     .class = ITEM_PERFORMANCE,
     .points = 19,
     .case_name = (char *)"big",
     .metric = (char *)"speedup",
     .of = OF_BASELINE,
     .full = {true, true, 2}},
};
static struct lab lab = {.id = (char *)"labx"};
static struct source source = {.name = (char *)"x.cu"};

static void add_launch(struct case_result *run, uint64_t sectors, uint64_t time_ns) {
  struct report *report = &run->report;
  report->launches = calloc(1, sizeof *report->launches);
  report->launch_count = 1;
  struct launch_record *launch = report->launches;
  launch->kernel = strdup("k");
  launch->launches = 1;
  launch->time_kind = strdup("modelled");
  launch->bound = strdup("");
  launch->lines = calloc(2, sizeof *launch->lines);
  launch->line_count = 2;
  launch->lines[0].line = 11;
  launch->lines[0].counters.value[COUNTER_global_load_words] = 50;
  launch->lines[0].counters.value[COUNTER_global_load_sectors] = 50;
  launch->lines[1].line = 14;
  launch->lines[1].counters.value[COUNTER_global_load_words] = 50;
  launch->lines[1].counters.value[COUNTER_global_load_sectors] = sectors - 50;
  run->totals.launches = 1;
  run->totals.time_ns = time_ns;
  run->totals.counters.value[COUNTER_global_load_words] = 100;
  run->totals.counters.value[COUNTER_global_load_sectors] = sectors;
  /* What a product of 99 x 99 x 99 takes, and more. */
  run->totals.counters.value[COUNTER_global_load_bytes] = 8 * 99 * 99 * 99;
  run->totals.counters.value[COUNTER_global_store_bytes] = 4 * 99 * 99;
  run->totals.counters.value[COUNTER_fp32_ops] = 2 * 99 * 99 * 99;
}

static void add_hazard(struct case_result *run, const char *kind, bool warning, int line,
                       uint64_t count) {
  struct report *report = &run->report;
  report->hazards =
      realloc(report->hazards, sizeof *report->hazards * (size_t)(report->hazard_count + 1));
  report->hazards[report->hazard_count++] = (struct hazard_record){.kind = strdup(kind),
                                                                   .kernel = strdup("k"),
                                                                   .array = strdup("t"),
                                                                   .message = strdup(kind),
                                                                   .warning = warning,
                                                                   .line = line,
                                                                   .count = count};
}

/* A grade of two right cases; its cases can be changed before finish(). */
static struct grade begin(uint64_t sectors) {
  lab.conf = (struct conf){.title = (char *)"X",
                           .cases = cases,
                           .case_count = 2,
                           .items = items,
                           .item_count = 5,
                           .max_points = 100,
                           .family = &family_matmul};
  struct grade grade = {.lab = &lab, .source = &source, .backend = "sim"};
  grade.cases = calloc(2, sizeof *grade.cases);
  for (int i = 0; i < 2; i++) {
    grade.cases[i].state = CASE_RIGHT;
    add_launch(&grade.cases[i], sectors, 1000);
  }
  struct reference *reference = &grade.references[OF_BASELINE];
  reference->name = strdup("lab1's solution");
  reference->totals = calloc(2, sizeof *reference->totals);
  reference->totals[1] = (struct totals){.launches = 1, .time_ns = 2500};
  return grade;
}

static void finish(struct grade *grade) {
  score_hazards(grade);
  score_items(grade);
}

static void end(struct grade *grade) {
  for (int i = 0; i < 2; i++) case_free(&grade->cases[i]);
  for (int i = 0; i < 5; i++) free(grade->items[i].reason);
  for (int i = 0; i < grade->hazard_count; i++) hazard_record_free(&grade->hazards[i]);
  free(grade->error);
  free(grade->references[OF_BASELINE].name);
  free(grade->references[OF_BASELINE].totals);
  free(grade->cases);
  free(grade->items);
  free(grade->hazards);
}

static void expect_reason(const struct grade *grade, int item, const char *words) {
  const char *reason = grade->items[item].reason;
  if (!reason || !strstr(reason, words))
    fail_msg("'%s' does not say '%s'", reason ? reason : "", words);
}

static void test_full(void **state) {
  (void)state;
  struct grade grade = begin(400);
  finish(&grade);
  for (int i = 0; i < 5; i++) assert_null(grade.items[i].reason);
  assert_int_equal(grade.score, 100);
  assert_string_equal(grade.verdict, "pass");
  end(&grade);
}

static void test_scattered(void **state) {
  (void)state;
  struct grade grade = begin(1650);
  finish(&grade);
  assert_int_equal(grade.items[3].points, 11); /* (32 - 16.5) / 28 of 20 */
  expect_reason(
      &grade, 3,
      "16.5 sectors per request; full points at <= 4; x.cu:14 has 32: neighbouring lanes read");
  assert_string_equal(grade.verdict, "partial");
  end(&grade);
}

/* out[x * n + y] = in[y * n + x]: one line loads and stores. */
static void test_scattered_stores(void **state) {
  (void)state;
  struct grade grade = begin(400);
  char *loads = items[3].metric;
  items[3].metric = (char *)"global_store_sectors_per_request";
  uint64_t *line = grade.cases[1].report.launches[0].lines[1].counters.value;
  line[COUNTER_global_store_words] = 50;
  line[COUNTER_global_store_sectors] = 1600;
  grade.cases[1].totals.counters.value[COUNTER_global_store_words] = 50;
  grade.cases[1].totals.counters.value[COUNTER_global_store_sectors] = 1600;
  finish(&grade);
  expect_reason(&grade, 3, "x.cu:14 has 32: neighbouring lanes write addresses");
  items[3].metric = loads;
  end(&grade);
}

static void test_wrong_case(void **state) {
  (void)state;
  struct grade grade = begin(400);
  grade.cases[1].state = CASE_WRONG;
  grade.cases[1].kind = "wrong";
  grade.cases[1].reason = strdup("C[0][0]: expected 1, got 0");
  finish(&grade);
  assert_int_equal(grade.items[0].points, 15); /* half of 31, rounded down */
  expect_reason(&grade, 0, "case big: C[0][0]: expected 1, got 0");
  assert_int_equal(grade.items[1].points, 20); /* a wrong result is no hazard */
  assert_int_equal(grade.items[3].points + grade.items[4].points, 0);
  expect_reason(&grade, 3, "case big is not right yet");
  assert_int_equal(grade.hazard_count, 1);
  assert_string_equal(grade.hazards[0].kind, "wrong");
  end(&grade);
}

static void test_all_wrong(void **state) {
  (void)state;
  struct grade grade = begin(400);
  for (int i = 0; i < 2; i++) {
    grade.cases[i].state = CASE_WRONG;
    grade.cases[i].kind = "crash";
    grade.cases[i].reason = strdup("it crashed");
  }
  finish(&grade);
  assert_int_equal(grade.score, 0);
  assert_string_equal(grade.verdict, "fail");
  expect_reason(&grade, 1, "the program crashed: it crashed (case 17); 2 times");
  expect_reason(&grade, 2, "no case is right yet");
  end(&grade);
}

static void test_hazards(void **state) {
  (void)state;
  struct grade grade = begin(400);
  add_hazard(&grade.cases[0], "race", true, 3, 1);
  add_hazard(&grade.cases[0], "race", false, 9, 5);
  add_hazard(&grade.cases[0], "uninit", false, 20, 2);
  add_hazard(&grade.cases[1], "race", false, 9, 7);
  finish(&grade);
  assert_int_equal(grade.hazard_count, 3);
  assert_int_equal(grade.hazards[0].count, 12); /* races may leave out writes; warnings last */
  assert_string_equal(grade.hazards[0].message, "race (case 17)");
  assert_string_equal(grade.hazards[1].kind, "uninit");
  assert_true(grade.hazards[2].warning);
  expect_reason(&grade, 1, "x.cu:9: race: race (case 17); 12 times; and 1 more");
  expect_reason(&grade, 2, "x.cu:9: race: race (case 17); 12 times");
  assert_int_equal(grade.items[1].points + grade.items[2].points, 0);
  assert_int_equal(grade.items[0].points, 31);
  end(&grade);
}

static void test_warning_is_free(void **state) {
  (void)state;
  struct grade grade = begin(400);
  add_hazard(&grade.cases[0], "race", true, 3, 1);
  finish(&grade);
  assert_int_equal(grade.score, 100);
  end(&grade);
}

/* The hazards need the loads, which earn nothing: 32 sectors a request. */
static char *loads_id[] = {(char *)"loads"}, *either[] = {(char *)"loads", (char *)"races"};

static void need(char **ids, int count) {
  items[1].needs = ids;
  items[1].need_count = count;
}

static void test_needs(void **state) {
  (void)state;
  struct grade grade = begin(400);
  need(loads_id, 1);
  finish(&grade);
  assert_int_equal(grade.score, 100);
  end(&grade);
  grade = begin(3200);
  finish(&grade);
  assert_int_equal(grade.score, 31 + 10 + 19);
  assert_int_equal(grade.items[1].points, 0);
  expect_reason(&grade, 1, "these points require points for \"Loads\" first");
  end(&grade);
  need(either, 2); /* one of them is enough */
  grade = begin(3200);
  finish(&grade);
  assert_int_equal(grade.items[1].points, 20);
  end(&grade);
  need(NULL, 0);
}

/* A share of the ceiling, modelled and measured; of the latter the better end of the interval. A
 * product of 99 x 99 x 99 is 1,940,598 operations. */
static void test_ceiling(void **state) {
  (void)state;
  struct item_conf before = items[4];
  items[4].metric = (char *)"percent_of_ceiling";
  items[4].of = OF_VALUE;
  items[4].scale = SCALE_LOG;
  items[4].full = (struct threshold){true, true, 30};
  items[4].zero = (struct threshold){true, false, 10};
  struct share shares[2] = {{0},
                            {.per_ns = 1940.598, .ceiling = {"the fp32 units", 7762.392, NULL}}};
  struct grade grade = begin(400);
  grade.shares = shares;
  share_apply(&grade, 1);
  finish(&grade); /* 25% of it: log(2.5) / log(3) of 19 */
  ASSERT_NEAR(grade.items[4].value, 25);
  assert_int_equal(grade.items[4].points, 15);
  expect_reason(
      &grade, 4,
      "case big: 25% of the fp32 units, modelled; full points at >= 30, 16 of 19 at >= 25.3");
  end(&grade);

  grade = begin(400); /* 26.6% at the median, 27.7% in the best case: 16.9 and 17.6 of 19 */
  struct timing timings[2] = {
      {0}, {.measured = true, .count = 1, .timed = {{.name = (char *)"submission"}}}};
  timings[1].timed[0].ns = (struct interval){960, 1000, 1000};
  shares[1].ceiling = (struct ceiling){"cublasSgemm", 7300, (char *)"A GPU"};
  grade.shares = shares;
  grade.timings = timings;
  share_apply(&grade, 1);
  finish(&grade);
  assert_int_equal(grade.items[4].points, 17);
  expect_reason(&grade, 4,
                "26.6% of cublasSgemm, measured; full points at >= 30, 18 of 19 at >= 28.4");
  assert_null(grade.error);
  end(&grade);

  grade = begin(400); /* not known: the machine's fault, and no grade */
  shares[1].unknown = (char *)"there is no cuBLAS";
  grade.shares = shares;
  finish(&grade);
  expect_reason(&grade, 4, "the ceiling of case big is not known: there is no cuBLAS");
  assert_non_null(grade.error);
  assert_non_null(strstr(grade.error, "--backend sim"));
  end(&grade);
  items[4] = before;
}

/* A share of the ceiling beside another solution's: the thresholds are parts of what that one
 * reaches, so that they are the same feat whatever the ceiling is. */
static void test_part_of_ceiling(void **state) {
  (void)state;
  struct item_conf before = items[4];
  items[4].metric = (char *)"percent_of_ceiling";
  items[4].of = OF_BASELINE;
  items[4].scale = SCALE_LOG;
  items[4].full = (struct threshold){true, true, 4};
  items[4].zero = (struct threshold){true, false, 0.5};
  bool there[2] = {false, true};
  static const double ceilings[] = {7762.392, 77623.92};
  static const char *const reasons[] = {
      "25% of the fp32 units, modelled (lab1's solution: 10%); full points at >= 40, 15 of 19 at "
      ">= 25.9",
      "2.5% of the fp32 units, modelled (lab1's solution: 1%); full points at >= 4, 15 of 19 at >= "
      "2.59"};
  for (int i = 0; i < 2; i++) {
    struct share shares[2] = {{0}, {.per_ns = 1940.598, .ceiling = {"the fp32 units", 0, NULL}}};
    shares[1].ceiling.per_ns = ceilings[i];
    struct grade grade = begin(400);
    grade.references[OF_BASELINE].measured = there;
    grade.shares = shares;
    share_apply(&grade, 1);
    finish(&grade); /* log(5) / log(8) of 19 */
    assert_int_equal(grade.items[4].points, 14);
    expect_reason(&grade, 4, reasons[i]);
    end(&grade);
  }

  /* Measured: 14.7 of 19 by the median of the ratio, 15.2 by its better end; the times themselves
   * are further apart. */
  struct share shares[2] = {
      {0}, {.per_ns = 1940.598, .ceiling = {"cublasSgemm", 7300, (char *)"A GPU"}}};
  struct timing timings[2] = {
      {0},
      {.measured = true,
       .count = 2,
       .timed = {
           {.name = (char *)"submission", .ns = {500, 1000, 2000}},
           {.name = (char *)"baseline", .ns = {2000, 2500, 3000}, .ratio = {0.38, 0.4, 0.41}}}}};
  struct grade grade = begin(400);
  grade.shares = shares;
  grade.timings = timings;
  share_apply(&grade, 1);
  finish(&grade);
  assert_int_equal(grade.items[4].points, 15);
  expect_reason(&grade, 4,
                "26.6% of cublasSgemm, measured (lab1's solution: 10.6%); full points at >= 42.5");
  end(&grade);
  items[4] = before;
}

/* Items that need items that need others. */
static void test_chain_of_needs(void **state) {
  (void)state;
  static char *clean_id[] = {(char *)"clean"};
  need(loads_id, 1);
  items[2].needs = clean_id;
  items[2].need_count = 1;
  struct grade grade = begin(3200);
  finish(&grade);
  assert_int_equal(grade.score, 31 + 19);
  end(&grade);
  items[2].need_count = 0;
  need(NULL, 0);
}

/* A wrong result takes no more than its own: what was counted says whether the rest is there; if
 * nothing was in that case, what was counted in another one. */
static void test_needs_of_a_wrong_case(void **state) {
  (void)state;
  static const struct {
    uint64_t sectors;
    long points;
  } each[] = {{400, 20}, {3200, 0}};
  static const enum case_state states[] = {CASE_WRONG, CASE_NOT_RUN};
  need(loads_id, 1);
  for (int i = 0; i < 4; i++) {
    struct grade grade = begin(each[i % 2].sectors);
    grade.cases[1].state = states[i / 2];
    grade.cases[1].reason = strdup("not right");
    if (states[i / 2] == CASE_NOT_RUN) grade.cases[1].totals = (struct totals){0};
    finish(&grade);
    assert_int_equal(grade.items[3].points, 0);
    assert_int_equal(grade.items[1].points, each[i % 2].points);
    end(&grade);
  }
  need(NULL, 0);
}

/* A metric of the worst traffic names the line and the array. */
static void test_worst_traffic(void **state) {
  (void)state;
  struct traffic list[] = {
      {.line = 14, .array = "A", .requests = 50, .sectors = 1600, .bytes = 6400},
      {.line = 14, .array = "B", .sectors = 50, .bytes = 6400}};
  struct grade grade = begin(1650);
  char *loads = items[3].metric;
  items[3].metric = (char *)"global_load_sectors_per_warp";
  grade.cases[1].totals.traffic = list;
  grade.cases[1].totals.traffic_count = 2;
  finish(&grade);
  assert_int_equal(grade.items[3].points, 0);
  expect_reason(
      &grade, 3,
      "32 sectors for 32 floats; full points at <= 4; x.cu:14 reads A with 32: neighbouring "
      "lanes read addresses at least 32 bytes apart");
  items[3].metric = loads;
  end(&grade);
}

static void test_skipped(void **state) {
  (void)state;
  struct grade grade = begin(400);
  grade.cases[1].state = CASE_NOT_RUN;
  grade.cases[1].reason = strdup("not run, because the program hung in case 17");
  finish(&grade);
  expect_reason(&grade, 0, "big: not run, because the program hung in case 17");
  expect_reason(&grade, 3, "case big is not run");
  end(&grade);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answer_numbers),
      cmocka_unit_test(test_metrics),
      cmocka_unit_test(test_thresholds),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_log_scale),
      cmocka_unit_test(test_next_point),
      cmocka_unit_test(test_ceiling),
      cmocka_unit_test(test_part_of_ceiling),
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_scattered),
      cmocka_unit_test(test_scattered_stores),
      cmocka_unit_test(test_wrong_case),
      cmocka_unit_test(test_all_wrong),
      cmocka_unit_test(test_hazards),
      cmocka_unit_test(test_warning_is_free),
      cmocka_unit_test(test_skipped),
      cmocka_unit_test(test_needs),
      cmocka_unit_test(test_chain_of_needs),
      cmocka_unit_test(test_needs_of_a_wrong_case),
      cmocka_unit_test(test_worst_traffic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
