/* provenance.c: compares two runs to find out whether kernels did the work. */
#include "grader/run/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/run/host_words.h"

/* No kernel needs to have written so small a part of an output: the diagonal of a matrix that was
 * copied and is transposed in place. */
enum { UNTOUCHED_PART = 8 };

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

/* --- the judgement --- */

struct check {
  struct host_words *words;
  size_t launches;    /* in this call */
  size_t moved_short; /* words of this call that copies rearranged */
  int short_line;
};

/* Is it the time that a function reports, which no kernel computes? Where host threads issue work,
 * it differs from one run to the next. */
static bool is_elapsed(const struct problem *problem, const struct transfer *t) {
  return problem->elapsed && problem->on_host && !t->record.line &&
         t->record.data_bytes == sizeof(float);
}

static char *take_in(struct check *check, const struct problem *problem, const struct pair *pair,
                     int *line) {
  const struct transfer *t = pair->first;
  size_t moved_short = 0, unknown = host_words_send(check->words, pair, &moved_short);
  if (moved_short) check->short_line = t->record.line;
  check->moved_short += moved_short;
  if (!unknown || is_elapsed(problem, t)) return NULL;
  *line = t->record.line;
  if (problem->on_host && !*line)
    return xprintf("the host has computed %s%zu value%s of the result",
                   has_data(pair) ? "" : "up to ", unknown, unknown == 1 ? "" : "s");
  return xprintf("the host sends %s%zu value%s to the device that it has computed from the inputs",
                 has_data(pair) ? "" : "up to ", unknown, unknown == 1 ? "" : "s");
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
    others += run->words - host_words_count_computed(check->words, run->origin, run->words);
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

/* Are rows short by themselves? A dimension that may be 0 or has words is no length. */
static bool has_short_rows(const struct problem *problem, const long *dims) {
  for (int i = 0; i < problem->dim_count; i++)
    if (!problem->from_0[i] && !problem->words[i] && dims[i] < RUN_WORDS) return true;
  return false;
}

/* Is all that kernels are to do to move elements? */
static bool rearranges(const struct family *family, const long *dims) {
  return family_operations(family, dims) == 0;
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
    if (kind == TRANSFER_OUT) host_words_receive(check->words, &pairs->items[i]);
    if (kind == TRANSFER_IN) fault = take_in(check, family->problem, &pairs->items[i], line);
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
  struct pairs moves, all = {0};
  *line = 0;
  bool paired = transfers_pair(&a, &b, &moves);
  size_t same = moves.count;
  add_results(first, &moves, &all);
  struct check check = {.words = host_words_new(&all)};
  char *fault = check_pairs(family, dims, &all, &check, line);
  if (!fault && !paired)
    fault = other_record(same < a.count ? &a.items[same] : NULL,
                         same < b.count ? &b.items[same] : NULL, line);
  host_words_free(check.words);
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
