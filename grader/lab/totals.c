/* totals.c: the codec of counters, by the names in harness/sim/base/counters.h. */
#include "grader/lab/totals.h"

json_t *counters_json(const struct counters *counters, bool all) {
  json_t *map = json_object();
  for (int i = 0; i < COUNTERS; i++)
    if (all || counters->value[i])
      json_object_set_new(map, counter_names[i], json_integer((json_int_t)counters->value[i]));
  return map;
}

bool counters_from_json(const json_t *map, bool all, struct counters *counters) {
  if (!json_is_object(map)) return false;
  for (int i = 0; i < COUNTERS; i++) {
    const json_t *value = json_object_get(map, counter_names[i]);
    counters->value[i] = 0;
    if (!all && (!value || json_is_null(value))) continue;
    json_int_t count = json_integer_value(value);
    if (!json_is_integer(value) || count < 0 || count > counter_limit) return false;
    counters->value[i] = (uint64_t)count;
  }
  return true;
}

json_t *totals_to_json(const struct totals *totals) {
  return json_pack("{s:I, s:I, s:o}", "launches", (json_int_t)totals->launches, "time_ns",
                   (json_int_t)totals->time_ns, "counters", counters_json(&totals->counters, true));
}

bool totals_from_json(const json_t *json, struct totals *totals) {
  const json_t *launches = json_object_get(json, "launches"),
               *time = json_object_get(json, "time_ns");
  totals->launches = (uint64_t)json_integer_value(launches);
  totals->time_ns = (uint64_t)json_integer_value(time);
  return json_is_integer(launches) && json_is_integer(time) &&
         counters_from_json(json_object_get(json, "counters"), true, &totals->counters);
}
