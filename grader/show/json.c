/* json.c: a grade as JSON. Schema 1:
 *
 *   {"schema":1, "kit_version":"0.1", "lab":"lab2", "conf_hash":"..." (of its lab.conf),
 *    "backend":"sim", "device":"..." or null, "sandbox":"..." or null, "seed":7,
 *    "score":80 (null if the verdict is "error"), "max":100, "verdict":"pass|partial|fail|error",
 *    "items":[{"id", "title", "class", "hidden", "points", "max", "status":"full|partial|none",
 *              "value", "reason", "hint"}],
 *    "hazards":[{"kind", "warning", "line", "other_line", "kernel", "array", "message", "count",
 *                "more", "weight" (2: a race between warps, which says more than one in a warp)}],
 *    "launches":[{"case", "kernel", "grid", "block", "shared_bytes", "dynamic_shared_bytes" (of
 *                 these), "registers", "time_ns", "time_kind", "bound", "dram_bytes", "line",
 * "counters":{}, "lines":[{"line", "counters":{}}], "launches" (only if it is the sum of several:
 * how many)}]}
 *
 * Where times were measured also
 *
 *    "timing":[{"case", "rounds", "batch", "event_cost_ns", "condition",
 *               "timed":[{"name", "ns":[low, median, high], "deviation_ns", "cold_ns" (or null),
 *                         "ratio":[low, median, high] of the submission's time to this one's}]}]
 *
 * Of the cases that performance items look at, and of all cases:
 *
 *    "shares":[{"case", "unit" ("bytes/ns" or "operations/ns"), "reached", "ceiling" (or null),
 *               "of" (what the ceiling is), "percent" (or null)}]
 *    "cases":[{"case", "of":"submission|baseline|reference", "name" (whose),
 *              "state":"right|wrong|not run|error", "launches", "time_ns",
 *              "counters":{} (of the first call), "case_hash" (of what lab.conf says of it);
 *              of the submission also "kind", "reason"}]
 *
 * In a class also "attempt", "seconds" (that the grading took), "graded_with" (another attempt, of
 * the same code, whose grade this is), and "messages" of the compiler; of the submission's cases
 * "hazards", "launched", "forged", "quoted" (which of the hazards the reason has for its words),
 * "explains" if the reason does (1: the results, 2: stray accesses, too), and
 *
 *    "traffic":[{"line", "op":"load|store", "array", "requests", "sectors", "bytes"}]
 *              (global accesses of the first call);
 *    "timeline":[[..]] (what its work did when, as grader/lab/spans.c writes it);
 *
 * and of shown launches "accesses". Of hidden cases there is only "case", "of", "name", "state",
 * "kind" and "reason", unless the grade is the instructor's.
 *
 * Of a submission that was run, without hidden cases only, whose sizes it would give away:
 *
 *    "budget":{"limit":{"instructions", "bytes", "calls"}, "used":{}}
 *
 * What to fix first; null if nothing is lost:
 *
 *    "cause":{"item" (its id, or null), "hazard" (its index in "hazards", or null), "words"}
 *
 * Times are null in cases where nothing shows or scores them, and that were not asked for by name.
 *
 * With --resources "resources" (resources.h), with --roofline "roofline" (roofline.h).
 *
 * With --profile, of what the grading took until it was written (profile.h; wall and processor
 * seconds; phases overlap):
 *
 *    "profile":{"total":{"wall_s", "cpu_s"}, "phases":[{"phase", "wall_s", "cpu_s"}],
 *               "processes":[{"cases":"n512" or "1x1x1 to 100", "phases":[..]}]}
 *
 * "note", only if there is one: on how model solutions were measured.
 *
 * value is what an item has measured (a count, or its ratio to another solution's), null without
 * one. reason and hint are null where nothing is lost. launches are those of each case's first
 * call, at most 64 a case. With verdict "error" items is empty and one hazard of kind "kit" says
 * what is wrong. No dates, paths or addresses: they would differ from one grading to the next.
 */
#include "grader/show/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/output.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/lab/totals.h"
#include "grader/score/answers.h"
#include "grader/score/score.h"
#include "grader/show/resources.h"
#include "grader/show/roofline.h"
#include "grader/show/show.h"
#include "harness/sim/base/report_lists.h"

enum { LAUNCHES_A_CASE = 64 };

static json_t *items_to_json(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  json_t *array = json_array();
  for (int i = 0; i < conf->item_count && grade->items; i++) {
    const struct item_conf *item = &conf->items[i];
    const struct item_result *result = &grade->items[i];
    bool full = result->points == item->points;
    json_array_append_new(
        array,
        json_pack("{s:s, s:s, s:s, s:b, s:I, s:I, s:s, s:o?, s:s?, s:s?}", "id", item->id, "title",
                  item->title, "class", item_class_names[item->class], "hidden", item->hidden,
                  "points", (json_int_t)result->points, "max", (json_int_t)item->points, "status",
                  full                 ? "full"
                  : result->points > 0 ? "partial"
                                       : "none",
                  "value", json_real(result->value), "reason", result->reason, "hint",
                  full ? NULL : item->hint));
  }
  return array;
}

static json_t *answers_to_json(const struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  json_t *array = json_array();
  for (int i = 0; i < conf->answer_count && grade->answers; i++) {
    double value;
    bool known = answer_known(grade, i, &value);
    json_array_append_new(
        array, json_pack("{s:s, s:s, s:s?, s:o, s:b}", "id", conf->answers[i].id, "question",
                         conf->answers[i].question, "given", grade->answers[i], "counted",
                         known ? json_real(value) : json_null(), "right",
                         known && answer_right(grade, i, value)));
  }
  return array;
}

static json_t *json_hazard(const struct hazard_record *hazard) {
  json_t *json =
      json_pack("{s:s, s:b, s:i, s:i, s:s, s:s, s:s, s:I, s:b}", "kind", hazard->kind, "warning",
                hazard->warning, "line", hazard->line, "other_line", hazard->other_line, "kernel",
                hazard->kernel, "array", hazard->array, "message", hazard->message, "count",
                (json_int_t)hazard->count, "more", (int)hazard->more);
  if (hazard->weight > 1) json_object_set_new(json, "weight", json_integer(hazard->weight));
  return json;
}

static json_t *hazards_to_json(const struct grade *grade) {
  json_t *array = json_array();
  for (int i = 0; i < grade->hazard_count; i++)
    json_array_append_new(array, json_hazard(&grade->hazards[i]));
  if (grade->error) {
    json_array_append_new(
        array, json_pack("{s:s, s:b, s:i, s:i, s:s, s:s, s:s, s:i}", "kind", "kit", "warning", 0,
                         "line", 0, "other_line", 0, "kernel", "", "array", "", "message",
                         grade->error, "count", 1));
  }
  return array;
}

const char *const case_state_names[] = {"not run", "right", "wrong", "error"};

static json_t *case_to_json(const struct grade *grade, int index, const char *of, const char *name,
                            const char *state, const struct totals *totals) {
  json_t *json = json_pack("{s:s, s:s, s:s, s:s}", "case", grade->lab->conf.cases[index].name, "of",
                           of, "name", name, "state", state),
         *values = totals_to_json(totals);
  json_object_update(json, values);
  json_decref(values);
  return json;
}

/* What scoring looks at beside the totals. */
static void add_rest(const struct case_result *result, json_t *json) {
  const struct report *report = &result->report;
  json_t *hazards = json_array();
  for (int i = 0; i < report->hazard_count; i++)
    json_array_append_new(hazards, json_hazard(&report->hazards[i]));
  json_object_set_new(json, "hazards", hazards);
  json_object_set_new(json, "launched", json_boolean(report->launch_count > 0));
  json_object_set_new(json, "forged", json_integer(report->forged));
  if (result->quoted)
    json_object_set_new(json, "quoted", json_integer(result->quoted - report->hazards));
  if (result->explains) json_object_set_new(json, "explains", json_integer(result->explains));
  if (result->totals.traffic)
    json_object_set_new(json, "traffic",
                        traffic_to_json(result->totals.traffic, result->totals.traffic_count));
  if (result->spans.count) json_object_set_new(json, "timeline", spans_to_json(&result->spans));
}

/* What students may know: not even the hash of its sizes, which could be guessed. */
static json_t *quiet_case(const struct grade *grade, int index) {
  const struct case_result *result = &grade->cases[index];
  return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "case", grade->lab->conf.cases[index].name,
                   "of", "submission", "name", grade->source->name, "state",
                   case_state_names[result->state], "kind", result->kind, "reason", result->reason);
}

static json_t *json_cases(const struct grade *grade, bool complete) {
  const struct conf *conf = &grade->lab->conf;
  json_t *array = json_array();
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_result *result = &grade->cases[i];
    if (!complete && hidden_keeps_quiet(grade, i)) {
      if (result->state != CASE_NOT_RUN || result->reason)
        json_array_append_new(array, quiet_case(grade, i));
      continue;
    }
    autofree char *hash = conf_case_hash(conf, i);
    if (result->state != CASE_NOT_RUN || result->reason) {
      json_t *json = case_to_json(grade, i, "submission", grade->source->name,
                                  case_state_names[result->state], &result->totals);
      json_auto_t *rest = json_pack("{s:s?, s:s?, s:s}", "kind", result->kind, "reason",
                                    result->reason, "case_hash", hash);
      json_object_update(json, rest);
      if (complete) add_rest(result, json);
      json_array_append_new(array, json);
    }
    for (int of = OF_BASELINE; of < ITEM_OFS; of++) {
      const struct reference *reference = &grade->references[of];
      if (!reference->measured || !reference->measured[i]) continue;
      json_t *json = case_to_json(grade, i, item_of_names[of], reference->name, "right",
                                  &reference->totals[i]);
      json_object_set_new(json, "case_hash", json_string(hash));
      json_array_append_new(array, json);
    }
  }
  return array;
}

static json_t *cause_to_json(const struct grade *grade) {
  struct cause cause = cause_of(grade);
  autofree char *words = cause_words(grade);
  const char *item = cause.item < 0 ? NULL : grade->lab->conf.items[cause.item].id;
  json_t *hazard = cause.hazard < 0 ? NULL : json_integer(cause.hazard),
         *json =
             words ? json_pack("{s:s?, s:o?, s:s}", "item", item, "hazard", hazard, "words", words)
                   : json_null();
  return json;
}

static json_t *launches_to_json(const struct grade *grade, bool complete) {
  json_t *array = json_array();
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    if (!complete && hidden_keeps_quiet(grade, i)) continue;
    const struct report *report = &grade->cases[i].report;
    int shown = 0;
    for (int l = 0; l < report->launch_count && shown < LAUNCHES_A_CASE; l++) {
      if (report->launches[l].set != 0) continue;
      json_t *launch = json_pack("{s:s}", "case", grade->lab->conf.cases[i].name);
      json_auto_t *rest = launch_record_to_json(&report->launches[l]);
      json_object_update(launch, rest);
      if (complete && report->launches[l].access_count > 0)
        json_object_set(launch, "accesses", report->launches[l].accesses_json);
      json_array_append_new(array, launch);
      shown++;
    }
  }
  return array;
}

static json_t *interval_to_json(const struct interval *interval) {
  return json_pack("[f, f, f]", interval->low, interval->median, interval->high);
}

static json_t *timings_to_json(const struct grade *grade, bool complete) {
  json_t *array = json_array();
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    const struct timing *timing = &grade->timings[i];
    if (!timing->measured || (!complete && hidden_keeps_quiet(grade, i))) continue;
    json_t *list = json_array();
    for (int t = 0; t < timing->count; t++) {
      const struct timed *timed = &timing->timed[t];
      json_array_append_new(
          list,
          json_pack("{s:s, s:o, s:f, s:o?, s:o}", "name", timed->name, "ns",
                    interval_to_json(&timed->ns), "deviation_ns", timed->deviation_ns, "cold_ns",
                    json_real(timed->cold_ns.median), "ratio", interval_to_json(&timed->ratio)));
    }
    json_array_append_new(
        array, json_pack("{s:s, s:i, s:i, s:f, s:s, s:o}", "case", grade->lab->conf.cases[i].name,
                         "rounds", timing->rounds, "batch", timing->batch, "event_cost_ns",
                         timing->event_cost_ns, "condition", timing->condition, "timed", list));
  }
  return array;
}

static json_t *shares_to_json(const struct grade *grade, bool complete) {
  const struct conf *conf = &grade->lab->conf;
  json_t *array = json_array();
  for (int i = 0; i < conf->case_count && grade->shares; i++) {
    const struct share *share = &grade->shares[i];
    if (!(share->per_ns > 0) || (!complete && hidden_keeps_quiet(grade, i))) continue;
    bool known = !share->unknown;
    json_array_append_new(
        array,
        json_pack("{s:s, s:s, s:f, s:o?, s:s?, s:o?}", "case", conf->cases[i].name, "unit",
                  conf_family(conf, &conf->cases[i])->ceiling == CEILING_BYTES ? "bytes/ns"
                                                                               : "operations/ns",
                  "reached", share->per_ns, "ceiling",
                  known ? json_real(share->ceiling.per_ns) : NULL, "of",
                  known ? share->ceiling.name : NULL, "percent",
                  known ? json_real(100 * share->per_ns / share->ceiling.per_ns) : NULL));
  }
  return array;
}

static json_t *resources_of(const struct grade *grade) {
  freed_by(resources_free) struct resources resources;
  resources_of_grade(grade, &resources);
  return resources_to_json(&resources, &grade->registers);
}

static json_t *roofline_of(const struct grade *grade) {
  freed_by(roofline_free) struct roofline roofline;
  roofline_of_grade(grade, &roofline);
  return roofline_to_json(&roofline);
}

static json_t *budget_to_json(const struct budget *budget) {
  return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)budget->instructions, "bytes",
                   (json_int_t)budget->bytes, "calls", (json_int_t)budget->calls);
}

/* A compiler quotes the file, which may not be UTF-8, and names its folder, nobody's business. */
static json_t *messages_to_json(const struct grade *grade) {
  const char *path = grade->source->path, *at = grade->messages, *end = at + strlen(at);
  const size_t folder = strlen(path) - strlen(grade->source->name);
  freed_by(text_free) struct text clean = {0};
  for (const char *named; folder && (named = memmem(at, (size_t)(end - at), path, folder)) != NULL;
       at = named + folder)
    text_add_lines(&clean, at, (size_t)(named - at), true);
  text_add_lines(&clean, at, (size_t)(end - at), true);
  if (end[-1] != '\n') text_add(&clean, "\n");
  return json_string(text_get(&clean));
}

json_t *json_grade(const struct grade *grade, bool complete) {
  bool error = strcmp(grade->verdict, "error") == 0;
  autofree char *hash = conf_hash(grade->lab);
  json_t *json = json_pack(
      "{s:i, s:s, s:s, s:s, s:s, s:s?, s:s?, s:I, s:o?, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
      "schema", 1, "kit_version", KIT_VERSION, "lab", grade->lab->id, "conf_hash", hash, "backend",
      grade->backend, "device", grade->device, "sandbox", grade->sandbox, "seed",
      (json_int_t)grade->seed, "score", error ? NULL : json_integer((json_int_t)grade->score),
      "max", (json_int_t)grade->lab->conf.max_points, "verdict", grade->verdict, "items",
      items_to_json(grade), "hazards", hazards_to_json(grade), "cause", cause_to_json(grade),
      "cases", json_cases(grade, complete), "launches", launches_to_json(grade, complete), "shares",
      shares_to_json(grade, complete));
  if (!json) die("cannot make the grade's JSON");
  if (grade->timings) json_object_set_new(json, "timing", timings_to_json(grade, complete));
  if (grade->lab->conf.answer_count) json_object_set_new(json, "answers", answers_to_json(grade));
  if (grade->spending.used.calls && !grade->lab->conf.has_hidden) {
    struct budget limit = conf_budget(&grade->lab->conf);
    json_object_set_new(json, "budget",
                        json_pack("{s:o, s:o}", "limit", budget_to_json(&limit), "used",
                                  budget_to_json(&grade->spending.used)));
  }
  if (grade->reference_note) json_object_set_new(json, "note", json_string(grade->reference_note));
  if (grade->attempt) json_object_set_new(json, "attempt", json_string(grade->attempt));
  if (grade->has_resources) json_object_set_new(json, "resources", resources_of(grade));
  if (grade->has_roofline) json_object_set_new(json, "roofline", roofline_of(grade));
  if (grade->profile) json_object_set_new(json, "profile", profile_to_json(grade->profile));
  if (grade->seconds > 0) json_object_set_new(json, "seconds", json_real(grade->seconds));
  if (complete && grade->messages && *grade->messages)
    json_object_set_new(json, "messages", messages_to_json(grade));
  return json;
}

int json_print_grade(const struct grade *grade, FILE *file) {
  json_auto_t *json = json_grade(grade, true);
  int failed = json_dumpf(json, file, JSON_COMPACT) != 0 || fputc('\n', file) == EOF ? -1 : 0;
  return failed;
}

void json_write(json_t *json, const char *path, size_t flags) {
  autofree char *text = json ? json_dumps(json, JSON_INDENT(1) | flags) : NULL;
  if (!text) die("cannot make the JSON for %s", path);
  autofree char *whole = xprintf("%s\n", text);
  output_write("--json", path, whole, strlen(whole));
  json_decref(json);
}

void json_write_grade(const struct grade *grade, const char *path) {
  json_write(json_grade(grade, false), path, 0);
}
