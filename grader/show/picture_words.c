/* picture_words.c: sentences about one warp's access, or one block's. */
#include "grader/show/picture.h"

#include <stdlib.h>
#include <string.h>

#include "grader/show/access_map.h"

static const char *plural(long count) { return count == 1 ? "" : "s"; }

/* The lanes' distance in bytes if it is the same from each active lane to the next. */
static bool same_distance(const struct access_warp *warp, long *distance) {
  int last = -1, steps = 0;
  for (int lane = 0; lane < MAP_LANES; lane++) {
    if (!(warp->mask >> lane & 1)) continue;
    if (last >= 0) {
      long step = warp->offsets[lane] - warp->offsets[last];
      if (lane != last + 1 || (steps++ > 0 && step != *distance)) return false;
      *distance = step;
    }
    last = lane;
  }
  return steps > 0;
}

static void add_distance(struct text *words, const struct access_record *access,
                         const struct access_warp *warp, bool wasteful) {
  long bytes = 0;
  if (!same_distance(warp, &bytes)) return;
  long in_words = labs(bytes) / 4;
  if (bytes == 0) {
    text_add(words, " All lanes touch the same %d byte%s%s.", access->bytes, plural(access->bytes),
             access->shared ? ", which costs no more than one lane" : "");
  } else if (!access->shared) {
    if (wasteful)
      text_add(words, " Neighbouring lanes are %ld bytes apart, and memory moves 32 at a time.",
               labs(bytes));
  } else if (bytes % 4 == 0 && wasteful && in_words % MAP_BANKS == 0) {
    text_add(words, " Neighbouring lanes are %ld words apart, and %s word is in the same bank.",
             in_words,
             in_words == MAP_BANKS ? "every 32nd" : "a multiple of 32, so that each lane's");
  } else if (bytes % 4 == 0) {
    int banks = MAP_BANKS; /* that lanes so far apart reach: 32 / gcd(32, words) */
    for (long w = in_words; banks > 1 && w % 2 == 0; w /= 2) banks /= 2;
    text_add(words, " Neighbouring lanes are %ld word%s apart and reach %d bank%s of 32.", in_words,
             plural(in_words), banks, plural(banks));
  }
}

static const char *array_name(const struct access_record *access) {
  if (access->array[0]) return access->array;
  return access->shared ? "shared memory" : "global memory";
}

/* "32 words", "1 element of 8 bytes" */
static void add_elements(struct text *words, const struct access_record *access,
                         const struct access_warp *warp) {
  int count = __builtin_popcount(warp->mask);
  if (access->bytes == 4)
    text_add(words, "%d word%s", count, plural(count));
  else
    text_add(words, "%d element%s of %d byte%s", count, plural(count), access->bytes,
             plural(access->bytes));
}

static void add_cost(struct text *words, const char *unit, int cost, int ideal) {
  if (cost > ideal)
    text_add(words, "%d %s%s; %d would do.", cost, unit, plural(cost), ideal);
  else
    text_add(words, "%d %s%s, the minimum.", cost, unit, plural(cost));
}

char *words_of_warp(const struct access_record *access, const struct access_warp *warp,
                    int others) {
  bool store = strcmp(access->op, "store") == 0, load = strcmp(access->op, "load") == 0;
  int ideal, cost = access_cost(access, warp, &ideal);
  struct text words = {0};
  text_add(&words, "Warp %d %s ", warp->warp, store ? "writes" : load ? "reads" : "updates");
  add_elements(&words, access, warp);
  text_add(&words, " of %s ", array_name(access));
  if (access->shared) {
    text_add(&words, "in ");
    add_cost(&words, "wavefront", cost, ideal);
  } else {
    text_add(&words, load ? "from " : "in ");
    add_cost(&words, "sector", cost, ideal);
    if (cost > ideal) {
      struct sector_map map;
      sector_map_make(access, warp, &map);
      text_add(&words, " %d bytes are moved, %d of them used.", cost * 32, map.used_bytes);
    }
  }
  add_distance(&words, access, warp, cost > ideal);
  if (others > 0)
    text_add(&words, " The line has %d such instructions; no other fares worse.", others + 1);
  return words.data;
}

char *words_of_block(const struct access_record *access) {
  int sum = 0, ideal_sum = 0;
  for (int i = 0; i < access->warp_count; i++) {
    int ideal;
    sum += access_cost(access, &access->warps[i], &ideal);
    ideal_sum += ideal;
  }
  struct text words = {0};
  text_add(&words, "%d warp%s of the block, once each: ", access->warp_count,
           plural(access->warp_count));
  add_cost(&words, "wavefront", sum, ideal_sum);
  return words.data;
}
