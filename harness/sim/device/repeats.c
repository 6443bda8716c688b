/* repeats.c: see repeats.h. */
#include "harness/sim/device/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/base/content.h"

enum {
  MAX_KINDS = 512,        /* of launches that are remembered: the latest */
  MAX_OUTCOMES = 4,       /* of a kind */
  MAX_VAIN = 12,          /* so often an outcome is noted in vain, then no more */
  MAX_RANGES = 1 << 16,   /* of accesses; of more, an outcome is not noted */
  MAX_COPIED = 512 << 20, /* bytes that copies take */
};

/* An array that a launch touched. */
struct touched_array {
  int window;
  bool written;
  bool mattered;          /* what it held may have had an influence on more than its own bytes */
  uint64_t before, after; /* content_number */
  unsigned char *copy;    /* what it held afterwards, its data and then `initialised`; NULL: none */
  size_t bytes;           /* of the copy */
  size_t prefix;          /* initialised_prefix */
  bool all_initialised;
};

struct noted {
  struct outcome outcome;
  uint64_t constants, frees;
  struct touched_array *arrays;
  int array_count;
  struct work *accesses; /* NULL: they were not kept */
  bool wants_copies;     /* it was known, but not what it leaves behind */
};

struct repeat {
  struct repeats *repeats;
  uint64_t number; /* of all that follows */
  const struct kernel *kernel;
  unsigned grid[3], block[3], how;
  size_t shared_bytes, param_bytes;
  unsigned char *params;
  bool excluded, textures;
  int vain; /* outcomes noted since one was of use */
  struct noted *outcomes[MAX_OUTCOMES];
  int next_outcome;
  /* Of the launch under way: where launches of this kind have been seen to go, and what those
   * arrays and the constants held before it. */
  int *windows, window_count, window_room;
  uint64_t *before, constants, launch;
  int before_room;
};

struct repeats {
  struct repeat kinds[MAX_KINDS];
  int count, next;
  size_t copied;
};

static void free_copies(struct repeats *repeats, struct noted *noted) {
  for (int i = 0; i < noted->array_count; i++) {
    struct touched_array *t = &noted->arrays[i];
    if (t->copy) repeats->copied -= t->bytes;
    free(t->copy);
    t->copy = NULL;
  }
}

static void free_noted(struct repeats *repeats, struct noted *noted) {
  if (!noted) return;
  free_copies(repeats, noted);
  launch_result_release(&noted->outcome.result);
  work_free(noted->accesses);
  free(noted->arrays);
  free(noted);
}

static void forget(struct repeat *repeat) {
  for (int i = 0; i < MAX_OUTCOMES; i++) free_noted(repeat->repeats, repeat->outcomes[i]);
  free(repeat->params);
  free(repeat->windows);
  free(repeat->before);
  *repeat = (struct repeat){0};
}

struct repeats *repeats_open(void) {
  return calloc(1, sizeof(struct repeats));
}

void repeats_close(struct repeats *repeats) {
  if (!repeats) return;
  for (int i = 0; i < repeats->count; i++) forget(&repeats->kinds[i]);
  free(repeats);
}

/* ---- kinds ---- */

/* Does what it does follow from memory alone, and change nothing but that? */
static bool is_function(const struct kernel *kernel) {
  if (kernel->programs[0]->allocates) return false;
  for (int i = 0; i < kernel->op_count; i++) {
    const struct op *op = kernel->ops[i];
    if (op->orders_blocks || (op->kind == OP_SPECIAL && op->special == SPECIAL_CLOCK)) return false;
  }
  return true;
}

static bool uses_textures(const struct kernel *kernel) {
  for (int i = 0; i < kernel->op_count; i++)
    if (kernel->ops[i]->kind == OP_FETCH || kernel->ops[i]->kind == OP_SUST ||
        kernel->ops[i]->kind == OP_TXQ)
      return true;
  return false;
}

static bool is_of_kind(const struct repeat *repeat, const struct repeat *wanted) {
  return repeat->number == wanted->number && repeat->kernel == wanted->kernel &&
         repeat->how == wanted->how && repeat->shared_bytes == wanted->shared_bytes &&
         memcmp(repeat->grid, wanted->grid, sizeof repeat->grid) == 0 &&
         memcmp(repeat->block, wanted->block, sizeof repeat->block) == 0 &&
         repeat->param_bytes == wanted->param_bytes &&
         memcmp(repeat->params, wanted->params, repeat->param_bytes) == 0;
}

struct repeat *repeats_find(struct repeats *repeats, const struct kernel *kernel,
                            const struct launch *launch, unsigned how) {
  struct repeat wanted = {.repeats = repeats,
                          .kernel = kernel,
                          .how = how << 1 | launch->cooperative,
                          .shared_bytes = launch->shared_bytes,
                          .param_bytes = launch->param_bytes,
                          .params = malloc(launch->param_bytes + 1)};
  if (!wanted.params) return NULL;
  memcpy(wanted.params, launch->params, launch->param_bytes);
  memcpy(wanted.grid, launch->grid, sizeof wanted.grid);
  memcpy(wanted.block, launch->block, sizeof wanted.block);
  wanted.number = content_of_bytes(wanted.params, wanted.param_bytes) ^ launch->grid[0];
  for (int i = 0; i < repeats->count; i++) {
    if (!is_of_kind(&repeats->kinds[i], &wanted)) continue;
    free(wanted.params);
    return repeats->kinds[i].excluded ? NULL : &repeats->kinds[i];
  }
  struct repeat *repeat = &repeats->kinds[repeats->next];
  repeats->next = (repeats->next + 1) % MAX_KINDS;
  if (repeats->count < MAX_KINDS)
    repeats->count++;
  else
    forget(repeat);
  wanted.excluded = !is_function(kernel);
  wanted.textures = uses_textures(kernel);
  *repeat = wanted;
  return wanted.excluded ? NULL : repeat;
}

/* ---- known outcomes ---- */

/* The number of what all constants hold: loads from them are not noted. */
static uint64_t number_of_constants(const struct memory *memory) {
  uint64_t number = 0;
  for (int i = 0; i < memory->window_count; i++) {
    struct allocation *a = memory->allocations[i];
    if (a && a->live && a->constant) number = number * 31 + content_number(a) + (uint64_t)a->window;
  }
  return number;
}

static bool lies_there(const struct touched_array *t, uint64_t number) {
  return number == (t->written ? t->after : t->before) && (number == t->before || !t->mattered);
}

/* Would the launch do the same again? *lacks: it would leave what neither is there nor was copied.
 */
static bool would_repeat(const struct noted *noted, const struct memory *memory, bool *lacks) {
  *lacks = false;
  for (int i = 0; i < noted->array_count; i++) {
    const struct touched_array *t = &noted->arrays[i];
    struct allocation *a = memory->allocations[t->window];
    if (!a || !a->live) return false;
    uint64_t number = content_number(a);
    if (lies_there(t, number)) continue;
    if (number != t->before || a->managed) return false;
    *lacks |= !t->copy;
  }
  return true;
}

static void put_back(const struct noted *noted, const struct memory *memory) {
  for (int i = 0; i < noted->array_count; i++) {
    const struct touched_array *t = &noted->arrays[i];
    struct allocation *a = memory->allocations[t->window];
    if (lies_there(t, content_number(a))) continue;
    size_t words = (a->size + 3) / 4;
    memcpy(a->data, t->copy, a->size);
    memcpy(a->initialised, t->copy + a->size, words);
    a->initialised_prefix = t->prefix;
    a->all_initialised = t->all_initialised;
    a->filled = NOT_FILLED;
    content_is(a, t->after);
  }
}

static void note_conflict(void *context, const struct work_conflict *conflict) {
  (void)conflict;
  *(bool *)context = true;
}

const struct outcome *repeat_take(struct repeat *repeat, struct memory *memory,
                                  const struct streams *streams, struct work *work) {
  if (repeat->vain > MAX_VAIN) return NULL;
  uint64_t constants = number_of_constants(memory);
  for (int i = 0; i < MAX_OUTCOMES; i++)
    if (repeat->outcomes[i]) repeat->outcomes[i]->wants_copies = false;
  for (int i = 0; i < MAX_OUTCOMES; i++) {
    struct noted *noted = repeat->outcomes[i];
    bool lacks, conflict = false;
    if (!noted || noted->constants != constants ||
        (repeat->textures && noted->frees != memory->frees) || (work && !noted->accesses) ||
        !would_repeat(noted, memory, &lacks))
      continue;
    noted->wants_copies = lacks;
    if (lacks) return NULL;
    if (work && !work_copy_accesses(work, noted->accesses)) return NULL;
    if (streams) streams_find_conflicts(streams, work, note_conflict, &conflict);
    if (conflict) {
      work_forget_accesses(work);
      return NULL;
    }
    put_back(noted, memory);
    repeat->vain = 0;
    return &noted->outcome;
  }
  return NULL;
}

/* ---- new ones ---- */

void repeat_begin(struct repeat *repeat, struct memory *memory) {
  repeat->launch = memory->launch;
  if (repeat->vain > MAX_VAIN || !repeat->window_count) return;
  repeat->constants = number_of_constants(memory);
  for (int i = 0; i < repeat->window_count; i++) {
    struct allocation *a = memory->allocations[repeat->windows[i]];
    repeat->before[i] = a && a->live ? content_number(a) : 0;
  }
}

/* Where launches of this kind go. False: not only where they were known to go. */
static bool find_windows(struct repeat *repeat, const struct memory *memory) {
  int known = repeat->window_count, found = 0;
  for (int w = 0; w < memory->window_count; w++) {
    const struct allocation *a = memory->allocations[w];
    if (!a || !a->live || a->launch <= repeat->launch) continue;
    int i = 0;
    while (i < repeat->window_count && repeat->windows[i] != w) i++;
    found += i < known;
    if (i < repeat->window_count) continue;
    if (!ARRAY_RESERVE(repeat->windows, repeat->window_room, i + 1) ||
        !ARRAY_RESERVE(repeat->before, repeat->before_room, i + 1))
      return false;
    repeat->windows[repeat->window_count++] = w;
  }
  return known && known == repeat->window_count;
}

static void make_copies(struct repeats *repeats, struct noted *noted, const struct memory *memory) {
  for (int i = 0; i < noted->array_count; i++) {
    struct touched_array *t = &noted->arrays[i];
    const struct allocation *a = memory->allocations[t->window];
    size_t words = (a->size + 3) / 4, bytes = a->size + words;
    if (t->copy || !t->written) continue;
    if (bytes > MAX_COPIED - repeats->copied || !(t->copy = malloc(bytes))) return;
    repeats->copied += t->bytes = bytes;
    memcpy(t->copy, a->data, a->size);
    memcpy(t->copy + a->size, a->initialised, words);
    t->prefix = a->initialised_prefix;
    t->all_initialised = a->all_initialised;
  }
}

static bool note_arrays(const struct repeat *repeat, struct noted *noted,
                        const struct memory *memory) {
  noted->arrays = calloc((size_t)repeat->window_count, sizeof *noted->arrays);
  for (int i = 0; noted->arrays && i < repeat->window_count; i++) {
    struct allocation *a = memory->allocations[repeat->windows[i]];
    if (!a || !a->live || a->launch <= repeat->launch) continue;
    bool last = a->launch == memory->launch; /* else in an order that was undone */
    noted->arrays[noted->array_count++] = (struct touched_array){.window = a->window,
                                                                 .written = last && a->written,
                                                                 .mattered = !last || a->mattered,
                                                                 .before = repeat->before[i],
                                                                 .after = content_number(a)};
  }
  return noted->arrays != NULL;
}

/* The outcome that it repeats, executed for its copies: NULL if there is none. */
static struct noted *find_wanting(const struct repeat *repeat) {
  for (int i = 0; i < MAX_OUTCOMES; i++)
    if (repeat->outcomes[i] && repeat->outcomes[i]->wants_copies) return repeat->outcomes[i];
  return NULL;
}

static bool leaves_the_same(const struct noted *noted, const struct memory *memory) {
  for (int i = 0; i < noted->array_count; i++)
    if (content_number(memory->allocations[noted->arrays[i].window]) != noted->arrays[i].after)
      return false;
  return true;
}

bool repeat_end(struct repeat *repeat, struct memory *memory, const struct outcome *outcome,
                const struct work *work) {
  if (repeat->vain > MAX_VAIN) return false;
  bool complete = find_windows(repeat, memory);
  struct noted *known = find_wanting(repeat);
  if (known) {
    known->wants_copies = false;
    if (leaves_the_same(known, memory))
      make_copies(repeat->repeats, known, memory);
    else
      repeat->excluded = true; /* something else has an influence on it */
    return false;
  }
  if (!complete || ++repeat->vain > MAX_VAIN || (work && work_ranges(work) > MAX_RANGES))
    return false;
  struct noted *noted = calloc(1, sizeof *noted);
  if (!noted) return false;
  noted->constants = repeat->constants;
  noted->frees = memory->frees;
  if (work) noted->accesses = calloc(1, sizeof *noted->accesses);
  if (!note_arrays(repeat, noted, memory) ||
      (work && !(noted->accesses && work_copy_accesses(noted->accesses, work)))) {
    free_noted(repeat->repeats, noted);
    return false;
  }
  noted->outcome = *outcome;
  free_noted(repeat->repeats, repeat->outcomes[repeat->next_outcome]);
  repeat->outcomes[repeat->next_outcome] = noted;
  repeat->next_outcome = (repeat->next_outcome + 1) % MAX_OUTCOMES;
  return true;
}
