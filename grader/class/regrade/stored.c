/* stored.c: reads a grade back from its JSON.
 *
 * Each case's measurements are identified by a hash of all that lab.conf has on measuring it
 * (lab.h). Points, thresholds, titles, hints and item lists are not in that hash: where only they
 * have changed, the functions that scored the grade (score.c) do so again from the same numbers. */
#include "grader/class/regrade/regrade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/base/gradebook.h"
#include "grader/grading/grading.h"
#include "grader/lab/lab.h"
#include "grader/lab/totals.h"
#include "grader/score/score.h"
#include "grader/show/json.h"

static const char *string(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static uint64_t count_of(const json_t *object, const char *key) {
  json_int_t value = json_integer_value(json_object_get(object, key));
  return value > 0 ? (uint64_t)value : 0;
}

static char *copy_of(const json_t *object, const char *key) {
  const char *value = string(object, key);
  return value ? xstrdup(value) : NULL;
}

__attribute__((format(printf, 2, 3))) static void lacks(struct stored *stored, const char *format,
                                                        ...) {
  va_list args;
  va_start(args, format);
  if (stored->fits) stored->why = xvprintf(format, args);
  stored->fits = false;
  va_end(args);
}

static void fill_totals(const json_t *json, struct totals *totals) {
  const json_t *counters = json_object_get(json, "counters");
  totals->launches = count_of(json, "launches");
  totals->time_ns = count_of(json, "time_ns");
  for (int i = 0; i < COUNTERS; i++)
    totals->counters.value[i] = count_of(counters, counter_names[i]);
  totals_overlap_from_json(json, totals);
}

static void fill_hazards(const json_t *list, struct report *report) {
  size_t i;
  const json_t *json;
  report->hazards = xcalloc(json_array_size(list) + 1, sizeof *report->hazards);
  json_array_foreach (list, i, json) {
    struct hazard_record *hazard = &report->hazards[report->hazard_count++];
    *hazard = (struct hazard_record){
        .kind = copy_of(json, "kind"),
        .kernel = copy_of(json, "kernel"),
        .array = copy_of(json, "array"),
        .message = copy_of(json, "message"),
        .warning = json_is_true(json_object_get(json, "warning")),
        .line = (int)count_of(json, "line"),
        .other_line = (int)count_of(json, "other_line"),
        .count = count_of(json, "count"),
        .more = json_is_true(json_object_get(json, "more")),
        .weight = json_object_get(json, "weight") ? (int)count_of(json, "weight") : 1,
    };
  }
}

/* The case's launches of the first call; another call's stand for those that were not kept. */
static void fill_launches(const json_t *all, const char *name, bool launched,
                          struct report *report) {
  size_t i;
  const json_t *json;
  report->launches = xcalloc(json_array_size(all) + 1, sizeof *report->launches);
  json_array_foreach (all, i, json) {
    const char *of = string(json, "case");
    struct launch_record *launch = &report->launches[report->launch_count];
    if (!of || strcmp(of, name) != 0) continue;
    if (launch_record_from_json(json, launch))
      launch_record_free(launch);
    else
      report->launch_count++;
  }
  if (launched && report->launch_count == 0)
    report->launches[report->launch_count++] =
        (struct launch_record){.kernel = xstrdup(""),
                               .time_kind = xstrdup("modelled"),
                               .bound = xstrdup(""),
                               .set = 1,
                               .launches = 1};
}

static void fill_case(struct stored *stored, int index, const json_t *json) {
  struct case_result *result = &stored->grade.cases[index];
  const char *name = stored->lab.conf.cases[index].name, *state = string(json, "state");
  for (int s = CASE_NOT_RUN; s <= CASE_ERROR; s++)
    if (state && strcmp(state, case_state_names[s]) == 0) result->state = (enum case_state)s;
  result->kind = string(json, "kind"); /* the JSON lives as long */
  result->reason = copy_of(json, "reason");
  uint64_t explains = count_of(json, "explains");
  if (explains <= EXPLAINS_STRAYS) result->explains = (enum explains)explains;
  fill_totals(json, &result->totals);
  struct report *report = &result->report;
  fill_hazards(json_object_get(json, "hazards"), report);
  const json_t *quoted = json_object_get(json, "quoted");
  if (quoted && count_of(json, "quoted") < (uint64_t)report->hazard_count)
    result->quoted = &report->hazards[count_of(json, "quoted")];
  fill_launches(json_object_get(stored->json, "launches"), name,
                json_is_true(json_object_get(json, "launched")), report);
  report->forged = (int)count_of(json, "forged");
  report->sets = xcalloc(1, sizeof *report->sets);
  report->set_count = 1;
  if (json_object_get(json, "traffic"))
    traffic_from_json(json_object_get(json, "traffic"), &report->sets[0].totals);
  spans_from_json(json_object_get(json, "timeline"), &result->spans);
  result->totals.traffic = report->sets[0].totals.traffic;
  result->totals.traffic_count = report->sets[0].totals.traffic_count;
  const struct conf *conf = &stored->lab.conf;
  const struct case_conf *entry = &conf->cases[index];
  const struct family *family = conf_family(conf, entry);
  result->totals.textbook_load_bytes = family_textbook_loads(family, entry->dims);
  result->totals.operations = family_operations(family, entry->dims);
  result->totals.textbook_store_bytes = family_output_bytes(family, entry->dims);
  report->done = true;
}

static const json_t *find_case(const struct stored *stored, int index, const char *of) {
  autofree char *hash = conf_case_hash(&stored->lab.conf, index);
  const json_t *found = NULL, *json;
  size_t i;
  json_array_foreach (json_object_get(stored->json, "cases"), i, json) {
    const char *own = string(json, "case_hash"), *its = string(json, "of");
    if (own && its && strcmp(own, hash) == 0 && strcmp(its, of) == 0) found = json;
  }
  return found;
}

/* A case that was not run because of what another did: that other one must still be there. */
static bool same_cases(const struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  size_t i;
  const json_t *json;
  int index = 0;
  bool same = true;
  json_array_foreach (json_object_get(stored->json, "cases"), i, json) {
    const char *of = string(json, "of"), *own = string(json, "case_hash");
    if (!of || strcmp(of, "submission") != 0) continue;
    autofree char *hash = index < conf->case_count ? conf_case_hash(conf, index) : NULL;
    same &= hash && own && strcmp(own, hash) == 0;
    index++;
  }
  return same && index == conf->case_count;
}

static void fill_cases(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  bool same = same_cases(stored);
  for (int i = 0; i < conf->case_count; i++) {
    const json_t *json = find_case(stored, i, "submission");
    if (!json) {
      lacks(stored, "case %s is new, or is run differently", conf->cases[i].name);
      stored->grade.cases[i].reason = xstrdup("not run");
      continue;
    }
    fill_case(stored, i, json);
    if (stored->grade.cases[i].state == CASE_NOT_RUN && !same)
      lacks(stored, "case %s was not run, because of one that has changed", conf->cases[i].name);
  }
}

static void fill_references(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  struct grade *grade = &stored->grade;
  for (int of = OF_BASELINE; of < ITEM_OFS; of++) {
    struct reference *reference = &grade->references[of];
    const char *lab = of == OF_BASELINE ? conf->baseline : stored->lab.id;
    if (!lab) continue;
    reference->name = xprintf("%s's solution", lab);
    reference->measured = xcalloc((size_t)conf->case_count, sizeof *reference->measured);
    reference->totals = xcalloc((size_t)conf->case_count, sizeof *reference->totals);
    for (int i = 0; i < conf->case_count; i++) {
      const json_t *json = find_case(stored, i, item_of_names[of]);
      const char *name = json ? string(json, "name") : NULL;
      reference->measured[i] = name && strcmp(name, reference->name) == 0;
      if (reference->measured[i]) fill_totals(json, &reference->totals[i]);
      if (!reference->measured[i] && score_needs(grade, (enum item_of)of, i))
        lacks(stored, "what it is compared with was not measured in case %s", conf->cases[i].name);
    }
  }
}

static struct interval interval_of(const json_t *list) {
  return (struct interval){json_number_value(json_array_get(list, 0)),
                           json_number_value(json_array_get(list, 1)),
                           json_number_value(json_array_get(list, 2))};
}

static void fill_timings(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  const json_t *list = json_object_get(stored->json, "timing"), *json, *one;
  if (!list) return;
  stored->grade.timings = xcalloc((size_t)conf->case_count, sizeof *stored->grade.timings);
  size_t i, t;
  json_array_foreach (list, i, json) {
    int index = string(json, "case") ? conf_case(conf, string(json, "case")) : -1;
    if (index < 0 || !find_case(stored, index, "submission")) continue;
    struct timing *timing = &stored->grade.timings[index];
    timing->measured = true;
    timing->rounds = (int)count_of(json, "rounds");
    timing->batch = (int)count_of(json, "batch");
    timing->event_cost_ns = json_number_value(json_object_get(json, "event_cost_ns"));
    timing->condition = copy_of(json, "condition");
    json_array_foreach (json_object_get(json, "timed"), t, one) {
      if (timing->count == MAX_TIMED) break;
      struct timed *timed = &timing->timed[timing->count++];
      const json_t *cold = json_object_get(one, "cold_ns");
      double ns = json_is_number(cold) ? json_number_value(cold) : (double)NAN;
      *timed = (struct timed){
          .name = copy_of(one, "name"),
          .ns = interval_of(json_object_get(one, "ns")),
          .deviation_ns = json_number_value(json_object_get(one, "deviation_ns")),
          .cold_ns = {ns, ns, ns},
          .ratio = interval_of(json_object_get(one, "ratio")),
      };
    }
  }
  for (int c = 0; c < conf->case_count; c++)
    if (score_times(conf, c) && stored->grade.cases[c].state == CASE_RIGHT &&
        !stored->grade.timings[c].measured)
      lacks(stored, "case %s was not timed", conf->cases[c].name);
}

/* The ceilings that the grade was given by: this machine may have another GPU, or none. */
static void fill_shares(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  struct grade *grade = &stored->grade;
  size_t i;
  const json_t *json;
  json_array_foreach (json_object_get(stored->json, "shares"), i, json) {
    int index = string(json, "case") ? conf_case(conf, string(json, "case")) : -1;
    double per_ns = json_number_value(json_object_get(json, "ceiling"));
    if (index < 0 || !(grade->shares[index].per_ns > 0) || !(per_ns > 0) || !string(json, "of"))
      continue;
    bool measured = grade->timings && grade->timings[index].measured;
    struct share *share = &grade->shares[index];
    free_all(share->ceiling.device, share->unknown);
    share->unknown = NULL;
    share->ceiling = (struct ceiling){
        .name = string(json, "of"), /* the JSON lives as long */
        .per_ns = per_ns,
        .device = measured && grade->device ? xstrdup(grade->device) : NULL,
    };
    share_apply(grade, index);
  }
}

/* A case with more launches than the JSON keeps: which line is to blame is not known any more. One
 * that was graded before traffic was kept lacks what is judged. */
static void check_launches(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  for (int i = 0; i < conf->item_count; i++) {
    const char *name = conf->items[i].case_name;
    if (!name) continue;
    const struct case_result *result = &stored->grade.cases[conf_case(conf, name)];
    if (metric_find(conf->items[i].metric)->where_it_matters && result->totals.launches &&
        !result->totals.traffic)
      lacks(stored, "the traffic of case %s was not kept", name);
    if (metric_is_time(metric_find(conf->items[i].metric)) && result->totals.launches &&
        !result->totals.time_ns)
      lacks(stored, "nobody asked for the time of case %s", name);
    uint64_t kept = 0;
    for (int l = 0; l < result->report.launch_count; l++)
      kept += result->report.launches[l].launches;
    if (result->totals.launches > kept)
      lacks(stored, "case %s had more launches than were kept", name);
  }
}

static const json_t *build_hazard(const struct stored *stored) {
  size_t i;
  const json_t *json;
  json_array_foreach (json_object_get(stored->json, "hazards"), i, json) {
    const char *kind = string(json, "kind");
    if (kind && strcmp(kind, "build") == 0) return json;
  }
  return NULL;
}

/* A file that did not compile does not do so now. */
static void score_build(struct stored *stored, const json_t *hazard) {
  autofree char *output = xprintf("%s:%d:1: error: %s\n", stored->source.name,
                                  (int)count_of(hazard, "line"), string(hazard, "message"));
  score_build_failure(&stored->grade, output);
  if (count_of(hazard, "line") == 0) stored->grade.hazards[stored->grade.hazard_count - 1].line = 0;
}

static void fill_answers(struct stored *stored) {
  const struct conf *conf = &stored->lab.conf;
  char **answers = xcalloc((size_t)conf->answer_count + 1, sizeof *answers);
  const json_t *json;
  size_t i;
  json_array_foreach (json_object_get(stored->json, "answers"), i, json) {
    int answer = string(json, "id") ? conf_answer(conf, string(json, "id")) : -1;
    if (answer >= 0 && !answers[answer]) answers[answer] = copy_of(json, "given");
  }
  stored->grade.answers = answers;
}

static void score(const struct class *class, struct stored *stored) {
  struct grade *grade = &stored->grade;
  const json_t *build = build_hazard(stored);
  if (build && json_array_size(json_object_get(stored->json, "cases")) == 0) {
    score_build(stored, build);
    return;
  }
  fill_cases(stored);
  fill_references(stored);
  fill_timings(stored);
  fill_answers(stored);
  check_launches(stored);
  if (!stored->fits) return;
  score_hazards(grade);
  if (build) {
    score_build(stored, build);
    return;
  }
  share_find(&class->kit, grade);
  fill_shares(stored);
  score_items(grade);
  if (grade->error) lacks(stored, "%s", grade->error);
}

static struct budget used_of(const json_t *json) {
  const json_t *used = json_object_get(json_object_get(json, "budget"), "used");
  return (struct budget){.instructions = count_of(used, "instructions"),
                         .bytes = count_of(used, "bytes"),
                         .calls = count_of(used, "calls")};
}

bool stored_open(const struct class *class, const char *work, struct stored *stored) {
  *stored = (struct stored){.fits = true};
  autofree char *text = result_read(class->book, work);
  if (!text) return false;
  stored->json = json_loads(text, 0, NULL);
  const char *lab = string(stored->json, "lab"), *verdict = string(stored->json, "verdict");
  char *path = lab ? class_path(class, "files/%s/%s.cu", work, lab) : NULL;
  if (!path || !verdict) {
    free(path);
    json_decref(stored->json);
    *stored = (struct stored){0};
    return false;
  }
  stored->no_file = source_read(path, &stored->source) != 0;
  if (stored->no_file) /* scores need its name only */
    stored->source = (struct source){.name = xprintf("%s.cu", lab), .path = xstrdup(path)};
  free(path);
  lab_open(&class->kit, lab, &stored->lab);
  struct grade *grade = &stored->grade;
  *grade =
      (struct grade){.lab = &stored->lab,
                     .source = &stored->source,
                     .backend = string(stored->json, "backend"),
                     .seed = (uint64_t)json_integer_value(json_object_get(stored->json, "seed")),
                     .sandbox = string(stored->json, "sandbox"),
                     .spending = {.used = used_of(stored->json)},
                     .seconds = json_number_value(json_object_get(stored->json, "seconds")),
                     .attempt = string(stored->json, "attempt"),
                     .device = copy_of(stored->json, "device"),
                     .messages = copy_of(stored->json, "messages"),
                     .verdict = "error"};
  if (!grade->messages) grade->messages = xstrdup("");
  grade->cases = xcalloc((size_t)stored->lab.conf.case_count + 1, sizeof *grade->cases);
  if (strcmp(verdict, "error") == 0)
    lacks(stored, "it has no grade yet");
  else
    score(class, stored);
  return true;
}

void stored_free(struct stored *stored) {
  grade_free(&stored->grade);
  source_free(&stored->source);
  lab_free(&stored->lab);
  json_decref(stored->json);
  free(stored->why);
}

json_t *stored_json(const struct stored *stored) {
  json_t *json = json_grade(&stored->grade, true);
  static const char *const kept[] = {"kit_version", "graded_with"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    json_t *value = json_object_get(stored->json, kept[i]);
    if (value) json_object_set(json, kept[i], value);
  }
  return json;
}
