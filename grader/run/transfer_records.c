/* transfer_records.c: reads the log of transfers back into records. */
#include "grader/run/transfer_records.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

void transfers_append(struct transfers *log, const void *bytes, size_t count) {
  if (log->room - log->length < count) {
    log->room = (log->length + count) * 2;
    log->bytes = xrealloc(log->bytes, log->room);
  }
  if (count) memcpy(log->bytes + log->length, bytes, count);
  log->length += count;
}

/* The next so many bytes, or NULL if there are fewer. */
static const unsigned char *take(const unsigned char **at, const unsigned char *end,
                                 uint64_t count) {
  const unsigned char *here = *at;
  if ((uint64_t)(end - here) < count) return NULL;
  *at += count;
  return here;
}

static bool parse_one(struct transfer *to, const unsigned char **at, const unsigned char *end) {
  struct transfer_record *record = &to->record;
  const unsigned char *bytes = take(at, end, sizeof *record);
  *to = (struct transfer){0};
  if (!bytes) return false;
  memcpy(record, bytes, sizeof *record);
  to->key = take(at, end, record->key_bytes);
  if (!to->key) return false;
  if (record->hashed) {
    bytes = take(at, end, sizeof to->hash);
    if (!bytes) return false;
    memcpy(&to->hash, bytes, sizeof to->hash);
  } else if (record->data_bytes && !(to->data = take(at, end, record->data_bytes))) {
    return false;
  }
  if (record->runs > UINT32_MAX) return false;
  size_t size = (size_t)record->runs * sizeof *to->runs;
  bytes = take(at, end, size);
  if (!bytes) return false;
  to->runs = xcalloc(record->runs + 1, sizeof *to->runs);
  memcpy(to->runs, bytes, size);
  return true;
}

bool transfers_parse(struct transfers *log) {
  const unsigned char *at = log->bytes, *end = log->bytes + log->length;
  while (at < end)
    if (!parse_one(array_add(log->items, log->count), &at, end)) return false;
  return true;
}

void transfers_free(struct transfers *log) {
  for (size_t i = 0; i < log->count; i++) free(log->items[i].runs);
  free_all(log->items, log->bytes);
  *log = (struct transfers){0};
}

size_t transfer_words(const struct transfer *transfer) {
  return (size_t)(transfer->record.data_bytes / 4 + (transfer->record.data_bytes % 4 != 0));
}
