/* test_grader_measuring.c: a grading on a GPU, without one: a kit whose harness/compile copies this
 * program as the runner of either backend. It then acts as told by KIT_FAKE (fake_runner.h), and
 * what it reports of times by KIT_FAKE_RATIO, the submission's time over the reference's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "grader/grading/grading.h"
#include "tests/unit/fake_runner.h"

/* --- the runner --- */

static json_t *series(double value, double noise) {
  json_t *list = json_array();
  for (int r = 0; r < 20; r++)
    json_array_append_new(list, json_real(value * (1 + noise * (r % 5))));
  return list;
}

static json_t *timed(const char *name, double ns, double noise) {
  return json_pack("{s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "name", name, "worst_difference",
                   fake_is("wrong_when_timed") ? 9.0 : 0.0, "event_ns", series(ns, noise),
                   "sync_ns", series(ns, noise), "wall_ns", series(ns, noise), "cold_ns",
                   series(0, 0), "waited_ns", series(0, 0));
}

static void fake_timing(void) {
  double ratio = atof(getenv("KIT_FAKE_RATIO")), noise = fake_is("noisy") ? 0.1 : 0.001;
  json_t *result = json_pack("{s:i, s:i, s:{}, s:{s:i}, s:[o, o]}", "rounds", 20, "batch", 1,
                             "before", "after", "other_processes", 0, "timed",
                             timed("submission", 1000 * ratio, noise), timed("reference", 1000, 0));
  char *text = json_dumps(result, JSON_COMPACT);
  fake_send(FRAME_TIMING, text);
  free(text);
  json_decref(result);
}

/* One kernel, of 7 us on the GPU, of 2 us modelled. */
static void report_timeline(void) {
  if (fake_on_gpu && fake_is("gpu_dies_recorded")) raise(SIGABRT);
  if (fake_on_gpu && fake_is("gpu_no_cupti"))
    fake_send(FRAME_TIMELINE, "{\"error\":\"install CUPTI\"}");
  else
    fake_send(FRAME_TIMELINE, fake_on_gpu
                                  ? "{\"traceEvents\":[{\"name\":\"k\",\"cat\":\"kernel\","
                                    "\"ph\":\"X\",\"pid\":2,\"tid\":0,\"ts\":5,\"dur\":7}]}"
                                  : "{\"traceEvents\":[{\"name\":\"k\",\"cat\":\"kernel\","
                                    "\"ph\":\"X\",\"pid\":2,\"tid\":0,\"ts\":1,\"dur\":2}]}");
}

/* --- the kit --- */

static char root[] = "/tmp/test-measuring-XXXXXX", work[64];
static struct kit kit;

static void write_file(const char *name, int mode, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", root, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  assert_int_equal(chmod(path, (mode_t)mode), 0);
}

static int set_up(void **state) {
  (void)state;
  char path[200], self[200] = "";
  assert_non_null(mkdtemp(root));
  kit.root = root;
  static const char *const folders[] = {"labs",    "labs/lab1_x", "solutions", "solutions/lab1_x",
                                        "harness", "build"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, sizeof path, "%s/%s", root, folders[i]);
    assert_int_equal(mkdir(path, 0700), 0);
  }
  write_file("labs/lab1_x/lab1.cu", 0600, "// one line\n");
  write_file("solutions/lab1_x/lab1.cu", 0600, "// one line\n");
  write_file("labs/lab1_x/lab.conf", 0600,
             "[lab]\ntitle = X\nproblem = matmul\nsleep_limit = 5\n"
             "[case 8]\ndims = M=8 N=5 K=5\n[case 9]\ndims = M=9 N=5 K=5\n"
             "[item right]\nclass = correctness\ntitle = Right\npoints = 50\ncases = 8 9\n"
             "[item clean]\nclass = hazard\ntitle = Clean\npoints = 30\n"
             "[item time]\nclass = performance\ntitle = Time\npoints = 20\ncase = 9\n"
             "metric = time_ns\nof = reference\nfull = <= 1.5\nhalf = <= 3\n");
  /* Whatever it is to make, it makes this program; nvcc may refuse the submission's object. */
  write_file("harness/compile", 0700,
             "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case $1 in\n"
             "  --backend) backend=$2 ;;\n"
             "  --object)\n    made=$2\n    [ \"$backend $KIT_FAKE\" != 'gpu refused_by_nvcc' ] || "
             "{ echo 'lab1.cu:1:1: error: no' >&2; exit 1; } ;;\n"
             "  --prepare | --output) made=$2 ;;\n  esac\n  shift 2\ndone\n"
             "cp \"$KIT_TEST_PROGRAM\" \"$made\"\n");
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  setenv("KIT_TEST_PROGRAM", self, 1);
  setenv("KIT_NO_AS_LIMIT", "1", 1);
#ifdef __SANITIZE_ADDRESS__
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* of the fakes, whose names take it seconds */
#endif
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[200];
  snprintf(command, sizeof command, "rm -r %s", root);
  return system(command);
}

static struct lab lab;
static struct source source;

static struct grade grade_cases(const char *behaviour, const char *ratio, bool timeline,
                                const char *const *cases, int count) {
  setenv("KIT_FAKE", behaviour, 1);
  setenv("KIT_FAKE_RATIO", ratio, 1);
  snprintf(work, sizeof work, "%s/build/work-XXXXXX", root);
  assert_non_null(mkdtemp(work));
  lab_open(&kit, "lab1", &lab);
  assert_int_equal(source_read(lab.source, &source), 0);
  struct grade grade = {.lab = &lab, .source = &source, .backend = "gpu", .seed = 1};
  grade.cases = calloc(2, sizeof *grade.cases);
  grading_run(&kit,
              &(struct grading_options){
                  .work = work, .timeline = timeline, .cases = cases, .case_count = count},
              &grade);
  return grade;
}

static struct grade grade_it(const char *behaviour, const char *ratio) {
  return grade_cases(behaviour, ratio, false, NULL, 0);
}

static void end(struct grade *grade) {
  grade_free(grade);
  source_free(&source);
  lab_free(&lab);
}

/* The score, and words of the first reason for a lost point (NULL: none lost). */
static void expect(const char *behaviour, const char *ratio, long score, const char *words) {
  struct grade grade = grade_it(behaviour, ratio);
  if (grade.error) fail_msg("%s: %s", behaviour, grade.error);
  assert_int_equal(grade.score, score);
  const char *reason = NULL;
  for (int i = 0; i < 3 && !reason; i++) reason = grade.items[i].reason;
  if (!words != !reason || (words && !strstr(reason, words)))
    fail_msg("%s: '%s' does not say '%s'", behaviour, reason ? reason : "", words ? words : "");
  end(&grade);
}

static void expect_error(const char *behaviour, const char *words) {
  struct grade grade = grade_it(behaviour, "1.3");
  assert_string_equal(grade.verdict, "error");
  if (!grade.error || !strstr(grade.error, words))
    fail_msg("%s: '%s' does not say '%s'", behaviour, grade.error ? grade.error : "", words);
  end(&grade);
}

static void test_measured(void **state) {
  (void)state;
  expect("right", "1", 100, NULL);
  expect("right", "1.498", 100, NULL); /* median 1.501: the benefit of the interval */
  expect("right", "2.5", 90, "2.5 times the time of lab1's solution");
  expect("right", "3.5", 80, "full points at <= 1.5, half at <= 3");
}

static void test_wrong_there(void **state) {
  (void)state;
  expect("gpu_zeros", "1", 0, "case 8: on the GPU (not on the simulator): C[0][0]: expected");
  expect("wrong_when_timed", "1", 55, "case 9: a timed call gave a wrong result, off by 9");
  expect("refused_by_nvcc", "1", 0, "the file does not compile");
}

static void test_our_fault(void **state) {
  (void)state;
  expect_error("no_device", "on the GPU: the call left cudaErrorNoDevice");
  expect_error("noisy", "inconclusive: the times of case 9 vary too much");
}

/* A race's result is luck there: the score is the simulator's, times are modelled. */
static void test_hazard(void **state) {
  (void)state;
  struct grade grade = grade_it("race", "3.5");
  assert_null(grade.error);
  assert_null(grade.timings);
  assert_non_null(grade.not_measured);
  assert_int_equal(grade.score, 70);
  assert_string_equal(grade.device, "fake device");
  end(&grade);
}

/* Of cases asked for by name timelines are recorded in runs of their own, which cost no points. */
static void test_timelines(void **state) {
  static const char *const both[] = {"8", "9"};
  (void)state;
  struct grade grade = grade_cases("right", "1", true, both, 2);
  assert_null(grade.error);
  assert_int_equal(grade.score, 100);
  for (int i = 0; i < 2; i++) {
    const struct case_result *result = &grade.cases[i];
    assert_true(result->spans.end - result->spans.begin == 2);
    assert_true(result->measured.end - result->measured.begin == 7);
    assert_int_equal(json_array_size(json_object_get(result->measured_trace, "traceEvents")), 1);
    assert_null(result->not_recorded);
  }
  end(&grade);
  static const char *const failures[][2] = {
      {"gpu_no_cupti", "install CUPTI"},
      {"gpu_dies_recorded", "while it was recorded: it stopped itself"}};
  for (int i = 0; i < 2; i++) {
    grade = grade_cases(failures[i][0], "1", true, both, 2);
    assert_null(grade.error);
    assert_int_equal(grade.score, 100);
    assert_null(grade.cases[0].measured_trace);
    assert_non_null(grade.cases[0].not_recorded);
    if (!strstr(grade.cases[0].not_recorded, failures[i][1]))
      fail_msg("%s: %s", failures[i][0], grade.cases[0].not_recorded);
    assert_null(grade.cases[1].not_recorded); /* it was not tried again */
    assert_true(grade.cases[0].spans.count == 1 && grade.cases[0].measured.count == 0);
    end(&grade);
  }
  grade = grade_cases("gpu_dies_recorded", "1", false, both, 2); /* nobody asks */
  assert_true(!grade.error && !grade.cases[0].not_recorded);
  end(&grade);
}

/* --- over sizes --- */

static struct sizes measure_sizes(const char *behaviour, const char *ratio) {
  setenv("KIT_FAKE", behaviour, 1);
  setenv("KIT_FAKE_RATIO", ratio, 1);
  snprintf(work, sizeof work, "%s/build/work-XXXXXX", root);
  assert_non_null(mkdtemp(work));
  lab_open(&kit, "lab1", &lab);
  assert_int_equal(source_read(lab.source, &source), 0);
  struct sizes sizes = {
      .lab = &lab, .source = &source, .on_gpu = true, .times = 20, .case_index = 0, .seed = 1};
  assert_null(sizes_parse("7,4", &sizes));
  sizes_measure(&kit, work, &sizes);
  return sizes;
}

static void end_sizes(struct sizes *sizes) {
  sizes_free(sizes);
  source_free(&source);
  lab_free(&lab);
}

static void test_sizes(void **state) {
  (void)state;
  struct sizes sizes = measure_sizes("right", "2.5");
  if (sizes.error) fail_msg("%s", sizes.error);
  assert_int_equal(sizes.line_count, 2);
  assert_true(sizes.lines[0].measured && sizes.values[0] == 4);
  for (int i = 0; i < 2; i++) {
    const struct size_point *own = &sizes.lines[0].points[i], *model = &sizes.lines[1].points[i];
    assert_int_equal(own->state, POINT_RIGHT);
    assert_true(fabs(own->ns - 2505) < 1e-6); /* 2500 (1 + 0.001 r), r from 0 to 4 */
    assert_true(own->deviation_ns > 3 && own->deviation_ns < 4);
    assert_true(own->runs == 20 && model->ns == 1000 && model->deviation_ns == 0);
  }
  assert_string_equal(sizes.device, "fake GPU");
  assert_int_equal(sizes.over, -1); /* this kit has no code for a CPU, and no baseline */
  assert_non_null(strstr(sizes.notes[0], "the CPU was not timed: problem matmul has no code"));
  end_sizes(&sizes);
}

static void test_wrong_sizes(void **state) {
  (void)state;
  struct sizes sizes = measure_sizes("wrong_when_timed", "1");
  assert_null(sizes.error);
  assert_int_equal(sizes.lines[0].points[1].state, POINT_WRONG);
  assert_non_null(strstr(sizes.lines[0].points[1].reason, "gave a wrong result, off by 9"));
  end_sizes(&sizes);
  sizes = measure_sizes("no_device", "1"); /* which is ours */
  assert_non_null(sizes.error);
  assert_false(sizes.refused);
  end_sizes(&sizes);
  sizes = measure_sizes("refused_by_nvcc", "1");
  assert_true(sizes.refused);
  end_sizes(&sizes);
}

/* Where there are no solutions the file is timed alone. */
static void test_sizes_alone(void **state) {
  (void)state;
  char from[100], to[100];
  snprintf(from, sizeof from, "%s/solutions", root);
  snprintf(to, sizeof to, "%s/hidden", root);
  assert_int_equal(rename(from, to), 0);
  struct sizes sizes = measure_sizes("right", "2.5");
  assert_null(sizes.error);
  assert_int_equal(sizes.line_count, 1);
  assert_int_equal(sizes.lines[0].points[0].state, POINT_RIGHT);
  assert_non_null(strstr(sizes.notes[0], "this copy of the kit has no solutions"));
  end_sizes(&sizes);
  assert_int_equal(rename(to, from), 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--job") == 0) {
    fake_on_gpu = strstr(argv[0], "gpu-runner") != NULL;
    fake_time = fake_timing;
    fake_timeline = report_timeline;
    return fake_runner();
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_measured),    cmocka_unit_test(test_wrong_there),
      cmocka_unit_test(test_our_fault),   cmocka_unit_test(test_hazard),
      cmocka_unit_test(test_sizes),       cmocka_unit_test(test_wrong_sizes),
      cmocka_unit_test(test_sizes_alone), cmocka_unit_test(test_timelines),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
