/* host_words.c: finds what the host sends among the words that it was given. */
#include "grader/run/host_words.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

static const uint32_t no_word = UINT32_MAX;

/* What one copy brought to the host. Its words have the numbers from `from` on; those of which
 * there is only a hash have none. */
struct received {
  size_t from, words;
  struct transfer_rows rows;       /* on the device */
  const struct transfer_run *runs; /* where they came from in the first run */
  size_t *begins, run_count;       /* of each of these, its first word in the copy */
};

/* All words that came from the device, by their number: their values in either run. */
struct words {
  uint32_t *first, *second;
  size_t count, room;
  struct received *copies; /* in order of their numbers */
  size_t copy_count;
};

/* Words that the host sent, one after another, and that are words of the device's one after
 * another: from which number on. In order of the numbers. */
struct sent_run {
  uint64_t number;
  size_t words;
  uint32_t source;
};

/* Words by their values in both runs, in the first, in the second: open addressing, numbers of
 * words plus 1. The word that a table has stands for all of those values. */
enum by { BY_BOTH, BY_FIRST, BY_SECOND, BYS };
struct search {
  int scans; /* lookups so far that did without a table */
  uint32_t *table[BYS];
  unsigned char *mixed; /* by word, a bit a table: not all words that it stands for are one */
  size_t room, indexed[BYS];
};

static size_t hash_of(uint32_t a, uint32_t b) {
  static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = ((uint64_t)a << 32 | b) * odd;
  return (size_t)((x ^ x >> 32) * odd >> 32); /* twice: a may be 0, or end in many bits of 0 */
}

static uint32_t word_at(const unsigned char *data, size_t bytes, size_t word) {
  uint32_t value = 0;
  memcpy(&value, data + word * 4, bytes - word * 4 < 4 ? bytes - word * 4 : 4);
  return value;
}

struct host_words {
  struct words out;
  struct sent_run *sent;
  size_t sent_count;
  uint64_t next_number;
  struct search search;
};

struct host_words *host_words_new(const struct pairs *pairs) {
  size_t words = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct transfer *t = pairs->items[i].first;
    if (t->record.kind == TRANSFER_OUT && has_data(&pairs->items[i])) words += transfer_words(t);
  }
  struct host_words *made = xcalloc(1, sizeof *made);
  made->out = (struct words){.first = xcalloc(words + 1, sizeof *made->out.first),
                             .second = xcalloc(words + 1, sizeof *made->out.second),
                             .room = words + 1};
  return made;
}

void host_words_free(struct host_words *words) {
  for (size_t i = 0; i < words->out.copy_count; i++) free(words->out.copies[i].begins);
  for (int by = 0; by < BYS; by++) free(words->search.table[by]);
  free_all(words->sent, words->out.copies, words->out.first, words->out.second, words->search.mixed,
           words);
}

void host_words_receive(struct host_words *words, const struct pair *pair) {
  struct words *out = &words->out;
  const struct transfer *t = pair->first;
  struct transfer_rows rows;
  if (!has_data(pair) || t->record.key_bytes < sizeof rows || !t->record.data_bytes) return;
  memcpy(&rows, t->key, sizeof rows);
  memcpy(out->first + out->count, t->data, t->record.data_bytes);
  memcpy(out->second + out->count, pair->second->data, t->record.data_bytes);
  struct received *copy = array_add(out->copies, out->copy_count);
  *copy = (struct received){.from = out->count,
                            .words = transfer_words(t),
                            .rows = rows,
                            .runs = t->runs,
                            .begins = xcalloc(t->record.runs + 1, sizeof *copy->begins),
                            .run_count = t->record.runs};
  for (size_t r = 0; r < copy->run_count; r++)
    copy->begins[r + 1] = copy->begins[r] + (size_t)t->runs[r].words;
  out->count += copy->words;
}

static const struct received *copy_of(const struct words *out, size_t word) {
  size_t low = 0, high = out->copy_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(out->copies[middle].from <= word ? &low : &high) = middle;
  }
  return &out->copies[low];
}

static uint64_t address_of(const struct words *out, size_t word) {
  const struct received *copy = copy_of(out, word);
  const struct transfer_rows *rows = &copy->rows;
  uint64_t byte = (word - copy->from) * 4;
  return rows->address + byte / rows->width * rows->pitch + byte % rows->width;
}

/* Where the device's word came from. *count: of so many words; made smaller for those of the words
 * behind it that came from elsewhere. */
static uint64_t origin_of(const struct words *out, size_t word, size_t *count) {
  const struct received *copy = copy_of(out, word);
  size_t at = word - copy->from, low = 0, high = copy->run_count, end = copy->words;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(copy->begins[middle] <= at ? &low : &high) = middle;
  }
  uint64_t origin = ORIGIN_CARRIED;
  if (low < high && at < copy->begins[low + 1]) {
    origin = copy->runs[low].origin;
    if (origin >= ORIGIN_FIRST_IN) origin += at - copy->begins[low];
    if (end > copy->begins[low + 1]) end = copy->begins[low + 1];
  }
  if (*count > end - at) *count = end - at;
  return origin;
}

/* The word of the device's that the host has sent back as this one; no_word: it is none. *count as
 * above. */
static uint32_t source_of(const struct host_words *words, uint64_t number, size_t *count) {
  size_t low = 0, high = words->sent_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(words->sent[middle].number <= number ? &low : &high) = middle;
  }
  const struct sent_run *run = low < high ? &words->sent[low] : NULL;
  if (!run || number < run->number || number - run->number >= run->words) {
    *count = 1;
    return no_word;
  }
  size_t in = (size_t)(number - run->number);
  if (*count > run->words - in) *count = run->words - in;
  return run->source + (uint32_t)in;
}

size_t host_words_count_computed(const struct host_words *words, uint64_t origin, size_t count) {
  size_t computed = 0;
  for (size_t word = 0, same; word < count; word += same) {
    uint64_t from = origin < ORIGIN_FIRST_IN ? origin : origin + word;
    same = count - word;
    while (from >= ORIGIN_FIRST_IN) {
      uint32_t source = source_of(words, from - ORIGIN_FIRST_IN, &same);
      from = source == no_word ? ORIGIN_CARRIED : origin_of(&words->out, source, &same);
    }
    if (from == ORIGIN_KERNEL) computed += same;
  }
  return computed;
}

static bool is_computed(const struct host_words *words, uint32_t word) {
  size_t one = 1;
  return host_words_count_computed(words, origin_of(&words->out, word, &one), 1) == 1;
}

static bool same_values(const struct words *out, size_t word, enum by by, uint32_t a, uint32_t b) {
  return (by == BY_SECOND || out->first[word] == a) && (by == BY_FIRST || out->second[word] == b);
}

/* The place of a word of these values, or a free one. */
static uint32_t *place_of(const struct host_words *words, enum by by, uint32_t a, uint32_t b) {
  const struct search *search = &words->search;
  size_t at = hash_of(by == BY_SECOND ? 0 : a, by == BY_FIRST ? 0 : b) & (search->room - 1);
  uint32_t *table = search->table[by];
  while (table[at] && !same_values(&words->out, table[at] - 1, by, a, b))
    at = (at + 1) & (search->room - 1);
  return &table[at];
}

/* Makes what has come from the device findable by these values. Of words with the same values in
 * both runs one that a kernel computed is preferred: copies may have brought an input along, too.
 */
static void index_words(struct host_words *words, enum by by) {
  struct search *search = &words->search;
  const struct words *pool = &words->out;
  if (!search->room) {
    for (search->room = 1024; search->room < 2 * pool->room;) search->room *= 2;
    search->mixed = xcalloc(pool->room, 1);
  }
  if (!search->table[by]) search->table[by] = xcalloc(search->room, sizeof *search->table[by]);
  for (; search->indexed[by] < pool->count; search->indexed[by]++) {
    uint32_t i = (uint32_t)search->indexed[by], a = pool->first[i], b = pool->second[i];
    uint32_t *place = place_of(words, by, a, b), known = *place - 1;
    if (!*place) {
      *place = i + 1;
    } else if (by != BY_BOTH) {
      search->mixed[known] |= same_values(pool, known, BY_BOTH, a, b) ? 0 : 1u << by;
    } else {
      if (address_of(pool, known) != address_of(pool, i)) search->mixed[known] |= 1u << by;
      if (is_computed(words, i) && !is_computed(words, known)) {
        search->mixed[i] |= search->mixed[known] & 1u << by;
        *place = i + 1;
      }
    }
  }
}

static bool is_mixed(struct host_words *words, enum by by, uint32_t a, uint32_t b) {
  index_words(words, by);
  return words->search.mixed[*place_of(words, by, a, b) - 1] >> by & 1;
}

/* Could these values come about without being those of one and the same word? Of words with few
 * values, as bits, each pair exists somewhere: that says nothing. It does if no other word has the
 * two, or if the one never goes with another. */
static bool is_doubtful(struct host_words *words, uint32_t a, uint32_t b) {
  return is_mixed(words, BY_BOTH, a, b) &&
         (is_mixed(words, BY_FIRST, a, b) || is_mixed(words, BY_SECOND, a, b));
}

/* What BY_BOTH has for these values, found in less time than making it takes: most of what a host
 * sends is pieces of arrays that it was given, and only their first words have to be looked up. */
static uint32_t scan_for(const struct host_words *words, uint32_t a, uint32_t b) {
  enum { BLOCK = 64 };
  const struct words *out = &words->out;
  const uint32_t *first = out->first, *second = out->second;
  uint32_t known = no_word;
  for (size_t from = 0; from < out->count; from += BLOCK) {
    size_t end = out->count - from < BLOCK ? out->count : from + BLOCK;
    uint32_t here = 0;
    for (size_t i = from; i < end; i++) here |= (first[i] == a) & (second[i] == b);
    for (size_t i = from; i < end && here; i++) {
      if (!same_values(out, i, BY_BOTH, a, b)) continue;
      if (is_computed(words, (uint32_t)i)) return (uint32_t)i;
      if (known == no_word) known = (uint32_t)i;
    }
  }
  return known;
}

/* The word that the host was given and sends as these values, or no_word. What is the same in both
 * runs needs no explanation. */
static uint32_t explain(struct host_words *words, uint32_t a, uint32_t b) {
  if (a == b) return no_word;
  enum { SCANS = 64 };
  if (!words->search.table[BY_BOTH] && words->search.scans++ < SCANS) return scan_for(words, a, b);
  index_words(words, BY_BOTH);
  return *place_of(words, BY_BOTH, a, b) - 1; /* none: 0 - 1 is no_word */
}

enum { LONG_RUN = 32 };

/* The `count` words before `end` are neighbours on both ways. Short runs are counted; a long one
 * leaves no doubt. Returns how many words are unexplained. */
static size_t end_run(struct host_words *words, const struct pair *pair, size_t end, size_t count,
                      size_t *moved_short) {
  const size_t bytes = pair->first->record.data_bytes;
  size_t unknown = 0;
  for (size_t word = end - count; word < end && count < LONG_RUN; word++)
    unknown += is_doubtful(words, word_at(pair->first->data, bytes, word),
                           word_at(pair->second->data, bytes, word));
  if (count < RUN_WORDS) *moved_short += count;
  return unknown;
}

/* How many words the copy has, from one on, that are the device's from `next` on. */
static size_t same_row(const struct words *out, size_t next, const struct pair *pair, size_t word) {
  enum { BLOCK = 64 };
  const unsigned char *a = pair->first->data, *b = pair->second->data;
  const size_t bytes = pair->first->record.data_bytes, words = transfer_words(pair->first);
  size_t count = out->count - next < words - word ? out->count - next : words - word, same = 0;
  while (same + BLOCK <= count && (word + same + BLOCK) * 4 <= bytes &&
         memcmp(out->first + next + same, a + (word + same) * 4, BLOCK * 4) == 0 &&
         memcmp(out->second + next + same, b + (word + same) * 4, BLOCK * 4) == 0)
    same += BLOCK;
  while (same < count && out->first[next + same] == word_at(a, bytes, word + same) &&
         out->second[next + same] == word_at(b, bytes, word + same))
    same++;
  return same;
}

/* Returns how many words cannot be explained. A row of words that the host was given goes on as
 * long as they follow each other; also words that are the same in both runs belong to it. */
static size_t explain_words(struct host_words *words, const struct pair *pair,
                            size_t *moved_short) {
  const struct transfer *t = pair->first;
  size_t count = transfer_words(t), bytes = t->record.data_bytes, unknown = 0, word = 0;
  while (word < count) {
    uint32_t a = word_at(t->data, bytes, word), b = word_at(pair->second->data, bytes, word);
    uint32_t source = explain(words, a, b);
    if (source == no_word) {
      unknown += a != b;
      word++;
      continue;
    }
    size_t run = 1 + same_row(&words->out, source + 1, pair, word + 1);
    *array_add(words->sent, words->sent_count) =
        (struct sent_run){.number = words->next_number + word, .words = run, .source = source};
    word += run;
    unknown += end_run(words, pair, word, run, moved_short);
  }
  return unknown;
}

size_t host_words_send(struct host_words *words, const struct pair *pair, size_t *moved_short) {
  const struct transfer *t = pair->first, *other = pair->second;
  size_t count = transfer_words(t), unknown = 0;
  if (has_data(pair)) {
    unknown = explain_words(words, pair, moved_short);
  } else {
    bool same = t->record.hashed && other->record.hashed &&
                memcmp(&t->hash, &other->hash, sizeof t->hash) == 0;
    unknown = same ? 0 : count;
  }
  words->next_number += count;
  return unknown;
}
