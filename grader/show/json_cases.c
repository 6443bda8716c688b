/* json_cases.c: a grade's "cases": what was measured, before any points; see json.c for the
 * schema. */
#include <stdlib.h>

#include "grader/lab/conf_hash.h"
#include "grader/lab/totals.h"
#include "grader/score/score.h"
#include "grader/show/json.h"

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
    json_object_set_new(json, "traffic", traffic_to_json(&result->totals));
}

/* What students may know: not even the hash of its sizes, which could be guessed. */
static json_t *quiet_case(const struct grade *grade, int index) {
  const struct case_result *result = &grade->cases[index];
  return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?}", "case", grade->lab->conf.cases[index].name,
                   "of", "submission", "name", grade->source->name, "state",
                   case_state_names[result->state], "kind", result->kind, "reason", result->reason);
}

json_t *json_cases(const struct grade *grade, bool complete) {
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
