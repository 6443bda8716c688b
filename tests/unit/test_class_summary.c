/* test_class_summary.c: figures over a class, from a small gradebook, worked out by hand.
 *
 * Eight students: a to h. Lab "lab2" of the test has items right (10 points, correctness), clean
 * (10, hazard) and fast (20, performance, looks at case big, which the lab shows).
 *
 *   a  40  right 10, clean 10, fast 20   big in 100 ns      one attempt
 *   b  30  right 10, clean 10, fast 10   big in 200 ns      attempts 10, 30
 *   c  10  right 10, clean 0 (a race), fast 0: 800 ns       attempts 10, 10, 10: stuck; late
 *   d   5  right 5, clean 0 not judged, fast 0 not judged   big is wrong; nothing is right
 *   e  refused        f  error        g  pending            h  nothing */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"
#include "grader/class/report/class_report.h"
#include "grader/class/report/report_charts.h"
#include "grader/class/report/report_words.h"
#include "grader/class/report/summary.h"

static char case_name[] = "big", title[] = "The lab", fast[] = "fast";
static struct case_conf conf_cases[] = {{.name = case_name, .show = true}};
static struct item_conf conf_items[] = {{.id = fast, .case_name = case_name}};
static struct conf conf = {
    .title = title, .cases = conf_cases, .case_count = 1, .items = conf_items, .item_count = 1};

static const char rows[] =
    "INSERT INTO student(id, name, pseudonym) VALUES"
    " ('h','H','Hazel Heron'), ('a','A','Amber Alder'), ('b','B','Beryl Bay'), ('c','C','Coral "
    "Cove'),"
    " ('d','D','Dawn Dune'), ('e','E','Ember Elm'), ('f','F','Fern Finch'), ('g','G','Gilded "
    "Gull');"

    "INSERT INTO attempt(id, work, submitter, student, lab, number, late, status, counts, verdict, "
    "score, max, reason, seed,"
    "  backend, device, kit_version, graded_at) VALUES"
    " ('a1','a1','folder:a','a','lab2',1,0,'graded',1,'pass',40,40,NULL,7,'sim','D','1','2026-01-"
    "01T00:00:00Z'),"
    " ('b1','b1','folder:b','b','lab2',1,0,'graded',0,'partial',10,40,NULL,7,'sim','D','1','2026-"
    "01-01T00:00:00Z'),"
    " ('b2','b2','folder:b','b','lab2',2,0,'graded',1,'partial',30,40,NULL,7,'sim','D','1','2026-"
    "01-03T00:00:00Z'),"
    " ('c1','c1','folder:c','c','lab2',1,0,'graded',0,'partial',10,40,NULL,7,'sim','D','1','2026-"
    "01-01T00:00:00Z'),"
    " ('c2','c2','folder:c','c','lab2',2,0,'graded',0,'partial',10,40,NULL,7,'sim','D','1','2026-"
    "01-01T00:00:00Z'),"
    " ('c3','c3','folder:c','c','lab2',3,60,'graded',1,'partial',10,40,NULL,7,'sim','D','1','2026-"
    "01-02T00:00:00Z'),"
    " ('d1','d1','folder:d','d','lab2',1,0,'graded',1,'partial',5,40,NULL,7,'sim','D','1','2026-01-"
    "01T00:00:00Z'),"
    " ('e1','e1','folder:e','e','lab2',1,0,'refused',1,NULL,NULL,NULL,'cut "
    "off',7,'sim',NULL,'1',NULL),"
    " ('f1','f1','folder:f','f','lab2',1,0,'error',1,'error',NULL,40,'no "
    "compiler',7,'sim',NULL,'1',NULL),"
    " ('g1','g1','folder:g','g','lab2',1,0,'pending',1,NULL,NULL,NULL,NULL,7,'sim',NULL,'1',NULL);"

    /* What does not count is made to be noticed if it were counted. */
    "INSERT INTO item(attempt, position, item, title, class, points, max, value, reason, hint) "
    "VALUES"
    " ('a1',0,'right','Right','correctness',10,10,NULL,NULL,NULL), "
    "('a1',1,'clean','Clean','hazard',10,10,NULL,NULL,NULL),"
    " ('a1',2,'fast','Fast','performance',20,20,1.0,NULL,NULL),"
    " ('b1',0,'right','Right','correctness',0,10,NULL,'x',NULL), "
    "('b1',1,'clean','Clean','hazard',0,10,NULL,'x',NULL),"
    " ('b2',0,'right','Right','correctness',10,10,NULL,NULL,NULL), "
    "('b2',1,'clean','Clean','hazard',10,10,NULL,NULL,NULL),"
    " ('b2',2,'fast','Fast','performance',10,20,2.0,'slow','Use tiles.'),"
    " ('c3',0,'right','Right','correctness',10,10,NULL,NULL,NULL), "
    "('c3',1,'clean','Clean','hazard',0,10,NULL,'a race','Barriers.'),"
    " ('c3',2,'fast','Fast','performance',0,20,8.0,'slow','Use tiles.'),"
    " ('d1',0,'right','Right','correctness',5,10,NULL,'case big: row 3 is 0',NULL),"
    " ('d1',1,'clean','Clean','hazard',0,10,NULL,'no case is right yet','Barriers.'),"
    " ('d1',2,'fast','Fast','performance',0,20,NULL,'case big is not right yet','Use tiles.');"

    "INSERT INTO hazard(attempt, position, kind, warning, line, message, count) VALUES"
    " ('c1',0,'oob',0,1,'not counted',1), ('c3',0,'race',0,27,'two warps',1000), "
    "('c3',1,'race',0,31,'again',3),"
    " ('b2',0,'race',1,9,'the same value',1), ('c3',2,'uninit',1,5,'a warning',1), "
    "('d1',0,'wrong',0,0,'row 3 is 0',1);"

    "INSERT INTO case_run(attempt, case_name, of, name, state, time_ns) VALUES"
    " ('a1','big','submission','a','right',100), ('b2','big','submission','b','right',200),"
    " ('c3','big','submission','c','right',800), ('d1','big','submission','d','wrong',1),"
    " ('a1','big','reference','r','right',100), ('b2','big','reference','r','right',100), "
    "('c3','big','reference','r','right',100),"
    " ('a1','big','baseline','l','right',400), ('b2','big','baseline','l','right',400), "
    "('c3','big','baseline','l','right',400);"

    "INSERT INTO share(attempt, case_name, of, percent) VALUES"
    " ('a1','big','the DRAM',40), ('b2','big','the DRAM',20), ('c3','big','the DRAM',5);"

    "INSERT INTO counter(attempt, case_name, of, name, value) VALUES"
    " ('a1','big','submission','global_load_sectors',10), "
    "('a1','big','submission','global_store_sectors',2),"
    " ('a1','big','submission','shared_load_inst',99), "
    "('a1','small','submission','global_load_sectors',77),"
    " ('a1','big','reference','global_load_sectors',8), "
    "('b2','big','reference','global_load_sectors',8);"

    "INSERT INTO launch(attempt, position, case_name, kernel, block_x, block_y, block_z, time_ns, "
    "time_kind) VALUES"
    " ('a1',0,'big','k',8,32,1,90,'modelled'), ('a1',1,'big','zero',256,1,1,10,'modelled'),"
    " ('b2',0,'big','k',8,32,1,200,'modelled'), ('c3',0,'big','k',32,32,1,800,'modelled'),"
    " ('d1',0,'big','k',32,32,1,1,'modelled'), ('d1',1,'small','k',1,1,1,9,'modelled');";

static struct gradebook *fresh_book(const char *with) {
  char folder[] = "/tmp/summary-XXXXXX";
  assert_non_null(mkdtemp(folder));
  autofree char *path = xprintf("%s/gradebook.sqlite", folder);
  struct gradebook *book = gradebook_open(path, false);
  gradebook_run(book, "PRAGMA journal_mode=DELETE", "");
  char *message = NULL;
  if (sqlite3_exec(book->db, with, NULL, NULL, &message) != SQLITE_OK) fail_msg("%s", message);
  unlink(path);
  rmdir(folder);
  return book;
}

static int class_setup(void **state) {
  struct summary *summary = xcalloc(1, sizeof *summary);
  struct gradebook *book = fresh_book(rows);
  summary_read(book, "lab2", &conf, summary);
  gradebook_close(book);
  *state = summary;
  return 0;
}

static int class_teardown(void **state) {
  summary_free(*state);
  free(*state);
  return 0;
}

static void test_standings(void **state) {
  const struct summary *summary = *state;
  assert_int_equal(summary->count, 8);
  assert_string_equal(summary->standings[0].student, "a");
  const int expected[STANDING_STATES] = {4, 1, 1, 1, 1};
  for (int i = 0; i < STANDING_STATES; i++) assert_int_equal(summary->states[i], expected[i]);
  assert_int_equal(summary->late, 1);
  assert_int_equal(summary->max, 40);
  assert_int_equal(summary->full_marks, 1);
  assert_string_equal(summary->standings[1].attempt, "b2");
  assert_int_equal(summary->standings[2].attempts, 3);
  assert_string_equal(summary->title, "The lab");
  assert_string_equal(summary->seeds, "7");
  assert_string_equal(summary->graded_at, "2026-01-03T00:00:00Z");
  /* 5 10 30 40: quartiles at 0.75, 1.5 and 2.25 of the way from the first to the last */
  assert_float_equal(summary->scores.quartile, 8.75, 1e-9);
  assert_float_equal(summary->scores.median, 20, 1e-9);
  assert_float_equal(summary->scores.upper, 32.5, 1e-9);
}

static void test_items(void **state) {
  const struct summary *summary = *state;
  assert_int_equal(summary->item_count, 3);
  /* fast: a all, b some, c none, d not judged; clean: c missed it, d not judged; right: d some */
  const struct {
    const char *id;
    int full, part, none, unjudged;
  } expected[] = {{"fast", 1, 1, 1, 1}, {"clean", 2, 0, 1, 1}, {"right", 3, 1, 0, 0}};
  for (int i = 0; i < 3; i++) {
    const struct item_summary *item = &summary->items[i];
    assert_string_equal(item->id, expected[i].id);
    assert_int_equal(item->full, expected[i].full);
    assert_int_equal(item->part, expected[i].part);
    assert_int_equal(item->none, expected[i].none);
    assert_int_equal(item->unjudged, expected[i].unjudged);
  }
  assert_string_equal(summary->items[0].hint, "Use tiles.");
  autofree char *words = words_item(&summary->items[0], 4);
  assert_string_equal(words, "50% miss \"Fast\" (25% get none of its points; not judged yet: 25%)");
}

static void test_hazards(void **state) {
  const struct summary *summary = *state;
  /* race: c (twice, which is one student), b warned; wrong: d; uninit: c warned */
  assert_int_equal(summary->hazard_count, 3);
  assert_string_equal(summary->hazards[0].kind, "race");
  assert_int_equal(summary->hazards[0].students, 1);
  assert_int_equal(summary->hazards[0].warned, 1);
  assert_string_equal(summary->hazards[1].kind, "wrong");
  assert_string_equal(summary->hazards[2].kind, "uninit");
  assert_int_equal(summary->hazards[2].students, 0);
  assert_int_equal(summary->hazards[2].warned, 1);
}

static void test_times(void **state) {
  const struct summary *summary = *state;
  assert_string_equal(summary->device, "D");
  assert_string_equal(summary->time_kind, "modelled");
  assert_int_equal(summary->other_times, 0);
  assert_int_equal(summary->case_count, 1);
  const struct case_summary *big = &summary->cases[0];
  assert_int_equal(big->count, 3); /* d's is wrong */
  assert_float_equal(big->reference_ns, 100, 1e-9);
  assert_float_equal(big->baseline_ns, 400, 1e-9);
  assert_float_equal(big->points[0].bytes, 12 * 32, 1e-9);
  assert_float_equal(big->reference_bytes, 8 * 32, 1e-9);
  assert_true(isnan(big->baseline_bytes));
  /* a: 40% in 100 ns; b: 20% in 200 ns; c: 5% in 800 ns: each says 40% in the reference's 100 ns */
  assert_float_equal(big->reference_percent, 40, 1e-9);
  assert_string_equal(big->ceiling, "the DRAM");
  assert_float_equal(summary->standings[1].ratio, 2, 1e-9);
  assert_true(isnan(summary->standings[3].ratio));
}

static void test_shapes(void **state) {
  const struct summary *summary = *state;
  assert_string_equal(summary->shape_case, "big");
  assert_int_equal(summary->shape_count, 2); /* the longest launch of the case is the one */
  assert_int_equal(summary->shapes[0].x, 8);
  assert_int_equal(summary->shapes[0].students, 2);
  assert_float_equal(summary->shapes[0].time_ns, 150, 1e-9);
  assert_int_equal(summary->shapes[1].x, 32);
  assert_int_equal(summary->shapes[1].students, 2);
  assert_float_equal(summary->shapes[1].time_ns, 800, 1e-9); /* c's alone */
}

static void test_progress(void **state) {
  const struct summary *summary = *state;
  assert_int_equal(summary->max_attempts, 3);
  /* after 1: 40 10 10 5; after 2: 40 30 10 5; after 3 the same */
  assert_float_equal(summary->median_after[0], 10, 1e-9);
  assert_float_equal(summary->median_after[1], 20, 1e-9);
  assert_float_equal(summary->median_after[2], 20, 1e-9);
  assert_int_equal(summary->standings[2].score_count, 3);
}

static void test_ranking(void **state) {
  const struct summary *summary = *state;
  int count, *places = summary_ranking(summary, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(places[i], i);
    assert_int_equal(summary_rank(summary, places, i), i + 1);
  }
  free(places);
}

/* By the value of item fast, of which more is better: b has 2 and a has 1. c has 8, and a race; d's
 * case is wrong. Those two follow by score. */
static void test_leaders(void **state) {
  (void)state;
  static char metric[] = "percent_of_ceiling", item_title[] = "Fast";
  struct item_conf item = {.id = fast,
                           .title = item_title,
                           .case_name = case_name,
                           .metric = metric,
                           .full = {true, true, 90}};
  struct conf about_speed = conf;
  about_speed.items = &item;
  about_speed.leaders = fast;
  struct gradebook *book = fresh_book(rows);
  struct summary summary;
  summary_read(book, "lab2", &about_speed, &summary);
  static const char *const order[] = {"b", "a", "c", "d"};
  int count, *places = summary_ranking(&summary, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; i++) {
    assert_string_equal(summary.standings[places[i]].student, order[i]);
    assert_int_equal(summary_rank(&summary, places, i), i + 1);
  }
  assert_string_equal(summary.leaders.title, "Fast");
  autofree char *words = words_leader(&summary, &summary.standings[places[0]]);
  assert_string_equal(words, "2 % of the ceiling, modelled");
  assert_true(isnan(summary.standings[places[2]].value));
  struct report_charts charts;
  report_charts_make(&summary, false, &charts);
  const struct report_chart *chart = report_charts_find(&charts, "leaders");
  assert_non_null(strstr(chart->data.data, "leader\t1\tBeryl Bay\t2\t30 points\n"));
  assert_non_null(strstr(chart->data.data, "leader\t2\tAmber Alder\t1\t40 points\n"));
  assert_null(strstr(chart->data.data, "Coral Cove"));
  assert_string_equal(chart->more[0], "2");
  assert_string_equal(chart->more[1], "2");
  assert_non_null(strstr(chart->more[2], "\"Fast\", in % of the ceiling (modelled)"));
  report_charts_free(&charts);
  free(places);
  summary_free(&summary);

  gradebook_close(book);

  /* a is measured, the others are modelled: a's value is not compared with b's. */
  autofree char *mixed =
      xprintf("%s UPDATE launch SET time_kind = 'measured' WHERE attempt = 'a1';", rows);
  book = fresh_book(mixed);
  summary_read(book, "lab2", &about_speed, &summary);
  places = summary_ranking(&summary, &count);
  assert_string_equal(summary.standings[places[0]].student, "b");
  assert_true(isnan(summary.standings[0].value));
  free(places);
  summary_free(&summary);

  gradebook_close(book);

  /* Nobody's value is known: by score, and it says so. */
  autofree char *none = xprintf("%s UPDATE item SET value = NULL;", rows);
  book = fresh_book(none);
  summary_read(book, "lab2", &about_speed, &summary);
  places = summary_ranking(&summary, &count);
  assert_null(summary.leaders.title);
  assert_string_equal(summary.standings[places[0]].student, "a");
  free(places);
  summary_free(&summary);
  gradebook_close(book);
}

static void test_needs(void **state) {
  (void)state;
  struct gradebook *book = fresh_book(rows);
  struct summary summary;
  struct needs needs;
  summary_read(book, "lab2", &conf, &summary);
  needs_find(book, &summary, &needs);
  const struct {
    const char *student;
    enum need_kind kind;
    const char *reason, *first;
  } expected[] = {
      {"c", NEED_STUCK, "10 of 40 points; the last 2 of 3 attempts gained nothing",
       "race, line 27: two warps"},
      {"d", NEED_LOW, "5 of 40 points", "Right: case big: row 3 is 0"},
      {"e", NEED_REFUSED, "cut off", "Ask for the file again."},
      {"f", NEED_ERROR, "no compiler", NULL},
      {"g", NEED_PENDING, "handed in, but not graded yet", "Run ./grade class again."},
      {"h", NEED_MISSING, "nothing handed in", NULL},
  };
  assert_int_equal(needs.count, 6);
  for (int i = 0; i < 6; i++) {
    const struct need *need = &needs.items[i];
    assert_string_equal(summary.standings[need->standing].student, expected[i].student);
    assert_int_equal(need->kind, expected[i].kind);
    assert_string_equal(need->reason, expected[i].reason);
    if (expected[i].first) assert_string_equal(need->first, expected[i].first);
  }
  needs_free(&needs);
  summary_free(&summary);
  gradebook_close(book);
}

/* Measured and modelled times never meet in a figure: most are modelled, so a's is left out. */
static void test_kinds_of_time(void **state) {
  (void)state;
  autofree char *with =
      xprintf("%s UPDATE launch SET time_kind='measured' WHERE attempt='a1';", rows);
  struct gradebook *book = fresh_book(with);
  struct summary summary;
  summary_read(book, "lab2", &conf, &summary);
  assert_string_equal(summary.time_kind, "modelled");
  assert_int_equal(summary.other_times, 1);
  assert_int_equal(summary.cases[0].count, 2);
  assert_int_equal(summary.shapes[0].students, 2);
  assert_float_equal(summary.shapes[0].time_ns, 200, 1e-9); /* b's */
  autofree char *source = words_source(&summary, true);
  assert_non_null(strstr(source, "times modelled; device: D; without 1 of another device"));
  summary_free(&summary);
  gradebook_close(book);
}

/* Without lab.conf the timed cases are those shown; without anything there is no chart either. */
static void test_unknown_and_empty(void **state) {
  (void)state;
  struct gradebook *book = fresh_book(rows);
  struct summary summary;
  struct report_charts charts;
  summary_read(book, "lab2", NULL, &summary);
  assert_null(summary.title);
  assert_int_equal(summary.case_count, 1);
  assert_string_equal(summary.cases[0].name, "big");
  summary_free(&summary);
  summary_read(book, "lab9", NULL, &summary);
  assert_int_equal(summary.states[STANDING_MISSING], 8);
  assert_true(isnan(summary.scores.median));
  report_charts_make(&summary, false, &charts);
  assert_int_equal(charts.count, 0);
  report_charts_free(&charts);
  summary_free(&summary);
  gradebook_close(book);
  book = fresh_book("");
  int count;
  free(summary_labs(book, &count));
  assert_int_equal(count, 0);
  summary_read(book, "lab2", &conf, &summary);
  autofree char *words = words_handed_in(&summary);
  assert_string_equal(words, "There is nobody in the gradebook yet.");
  summary_free(&summary);
  gradebook_close(book);
}

static void test_percent(void **state) {
  (void)state;
  assert_int_equal(summary_percent(0, 7), 0);
  assert_int_equal(summary_percent(1, 1000), 1); /* not none */
  assert_int_equal(summary_percent(999, 1000), 99);
  assert_int_equal(summary_percent(41, 100), 41);
  assert_int_equal(summary_percent(5, 5), 100);
  assert_int_equal(summary_percent(0, 0), 0);
}

static void test_spread(void **state) {
  (void)state;
  double values[] = {9, 1, 2, 3, 4, 100, 5};
  struct spread spread = spread_of(values, 7); /* 1 2 3 4 5 9 100 */
  assert_float_equal(spread.quartile, 2.5, 1e-9);
  assert_float_equal(spread.median, 4, 1e-9);
  assert_float_equal(spread.upper, 7, 1e-9);
  assert_float_equal(spread.low, 1, 1e-9);
  assert_float_equal(spread.high, 9, 1e-9); /* 100 is beyond 7 + 1.5 * 4.5 */
  double one[] = {3};
  spread = spread_of(one, 1);
  assert_float_equal(spread.quartile, 3, 1e-9);
  assert_float_equal(spread.high, 3, 1e-9);
}

/* What gnuplot would take for something else is not in a table. */
static void test_tables(void **state) {
  const struct summary *summary = *state;
  struct report_charts charts;
  free(summary->items[0].title);
  summary->items[0].title =
      xstrdup("a\tb \"c\" \033[31m\n and a \\title that goes on and on and on");
  report_charts_make(summary, false, &charts);
  const struct report_chart *items = report_charts_find(&charts, "items");
  assert_non_null(items);
  assert_non_null(
      strstr(items->data.data,
             "item\ta  b 'c' ?[31m? and a \\\\title that goes\\non and on and on\t25\t25\t"));
  const struct report_chart *leaders = report_charts_find(&charts, "leaders");
  assert_non_null(strstr(leaders->data.data, "leader\t1\tAmber Alder\t40\t1.00 x"));
  assert_null(strstr(leaders->data.data, "\tA\t"));
  assert_null(report_charts_find(&charts, "traffic-2"));
  report_charts_free(&charts);
  report_charts_make(summary, true, &charts);
  assert_non_null(strstr(report_charts_find(&charts, "leaders")->data.data, "leader\t1\tA\t40\t"));
  report_charts_free(&charts);
}

/* Every tile has its shape, whatever the other axis has: 2 x 32 is not 1 x 32. */
static void test_blocks(void **state) {
  struct summary *summary = *state;
  static const struct shape_summary shapes[] = {
      {2, 32, 1, 5, 4000}, {32, 1, 1, 1, (double)NAN}, {8, 8, 1, 2, 4000}, {8, 8, 4, 3, 1000}};
  free(summary->shapes);
  summary->shapes = xcalloc(sizeof shapes, 1);
  memcpy(summary->shapes, shapes, sizeof shapes);
  summary->shape_count = 4;
  struct report_charts charts;
  report_charts_make(summary, false, &charts);
  const struct report_chart *blocks = report_charts_find(&charts, "blocks");
  assert_non_null(blocks);
  assert_non_null(strstr(blocks->data.data,
                         "\nshape\t2\t32\t5\t4 us\t0\t2\n"
                         "shape\t8\t8\t2\t4 us\t1\t1\nshape\t32\t1\t1\t-\t2\t0\n"));
  assert_string_equal(blocks->more[0], "3");
  assert_string_equal(blocks->more[1], "3");
  assert_non_null(strstr(blocks->more[2], "Not shown: 3"));
  report_charts_free(&charts);
}

/* Of 13 widths the one that fewest chose has no room; one more height has. */
static void test_many_blocks(void **state) {
  struct summary *summary = *state;
  free(summary->shapes);
  summary->shapes = xcalloc(14, sizeof *summary->shapes);
  for (int i = 0; i < 13; i++)
    summary->shapes[i] = (struct shape_summary){i + 1, 4, 1, 20 - i, 1000};
  summary->shapes[13] = (struct shape_summary){1, 8, 1, 1, 1000};
  summary->shape_count = 14;
  struct report_charts charts;
  report_charts_make(summary, false, &charts);
  const struct report_chart *blocks = report_charts_find(&charts, "blocks");
  assert_non_null(blocks);
  assert_non_null(strstr(blocks->data.data, "\nshape\t12\t4\t9\t1 us\t11\t0\n"));
  assert_null(strstr(blocks->data.data, "\nshape\t13\t"));
  assert_non_null(strstr(blocks->data.data, "\nshape\t1\t8\t1\t1 us\t0\t1\n"));
  assert_non_null(strstr(blocks->more[2], "Not shown: 8"));
  report_charts_free(&charts);
}

static void test_lines(void **state) {
  (void)state;
  const struct {
    const char *words;
    double pixels;
    int max_lines;
    const char *lines;
  } cases[] = {
      {"", 100, 1, ""},
      {"one two", 100, 1, "one two"},
      {"one two", 50, 2, "one\ntwo"}, /* 64 pixels: the blank in the middle is dropped */
      {"one two three four", 50, 2, "one\ntwo\u2026"},
      {"one two three four", 70, 2, "one two\nthree f\u2026"},
      {"longest", 40, 2, "long\nest"}, /* wider than a line */
      {"one_two_three", 75, 2, "one_two_\nthree"},
      {"WWWW", 60, 1, "WWWW"},
      {"WWWWW", 60, 1, "WWW\u2026"},
      {"\u674e\u674e\u674e", 45, 1, "\u674e\u674e\u674e"}, /* as wide as they are high */
      {"\u674e\u674e\u674e", 44, 1, "\u674e\u2026"},
      {"x", 1, 1, "x"}, /* one character at least */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    autofree char *lines = report_lines(cases[i].words, 15, cases[i].pixels, cases[i].max_lines);
    assert_string_equal(lines, cases[i].lines);
  }
  assert_float_equal(report_width("one two", 15), 0.15 * (61 + 63 + 62 + 32 + 39 + 82 + 61), 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_standings, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_items, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_hazards, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_times, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_shapes, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_progress, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_ranking, class_setup, class_teardown),
      cmocka_unit_test(test_leaders),
      cmocka_unit_test(test_needs),
      cmocka_unit_test(test_kinds_of_time),
      cmocka_unit_test(test_unknown_and_empty),
      cmocka_unit_test(test_percent),
      cmocka_unit_test(test_spread),
      cmocka_unit_test_setup_teardown(test_tables, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_blocks, class_setup, class_teardown),
      cmocka_unit_test_setup_teardown(test_many_blocks, class_setup, class_teardown),
      cmocka_unit_test(test_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
