/* host_words.c: finds what the host sends among the words that it was given. */
#include "grader/run/host_words.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

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
  struct sent *sent;
  size_t sent_count;
  uint64_t next_number;
  struct search search;
};

struct host_words *host_words_new(const struct pairs *pairs) {
  size_t out = 0, sent = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct transfer *t = pairs->items[i].first;
    if (t->record.kind == TRANSFER_OUT && has_data(&pairs->items[i])) out += transfer_words(t);
    sent += t->record.kind == TRANSFER_IN;
  }
  struct host_words *words = xcalloc(1, sizeof *words);
  words->out = (struct words){.list = xcalloc(out + 1, sizeof(struct word)), .room = out + 1};
  words->sent = xcalloc(sent + 1, sizeof *words->sent);
  return words;
}

void host_words_free(struct host_words *words) {
  for (size_t i = 0; i < words->sent_count; i++) free(words->sent[i].source);
  for (int by = 0; by < BYS; by++) free(words->search.table[by]);
  free_all(words->sent, words->out.list, words->search.mixed, words);
}

void host_words_receive(struct host_words *words, const struct pair *pair) {
  struct words *out = &words->out;
  const struct transfer *t = pair->first;
  size_t count = transfer_words(t), from = out->count, at = from;
  struct transfer_rows rows;
  if (!has_data(pair) || t->record.key_bytes < sizeof rows) return;
  memcpy(&rows, t->key, sizeof rows);
  for (size_t word = 0; word < count; word++)
    out->list[from + word] = (struct word){
        .first = word_at(t->data, t->record.data_bytes, word),
        .second = word_at(pair->second->data, t->record.data_bytes, word),
        .origin = ORIGIN_CARRIED,
        .address = rows.address + word * 4 / rows.width * rows.pitch + word * 4 % rows.width};
  for (uint64_t r = 0; r < t->record.runs; r++)
    for (uint64_t w = 0; w < t->runs[r].words && at < from + count; w++, at++)
      out->list[at].origin = t->runs[r].origin + (t->runs[r].origin >= ORIGIN_FIRST_IN ? w : 0);
  out->count += count;
}

/* The word of the device's that the host has sent back as this one; no_word: it is none. */
static uint32_t source_of(const struct host_words *words, uint64_t number) {
  size_t low = 0, high = words->sent_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(words->sent[middle].number <= number ? &low : &high) = middle;
  }
  const struct sent *sent = &words->sent[low];
  if (low == high || number < sent->number || number - sent->number >= sent->words || !sent->source)
    return no_word;
  return sent->source[number - sent->number];
}

bool host_words_is_computed(const struct host_words *words, uint64_t origin) {
  while (origin >= ORIGIN_FIRST_IN) {
    uint32_t source = source_of(words, origin - ORIGIN_FIRST_IN);
    if (source == no_word) return false;
    origin = words->out.list[source].origin;
  }
  return origin == ORIGIN_KERNEL;
}

static bool same_values(const struct word *word, enum by by, uint32_t a, uint32_t b) {
  return (by == BY_SECOND || word->first == a) && (by == BY_FIRST || word->second == b);
}

/* The place of a word of these values, or a free one. */
static uint32_t *place_of(const struct host_words *words, enum by by, uint32_t a, uint32_t b) {
  const struct search *search = &words->search;
  size_t at = hash_of(by == BY_SECOND ? 0 : a, by == BY_FIRST ? 0 : b) & (search->room - 1);
  uint32_t *table = search->table[by];
  while (table[at] && !same_values(&words->out.list[table[at] - 1], by, a, b))
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
    uint32_t i = (uint32_t)search->indexed[by], a = pool->list[i].first, b = pool->list[i].second;
    uint32_t *place = place_of(words, by, a, b), known = *place - 1;
    if (!*place) {
      *place = i + 1;
    } else if (by != BY_BOTH) {
      search->mixed[known] |= same_values(&pool->list[known], BY_BOTH, a, b) ? 0 : 1u << by;
    } else {
      if (pool->list[known].address != pool->list[i].address) search->mixed[known] |= 1u << by;
      if (host_words_is_computed(words, pool->list[i].origin) &&
          !host_words_is_computed(words, pool->list[known].origin)) {
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
 * sends is an array that it was given, and only its first word has to be looked up. */
static uint32_t scan_for(const struct host_words *words, uint32_t a, uint32_t b) {
  const struct words *out = &words->out;
  uint32_t known = no_word;
  for (uint32_t i = 0; i < out->count; i++) {
    if (!same_values(&out->list[i], BY_BOTH, a, b)) continue;
    if (known == no_word || (host_words_is_computed(words, out->list[i].origin) &&
                             !host_words_is_computed(words, out->list[known].origin)))
      known = i;
  }
  return known;
}

/* The word that the host was given and sends as these values, or no_word. previous: the word that
 * it sent before. What is the same in both runs needs no explanation, unless it goes on with a row
 * of such words. */
static uint32_t explain(struct host_words *words, uint32_t a, uint32_t b, uint32_t previous) {
  const struct words *out = &words->out;
  uint32_t next = previous + 1;
  if (previous != no_word && next < out->count && same_values(&out->list[next], BY_BOTH, a, b))
    return next;
  if (a == b) return no_word;
  enum { SCANS = 8 };
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

/* Returns how many words cannot be explained. */
static size_t explain_words(struct host_words *words, const struct pair *pair, uint32_t *source,
                            size_t *moved_short) {
  const struct transfer *t = pair->first;
  size_t count = transfer_words(t), bytes = t->record.data_bytes, unknown = 0, run = 0;
  uint32_t previous = no_word;
  for (size_t word = 0; word < count; word++) {
    uint32_t a = word_at(t->data, bytes, word), b = word_at(pair->second->data, bytes, word);
    source[word] = explain(words, a, b, previous);
    bool goes_on = run > 0 && source[word] != no_word && source[word] == previous + 1;
    if (!goes_on) {
      unknown += end_run(words, pair, word, run, moved_short);
      run = 0;
    }
    if (source[word] != no_word)
      run++;
    else
      unknown += a != b;
    previous = source[word];
  }
  return unknown + end_run(words, pair, count, run, moved_short);
}

size_t host_words_send(struct host_words *words, const struct pair *pair, size_t *moved_short) {
  const struct transfer *t = pair->first, *other = pair->second;
  struct sent *sent = &words->sent[words->sent_count++];
  *sent = (struct sent){.number = words->next_number, .words = transfer_words(t)};
  words->next_number += sent->words;
  if (has_data(pair)) {
    sent->source = xcalloc(sent->words + 1, sizeof *sent->source);
    return explain_words(words, pair, sent->source, moved_short);
  }
  bool same = t->record.hashed && other->record.hashed &&
              memcmp(&t->hash, &other->hash, sizeof t->hash) == 0;
  return same ? 0 : sent->words;
}
