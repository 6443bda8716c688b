/* hazard.c: the names of hazards and the list that merges them by kind and place. */
#include "harness/sim/base/hazard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"

const char *const hazard_names[HAZARD_KINDS] = {
#define X(name, title, tool) #name,
    KIT_HAZARDS(X)
#undef X
};
const char *const hazard_titles[HAZARD_KINDS] = {
#define X(name, title, tool) title,
    KIT_HAZARDS(X)
#undef X
};
const char *const hazard_tools[HAZARD_KINDS] = {
#define X(name, title, tool) tool,
    KIT_HAZARDS(X)
#undef X
};

enum { MAX_PLACES = 64 }; /* of a kind */

struct hazard *hazard_note(struct hazard_list *list, enum hazard_kind kind, int line,
                           int other_line, const char *array, uint64_t count, bool *fresh) {
  for (int i = 0, at = list->last;
       i < list->count; /* the last one found is likely to be the same */
       i++, at = at + 1 < list->count ? at + 1 : 0) {
    struct hazard *h = &list->items[at];
    if (h->kind == kind && h->line == line && h->other_line == other_line &&
        strcmp(h->array, array) == 0) {
      h->count += count;
      list->last = at;
      *fresh = false;
      return h;
    }
  }
  struct hazard *h = NULL;
  int of_kind = 0;
  for (int i = 0; i < list->count; i++) of_kind += list->items[i].kind == kind;
  if (of_kind >= MAX_PLACES) {
    struct hazard *last = NULL;
    for (int i = 0; i < list->count && !h; i++) {
      if (list->items[i].kind != kind) continue;
      last = &list->items[i];
      if (last->warning) h = last;
    }
    if (!h) {
      last->count += count;
      return NULL;
    }
  } else if (!ARRAY_RESERVE(list->items, list->room, list->count + 1)) {
    return NULL;
  }
  if (!h) h = &list->items[list->count++];
  memset(h, 0, sizeof *h);
  h->kind = kind;
  h->line = line;
  h->other_line = other_line;
  h->count = count;
  snprintf(h->array, sizeof h->array, "%s", array);
  snprintf(h->kernel, sizeof h->kernel, "%s", list->kernel ? list->kernel : "");
  *fresh = true;
  return h;
}

void hazard_list_clear(struct hazard_list *list) {
  free(list->items);
  list->items = NULL;
  list->count = list->room = list->last = 0;
}
