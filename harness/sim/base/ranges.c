/* ranges.c: sorted lists of byte ranges and their intersection. */
#include "harness/sim/base/ranges.h"

#include <stdlib.h>

#include "harness/base/array.h"

bool ranges_add(struct range_list *list, struct byte_range range) {
  struct byte_range *last = list->count ? &list->items[list->count - 1] : NULL;
  if (last && last->to == range.from && last->line == range.line && last->atomic == range.atomic) {
    last->to = range.to;
    return true;
  }
  if (!ARRAY_RESERVE(list->items, list->room, list->count + 1)) return false;
  list->items[list->count++] = range;
  return true;
}

void ranges_free(struct range_list *list) {
  free(list->items);
  *list = (struct range_list){0};
}

void ranges_intersect(const struct range_list *a, const struct range_list *b, ranges_meet *meet,
                      void *context) {
  size_t i = 0, j = 0;
  while (i < a->count && j < b->count) {
    const struct byte_range *x = &a->items[i], *y = &b->items[j];
    uint64_t from = x->from > y->from ? x->from : y->from, to = x->to < y->to ? x->to : y->to;
    if (from < to && !(x->atomic && y->atomic)) meet(context, from, to, x, y);
    if (x->to <= y->to)
      i++;
    else
      j++;
  }
}
