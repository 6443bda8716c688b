/* origin.c: records for each word of device memory which copy or fill wrote it last.
 *
 * A word has the origin that a copy gave it, and when (on the device's clock of race tags). A
 * kernel that stores there later leaves a later tag. */
#include "harness/sim/base/origin.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/base/array.h"
#include "harness/base/transfers.h"
#include "harness/sim/base/claims.h"
#include "harness/sim/base/memory.h"

struct origins {
  struct {
    access_tag when; /* 0: no copy came here */
    uint64_t origin;
  } words[1]; /* allocation->size / 4, rounded up */
};

static size_t word_count(const struct allocation *a) { return a->size / 4 + (a->size % 4 != 0); }

/* Race tags are for granules of 4, 2 or 1 bytes (shadow.h). */
static size_t granules_per_word(const struct allocation *a) {
  size_t granules = a->shadow.count - 1;
  return granules == a->size / 4 ? 1 : granules == a->size / 2 ? 2 : 4;
}

access_tag origin_last_store(const struct allocation *a, size_t word) {
  const struct shadow *shadow = &a->shadow;
  access_tag last = claims_of_word(a, word);
  if (!shadow->writes) return last;
  size_t per_word = granules_per_word(a);
  for (size_t g = word * per_word; g < (word + 1) * per_word && g < shadow->count; g++) {
    access_tag written = shadow_last_write(shadow, g);
    if (written > last) last = written;
    if (shadow->atomics && shadow->atomics[g] > last) last = shadow->atomics[g];
  }
  return last;
}

static bool initialised(const struct allocation *a, size_t word) {
  return a->all_initialised || a->initialised[word] != 0;
}

static uint64_t origin_of_word(const struct allocation *a, size_t word) {
  const struct origins *origins = a->origins;
  access_tag stored = origin_last_store(a, word);
  if (origins && origins->words[word].when && stored < origins->words[word].when)
    return origins->words[word].origin;
  if (a->given) return stored < a->given ? ORIGIN_CARRIED : ORIGIN_KERNEL;
  return initialised(a, word) ? ORIGIN_KERNEL : ORIGIN_CARRIED;
}

static bool append_run(struct transfer_runs *list, uint64_t origin) {
  struct transfer_run *last = list->count ? &list->items[list->count - 1] : NULL;
  if (last &&
      origin == (last->origin < ORIGIN_FIRST_IN ? last->origin : last->origin + last->words)) {
    last->words++;
    return true;
  }
  if (!ARRAY_RESERVE(list->items, list->room, list->count + 1)) return false;
  list->items[list->count++] = (struct transfer_run){1, origin};
  return true;
}

bool origins_append(struct transfer_runs *list, const struct allocation *a, size_t offset,
                    size_t bytes) {
  bool ok = true;
  for (size_t at = 0; at < bytes && ok; at += 4)
    ok = append_run(list, origin_of_word(a, (offset + at) / 4));
  return ok;
}

/* The records of all words; NULL if memory runs out: copies then go unrecorded. */
static struct origins *take(struct allocation *a) {
  if (!a->origins) a->origins = calloc(word_count(a) + 1, sizeof a->origins->words[0]);
  return a->origins;
}

void origin_given(struct memory *memory, struct allocation *a) {
  if (memory->origins) a->given = memory->clock += TAG_TICK;
}

void origin_set(struct memory *memory, struct allocation *to, size_t offset, size_t bytes,
                uint64_t first) {
  struct origins *origins = memory->origins && bytes ? take(to) : NULL;
  if (!origins) return;
  memory->clock += TAG_TICK; /* later than all stores so far */
  for (size_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
    origins->words[word].when = memory->clock;
    origins->words[word].origin = first == ORIGIN_CARRIED ? first : first + (word - offset / 4);
  }
}

void origin_copy(struct memory *memory, struct allocation *to, size_t to_offset,
                 const struct allocation *from, size_t from_offset, size_t bytes) {
  if (!memory->origins || !bytes) return;
  size_t first = to_offset / 4, count = (to_offset + bytes - 1) / 4 - first + 1,
         limit = word_count(from);
  uint64_t *moved = malloc(count * sizeof *moved); /* the two may overlap */
  struct origins *origins = moved ? take(to) : NULL;
  memory->clock += TAG_TICK;
  for (size_t i = 0; origins && i < count; i++) {
    size_t word = from_offset / 4 + i;
    moved[i] = origin_of_word(from, word < limit ? word : limit - 1);
  }
  for (size_t i = 0; origins && i < count; i++) {
    origins->words[first + i].when = memory->clock;
    origins->words[first + i].origin = moved[i];
  }
  free(moved);
}

void origin_settle(struct allocation *a) {
  if ((!a->shadow.writes && !a->claimed_at) || (!a->origins && !a->given)) return;
  struct origins *origins = take(a);
  for (size_t word = 0; origins && word < word_count(a); word++) {
    access_tag stored = origin_last_store(a, word);
    access_tag since = origins->words[word].when ? origins->words[word].when : a->given;
    if (!stored || stored < since) continue;
    origins->words[word].when = stored;
    origins->words[word].origin = ORIGIN_KERNEL;
  }
}
