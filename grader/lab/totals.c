/* totals.c: see totals.h. */
#include "grader/lab/totals.h"

#include <stddef.h>

/* Of an overlap, what metrics are made of. */
static const struct {
  const char *key;
  size_t at;
} of_overlap[] = {
#define X(name) \
  { #name, offsetof(struct overlap, name) }
    X(total),          X(copied),       X(copied_out), X(pageable),      X(stored),
    X(fetched),        X(mapped),       X(both_ways),  X(beside_copies), X(beside_both),
    X(beside_kernels), X(most_kernels), X(result),
#undef X
};
enum { OF_OVERLAP = sizeof of_overlap / sizeof *of_overlap };

static double *value_at(struct overlap *overlap, int i) {
  return (double *)(void *)((char *)overlap + of_overlap[i].at);
}

static json_t *overlap_to_json(const struct overlap *overlap) {
  json_t *json = json_object();
  struct overlap copy = *overlap;
  for (int i = 0; i < OF_OVERLAP; i++)
    json_object_set_new(json, of_overlap[i].key, json_real(*value_at(&copy, i)));
  return json;
}

static bool overlap_from_json(const json_t *json, struct overlap *overlap) {
  for (int i = 0; i < OF_OVERLAP; i++) {
    const json_t *value = json_object_get(json, of_overlap[i].key);
    if (!json_is_number(value)) return false;
    *value_at(overlap, i) = json_number_value(value);
  }
  return true;
}

json_t *totals_to_json(const struct totals *totals) {
  bool timed = totals->time_ns || !totals->launches;
  json_t *json = json_pack("{s:I, s:o, s:o}", "launches", (json_int_t)totals->launches, "time_ns",
                           timed ? json_integer((json_int_t)totals->time_ns) : json_null(),
                           "counters", counters_to_json(&totals->counters, true));
  if (totals->timeline) json_object_set_new(json, "overlap", overlap_to_json(&totals->overlap));
  return json;
}

bool totals_overlap_from_json(const json_t *json, struct totals *totals) {
  const json_t *overlap = json_object_get(json, "overlap");
  totals->timeline = overlap && overlap_from_json(overlap, &totals->overlap);
  return totals->timeline || !overlap;
}

bool totals_from_json(const json_t *json, struct totals *totals) {
  const json_t *launches = json_object_get(json, "launches"),
               *time = json_object_get(json, "time_ns");
  totals->launches = (uint64_t)json_integer_value(launches);
  totals->time_ns = (uint64_t)json_integer_value(time);
  return json_is_integer(launches) && (json_is_integer(time) || json_is_null(time)) &&
         totals_overlap_from_json(json, totals) &&
         counters_from_json(json_object_get(json, "counters"), true, &totals->counters);
}
