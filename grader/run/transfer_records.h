/* transfer_records.h: the log of what a submission's host code moved to and from the simulated
 * device (harness/base/transfers.h), read back into records. */
#ifndef KIT_RUN_TRANSFERS_H
#define KIT_RUN_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/transfers.h"

struct transfer {
  struct transfer_record record;
  const unsigned char *key;
  const unsigned char *data; /* NULL: there is none, or its hash */
  struct transfer_hash hash; /* if the record says so */
  struct transfer_run *runs; /* record.runs of them */
};

struct transfers {
  unsigned char *bytes; /* all of the log; the records point into it */
  size_t length, room;
  struct transfer *items;
  size_t count;
};

void transfers_append(struct transfers *log, const void *bytes, size_t count);
/* Finds the records. False if the bytes are none. */
bool transfers_parse(struct transfers *log);
void transfers_free(struct transfers *log);

/* How many words the record's data is. */
size_t transfer_words(const struct transfer *transfer);

#endif
