/* race_report.c: writes the message of a race: who accessed what, and advice for this pair. */
#include "harness/sim/exec/race_parts.h"

#include <stdio.h>
#include <string.h>

#include "harness/sim/base/source_places.h"

bool race_of_library(const struct launch_state *launch) {
  const struct ptx_function *kernel = launch->program->function;
  return kernel->instruction_count && place_is_of_library(kernel->instructions[0].line);
}

/* A kernel of CUB or Thrust races with itself where that does no harm: blocks hand prefixes on in
 * words that hold the flag, too (decoupled look-back), or several lanes store to a spare element.
 */
static bool is_of_library(const struct launch_state *launch, const struct race *race) {
  return race_of_library(launch) && place_is_of_library(race->op->line) && race->other_op &&
         place_is_of_library(race->other_op->line);
}

static const struct shared_array *array_at(const struct launch_state *launch, uint64_t offset) {
  for (int i = 0; i < launch->array_count; i++)
    if (offset >= launch->arrays[i].start &&
        offset - launch->arrays[i].start < launch->arrays[i].size)
      return &launch->arrays[i];
  return NULL;
}

static const char *shared_name(const struct shared_array *array) {
  return array ? array->name : "shared memory";
}

static const char *shared_element(const struct shared_array *array, const struct op *op,
                                  uint64_t offset, char *text, size_t size) {
  unsigned long long at = array ? offset - array->start : offset;
  snprintf(text, size, "shared %s[%llu]", shared_name(array), at / op->size);
  return text;
}

/* ---- the fix ---- */

static bool lines_are_one(const struct race *race) {
  return race->other_op && race->other_op->line == race->op->line;
}

static bool one_address(const struct op *a, const struct op *b) {
  return a->line == b->line && a->base == b->base && a->access.offset == b->access.offset;
}

/* Do both threads update the element, as in x += y: read it and write it on one line? Two accesses
 * of one line may also be to different elements, as in x[i] += x[i + 8]. */
static bool is_update(const struct launch_state *launch, const struct race *race) {
  if (!race->other_op || race->deed == UPDATES || race->other_deed == UPDATES) return false;
  if (race->deed != race->other_deed) return one_address(race->op, race->other_op);
  if (race->deed != WRITES || race->op != race->other_op) return false;
  for (int i = 0; i < launch->op_total; i++)
    if (launch->ops[i]->kind == OP_LOAD && one_address(launch->ops[i], race->op)) return true;
  return false;
}

static const char *advise_atomics(const struct race *race) {
  if (race->narrow)
    return "An atomic with _block has the scope of its own block: use the one without _block, "
           "whose scope is the whole device.";
  if (race->deed == READS || race->other_deed == READS)
    return race->relation == OTHER_BLOCK ? "Read it where all updates are known to be done: in a "
                                           "second kernel, or by an atomic (atomicAdd(&x, 0))."
                                         : "Put __syncthreads() between the update and the read, "
                                           "or read by an atomic, too (atomicAdd(&x, 0)).";
  return race->relation == OTHER_BLOCK
             ? "Make the store an atomic, too (atomicExch), or do it in a kernel of its own."
         : race->relation == SAME_WARP ? "Put __syncwarp() or __syncthreads() between the two, or "
                                         "make the store an atomic, too (atomicExch)."
                                       : "Put __syncthreads() between the two, or make the store "
                                         "an atomic, too (atomicExch).";
}

/* A flag, a lock or a counter is between the two accesses but does not order them. */
static const char *advise_flags(const struct race *race) {
  bool blocks = race->relation == OTHER_BLOCK;
  switch (race->gap) {
    case GAP_NO_RELEASE:
      return blocks ? "A flag or lock says nothing about what was done before it without a fence: "
                      "put __threadfence() before the flag is set or the lock is released."
                    : "A flag or lock says nothing about what was done before it without a fence: "
                      "put __threadfence_block() before the flag is set or the lock is released.";
    case GAP_NARROW:
      return "A __threadfence_block() or an atomic with _block has the scope of its own block and "
             "orders nothing between blocks: use __threadfence() and the atomic without _block.";
    case GAP_NO_ACQUIRE:
      return blocks ? "Taking the lock is not enough: put __threadfence() behind it, before the "
                      "first access that it protects."
                    : "Taking the lock is not enough: put __threadfence_block() behind it, before "
                      "the first access that it protects.";
    case GAP_NO_FLAG:
      break;
  }
  return NULL;
}

static const char *advise_blocks(const struct launch_state *launch, const struct race *race) {
  if (is_update(launch, race) && launch->program->has_fence)
    return "The lock or flag does not cover this update: it takes __threadfence() between the two, "
           "and __syncthreads() if another thread of the block takes and releases it. Or use "
           "atomicAdd.";
  if (is_update(launch, race))
    return "Blocks run in any order and at once: use atomicAdd, or let each block write an element "
           "of its own and add those up in a second kernel.";
  if (race->deed == WRITES && race->other_deed == WRITES)
    return "Blocks run in any order: give each element to one block, or use an atomic if all must "
           "count.";
  if (lines_are_one(race))
    return "Blocks run in any order, and some still read what others overwrite: write the results "
           "to a second array.";
  if (launch->program->has_polls)
    return "A counter, flag or lock orders nothing by itself: it takes __threadfence() before it "
           "is set and behind where it is read, and __syncthreads() where it stands for other "
           "threads of the block, too. Without one, split the work into two kernels.";
  return "Blocks run in any order, and __syncthreads() does not wait for other blocks: split the "
         "work into two kernels, the second of which reads.";
}

static const char *advise_warp(const struct warp *warp, const struct place *place,
                               const struct race *race) {
  if (is_update(warp->worker->launch, race))
    return "Lanes of a warp do this at once, and updates get lost: use an atomic (atomicAdd), or "
           "give each element to one thread.";
  if (race->op == race->other_op)
    return "Which value stays is left to chance: give each element to one thread.";
  return !place->allocation && warp->block->warp_count > 1
             ? "Both lanes are of one warp, but lanes need not run in step: put __syncwarp() "
               "between the two, or __syncthreads() if other warps exchange data there, too."
             : "Lanes of a warp need not run in step: put __syncwarp() between the two.";
}

static const char *advise_block(const struct launch_state *launch, const struct race *race) {
  if (is_update(launch, race))
    return "Threads do this at once, and updates get lost: use an atomic (atomicAdd), or give each "
           "element to one thread.";
  if (race->op == race->other_op)
    return "Which value stays is left to chance: give each element to one thread, or use an "
           "atomic.";
  if (lines_are_one(race) && race->deed != race->other_deed)
    return "Some threads still read what others overwrite: read into a variable, __syncthreads(), "
           "then write (in a loop: __syncthreads() after the writes, too), or write to a second "
           "array.";
  if (race->too_early)
    return "It is read before it is there: put __syncthreads() after the stores and before the "
           "reads.";
  if (race->deed == WRITES && race->other_deed == READS && race->other_op &&
      race->other_op->line > race->op->line)
    return "The next round of the loop writes while others still read this one: put a second "
           "__syncthreads() after the reads, or use a second buffer in turn (double buffering).";
  return "Put __syncthreads() between the two lines (in a loop: also before the next round writes "
         "again).";
}

static const char *advise(const struct warp *warp, const struct place *place,
                          const struct race *race) {
  const struct launch_state *launch = warp->worker->launch;
  if (race->same_value)
    return "The value is the one that was there already, so nothing is lost, but one store would "
           "do.";
  if (race->deed == UPDATES || race->other_deed == UPDATES) return advise_atomics(race);
  if (race->pending)
    return "The thread that copies must wait first (cp.async.wait_group, __pipeline_wait_prior(), "
           "a "
           "pipeline's or a barrier's wait()), and other threads behind a barrier after that.";
  const char *flags = advise_flags(race);
  if (flags) return flags;
  return race->relation == OTHER_BLOCK ? advise_blocks(launch, race)
         : race->relation == SAME_WARP ? advise_warp(warp, place, race)
                                       : advise_block(launch, race);
}

/* ---- the report ---- */

static const char *const verbs[] = {"reads", "writes", "atomically updates"};

/* Ranks races at the same place: one between blocks over one between warps, that over one within a
 * warp, and one that loses data over a warning. */
static int weight_of(const struct race *race) {
  return race->same_value ? 0 : race->relation == SAME_WARP ? 1 : 2;
}

/* The other thread. A tag of several threads names one of them, which may be this very thread. */
static struct thread_text other_thread(const struct warp *warp, const struct race *race) {
  static const struct thread_text another[] = {[SAME_WARP] = {"another thread of its warp"},
                                               [SAME_BLOCK] = {"another thread of its block"},
                                               [OTHER_BLOCK] = {"a thread of another block"}};
  if (race->pending && race->other_thread == race->thread)
    return (struct thread_text){"an asynchronous copy of its own"};
  bool itself = race->other_block == warp->block->linear && race->other_thread == race->thread;
  return itself ? another[race->relation]
                : access_thread(warp->worker->launch, race->other_block, race->other_thread);
}

void race_note(struct warp *warp, const struct place *place, const struct race *race) {
  struct launch_state *launch = warp->worker->launch;
  const struct shared_array *array = place->allocation ? NULL : array_at(launch, race->at);
  const char *name = place->allocation ? place->allocation->name : shared_name(array);
  int other_line = race->other_op ? race->other_op->line : 0;
  bool fresh;
  if (is_of_library(launch, race)) return;
  struct hazard *h = access_note(warp, HAZARD_race, race->op->line, other_line, name, 1, &fresh);
  if (h && race->same_value) launch->noted[HAZARD_race]--;
  if (!h || (!fresh && h->weight >= weight_of(race))) return;
  h->warning = race->same_value;
  h->weight = weight_of(race);
  char what[160];
  if (place->allocation)
    access_element_text(place->allocation, (int64_t)race->at, race->op->size, what, sizeof what);
  else
    shared_element(array, race->op, race->at, what, sizeof what);
  bool one_line = lines_are_one(race),
       both_write = race->deed == WRITES && race->other_deed == WRITES;
  access_describe(
      h, warp, race->thread, "%s %s, which %s %s%s%s%s, %s. %s", verbs[race->deed], what,
      other_thread(warp, race).text,
      race->pending ? "is still copying asynchronously" : verbs[race->other_deed],
      race->deed == race->other_deed && !race->pending ? " too" : "",
      both_write && !race->same_value && one_line ? ", another value" : "",
      one_line ? " on the same line" : "",
      race->relation == OTHER_BLOCK ? "in the same launch" : "with nothing that orders the two",
      advise(warp, place, race));
}

void race_note_unwritten(struct warp *warp, const struct op *op, uint32_t offset, int thread) {
  if (place_is_of_library(op->line)) return; /* it reads ahead, and compares before it uses */
  const struct shared_array *array = array_at(warp->worker->launch, offset);
  struct hazard *h = access_hazard(warp, HAZARD_uninit, op->line, 0, shared_name(array), 1);
  char what[160];
  if (h)
    access_describe(
        h, warp, thread,
        "reads %s, which no thread of the block has written. Shared memory starts with garbage: "
        "fill every element that is read, with 0 where the tile hangs over the edge of the matrix. "
        "A thread that has returned fills nothing.",
        shared_element(array, op, offset, what, sizeof what));
}

/* Is the element that this load reads stored by the same line, as in x += y? */
static bool is_stored_back(const struct launch_state *launch, const struct op *load) {
  for (int i = 0; i < launch->op_total; i++) {
    const struct op *op = launch->ops[i];
    if ((op->kind == OP_STORE || op->kind == OP_ATOMIC) && op->size == load->size &&
        one_address(op, load))
      return true;
  }
  return false;
}

/* Has something written part of what each lane reads? A structure then has bytes between its
 * members, and a library has copied it word by word. */
static bool is_partly_written(const struct op *op, const struct memo *memo, uint64_t offset,
                              uint32_t never) {
  const uint8_t *initialised = memo->allocation->initialised;
  uint64_t bytes = (uint64_t)(op->size * op->count);
  EACH_ACTIVE (i, never) {
    uint64_t at = offset + (uint64_t)memo->delta[i], end = at + bytes;
    while (at < end && !(initialised[at / 4] >> (at & 3) & 1)) at++;
    if (at == end) return false;
  }
  return true;
}

static const char *advice(const struct warp *warp, const struct op *op) {
  if (op->kind == OP_ATOMIC) return "Set it to 0 first, before the launch: cudaMemset.";
  if (is_stored_back(warp->worker->launch, op))
    return "Keep the sum in a register (float sum = 0), and write it once, after the loop.";
  return "Write all of it first; copies and fills count bytes, not elements.";
}

void race_note_never_written(struct warp *warp, const struct op *op, const struct memo *memo,
                             uint64_t offset, uint32_t never) {
  const struct allocation *a = memo->allocation;
  if (place_is_of_library(op->line) && is_partly_written(op, memo, offset, never)) return;
  struct hazard *h =
      access_hazard(warp, HAZARD_uninit, op->line, 0, a->name, (uint64_t)__builtin_popcount(never));
  if (!h) return;
  int i = __builtin_ctz(never);
  char what[160];
  access_describe(h, warp, first_thread(warp, never),
                  "reads %s, which nothing has written: %s gives memory with garbage in it. %s",
                  access_element_text(a, (int64_t)(offset + (uint64_t)memo->delta[i]), op->size,
                                      what, sizeof what),
                  a->managed ? "cudaMallocManaged" : "cudaMalloc", advice(warp, op));
}
