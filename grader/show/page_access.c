/* page_access.c: how the lanes of a warp lie to each other in the costliest access of a line, from
 * the launch's records. */
#include <stdlib.h>
#include <string.h>

#include "grader/show/access_map.h"
#include "grader/show/page_source.h"

/* The warp of this line that costs most with this kind of access, and its record; false if there is
 * none. */
static bool find_costliest(const struct launch_record *launch, int line, bool shared,
                           const char *op, const struct access_record **record,
                           const struct access_warp **warp) {
  *warp = NULL;
  for (int i = 0; i < launch->access_count; i++) {
    const struct access_record *access = &launch->accesses[i];
    if (access->line != line || access->shared != shared || strcmp(access->op, op) != 0) continue;
    for (int w = 0; w < access->warp_count; w++) {
      if (*warp && access->warps[w].cost <= (*warp)->cost) continue;
      *record = access;
      *warp = &access->warps[w];
    }
  }
  return *warp != NULL;
}

static bool is_active(const struct access_warp *warp, int lane) { return warp->mask >> lane & 1; }

/* Bytes from each active lane to the next lane, if they are the same for all; else 0. */
static long stride_of(const struct access_warp *warp) {
  long stride = 0;
  for (int lane = 0; lane < 31; lane++) {
    if (!is_active(warp, lane) || !is_active(warp, lane + 1)) continue;
    long step = warp->offsets[lane + 1] - warp->offsets[lane];
    if (stride && step != stride) return 0;
    stride = step;
  }
  return stride;
}

static void add_warp(struct text *words, const struct access_record *record,
                     const struct access_warp *warp) {
  text_add(words, " In warp %d of block (%lu,%lu", warp->warp, record->block[0], record->block[1]);
  if (record->block[2]) text_add(words, ",%lu", record->block[2]);
  text_add(words, "),");
}

/* "neighbouring lanes are 128 bytes apart (array A)", or of two lanes if it differs. */
static void add_distance(struct text *words, const struct access_record *record,
                         const struct access_warp *warp) {
  long stride = stride_of(warp), first = labs(warp->offsets[1] - warp->offsets[0]);
  bool two = is_active(warp, 0) && is_active(warp, 1);
  if (stride == 0 && (!two || first < 32)) return;
  add_warp(words, record, warp);
  text_add(words, " %s are %ld bytes apart%s%s%s.", stride ? "neighbouring lanes" : "lanes 0 and 1",
           stride ? labs(stride) : first, record->array[0] ? " (array " : "", record->array,
           record->array[0] ? ")" : "");
}

/* "the lanes read 32 different words of tile in bank 3" */
static void add_bank(struct text *words, const struct access_record *record,
                     const struct access_warp *warp) {
  struct bank_map map;
  int bank = 0;
  bank_map_make(record, warp, &map);
  for (int b = 1; b < MAP_BANKS; b++) {
    if (map.words[b] > map.words[bank]) bank = b;
  }
  add_warp(words, record, warp);
  text_add(words, " the lanes %s %d different words%s%s in bank %d.",
           strcmp(record->op, "load") == 0 ? "read" : "write", map.words[bank],
           record->array[0] ? " of " : "", record->array, bank);
}

void access_words(const struct launch_record *launch, int line, enum fault fault,
                  struct text *words) {
  const struct access_record *record = NULL;
  const struct access_warp *warp;
  bool shared = fault == FAULT_SHARED_LOADS || fault == FAULT_SHARED_STORES;
  bool load = fault == FAULT_LOADS || fault == FAULT_SHARED_LOADS;
  if (fault == FAULT_LOCAL) return;
  if (!find_costliest(launch, line, shared, load ? "load" : "store", &record, &warp)) return;
  int ideal;
  if (!shared)
    add_distance(words, record, warp);
  else if (access_cost(record, warp, &ideal) > ideal)
    add_bank(words, record, warp);
}
