/* dispatch.c: has the blocks of a launch run on its SMs, as wholes. */
#include "harness/sim/model/dispatch.h"

#include <math.h>
#include <stdlib.h>

static const double uneven = 0.05;
enum { MAX_BLOCKS = 1 << 16 }; /* those before are taken to keep all SMs busy */

struct running {
  double left;   /* of it, 1 to 0 */
  double cycles; /* that it takes if nothing holds it up */
  double wants;  /* of the SM, in a cycle, then */
};

struct sm_state {
  double now, next; /* next: when the first of its blocks ends */
  int count;
  struct running *blocks;
};

struct chip {
  const struct dispatch *dispatch;
  struct sm_state *sms;
  int *order; /* a heap of SMs, by next */
  int count;
};

double dispatch_mean(const struct block_work *works, uint64_t count) {
  double sum = 0;
  for (uint64_t b = 0; b < count; b++) sum += works[b].instructions;
  return sum / (double)count;
}

bool dispatch_is_uneven(const struct block_work *works, uint64_t count) {
  double most = 0;
  for (uint64_t b = 0; b < count; b++) most = fmax(most, works[b].instructions);
  return most > (1 + uneven) * dispatch_mean(works, count);
}

/* How much longer all its blocks take than each for itself. */
static double slowdown(const struct sm_state *sm) {
  double wanted = 0;
  for (int i = 0; i < sm->count; i++) wanted += sm->blocks[i].wants;
  return fmax(1, wanted);
}

static void find_next(struct sm_state *sm) {
  double first = INFINITY;
  for (int i = 0; i < sm->count; i++)
    first = fmin(first, sm->blocks[i].left * sm->blocks[i].cycles);
  sm->next = sm->now + first * slowdown(sm);
}

/* Up to when its next block ends, which leaves. */
static void go_on(struct sm_state *sm) {
  double passed = (sm->next - sm->now) / slowdown(sm);
  int first = 0;
  for (int i = 0; i < sm->count; i++) {
    struct running *own = &sm->blocks[i], *other = &sm->blocks[first];
    own->left -= passed / own->cycles;
    if (own->left * own->cycles < other->left * other->cycles) first = i;
  }
  sm->now = sm->next;
  sm->blocks[first] = sm->blocks[--sm->count];
}

static void start(const struct chip *chip, struct sm_state *sm, const struct block_work *work) {
  const struct dispatch *d = chip->dispatch;
  double cycles = fmax(1, d->alone * work->longest);
  sm->blocks[sm->count++] = (struct running){1, cycles, d->busy * work->instructions / cycles};
}

static void sink(struct chip *chip, int at) {
  for (;;) {
    int least = at;
    for (int child = 2 * at + 1; child <= 2 * at + 2 && child < chip->count; child++)
      if (chip->sms[chip->order[child]].next < chip->sms[chip->order[least]].next) least = child;
    if (least == at) return;
    int other = chip->order[at];
    chip->order[at] = chip->order[least];
    chip->order[least] = other;
    at = least;
  }
}

static double run(struct chip *chip, const struct block_work *works, uint64_t count) {
  uint64_t started = 0;
  double end = 0;
  for (int turn = 0; turn < chip->dispatch->resident; turn++)
    for (int s = 0; s < chip->count && started < count; s++)
      start(chip, &chip->sms[s], &works[started++]);
  for (int s = 0; s < chip->count; s++) {
    find_next(&chip->sms[s]);
    chip->order[s] = s;
  }
  for (int i = chip->count / 2; i >= 0; i--) sink(chip, i);
  for (;;) {
    struct sm_state *sm = &chip->sms[chip->order[0]];
    if (!sm->count) return end; /* none has */
    go_on(sm);
    end = fmax(end, sm->now);
    if (started < count) start(chip, sm, &works[started++]);
    find_next(sm);
    sink(chip, 0);
  }
}

double dispatch_cycles(const struct dispatch *dispatch, const struct block_work *works,
                       uint64_t count) {
  uint64_t before = count > MAX_BLOCKS ? count - MAX_BLOCKS : 0;
  double cycles = 0;
  for (uint64_t b = 0; b < before; b++)
    cycles += dispatch->busy * works[b].instructions / dispatch->sms;
  size_t sms = (size_t)dispatch->sms, each = (size_t)dispatch->resident;
  struct chip chip = {.dispatch = dispatch,
                      .sms = calloc(sms, sizeof *chip.sms),
                      .order = calloc(sms, sizeof *chip.order),
                      .count = dispatch->sms};
  struct running *blocks = calloc(sms * each, sizeof *blocks);
  bool ok = chip.sms && chip.order && blocks;
  for (size_t s = 0; ok && s < sms; s++) chip.sms[s].blocks = blocks + s * each;
  cycles = ok ? cycles + run(&chip, works + before, count - before) : -1;
  free(blocks);
  free(chip.order);
  free(chip.sms);
  return cycles;
}

void dispatch_fit(struct dispatch *dispatch, const struct block_work *works, uint64_t count,
                  double cycles, double least) {
  enum { STEPS = 40 };
  double sum = dispatch_mean(works, count) * (double)count;
  struct dispatch one = *dispatch;
  one.sms = 1;
  double low = least, high = fmax(least, cycles / fmax(sum, 1));
  for (int i = 0; i < STEPS; i++) {
    one.busy = (low + high) / 2;
    if (dispatch_cycles(&one, works, count) < cycles)
      low = one.busy;
    else
      high = one.busy;
  }
  dispatch->busy = high;
}
