/* totals.c: see totals.h. */
#include "grader/lab/totals.h"

json_t *totals_to_json(const struct totals *totals) {
  bool timed = totals->time_ns || !totals->launches;
  return json_pack("{s:I, s:o, s:o}", "launches", (json_int_t)totals->launches, "time_ns",
                   timed ? json_integer((json_int_t)totals->time_ns) : json_null(), "counters",
                   counters_to_json(&totals->counters, true));
}

bool totals_from_json(const json_t *json, struct totals *totals) {
  const json_t *launches = json_object_get(json, "launches"),
               *time = json_object_get(json, "time_ns");
  totals->launches = (uint64_t)json_integer_value(launches);
  totals->time_ns = (uint64_t)json_integer_value(time);
  return json_is_integer(launches) && (json_is_integer(time) || json_is_null(time)) &&
         counters_from_json(json_object_get(json, "counters"), true, &totals->counters);
}
