/* transfer_log.c: writes the log of transfers, record by record.
 *
 * Data is kept where it may have to be compared word by word: once the host has got some, and up to
 * a limit. Before, nothing that it sends can depend on the inputs unless something is wrong, and a
 * hash will do. */
#include "harness/sim/remote/transfer_log.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/remote/wire.h"

enum { FLUSH_BYTES = 1 << 20 };
static const size_t max_kept_bytes = (size_t)256 << 20;

static void append(struct transfer_log *log, const void *bytes, size_t count) {
  if (!log->failed) log->failed = !ARRAY_RESERVE(log->data, log->room, log->length + count);
  if (log->failed) return;
  if (count) memcpy(log->data + log->length, bytes, count);
  log->length += count;
}

bool transfer_log_flush(struct transfer_log *log) {
  if (log->length && !log->failed && !log->flush(log->context, log->data, log->length))
    log->failed = true;
  log->length = 0;
  return !log->failed;
}

void transfer_log_free(struct transfer_log *log) {
  free(log->data);
  free(log->origins.items);
  log->origins = (struct transfer_runs){0};
  log->data = NULL;
  log->length = log->room = 0;
}

/* Hashing: two lanes of multiply and xor, from a start that a submission cannot know. */

static void hash_start(struct transfer_log *log) {
  log->hash = (struct transfer_hash){
      {log->key * UINT64_C(0x9e3779b97f4a7c15) + 1, (log->key ^ UINT64_C(0xd1b54a32d192ed03)) | 1}};
}

static void hash_word(struct transfer_hash *hash, uint64_t word) {
  uint64_t *h = hash->value;
  h[0] = (h[0] ^ word) * UINT64_C(0xff51afd7ed558ccd);
  h[0] ^= h[0] >> 32;
  h[1] = (h[1] + word) * UINT64_C(0xc4ceb9fe1a85ec53);
  h[1] ^= h[1] >> 29;
  h[1] += h[0];
}

static void hash_bytes(struct transfer_hash *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (; count >= 8; at += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash_word(hash, word);
  }
  uint64_t rest = 0;
  memcpy(&rest, at, count);
  hash_word(hash, rest ^ (uint64_t)count << 56);
}

/* Records */

static void begin(struct transfer_log *log, enum transfer_kind kind, int line, size_t key_bytes) {
  log->record = (struct transfer_record){
      .kind = kind, .line = line, .thread = log->thread, .key_bytes = key_bytes};
}

/* The record with its key; data and origins follow. */
static void put(struct transfer_log *log, const void *key, size_t key_bytes) {
  append(log, &log->record, sizeof log->record);
  append(log, key, key_bytes);
  if (log->length > FLUSH_BYTES) transfer_log_flush(log);
}

/* A whole record without data. */
static void put_record(struct transfer_log *log, enum transfer_kind kind, int line, const void *key,
                       size_t key_bytes) {
  if (!log->on) return;
  begin(log, kind, line, key_bytes);
  put(log, key, key_bytes);
}

void transfer_log_call(struct transfer_log *log) { put_record(log, TRANSFER_CALL, 0, NULL, 0); }

static void put_origins(struct transfer_log *log) {
  append(log, log->origins.items, log->origins.count * sizeof *log->origins.items);
  free(log->origins.items);
  log->origins = (struct transfer_runs){0};
}

void transfer_log_rows(struct transfer_log *log, enum transfer_kind kind, int line,
                       const struct transfer_rows *rows, struct transfer_runs *origins) {
  if (!log->on) return;
  uint64_t bytes = rows->width * rows->rows;
  begin(log, kind, line, sizeof *rows);
  log->record.data_bytes = log->data_left = bytes;
  log->record.hashed =
      (kind == TRANSFER_IN && !log->host_has_data) || bytes > max_kept_bytes - log->kept;
  if (!log->record.hashed) log->kept += bytes;
  hash_start(log);
  if (origins) {
    log->origins = *origins;
    *origins = (struct transfer_runs){0};
  }
  log->record.runs = log->origins.count;
  log->host_has_data |= kind == TRANSFER_OUT;
  put(log, rows, sizeof *rows);
}

void transfer_log_data(struct transfer_log *log, const void *bytes, size_t count) {
  if (!log->on) return;
  if (log->record.hashed)
    hash_bytes(&log->hash, bytes, count);
  else
    append(log, bytes, count);
  log->data_left -= count < log->data_left ? count : log->data_left;
  if (log->data_left == 0) {
    if (log->record.hashed) append(log, &log->hash, sizeof log->hash);
    put_origins(log);
  }
  if (log->length > FLUSH_BYTES) transfer_log_flush(log);
}

void transfer_log_copy(struct transfer_log *log, int line, const struct transfer_rows *to,
                       const struct transfer_rows *from) {
  struct transfer_rows key[2] = {*to, *from};
  put_record(log, TRANSFER_COPY, line, key, sizeof key);
}

void transfer_log_fill(struct transfer_log *log, int line, const struct transfer_rows *rows,
                       uint64_t value) {
  struct {
    struct transfer_rows rows;
    uint64_t value;
  } key = {*rows, value};
  put_record(log, TRANSFER_FILL, line, &key, sizeof key);
}

void transfer_log_launch(struct transfer_log *log, struct device *device,
                         const struct launch *launch) {
  static struct kernel_info info; /* large */
  static unsigned char reads[WIRE_MAX_BYTES];
  if (!log->on || launch->param_bytes > sizeof reads ||
      device_get_kernel(device, launch->module, launch->kernel, &info) != 0 ||
      info.param_bytes != launch->param_bytes)
    return; /* it is refused */
  device_kernel_reads(device, launch->module, launch->kernel, reads);
  const unsigned char *params = launch->params;
  for (size_t i = 0; i < launch->param_bytes; i++) reads[i] = reads[i] ? params[i] : 0;
  struct transfer_launch head = {.shared_bytes = launch->shared_bytes,
                                 .param_count = (uint32_t)info.param_count,
                                 .param_bytes = (uint32_t)launch->param_bytes};
  memcpy(head.grid, launch->grid, sizeof head.grid);
  memcpy(head.block, launch->block, sizeof head.block);
  size_t name = strlen(launch->kernel);
  begin(log, TRANSFER_LAUNCH, launch->place.line,
        sizeof head + head.param_count * sizeof(uint32_t) + head.param_bytes + name);
  append(log, &log->record, sizeof log->record);
  append(log, &head, sizeof head);
  for (int i = 0; i < info.param_count; i++)
    append(log, &(uint32_t){(uint32_t)info.params[i].size}, sizeof(uint32_t));
  append(log, reads, head.param_bytes);
  append(log, launch->kernel, name);
  if (log->length > FLUSH_BYTES) transfer_log_flush(log);
}

void transfer_log_setting(struct transfer_log *log, const char *text) {
  put_record(log, TRANSFER_SETTING, 0, text, strlen(text));
}

void transfer_log_result(struct transfer_log *log, struct device *device, int output,
                         uint64_t address, size_t bytes) {
  if (!log->on) return;
  uint64_t number = (uint64_t)output;
  if (!device_origins(device, address, bytes, &log->origins)) log->failed = true;
  begin(log, TRANSFER_RESULT, 0, sizeof number);
  log->record.runs = log->origins.count;
  put(log, &number, sizeof number);
  put_origins(log);
}
