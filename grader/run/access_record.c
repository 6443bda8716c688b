/* access_record.c: a launch's "accesses" out of the runner's report, with every value checked; see
 * report.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/run/report.h"

enum { MAX_ACCESSES = 256, MAX_WARPS = 32, MAX_LINE = 10000000, MAX_COST = 4096 };
static const json_int_t offset_limit = (json_int_t)1 << 50;

static bool get_int(const json_t *object, const char *key, json_int_t min, json_int_t max,
                    json_int_t *to) {
  const json_t *value = json_object_get(object, key);
  *to = json_integer_value(value);
  return json_is_integer(value) && *to >= min && *to <= max;
}

static bool get_words(const json_t *object, const char *key, char **to) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value)) return false;
  freed_by(text_free) struct text text = {0};
  size_t length = json_string_length(value);
  text_add_printable(&text, json_string_value(value), length > 120 ? 120 : length, true);
  *to = xstrdup(text_get(&text));
  return true;
}

static bool take_warp(const json_t *json, bool shared, struct access_warp *warp) {
  json_int_t index, mask, cost;
  const json_t *offsets = json_object_get(json, "offsets");
  if (!get_int(json, "warp", 0, 63, &index) || !get_int(json, "mask", 1, UINT32_MAX, &mask) ||
      !get_int(json, shared ? "wavefronts" : "sectors", 0, MAX_COST, &cost) ||
      json_array_size(offsets) != 32)
    return false;
  warp->warp = (int)index;
  warp->mask = (uint32_t)mask;
  warp->cost = (int)cost;
  for (size_t lane = 0; lane < 32; lane++) {
    json_int_t offset = json_integer_value(json_array_get(offsets, lane));
    if (offset < -offset_limit || offset > offset_limit) return false;
    warp->offsets[lane] = (long)offset;
  }
  return true;
}

static bool take_access(const json_t *json, struct access_record *access) {
  json_int_t line, index, bytes, array_bytes, base, block[3];
  const json_t *warps = json_object_get(json, "warps"), *warp;
  const char *space = json_string_value(json_object_get(json, "space"));
  const json_t *place = json_object_get(json, "block");
  if (!space || !get_int(json, "line", 0, MAX_LINE, &line) ||
      !get_int(json, "index", 0, MAX_ACCESSES, &index) || !get_int(json, "bytes", 1, 16, &bytes) ||
      !get_int(json, "array_bytes", 0, offset_limit, &array_bytes) ||
      !get_int(json, "base", 0, 127, &base) || json_array_size(place) != 3 ||
      json_array_size(warps) > MAX_WARPS)
    return false;
  for (size_t i = 0; i < 3; i++) {
    block[i] = json_integer_value(json_array_get(place, i));
    if (block[i] < 0 || block[i] > INT_MAX) return false;
    access->block[i] = (uint64_t)block[i];
  }
  access->shared = strcmp(space, "shared") == 0;
  access->line = (int)line;
  access->index = (int)index;
  access->bytes = (int)bytes;
  access->array_bytes = (long)array_bytes;
  access->base = (int)base;
  if (!get_words(json, "op", &access->op) || !get_words(json, "array", &access->array))
    return false;
  access->warps = xcalloc(json_array_size(warps), sizeof *access->warps);
  size_t i;
  json_array_foreach (warps, i, warp) {
    if (!take_warp(warp, access->shared, &access->warps[i])) return false;
    access->warp_count++;
  }
  return access->warp_count > 0;
}

const char *launch_record_take_accesses(const json_t *list, struct launch_record *launch) {
  if (!list) return NULL;
  if (!json_is_array(list) || json_array_size(list) > MAX_ACCESSES)
    return "a launch's accesses are not a list";
  launch->accesses = xcalloc(json_array_size(list), sizeof *launch->accesses);
  const json_t *entry;
  size_t i;
  json_array_foreach (list, i, entry) {
    launch->access_count++;
    if (!take_access(entry, &launch->accesses[i])) return "an access has a value out of range";
  }
  return NULL;
}

static json_t *warp_to_json(const struct access_warp *warp, bool shared) {
  json_t *offsets = json_array();
  for (int lane = 0; lane < 32; lane++)
    json_array_append_new(offsets, json_integer(warp->offsets[lane]));
  return json_pack("{s:i, s:I, s:o, s:i}", "warp", warp->warp, "mask", (json_int_t)warp->mask,
                   "offsets", offsets, shared ? "wavefronts" : "sectors", warp->cost);
}

json_t *launch_record_accesses_to_json(const struct launch_record *launch) {
  json_t *list = json_array();
  for (int i = 0; i < launch->access_count; i++) {
    const struct access_record *access = &launch->accesses[i];
    json_t *warps = json_array();
    for (int w = 0; w < access->warp_count; w++)
      json_array_append_new(warps, warp_to_json(&access->warps[w], access->shared));
    json_array_append_new(
        list,
        json_pack("{s:i, s:i, s:s, s:s, s:s, s:i, s:I, s:i, s:[I,I,I], s:o}", "line", access->line,
                  "index", access->index, "space", access->shared ? "shared" : "global", "op",
                  access->op, "array", access->array, "bytes", access->bytes, "array_bytes",
                  (json_int_t)access->array_bytes, "base", access->base, "block",
                  (json_int_t)access->block[0], (json_int_t)access->block[1],
                  (json_int_t)access->block[2], "warps", warps));
  }
  return list;
}

void launch_record_free_accesses(struct launch_record *launch) {
  for (int i = 0; i < launch->access_count; i++) {
    free_all(launch->accesses[i].op, launch->accesses[i].array, launch->accesses[i].warps);
  }
  free(launch->accesses);
}
