/* test_sim_timeline.c: when work of streams begins and ends (timeline.h), against what the programs
 * of gpus/calibrate_host.cu and calibrate_link.cu measured on an H100. */
#include <math.h>

#include "harness/sim/timeline/timeline.h"
#include "tests/unit/sim_device.h"

static struct gpu gpu;
static struct timeline *t;
enum { US = 1000, SMS = 132, FULL = 8 * SMS }; /* FULL: blocks that the device holds */

static int set_up(void **state) {
  char error[200];
  (void)state;
  if (!gpu_read(&gpu, NULL, error, sizeof error)) return -1;
  t = timeline_open(&gpu);
  for (uint32_t i = 1; i <= 128; i++) timeline_add_stream(t, i, false, 0);
  return t ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  timeline_close(t);
  return 0;
}

/* A kernel whose blocks take so long, one launch after the other. */
static void kernel(uint32_t stream, uint64_t blocks, double block_ns) {
  double waves = ceil((double)blocks / FULL);
  assert_true(
      timeline_issue(t, &(struct timeline_work){.kind = TIMELINE_KERNEL,
                                                .stream = stream,
                                                .blocks = blocks,
                                                .room = FULL,
                                                .ns = waves * block_ns + gpu.model.launch_gap_ns}));
}

static void copy(enum timeline_kind kind, uint32_t stream, uint64_t bytes) {
  assert_true(
      timeline_issue(t, &(struct timeline_work){.kind = kind, .stream = stream, .bytes = bytes}));
}

static double host_ns(void) { return timeline_host_ns(t); }

/* ns from one event in the default stream to another, of what is issued while a kernel runs. */
static uint32_t from;
static void begin(void) {
  from = 0;
  kernel(0, 1, 3000 * US);
  assert_true(timeline_record(t, &from, 0, true));
}
static double taken(void) {
  uint32_t to = 0;
  assert_true(timeline_record(t, &to, 0, true));
  timeline_finish_mark(t, to);
  double ns = timeline_mark_ns(t, to) - timeline_mark_ns(t, from);
  timeline_forget(t, from);
  timeline_forget(t, to);
  return ns;
}

#define NEAR(ns, measured, part) near(ns, measured, part, __LINE__)
static void near(double ns, double measured, double part, int line) {
  if (fabs(ns / measured - 1) > part)
    fail_msg("line %d: %.0f ns, measured: %.0f (%.2f)", line, ns, measured, ns / measured);
}

static void chains(void **state) {
  (void)state;
  begin();
  NEAR(taken(), 1248, .05);
  begin();
  kernel(1, 1, 20 * US);
  NEAR(taken(), 23552, .05);
  begin();
  for (int i = 0; i < 20; i++) kernel(1, 1, 20 * US);
  NEAR(taken(), 23552 + 19 * 21962, .03);
  begin();
  for (int i = 0; i < 20; i++) kernel(1, 1, 20 * US), copy(TIMELINE_COPY_OUT, 1, 1 << 20);
  NEAR(taken(), 20 * 50277, .05);
  begin();
  for (int i = 0; i < 20; i++) copy(TIMELINE_COPY_IN, 1, 65536), copy(TIMELINE_COPY_OUT, 1, 65536);
  NEAR(taken(), 20 * 8712, .25);
  begin();
  for (int i = 0; i < 20; i++) {
    copy(TIMELINE_COPY_IN, 1, 1 << 20);
    kernel(1, 1, 20 * US);
    copy(TIMELINE_COPY_OUT, 1, 1 << 20);
  }
  NEAR(taken(), 20 * 75474, .05);
}

/* Streams that wait for each other's events. */
static void events(void **state) {
  (void)state;
  uint32_t there = 0, back = 0;
  begin();
  kernel(1, 1, 20 * US);
  for (int i = 0; i < 20; i++) {
    timeline_record(t, &there, 1, false);
    timeline_wait(t, 2, there);
    kernel(2, 1, 20 * US);
    timeline_record(t, &back, 2, false);
    timeline_wait(t, 1, back);
  }
  NEAR(taken(), 23552 + 20 * 23704, .03);
}

static void default_stream(void **state) {
  (void)state;
  begin();
  for (int i = 0; i < 20; i++) kernel(0, 1, 20 * US), kernel(1, 1, 20 * US);
  NEAR(taken(), 20 * 44048, .03);
  timeline_add_stream(t, 200, true, 0);
  begin();
  for (int i = 0; i < 20; i++) kernel(0, 1, 20 * US), kernel(200, 1, 20 * US);
  timeline_finish(t);
  NEAR(taken(), 20 * 21962, .1); /* not measured: a non-blocking stream is beside it */
}

static void side_by_side(void **state) {
  static const struct {
    uint32_t count;
    double us;
  } measured[] = {{1, 203.6}, {2, 205.7}, {8, 210.8}, {32, 218.3}, {64, 234.2}, {128, 273.3}};
  (void)state;
  for (int i = 0; i < LENGTH(measured); i++) {
    begin();
    for (uint32_t s = 1; s <= measured[i].count; s++) kernel(s, 1, 200 * US);
    NEAR(taken(), measured[i].us * US, .05);
  }
  static const double halves[][2] = {{1, 206.1}, {2, 206.1}, {3, 404.5},
                                     {4, 404.8}, {6, 605.4}, {8, 805.3}};
  for (int i = 0; i < LENGTH(halves); i++) {
    uint64_t blocks = (uint64_t)(FULL * halves[i][0] / 4);
    begin();
    kernel(1, blocks, 200 * US);
    kernel(2, blocks, 200 * US);
    NEAR(taken(), halves[i][1] * US, .03);
  }
}

/* Two streams that share a connection stand in each other's way. */
static void connections(void **state) {
  static const double measured[][2] = {{2, 235.1}, {8, 248.5}, {16, 454.3}};
  (void)state;
  for (int i = 0; i < LENGTH(measured); i++) {
    begin();
    for (uint32_t s = 1; s <= measured[i][0]; s++)
      for (int k = 0; k < 10; k++) kernel(s, 1, 20 * US);
    NEAR(taken(), measured[i][1] * US, .12);
  }
}

/* CUDA_DEVICE_MAX_CONNECTIONS: with 16 connections ten kernels of 20 us in each of 16 streams are
 * side by side, some 200 us; with one the last kernel of a stream comes before the next stream's
 * first, so that only neighbours meet: 16 times 9 kernels and the last one's. */
static void set_connections(void **state) {
  static const double wanted[][2] = {{16, 10 * 22.0 + 16}, {1, (16 * 9 + 1) * 22.0}};
  (void)state;
  for (int i = 0; i < LENGTH(wanted); i++) {
    timeline_set_connections(t, (uint32_t)wanted[i][0], 0);
    begin();
    for (uint32_t s = 1; s <= 16; s++)
      for (int k = 0; k < 10; k++) kernel(s, 1, 20 * US);
    NEAR(taken(), wanted[i][1] * US, .05);
  }
}

/* With one connection the copy engine has one group of streams: copies go in the order of issue. */
static void one_connection(void **state) {
  uint32_t marks[9] = {0};
  (void)state;
  timeline_set_connections(t, 1, 1);
  for (uint32_t s = 1; s <= 8; s++) {
    copy(TIMELINE_COPY_IN, s, 16 << 20);
    timeline_record(t, &marks[s], s, true);
  }
  timeline_finish(t);
  for (uint32_t s = 1; s < 8; s++)
    assert_true(timeline_mark_ns(t, marks[s]) < timeline_mark_ns(t, marks[s + 1]));
}

static void priorities(void **state) {
  (void)state;
  timeline_add_stream(t, 201, false, -5);
  static const double measured[2][2] = {{557.1, 506.9}, {104.5, 556.6}};
  for (int urgent = 0; urgent < 2; urgent++) {
    uint32_t first = 0, second = 0, late = urgent ? 201 : 2;
    begin();
    kernel(1, FULL * 10, 50 * US);
    timeline_record(t, &first, 1, true);
    kernel(late, FULL, 50 * US);
    timeline_record(t, &second, late, true);
    timeline_finish(t);
    double start = timeline_mark_ns(t, from);
    NEAR(timeline_mark_ns(t, second) - start, measured[urgent][0] * US, .03);
    NEAR(timeline_mark_ns(t, first) - start, measured[urgent][1] * US, .03);
  }
}

static void copies(void **state) {
  enum { MIB = 1 << 20 };
  (void)state;
  begin();
  copy(TIMELINE_COPY_IN, 1, 256 * MIB);
  NEAR(taken(), 4863e3, .03);
  begin();
  copy(TIMELINE_COPY_IN, 1, 128 * MIB);
  copy(TIMELINE_COPY_OUT, 2, 128 * MIB);
  NEAR(taken(), 2884e3, .03);
  begin();
  copy(TIMELINE_COPY_IN, 1, 128 * MIB);
  copy(TIMELINE_COPY_IN, 2, 128 * MIB);
  NEAR(taken(), 4882e3, .03);
  uint32_t small = 0;
  begin();
  copy(TIMELINE_COPY_IN, 3, 128 * MIB);
  copy(TIMELINE_COPY_IN, 4, 65536); /* waits for the engine */
  timeline_record(t, &small, 4, true);
  timeline_finish(t);
  NEAR(timeline_mark_ns(t, small) - timeline_mark_ns(t, from), 2443e3, .03);
}

/* Halves of the device side by side, the road both ways: the more streams, the shorter. */
static void overlap(void **state) {
  enum { MIB = 1 << 20, ALL = 128 };
  double alone = 0, last = 0;
  (void)state;
  for (uint32_t streams = 1; streams <= 16; streams *= 2) {
    begin();
    for (uint32_t s = 1; s <= streams; s++) {
      copy(TIMELINE_COPY_IN, s, ALL * MIB / streams);
      kernel(s, FULL, 2400.0 * US / streams);
      copy(TIMELINE_COPY_OUT, s, ALL * MIB / streams);
    }
    double ns = taken();
    if (streams == 1)
      alone = ns;
    else
      assert_true(ns < last);
    last = ns;
  }
  assert_true(last < alone * .5 && last > alone / 3);
}

/* What the host sees: what its calls take, and what it waits for. */
static void host(void **state) {
  (void)state;
  double start = host_ns();
  kernel(0, 1, 0);
  timeline_finish(t);
  NEAR(host_ns() - start, 9130, .12);
  start = host_ns();
  kernel(0, 1, 100 * US);
  timeline_finish(t);
  NEAR(host_ns() - start, 109862, .02);
  static const struct {
    enum timeline_kind kind;
    bool pageable;
    uint64_t bytes;
    double ns;
  } measured[] = {
      {TIMELINE_COPY_IN, false, 4, 7392},
      {TIMELINE_COPY_OUT, false, 4, 6644},
      {TIMELINE_COPY_IN, false, 1 << 20, 26912},
      {TIMELINE_COPY_IN, true, 1 << 20, 58838},
      {TIMELINE_COPY_IN, true, 1 << 16, 6566},
      {TIMELINE_COPY_IN, true, 1 << 26, 7491412},
      {TIMELINE_COPY_OUT, true, 4, 7406},
      {TIMELINE_COPY_OUT, true, 1 << 16, 15243},
      {TIMELINE_COPY_OUT, true, 1 << 20, 130000},
      /* 106771 to 190000 */ {TIMELINE_COPY_OUT, true, 1 << 26, 5600000} /* 4338223 to 6900000 */};
  for (int i = 0; i < LENGTH(measured); i++) {
    timeline_finish(t);
    start = host_ns();
    timeline_issue(t, &(struct timeline_work){.kind = measured[i].kind,
                                              .bytes = measured[i].bytes,
                                              .pageable = measured[i].pageable,
                                              .waits = true});
    NEAR(host_ns() - start, measured[i].ns, .35); /* they differ as much from run to run */
  }
  uint32_t first = 0, second = 0;
  timeline_finish(t);
  timeline_record(t, &first, 0, true);
  kernel(0, 1, 20 * US);
  timeline_record(t, &second, 0, true);
  timeline_finish_mark(t, second);
  NEAR(timeline_mark_ns(t, second) - timeline_mark_ns(t, first), 27232, .08);
}

static void questions(void **state) {
  (void)state;
  uint32_t mark = 0;
  kernel(1, 1, 100 * US);
  timeline_record(t, &mark, 1, true);
  assert_false(timeline_mark_is_done(t, mark));
  assert_true(isnan(timeline_mark_ns(t, mark)));
  assert_false(timeline_stream_is_done(t, 1) || timeline_stream_is_done(t, 0));
  assert_true(timeline_stream_is_done(t, 2));
  int asked = 0;
  for (; !timeline_mark_is_done(t, mark); asked++) timeline_query(t);
  assert_in_range(asked, 100 * US / 600, 120 * US / 200);
  assert_true(timeline_stream_is_done(t, 1));
  uint32_t other = 0;
  timeline_record(t, &other, 3, false);
  timeline_forget(t, other); /* before it happens, and what waits for it */
  timeline_wait(t, 4, mark);
  timeline_forget(t, mark);
  kernel(4, 1, US);
  timeline_finish_stream(t, 4);
  assert_true(timeline_stream_is_done(t, 4));
}

/* A stream's number goes to another stream while its work is under way. */
static void numbers(void **state) {
  (void)state;
  kernel(7, 1, 500 * US);
  timeline_add_stream(t, 7, true, 0);
  kernel(7, 1, 500 * US);
  timeline_finish_stream(t, 7);
  assert_true(host_ns() > 1000 * US);
}

/* More than the queue holds: the host waits for room. */
static void full_queue(void **state) {
  (void)state;
  for (int i = 0; i < 3000; i++) kernel(1, 1, 10 * US);
  assert_true(host_ns() > 1900 * 11.0 * US);
  timeline_finish(t);
  NEAR(host_ns(), 3000 * 11.84 * US, .02);
}

/* A copy engine serves streams 1 and 5, then 2 and 6, and so on. */
static void copy_groups(void **state) {
  static const uint32_t order[] = {1, 5, 2, 6, 3, 7, 4, 8}; /* of 16 MiB in each of 8 streams */
  uint32_t marks[9] = {0};
  (void)state;
  for (uint32_t s = 1; s <= 8; s++) {
    copy(TIMELINE_COPY_IN, s, 16 << 20);
    timeline_record(t, &marks[s], s, true);
  }
  timeline_finish(t);
  for (int i = 0; i + 1 < LENGTH(order); i++)
    assert_true(timeline_mark_ns(t, marks[order[i]]) < timeline_mark_ns(t, marks[order[i + 1]]));
}

/* Ends of copies of so many MiB that `copies` issues, one a stream of its own number, sorted: the
 * streams in the order in which theirs end. */
struct in_turn {
  uint32_t stream, mib;
  double after; /* ns of the host, before the call */
};
static void copied_in_turn(const struct in_turn *copies, int count, const uint32_t *order) {
  uint32_t marks[16] = {0};
  for (int i = 0; i < count; i++) {
    timeline_spend(t, copies[i].after, "work");
    copy(TIMELINE_COPY_IN, copies[i].stream, (uint64_t)copies[i].mib << 20);
    assert_true(timeline_record(t, &marks[i], copies[i].stream, false));
  }
  timeline_finish(t);
  for (int i = 0; i + 1 < count; i++) {
    double ns = timeline_mark_ns(t, marks[order[i]]),
           next = timeline_mark_ns(t, marks[order[i + 1]]);
    if (!(ns < next)) fail_msg("copy %u ends behind copy %u", order[i], order[i + 1]);
  }
}

/* Within a group, copies go in the order of issue, of whatever stream: the engine stays with none.
 * "out_only" in tests/timeline/recorded. */
static void copies_in_order(void **state) {
  static const struct in_turn copies[] = {{1, 1, 0}, {5, 1, 0}, {1, 1, 0}, {5, 1, 0}, {9, 1, 0}};
  static const uint32_t order[] = {0, 1, 2, 3, 4};
  (void)state;
  copied_in_turn(copies, LENGTH(copies), order);
}

/* A copy of 4 MiB takes 80 us. Of the same group, one that comes after 40 us follows it; one that
 * comes after 70 us finds that the engine has turned to the next group. "depth_8", on the two GPUs.
 */
static void looks_ahead(void **state) {
  static const struct in_turn in_time[] = {{1, 4, 0}, {2, 4, 0}, {5, 4, 30 * US}},
                              late[] = {{1, 4, 0}, {2, 4, 0}, {5, 4, 62 * US}};
  (void)state;
  copied_in_turn(in_time, LENGTH(in_time), (uint32_t[]){0, 2, 1});
  copied_in_turn(late, LENGTH(late), (uint32_t[]){0, 1, 2});
}

/* CUDA_DEVICE_MAX_COPY_CONNECTIONS=8: streams 1 and 5 are in groups of their own. */
static void copy_connections(void **state) {
  static const struct in_turn copies[] = {{1, 4, 0}, {2, 4, 0}, {5, 4, 0}, {9, 4, 0}};
  (void)state;
  timeline_set_connections(t, 0, 8);
  copied_in_turn(copies, LENGTH(copies), (uint32_t[]){0, 3, 1, 2});
}

/* Allocations of up to 1 MiB share blocks of 2 MiB. */
static void small_allocations(void **state) {
  const struct gpu_timeline *f = &gpu.timeline;
  static const struct {
    int64_t bytes; /* less than 0: freed */
    bool whole;
  } calls[] = {{4096, true},    {1 << 20, false},   {(1 << 20) - 4096, false},
               {1, true},       {-1, true},         {-4096, false},
               {2 << 20, true}, {-(2 << 20), true}, {-(1 << 20), false},
               {4096, false},   {-4096, false},     {-((1 << 20) - 4096), true},
               {4096, true}};
  (void)state;
  for (int i = 0; i < LENGTH(calls); i++) {
    double before = host_ns();
    if (calls[i].bytes < 0)
      timeline_free(t, (uint64_t)-calls[i].bytes);
    else
      timeline_allocate(t, (uint64_t)calls[i].bytes);
    double spent = host_ns() - before,
           wanted = calls[i].bytes < 0
                        ? f->synchronize_ns + (calls[i].whole ? f->free_ns : f->small_free_ns)
                    : calls[i].whole ? f->allocate_ns
                                     : f->small_allocate_ns;
    if (fabs(spent - wanted) > 1) fail_msg("call %d: %.0f ns, not %.0f", i, spent, wanted);
  }
}

/* A kernel that reads mapped memory all the time leaves a copy hardly anything of the link, and is
 * itself a little slower: 16 MiB beside 2 ms of it end some 0.2 ms after it. */
static void beside_mapped(void **state) {
  uint32_t copied = 0, ran = 0;
  (void)state;
  const struct timeline_work reads = {.kind = TIMELINE_KERNEL,
                                      .stream = 1,
                                      .blocks = FULL,
                                      .room = FULL,
                                      .ns = 2000 * US,
                                      .mapped = (uint64_t)(gpu.timeline.mapped_per_ns * 2000 * US)};
  assert_true(timeline_issue(t, &reads) && timeline_record(t, &ran, 1, false));
  copy(TIMELINE_COPY_IN, 2, 16 << 20);
  assert_true(timeline_record(t, &copied, 2, false));
  timeline_finish(t);
  NEAR(timeline_mark_ns(t, ran), 2150 * US, .01);
  NEAR(timeline_mark_ns(t, copied) - timeline_mark_ns(t, ran), 212 * US, .06);
}

struct seen {
  int count;
  double last;
  uint64_t ids[8];
};

static void on_end(void *context, const struct timeline_span *span) {
  struct seen *seen = context;
  assert_true(span->issued <= span->ready && span->ready <= span->begin &&
              span->begin <= span->end && seen->last <= span->end);
  seen->last = span->end;
  seen->ids[seen->count++] = span->id;
}

static void spans(void **state) {
  (void)state;
  struct seen seen = {0};
  timeline_listen(t, &(struct timeline_listener){.context = &seen, .ended = on_end});
  kernel(1, 1, 50 * US);
  copy(TIMELINE_COPY_IN, 2, 4096);
  kernel(3, FULL * 200, US);
  timeline_finish(t);
  assert_int_equal(seen.count, 3);
  assert_true(seen.ids[0] == 2 && seen.ids[1] == 1 && seen.ids[2] == 3);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {TEST(chains),
                                     TEST(events),
                                     TEST(default_stream),
                                     TEST(side_by_side),
                                     TEST(connections),
                                     TEST(set_connections),
                                     TEST(one_connection),
                                     TEST(priorities),
                                     TEST(copies),
                                     TEST(overlap),
                                     TEST(host),
                                     TEST(questions),
                                     TEST(numbers),
                                     TEST(full_queue),
                                     TEST(copy_groups),
                                     TEST(spans),
                                     TEST(copies_in_order),
                                     TEST(looks_ahead),
                                     TEST(copy_connections),
                                     TEST(small_allocations),
                                     TEST(beside_mapped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
