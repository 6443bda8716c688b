/* content.c: see content.h. */
#include "harness/sim/base/content.h"

#include <string.h>

enum { ROWS = 8 }; /* that are independent, so that a processor works on all of them at once */

/* One-to-one in each argument. The rotation brings the upper bits, which depend on all others, to
 * where the next product spreads them. */
static inline uint64_t mixed(uint64_t number, uint64_t word) {
  number = (number ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return number << 27 | number >> 37;
}

static uint64_t number_of_bytes(const unsigned char *bytes, size_t count, uint64_t number) {
  uint64_t rows[ROWS], words[ROWS];
  for (int i = 0; i < ROWS; i++) rows[i] = mixed(number, (uint64_t)i);
  for (size_t at = 0; at < count; at += sizeof words) {
    size_t left = count - at;
    if (left < sizeof words) memset(words, 0, sizeof words);
    memcpy(words, bytes + at, left < sizeof words ? left : sizeof words);
    for (int i = 0; i < ROWS; i++) rows[i] = mixed(rows[i], words[i]);
  }
  number = mixed(number, count);
  for (int i = 0; i < ROWS; i++) number = mixed(number, rows[i]);
  return number;
}

uint64_t content_number(struct allocation *a) {
  if (a->numbered_at == a->changes && a->content) return a->content;
  uint64_t number = number_of_bytes(a->data, a->size, 1);
  if (!a->all_initialised) {
    number = mixed(number, a->initialised_prefix);
    number = number_of_bytes(a->initialised, (a->size + 3) / 4, number);
  }
  a->content = number ? number : 1;
  a->numbered_at = a->changes;
  return a->content;
}

void content_is(struct allocation *a, uint64_t number) {
  a->content = number;
  a->numbered_at = ++a->changes;
}

uint64_t content_of_bytes(const unsigned char *bytes, size_t count) {
  return number_of_bytes(bytes, count, 1);
}
