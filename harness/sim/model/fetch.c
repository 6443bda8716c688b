/* fetch.c: instruction caches. Only kernels of some 2000 instructions and more notice them: loops
 * that are longer than a cache, and long code that is executed once.
 *
 * Measured on an H200 (gpus/calibrate_code.cu, "code"): loops of up to 32 KiB issue an instruction
 * a cycle; from there to some 128 KiB a scheduler gets one in 2.1 cycles, beyond that an SM one in
 * 5.7 cycles, all four schedulers alike, however many warps there are. Code that is executed once
 * takes as long: the launch before has left it there, up to 128 KiB. */
#include "harness/sim/model/fetch.h"

#include <stdlib.h>

static const double near_bytes = 32 << 10, far_bytes = 128 << 10, instruction_bytes = 16;
static const double near_cycles = 2.1, far_cycles = 5.7;

static bool open_cache(struct fetch_cache *cache, const struct plan *plan, double bytes) {
  cache->bytes = bytes;
  cache->fetched = 0;
  cache->used = malloc((size_t)(plan->index_count + 1) * sizeof *cache->used);
  if (!cache->used) return false;
  for (int i = 0; i < plan->block_count; i++) {
    cache->fetched += plan->blocks[i].instructions * instruction_bytes;
    for (const struct plan_block *b = &plan->blocks[i]; b; b = b->longer)
      cache->used[b->index] = cache->fetched;
  }
  return true;
}

bool fetch_open(struct fetch *f, const struct plan *plan) {
  *f = (struct fetch){.open = plan->instructions * instruction_bytes > near_bytes};
  if (!f->open) return true;
  f->arrives = calloc((size_t)plan->index_count + 1, sizeof *f->arrives);
  bool ok = f->arrives && open_cache(&f->far, plan, far_bytes);
  for (int i = 0; ok && i < FETCH_SCHEDULERS; i++) ok = open_cache(&f->near[i], plan, near_bytes);
  return ok;
}

void fetch_close(struct fetch *f) {
  free(f->arrives);
  free(f->far.used);
  for (int i = 0; i < FETCH_SCHEDULERS; i++) free(f->near[i].used);
}

/* Is the block there? It is afterwards. */
static bool find(struct fetch_cache *cache, const struct plan_block *block) {
  double bytes = block->instructions * instruction_bytes;
  bool there = cache->fetched - cache->used[block->index] + bytes <= cache->bytes;
  if (!there) cache->fetched += bytes;
  cache->used[block->index] = cache->fetched;
  return there;
}

struct fetch_stream fetch_block(struct fetch *f, int scheduler, const struct plan_block *block,
                                double now) {
  static const struct fetch_stream there = {0};
  if (!f->open) return there;
  bool near = find(&f->near[scheduler], block);
  struct fetch_stream *arrives = &f->arrives[block->index];
  if (now < arrives->from + block->instructions * arrives->each) return *arrives;
  if (near) return there;
  if (find(&f->far, block)) return (struct fetch_stream){now, near_cycles};
  return *arrives = (struct fetch_stream){now, far_cycles};
}
