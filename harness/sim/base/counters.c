/* counters.c: the names of the counters, from the one table in counters.h, and their JSON. */
#include "harness/sim/base/counters.h"

const char *const counter_names[COUNTERS] = {
#define X(name, metric) #name,
    KIT_COUNTERS(X)
#undef X
};
const char *const counter_metrics[COUNTERS] = {
#define X(name, metric) metric,
    KIT_COUNTERS(X)
#undef X
};

void counters_add(struct counters *to, const struct counters *counters) {
  for (int i = 0; i < COUNTERS; i++) to->value[i] += counters->value[i];
}

json_t *counters_to_json(const struct counters *counters, bool all) {
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
