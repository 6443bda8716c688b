/* report_lists.c: lists of line reports and traffic whose entries are merged by place. */
#include "harness/sim/base/report_lists.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

int traffic_spread(uint64_t sectors, uint64_t bytes) {
  static const unsigned limits[SPREADS - 1] = {4, 6, 8, 16};
  int spread = 0;
  while (spread < SPREADS - 1 && sectors * 128 > limits[spread] * bytes) spread++;
  return spread;
}

static int by_line(const void *a, const void *b) {
  const struct line_report *x = a, *y = b;
  return (x->line > y->line) - (x->line < y->line);
}

void line_list_merge(struct line_list *list) {
  int kept = 0;
  if (list->count) qsort(list->items, (size_t)list->count, sizeof *list->items, by_line);
  for (int i = 0; i < list->count; i++) {
    const struct line_report *line = &list->items[i];
    if (kept && list->items[kept - 1].line == line->line)
      counters_add(&list->items[kept - 1].counters, &line->counters);
    else
      list->items[kept++] = *line;
  }
  list->count = kept;
}

static int by_place(const void *a, const void *b) {
  const struct traffic *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->store != y->store) return x->store - y->store;
  int arrays = strcmp(x->array, y->array);
  if (arrays) return arrays;
  return traffic_spread(x->sectors, x->bytes) - traffic_spread(y->sectors, y->bytes);
}

void traffic_list_merge(struct traffic_list *list) {
  int kept = 0;
  if (list->count) qsort(list->items, (size_t)list->count, sizeof *list->items, by_place);
  for (int i = 0; i < list->count; i++) {
    const struct traffic *traffic = &list->items[i];
    if (kept && by_place(&list->items[kept - 1], traffic) == 0) {
      list->items[kept - 1].requests += traffic->requests;
      list->items[kept - 1].sectors += traffic->sectors;
      list->items[kept - 1].bytes += traffic->bytes;
    } else {
      list->items[kept++] = *traffic;
    }
  }
  list->count = kept;
}

/* A list that is still half full after merging gets twice the room. */
enum { MIN_ROOM = 32 };
#define RESERVE(list)                  \
  ((list)->count < (list)->room / 2 || \
   ARRAY_RESERVE((list)->items, (list)->room, (list)->room ? (list)->room * 2 : MIN_ROOM))

struct counters *line_list_at(struct line_list *list, int line) {
  if (list->count && list->items[list->count - 1].line == line)
    return &list->items[list->count - 1].counters;
  if (list->count == list->room) {
    line_list_merge(list);
    if (!RESERVE(list)) return NULL;
  }
  struct line_report *report = &list->items[list->count++];
  memset(report, 0, sizeof *report);
  report->line = line;
  return &report->counters;
}

bool traffic_list_add(struct traffic_list *list, const struct traffic *traffic) {
  if (list->count == list->room) {
    traffic_list_merge(list);
    if (!RESERVE(list)) return false;
  }
  list->items[list->count++] = *traffic;
  return true;
}

json_t *traffic_to_json(const struct traffic *traffic, int count) {
  json_t *list = json_array();
  for (const struct traffic *t = traffic; t < traffic + count; t++) {
    json_t *name = json_string(t->array); /* NULL if it is not UTF-8 */
    json_array_append_new(
        list, json_pack("{s:i, s:s, s:o, s:I, s:I, s:I}", "line", t->line, "op",
                        t->store ? "store" : "load", "array", name ? name : json_string("?"),
                        "requests", (json_int_t)t->requests, "sectors", (json_int_t)t->sectors,
                        "bytes", (json_int_t)t->bytes));
  }
  return list;
}
