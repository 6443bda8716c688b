/* sharing.c: how many blocks have atomic operations in one place at a time. */
#include "harness/sim/model/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "harness/sim/model/hierarchy.h"

enum { BITS = 1 << 16, WORDS = BITS / 64 };

/* A bit for each place, by a hash of its number. */
struct places {
  uint64_t bits[WORDS];
};

static void add_place(struct places *places, uint64_t place) {
  uint64_t bit = place * UINT64_C(0x9e3779b97f4a7c15) >> 48;
  places->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void add_places(const struct plan *plan, const struct warp_trace *warp,
                       struct places *places) {
  for (uint32_t at = 0; at < warp->count;) {
    const struct plan_block *block = &plan->blocks[warp->words[at++]];
    for (int i = 0; i < block->traced_count && at < warp->count; i++) {
      const uint32_t *words = warp->words + at;
      struct trace_memory access = trace_unpack(*words);
      at += (uint32_t)trace_words(access);
      for (int k = 0; access.kind == TRACE_GLOBAL_ATOMIC && k < access.lines; k++)
        add_place(places, hierarchy_place(words[1 + k]));
    }
  }
}

static int in_both(const struct places *a, const struct places *b) {
  int count = 0;
  for (int i = 0; i < WORDS; i++) count += __builtin_popcountll(a->bits[i] & b->bits[i]);
  return count;
}

/* Is it traced, and under way on the SM while the other one is anywhere? Of those before and behind
 * that one, as many as an SM holds. */
static bool is_there(const struct block_trace *trace, uint64_t sm, uint64_t block, uint64_t sms,
                     int resident) {
  uint64_t apart = trace->block > block ? trace->block - block : block - trace->block;
  return trace->warps && trace->block % sms == sm && 2 * apart <= sms * (uint64_t)resident;
}

/* The places of the SM's blocks while that one is under way; false if no such block is traced. */
static bool find_others(const struct block_trace *traces, const struct places *of, int count,
                        uint64_t sm, uint64_t block, uint64_t sms, int resident,
                        struct places *others) {
  bool any = false;
  *others = (struct places){{0}};
  for (int t = 0; t < count; t++) {
    if (!is_there(&traces[t], sm, block, sms, resident)) continue;
    for (int i = 0; i < WORDS; i++) others->bits[i] |= of[t].bits[i];
    any = true;
  }
  return any;
}

double sharing_of_places(const struct plan *plan, const struct block_trace *traces, int count,
                         int sms, int resident) {
  struct places *of = calloc((size_t)count + 1, sizeof *of), *others = of ? &of[count] : NULL;
  uint8_t *unseen = calloc((size_t)sms, 1); /* by SM */
  double visits = 0, shared = 0;
  for (int t = 0; of && t < count; t++)
    for (int w = 0; traces[t].warps && w < traces[t].warp_count; w++) /* none: it has not run */
      add_places(plan, &traces[t].warps[w], &of[t]);
  for (int t = 0; of && unseen && t < count; t++) {
    int own = in_both(&of[t], &of[t]);
    memset(unseen, 1, (size_t)sms);
    unseen[traces[t].block % (uint64_t)sms] = 0;
    for (int u = 0; u < count && own; u++) {
      uint64_t sm = traces[u].block % (uint64_t)sms;
      if (!unseen[sm] ||
          !find_others(traces, of, count, sm, traces[t].block, (uint64_t)sms, resident, others))
        continue;
      unseen[sm] = 0;
      visits += own;
      shared += in_both(&of[t], others);
    }
  }
  free(of);
  free(unseen);
  return visits > 0 ? shared / visits : 1;
}
