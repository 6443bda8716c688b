/* provenance.c: compares two runs to find out whether kernels did the work. */
#include "grader/run/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* A copy of shorter runs of neighbours than a sector has floats rearranges elements. */
enum { RUN_WORDS = 8 };
/* No kernel needs to have written so small a part of an output: the diagonal of a matrix that was
 * copied and is transposed in place. */
enum { UNTOUCHED_PART = 8 };

/* --- which records of the two runs belong together --- */

struct pair {
  const struct transfer *first, *second;
};

struct pairs {
  struct pair *items;
  size_t count;
};

/* Addresses of the device as harness/sim/base/memory.h has them: allocations of several host
 * threads come in any order, so between threads only the place inside the allocation counts. */
static uint64_t without_window(uint64_t word) {
  const uint64_t device = UINT64_C(0x00d0000000000000), managed = UINT64_C(0x0000200000000000),
                 windows = UINT64_C(1) << 50, inside = (UINT64_C(1) << 36) - 1;
  if (word - device < windows) return device | (word & inside);
  if (word - managed < UINT64_C(768) << 36) return managed | (word & inside);
  return word;
}

static bool same_key(const struct transfer *a, const struct transfer *b, bool loosely) {
  size_t size = a->record.key_bytes;
  if (a->record.kind != b->record.kind || size != b->record.key_bytes ||
      a->record.data_bytes != b->record.data_bytes)
    return false;
  if (!loosely) return memcmp(a->key, b->key, size) == 0;
  for (size_t at = 0; at < size; at += 8) {
    uint64_t x = 0, y = 0;
    size_t bytes = size - at < 8 ? size - at : 8;
    memcpy(&x, a->key + at, bytes);
    memcpy(&y, b->key + at, bytes);
    if (without_window(x) != without_window(y)) return false;
  }
  return true;
}

/* In order. Returns how many are the same; all of both if that is the longer one's count. */
static size_t pair_in_order(const struct transfers *first, const struct transfers *second,
                            struct pairs *pairs) {
  size_t i = 0;
  for (; i < first->count && i < second->count; i++) {
    if (!same_key(&first->items[i], &second->items[i], false)) break;
    pairs->items[i] = (struct pair){&first->items[i], &second->items[i]};
  }
  return pairs->count = i;
}

/* That thread's next record from i on, or the count. Results are in order for all threads. */
static size_t next_of(const struct transfers *log, size_t i, uint32_t thread) {
  while (i < log->count && log->items[i].record.thread != thread) i++;
  return i;
}

static bool same_thread(const struct transfers *first, uint32_t a, const struct transfers *second,
                        uint32_t b) {
  size_t i = next_of(first, 0, a), j = next_of(second, 0, b);
  while (i < first->count && j < second->count) {
    if (!same_key(&first->items[i], &second->items[j], true)) return false;
    i = next_of(first, i + 1, a);
    j = next_of(second, j + 1, b);
  }
  return i == first->count && j == second->count;
}

/* Host threads ask the device in any order; what each of them asks for has an order. */
static bool pair_by_thread(const struct transfers *first, const struct transfers *second,
                           struct pairs *pairs) {
  enum { MAX_THREADS = 64 };
  uint32_t partner[MAX_THREADS + 1] = {0}, threads = 0;
  size_t at[MAX_THREADS + 1];
  bool taken[MAX_THREADS + 1] = {false};
  for (size_t i = 0; i < first->count; i++)
    if (first->items[i].record.thread > threads) threads = first->items[i].record.thread;
  if (threads < 2 || threads > MAX_THREADS || first->count != second->count) return false;
  for (uint32_t t = 0; t <= threads; t++) {
    uint32_t u = 0;
    while (u <= threads && (taken[u] || !same_thread(first, t, second, u))) u++;
    if (u > threads) return false;
    partner[t] = u;
    taken[u] = true;
    at[t] = next_of(second, 0, u);
  }
  for (size_t i = 0; i < first->count; i++) {
    uint32_t t = first->items[i].record.thread;
    pairs->items[i] = (struct pair){&first->items[i], &second->items[at[t]]};
    at[t] = next_of(second, at[t] + 1, partner[t]);
  }
  pairs->count = first->count;
  return true;
}

/* --- what differs --- */

static const char *name_of(uint32_t kind) {
  return kind == TRANSFER_LAUNCH ? "a kernel is launched"
         : kind == TRANSFER_FILL ? "memory is filled"
         : kind == TRANSFER_OUT  ? "the host reads from the device"
         : kind == TRANSFER_IN   ? "the host copies to the device"
                                 : "something is copied";
}

/* Which of a launch's arguments differ: their number from 1 on; 0: something else does. */
static int other_argument(const struct transfer *a, const struct transfer *b) {
  struct transfer_launch x, y;
  size_t size = a->record.key_bytes;
  if (a->record.kind != TRANSFER_LAUNCH || b->record.kind != TRANSFER_LAUNCH ||
      size != b->record.key_bytes || size < sizeof x)
    return 0;
  memcpy(&x, a->key, sizeof x);
  memcpy(&y, b->key, sizeof y);
  if (memcmp(&x, &y, sizeof x) != 0) return 0;
  size_t at = sizeof x + x.param_count * sizeof(uint32_t), offset = 0;
  if (at + x.param_bytes > size || memcmp(a->key, b->key, at) != 0 ||
      memcmp(a->key + at + x.param_bytes, b->key + at + x.param_bytes, size - at - x.param_bytes) !=
          0)
    return 0;
  for (uint32_t i = 0; i < x.param_count; i++) {
    uint32_t bytes;
    memcpy(&bytes, a->key + sizeof x + i * sizeof bytes, sizeof bytes);
    uint32_t align = bytes < 8 && bytes ? bytes : 8;
    offset = (offset + align - 1) / align * align;
    if (offset + bytes > x.param_bytes) return (int)i + 1;
    if (memcmp(a->key + at + offset, b->key + at + offset, bytes) != 0) return (int)i + 1;
    offset += bytes;
  }
  return 0;
}

static char *other_record(const struct transfer *a, const struct transfer *b, int *line) {
  const struct transfer *any = a ? a : b;
  *line = any->record.line;
  int argument = a && b ? other_argument(a, b) : 0;
  if (argument)
    return xprintf(
        "argument %d of the launch depends on the values of the inputs, so the host has "
        "computed it",
        argument);
  if (!any->record.line)
    return xstrdup("what the host has the device do depends on the values of the inputs");
  return xprintf("whether %s here, or how much, depends on the values of the inputs",
                 name_of(any->record.kind));
}

/* --- words that the host was given, and sends back --- */

static const uint32_t no_word = UINT32_MAX;

/* A word that came from the device. Those of which there is only a hash have no number. */
struct word {
  uint32_t first, second; /* its values in either run */
  uint64_t origin;        /* where it came from in the first run */
  uint64_t address;       /* on the device */
};
struct words {
  struct word *list;
  size_t count, room;
};

/* What the host sent in one copy. */
struct sent {
  uint64_t number; /* of its first word */
  size_t words;
  uint32_t *source; /* of each word: the device's word, or no_word; NULL: of none is it known */
};

/* Words by their values in both runs, in the first, in the second: open addressing, numbers of
 * words plus 1. The word that a table has stands for all of those values. */
enum by { BY_BOTH, BY_FIRST, BY_SECOND, BYS };
struct search {
  uint32_t *table[BYS];
  unsigned char *mixed; /* by word, a bit a table: not all words that it stands for are one */
  size_t room, indexed;
};

static size_t hash_of(uint32_t a, uint32_t b) {
  uint64_t x = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(x ^ x >> 29);
}

static uint32_t word_at(const unsigned char *data, size_t bytes, size_t word) {
  uint32_t value = 0;
  memcpy(&value, data + word * 4, bytes - word * 4 < 4 ? bytes - word * 4 : 4);
  return value;
}

struct check {
  struct words out;
  struct sent *sent;
  size_t sent_count;
  uint64_t next_number;
  struct search search;
  size_t launches;    /* in this call */
  size_t moved_short; /* words of this call that copies rearranged */
  int short_line;
};

static bool has_data(const struct pair *pair) { return pair->first->data && pair->second->data; }

static void make_room(const struct pairs *pairs, struct check *check) {
  size_t out = 0, sent = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct transfer *t = pairs->items[i].first;
    if (t->record.kind == TRANSFER_OUT && has_data(&pairs->items[i])) out += transfer_words(t);
    sent += t->record.kind == TRANSFER_IN;
  }
  check->out = (struct words){.list = xcalloc(out + 1, sizeof(struct word)), .room = out + 1};
  check->sent = xcalloc(sent + 1, sizeof *check->sent);
}

static void free_check(struct check *check) {
  for (size_t i = 0; i < check->sent_count; i++) free(check->sent[i].source);
  free_all(check->sent, check->out.list, check->search.mixed);
  for (int by = 0; by < BYS; by++) free(check->search.table[by]);
}

static void take_out(struct check *check, const struct pair *pair) {
  struct words *out = &check->out;
  const struct transfer *t = pair->first;
  size_t words = transfer_words(t), from = out->count, at = from;
  struct transfer_rows rows;
  if (!has_data(pair) || t->record.key_bytes < sizeof rows) return;
  memcpy(&rows, t->key, sizeof rows);
  for (size_t word = 0; word < words; word++)
    out->list[from + word] = (struct word){
        .first = word_at(t->data, t->record.data_bytes, word),
        .second = word_at(pair->second->data, t->record.data_bytes, word),
        .origin = ORIGIN_CARRIED,
        .address = rows.address + word * 4 / rows.width * rows.pitch + word * 4 % rows.width};
  for (uint64_t r = 0; r < t->record.runs; r++)
    for (uint64_t w = 0; w < t->runs[r].words && at < from + words; w++, at++)
      out->list[at].origin = t->runs[r].origin + (t->runs[r].origin >= ORIGIN_FIRST_IN ? w : 0);
  out->count += words;
}

/* The word of the device's that the host has sent back as this one; no_word: it is none. */
static uint32_t source_of(const struct check *check, uint64_t number) {
  size_t low = 0, high = check->sent_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(check->sent[middle].number <= number ? &low : &high) = middle;
  }
  const struct sent *sent = &check->sent[low];
  if (low == high || number < sent->number || number - sent->number >= sent->words || !sent->source)
    return no_word;
  return sent->source[number - sent->number];
}

/* Did a kernel write what has this origin, or was it copied from what one wrote? */
static bool is_computed(const struct check *check, uint64_t origin) {
  while (origin >= ORIGIN_FIRST_IN) {
    uint32_t source = source_of(check, origin - ORIGIN_FIRST_IN);
    if (source == no_word) return false;
    origin = check->out.list[source].origin;
  }
  return origin == ORIGIN_KERNEL;
}

static bool same_values(const struct word *word, enum by by, uint32_t a, uint32_t b) {
  return (by == BY_SECOND || word->first == a) && (by == BY_FIRST || word->second == b);
}

/* The place of a word of these values, or a free one. */
static uint32_t *place_of(const struct check *check, enum by by, uint32_t a, uint32_t b) {
  const struct search *search = &check->search;
  size_t at = hash_of(by == BY_SECOND ? 0 : a, by == BY_FIRST ? 0 : b) & (search->room - 1);
  uint32_t *table = search->table[by];
  while (table[at] && !same_values(&check->out.list[table[at] - 1], by, a, b))
    at = (at + 1) & (search->room - 1);
  return &table[at];
}

/* Makes what has come from the device findable by its values. Of words with the same values in both
 * runs one that a kernel computed is preferred: copies may have brought an input along, too. */
static void index_words(struct check *check) {
  struct search *search = &check->search;
  const struct words *pool = &check->out;
  if (!search->room) {
    for (search->room = 1024; search->room < 2 * pool->room;) search->room *= 2;
    for (int by = 0; by < BYS; by++)
      search->table[by] = xcalloc(search->room, sizeof *search->table[by]);
    search->mixed = xcalloc(pool->room, 1);
  }
  for (; search->indexed < pool->count; search->indexed++) {
    uint32_t i = (uint32_t)search->indexed, a = pool->list[i].first, b = pool->list[i].second;
    for (int by = 0; by < BYS; by++) {
      uint32_t *place = place_of(check, (enum by)by, a, b), known = *place - 1;
      if (!*place) {
        *place = i + 1;
      } else if (by != BY_BOTH) {
        search->mixed[known] |= same_values(&pool->list[known], BY_BOTH, a, b) ? 0 : 1u << by;
      } else {
        if (pool->list[known].address != pool->list[i].address) search->mixed[known] |= 1u << by;
        if (is_computed(check, pool->list[i].origin) &&
            !is_computed(check, pool->list[known].origin)) {
          search->mixed[i] |= search->mixed[known] & 1u << by;
          *place = i + 1;
        }
      }
    }
  }
}

static bool is_mixed(const struct check *check, enum by by, uint32_t a, uint32_t b) {
  return check->search.mixed[*place_of(check, by, a, b) - 1] >> by & 1;
}

/* Could these values come about without being those of one and the same word? Of words with few
 * values, as bits, each pair exists somewhere: that says nothing. It does if no other word has the
 * two, or if the one never goes with another. */
static bool is_doubtful(const struct check *check, uint32_t a, uint32_t b) {
  return is_mixed(check, BY_BOTH, a, b) &&
         (is_mixed(check, BY_FIRST, a, b) || is_mixed(check, BY_SECOND, a, b));
}

/* The word that the host was given and sends as these values, or no_word. previous: the word that
 * it sent before. What is the same in both runs needs no explanation, unless it goes on with a row
 * of such words. */
static uint32_t explain(struct check *check, uint32_t a, uint32_t b, uint32_t previous) {
  const struct words *out = &check->out;
  uint32_t next = previous + 1;
  if (previous != no_word && next < out->count && same_values(&out->list[next], BY_BOTH, a, b))
    return next;
  if (a == b) return no_word;
  index_words(check);
  return *place_of(check, BY_BOTH, a, b) - 1; /* none: 0 - 1 is no_word */
}

/* Words that are neighbours on both ways. */
struct run {
  size_t words, doubtful;
};

/* Short runs are counted; a long one leaves no doubt. Returns how many words are unexplained. */
static size_t end_run(struct check *check, struct run *run, int line) {
  enum { LONG_RUN = 32 };
  size_t unknown = run->words < LONG_RUN ? run->doubtful : 0;
  if (run->words > 0 && run->words < RUN_WORDS) {
    check->moved_short += run->words;
    check->short_line = line;
  }
  *run = (struct run){0};
  return unknown;
}

/* Returns how many words cannot be explained. */
static size_t explain_words(struct check *check, const struct pair *pair, uint32_t *source) {
  const struct transfer *t = pair->first;
  size_t words = transfer_words(t), bytes = t->record.data_bytes, unknown = 0;
  struct run run = {0};
  uint32_t previous = no_word;
  for (size_t word = 0; word < words; word++) {
    uint32_t a = word_at(t->data, bytes, word), b = word_at(pair->second->data, bytes, word);
    source[word] = explain(check, a, b, previous);
    bool goes_on = run.words > 0 && source[word] != no_word && source[word] == previous + 1;
    if (!goes_on) unknown += end_run(check, &run, t->record.line);
    if (source[word] != no_word) {
      run.words++;
      run.doubtful += is_doubtful(check, a, b);
    } else {
      unknown += a != b;
    }
    previous = source[word];
  }
  return unknown + end_run(check, &run, t->record.line);
}

static char *take_in(struct check *check, const struct pair *pair, int *line) {
  const struct transfer *t = pair->first, *other = pair->second;
  struct sent *sent = &check->sent[check->sent_count++];
  *sent = (struct sent){.number = check->next_number, .words = transfer_words(t)};
  check->next_number += sent->words;
  size_t unknown;
  if (has_data(pair)) {
    sent->source = xcalloc(sent->words + 1, sizeof *sent->source);
    unknown = explain_words(check, pair, sent->source);
  } else {
    bool same = t->record.hashed && other->record.hashed &&
                memcmp(&t->hash, &other->hash, sizeof t->hash) == 0;
    unknown = same ? 0 : sent->words;
  }
  if (!unknown) return NULL;
  *line = t->record.line;
  return xprintf("the host sends %s%zu value%s to the device that it has computed from the inputs",
                 sent->source ? "" : "up to ", unknown, unknown == 1 ? "" : "s");
}

/* A copy of narrow rows. */
static void take_rows(struct check *check, const struct transfer *t) {
  struct transfer_rows rows;
  if (t->record.key_bytes < sizeof rows) return;
  memcpy(&rows, t->key, sizeof rows);
  if (rows.width >= RUN_WORDS * 4) return;
  check->moved_short += (size_t)(rows.width * rows.rows / 4);
  check->short_line = t->record.line;
}

static char *take_result(const struct check *check, const struct problem *problem,
                         const struct transfer *t) {
  uint64_t number, words = 0, others = 0;
  if (t->record.key_bytes != sizeof number) return NULL;
  memcpy(&number, t->key, sizeof number);
  for (uint64_t r = 0; r < t->record.runs; r++) {
    const struct transfer_run *run = &t->runs[r];
    words += run->words;
    if (run->origin < ORIGIN_FIRST_IN)
      others += run->origin == ORIGIN_KERNEL ? 0 : run->words;
    else
      for (uint64_t w = 0; w < run->words; w++) others += !is_computed(check, run->origin + w);
  }
  /* A single element needs no move: whether a kernel would have made one, other cases show. */
  if (others <= words / UNTOUCHED_PART || (words == 1 && check->launches)) return NULL;
  if (!check->launches) return xstrdup("no kernel was launched: copies brought the result there");
  const char *name = number < (uint64_t)problem->output_count
                         ? problem->arrays[problem->input_count + (int)number].name
                         : "?";
  return xprintf("%lu of the %lu element%s of %s came there by copies, not from a kernel", others,
                 words, words == 1 ? "" : "s", name);
}

/* Are rows short by themselves? */
static bool has_short_rows(const struct problem *problem, const long *dims) {
  for (int i = 0; i < problem->dim_count; i++)
    if (dims[i] < RUN_WORDS) return true;
  return false;
}

/* Is all that kernels are to do to move elements? */
static bool rearranges(const struct family *family, const long *dims) {
  return family->operations(dims) == 0;
}

/* Launches of the call that begins there. */
static size_t launches_from(const struct pairs *pairs, size_t i) {
  size_t count = 0;
  for (; i < pairs->count && pairs->items[i].first->record.kind != TRANSFER_CALL; i++)
    count += pairs->items[i].first->record.kind == TRANSFER_LAUNCH;
  return count;
}

static char *check_pairs(const struct family *family, const long *dims, const struct pairs *pairs,
                         struct check *check, int *line) {
  size_t limit = (size_t)family_output_bytes(family, dims) / 4 / UNTOUCHED_PART;
  bool counts = rearranges(family, dims) && !has_short_rows(family->problem, dims);
  for (size_t i = 0; i < pairs->count; i++) {
    const struct transfer *t = pairs->items[i].first;
    uint32_t kind = t->record.kind;
    char *fault = NULL;
    if (kind == TRANSFER_CALL) {
      check->moved_short = 0;
      check->launches = launches_from(pairs, i + 1);
    }
    if (kind == TRANSFER_OUT || kind == TRANSFER_IN || kind == TRANSFER_COPY) take_rows(check, t);
    if (kind == TRANSFER_OUT) take_out(check, &pairs->items[i]);
    if (kind == TRANSFER_IN) fault = take_in(check, &pairs->items[i], line);
    if (kind == TRANSFER_RESULT) fault = take_result(check, family->problem, t);
    if (!fault && counts && check->moved_short > limit) {
      *line = check->short_line;
      fault = !check->launches
                  ? xstrdup("no kernel was launched: copies rearrange the elements")
                  : xprintf(
                        "copies move %zu elements one by one or in short pieces, which is what the "
                        "kernels are to do",
                        check->moved_short);
    }
    if (fault) return fault;
  }
  return NULL;
}

/* The log of the second run has no results. */
static struct transfers without_results(const struct transfers *log) {
  struct transfers result = {.items = xcalloc(log->count + 1, sizeof *result.items)};
  for (size_t i = 0; i < log->count; i++)
    if (log->items[i].record.kind != TRANSFER_RESULT) result.items[result.count++] = log->items[i];
  return result;
}

/* Puts the results of the first run back to where they were, paired with themselves. */
static void add_results(const struct transfers *first, const struct pairs *moves,
                        struct pairs *all) {
  size_t next = 0;
  all->items = xcalloc(first->count + 1, sizeof *all->items);
  for (size_t i = 0; i < first->count; i++) {
    const struct transfer *t = &first->items[i];
    bool result = t->record.kind == TRANSFER_RESULT;
    if (!result && next == moves->count) break;
    all->items[all->count] = result ? (struct pair){t, t} : moves->items[next++];
    all->items[all->count++].first = t;
  }
}

char *provenance_fault(const struct family *family, const long *dims, const struct transfers *first,
                       const struct transfers *second, int *line) {
  struct transfers a = without_results(first), b = without_results(second);
  struct pairs moves = {xcalloc(a.count + 1, sizeof(struct pair)), 0}, all = {0};
  struct check check = {0};
  char *fault = NULL;
  *line = 0;
  size_t same = pair_in_order(&a, &b, &moves);
  bool paired = same == a.count && same == b.count;
  if (!paired) paired = pair_by_thread(&a, &b, &moves);
  if (!paired) moves.count = same;
  add_results(first, &moves, &all);
  make_room(&all, &check);
  fault = check_pairs(family, dims, &all, &check, line);
  if (!fault && !paired)
    fault = other_record(same < a.count ? &a.items[same] : NULL,
                         same < b.count ? &b.items[same] : NULL, line);
  free_check(&check);
  free_all(moves.items, all.items, a.items, b.items);
  return fault;
}

bool provenance_undecided(const struct family *family, const long *dims,
                          const struct transfers *first) {
  if (!rearranges(family, dims) || !has_short_rows(family->problem, dims)) return false;
  for (size_t i = 0; i < first->count; i++) {
    uint32_t kind = first->items[i].record.kind;
    if (kind == TRANSFER_IN || kind == TRANSFER_COPY) return true;
  }
  return false;
}

bool provenance_needs_inputs(const struct transfers *first) {
  for (size_t i = 0; i < first->count; i++)
    if (first->items[i].record.kind == TRANSFER_OUT) return true;
  return false;
}

bool provenance_needs_kernels(const struct transfers *first) {
  bool launched = false;
  for (size_t i = 0; i < first->count; i++) {
    const struct transfer *t = &first->items[i];
    launched |= t->record.kind == TRANSFER_LAUNCH;
    if (t->record.kind != TRANSFER_OUT) continue;
    for (uint64_t r = 0; r < t->record.runs; r++)
      if (launched && t->runs[r].origin == ORIGIN_KERNEL) return true;
  }
  return false;
}
