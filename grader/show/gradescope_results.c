/* gradescope_results.c: a grade as Gradescope's results.json. */
#include "grader/show/show.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/version.h"
#include "grader/score/score.h"

enum { MESSAGE_BYTES = 8 << 10, WARNINGS_SHOWN = 5 };

/* What compilers and programs print quotes the file. */
static json_t *clean_string(const char *words) {
  freed_by(text_free) struct text text = {0};
  text_add_lines(&text, words, strlen(words), true);
  json_t *string = json_string(text_get(&text));
  return string;
}

/* --- tests --- */

static json_t *test_of(const struct grade *grade, int i) {
  const struct item_conf *item = &grade->lab->conf.items[i];
  const struct item_result *result = &grade->items[i];
  bool full = result->points == item->points;
  freed_by(text_free) struct text words = {0};
  if (result->reason) text_add(&words, "%s", result->reason);
  const char *hint = full ? NULL : cause_hint(grade, i);
  if (hint) text_add(&words, "\nTry: %s", hint);
  if (full) text_add(&words, "Full points.");
  autofree char *name = xprintf("%s%s", item->title, item->hidden ? " (hidden)" : ""),
                *number = xprintf("%d", i + 1);
  json_t *test =
      json_pack("{s:o, s:s, s:s, s:I, s:I, s:s, s:o, s:s, s:s, s:[s, s]}", "name",
                clean_string(name), "name_format", "text", "number", number, "score",
                (json_int_t)result->points, "max_score", (json_int_t)item->points, "status",
                full ? "passed" : "failed", "output", clean_string(text_get(&words)),
                "output_format", "text", "visibility", item->hidden ? "after_published" : "visible",
                "tags", item->id, item_class_names[item->class]);
  return test;
}

/* --- the whole --- */

/* What students may know before grades are published: the sum of what is not hidden. */
static long visible_points(const struct grade *grade, long *max) {
  long points = *max = 0;
  for (int i = 0; i < grade->lab->conf.item_count; i++) {
    if (grade->lab->conf.items[i].hidden) continue;
    points += grade->items[i].points;
    *max += grade->lab->conf.items[i].points;
  }
  return points;
}

static void add_warnings(const struct grade *grade, struct text *words) {
  int shown = 0;
  for (int i = 0; i < grade->hazard_count && shown < WARNINGS_SHOWN; i++) {
    const struct hazard_record *hazard = &grade->hazards[i];
    if (!hazard->warning) continue;
    text_add(words, "\nWarning: line %d: %s: %s", hazard->line, hazard_kind_title(hazard->kind),
             hazard->message);
    shown++;
  }
}

/* What stands above the tests. */
static json_t *summary_of(const struct grade *grade) {
  freed_by(text_free) struct text words = {0};
  const char *messages = grade->messages ? grade->messages : "";
  if (grade->error) {
    text_add(&words,
             "Not graded: ask your instructor. This is the fault of the grader or its machine, and "
             "no points are lost.\n\n%s",
             grade->error);
  } else if (score_is_build_failure(grade)) {
    size_t length = strlen(messages);
    text_add(&words, "Your file does not compile, so nothing was run. The compiler reports:\n\n");
    text_append(&words, messages, length < MESSAGE_BYTES ? length : MESSAGE_BYTES);
    if (length > MESSAGE_BYTES) text_add(&words, "\n...");
  } else {
    long max, points = visible_points(grade, &max);
    text_add(&words, "%s: %ld of %ld points, graded on %s.", grade->lab->id, points, max,
             grade->device ? grade->device : "the simulator");
    if (max < grade->lab->conf.max_points)
      text_add(&words, " Hidden items have %ld more, which are shown once grades are published.",
               grade->lab->conf.max_points - max);
    autofree char *cause = cause_words(grade);
    if (cause) text_add(&words, "\nStart here: %s", cause);
    add_warnings(grade, &words);
    if (grade->reference_note) text_add(&words, "\n%s", grade->reference_note);
    text_add(&words, "\nThe same inputs in your own copy: ./grade %s --seed %" PRIu64,
             grade->lab->id, grade->seed);
  }
  json_t *summary = clean_string(text_get(&words));
  return summary;
}

/* The leaderboard is seen at once. */
static json_t *leaderboard_of(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  json_t *board = json_array();
  long max, points = visible_points(grade, &max);
  json_array_append_new(board, json_pack("{s:s, s:I, s:s}", "name", "Score", "value",
                                         (json_int_t)points, "order", "desc"));
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    double value = grade->items[i].value;
    if (item->class != ITEM_PERFORMANCE || item->hidden || !isfinite(value)) continue;
    json_array_append_new(board, json_pack("{s:o, s:f, s:s}", "name", clean_string(item->title),
                                           "value", round(value * 1000) / 1000, "order",
                                           item->full.at_least ? "desc" : "asc"));
  }
  return board;
}

static json_t *grade_to_results(const struct grade *grade, double seconds) {
  bool graded = !grade->error && grade->items;
  json_t *tests = json_array();
  for (int i = 0; i < grade->lab->conf.item_count && graded; i++)
    json_array_append_new(tests, test_of(grade, i));
  json_t *extra = json_pack("{s:s, s:s, s:s, s:s, s:o, s:I}", "lab", grade->lab->id, "kit_version",
                            KIT_VERSION, "verdict", grade->verdict, "backend", grade->backend,
                            "device", grade->device ? clean_string(grade->device) : json_null(),
                            "seed", (json_int_t)grade->seed);
  json_t *results = json_pack(
      "{s:I, s:f, s:o, s:s, s:s, s:s, s:s, s:o, s:o}", "score",
      (json_int_t)(graded ? grade->score : 0), "execution_time", round(seconds * 10) / 10, "output",
      summary_of(grade), "output_format", "text", "test_output_format", "text", "visibility",
      "visible", "stdout_visibility", "hidden", "tests", tests, "extra_data", extra);
  if (results && graded && !score_is_build_failure(grade))
    json_object_set_new(results, "leaderboard", leaderboard_of(grade));
  return results;
}

/* --- writing --- */

void gradescope_write(const struct grade *grade, double seconds, const char *path) {
  json_auto_t *results = grade_to_results(grade, seconds);
  autofree char *bytes =
      results ? json_dumps(results, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
  if (!bytes) die("cannot make the results for Gradescope");
  size_t length = strlen(bytes);
  bool written = file_try_write(path, bytes, length);
  if (!written && errno == ENOSPC) {
    autofree char *reserve = xprintf("%s.reserve", path);
    written = unlink(reserve) == 0 && file_try_write(path, bytes, length);
  }
  if (!written) die("cannot write %s: %s", path, strerror(errno));
}
