/* transfer_log.h: writes down what a submission's host code moves between itself and the device
 * (harness/base/transfers.h), while the device serves it. */
#ifndef KIT_TRANSFER_LOG_H
#define KIT_TRANSFER_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/sim/device/device.h"

struct transfer_log {
  bool on;
  uint64_t key;    /* of the hashes */
  uint32_t thread; /* of the host, which asks now */
  /* Receives the log piece by piece; false: it cannot be kept. */
  bool (*flush)(void *context, const void *bytes, size_t count);
  void *context;

  bool failed;
  bool host_has_data; /* some data has gone to the host */
  unsigned char *data;
  size_t length, room, kept; /* kept: bytes of data in the log so far */
  struct transfer_record record;
  struct transfer_hash hash;
  uint64_t data_left;           /* of the record under way */
  struct transfer_runs origins; /* ... which follow its data */
};

void transfer_log_call(struct transfer_log *log);
/* Begins a record; its data follows in pieces by transfer_log_data. origins: of TRANSFER_OUT, taken
 * over; or NULL. */
void transfer_log_rows(struct transfer_log *log, enum transfer_kind kind, int line,
                       const struct transfer_rows *rows, struct transfer_runs *origins);
void transfer_log_data(struct transfer_log *log, const void *bytes, size_t count);
void transfer_log_copy(struct transfer_log *log, int line, const struct transfer_rows *to,
                       const struct transfer_rows *from);
void transfer_log_fill(struct transfer_log *log, int line, const struct transfer_rows *rows,
                       uint64_t value);
void transfer_log_launch(struct transfer_log *log, struct device *device,
                         const struct launch *launch);
void transfer_log_setting(struct transfer_log *log, const char *text);
void transfer_log_result(struct transfer_log *log, struct device *device, int output,
                         uint64_t address, size_t bytes);
/* Flushes the rest. False if anything was lost. */
bool transfer_log_flush(struct transfer_log *log);
void transfer_log_free(struct transfer_log *log);

#endif
