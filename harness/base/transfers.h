/* transfers.h: the log of what a submission's host code moved between itself and the simulated
 * device, as the device's process writes it (remote/transfer_log.h) and the grader reads it
 * (grader/run/transfer_records.h).
 *
 * The log of a call is a sequence of records, each a struct transfer_record and then, without gaps:
 *
 *   key      what the device was asked for; records of two runs are compared by it
 *   data     of TRANSFER_IN and TRANSFER_OUT: the bytes, row by row; or, if `hashed` is set, a hash
 *            of them (struct transfer_hash), which only shows whether they are equal
 *   origins  of TRANSFER_OUT and TRANSFER_RESULT: where those words came from (struct transfer_run)
 *
 * Words of 4 bytes are counted. Those of all TRANSFER_IN of a log are numbered from 0 on, in order,
 * each record's rounded up to whole words; those of all TRANSFER_OUT likewise, separately.
 */
#ifndef KIT_TRANSFERS_H
#define KIT_TRANSFERS_H

#include <stddef.h>
#include <stdint.h>

enum transfer_kind {
  TRANSFER_CALL = 1, /* a call of the submission begins. key: none */
  TRANSFER_IN,       /* host to device. key: struct transfer_rows */
  TRANSFER_OUT,      /* device to host. key: struct transfer_rows */
  TRANSFER_COPY,     /* within the device. key: two struct transfer_rows, to and from */
  TRANSFER_FILL,     /* key: struct transfer_rows, u64 value */
  TRANSFER_LAUNCH,   /* key: struct transfer_launch, u32 sizes of the parameters, their bytes as the
                      * kernel lays them out (0 for what it does not read), its name without NUL */
  TRANSFER_SETTING,  /* what else changes what kernels do. key: text without NUL */
  TRANSFER_RESULT,   /* an output array, when the call has returned. key: u64 which output */
};

struct transfer_record {
  uint32_t kind;
  int32_t line;    /* of the call in the source; 0: not known */
  uint32_t thread; /* of the host, in the order in which they first used the device */
  uint32_t hashed;
  uint64_t key_bytes, data_bytes, runs; /* data_bytes: that were moved, also if they are hashed */
};

struct transfer_rows {
  uint64_t address, pitch, width, rows; /* bytes */
};

struct transfer_launch {
  uint32_t grid[3], block[3];
  uint64_t shared_bytes;
  uint32_t param_count, param_bytes;
};

struct transfer_hash {
  uint64_t value[2];
};

/* So many words in a row with the same origin; if that is a number of a word that came in, the next
 * one has the next number. */
struct transfer_run {
  uint64_t words, origin;
};
struct transfer_runs {
  struct transfer_run *items;
  size_t count, room;
};
enum {
  ORIGIN_KERNEL,   /* a kernel wrote it */
  ORIGIN_CARRIED,  /* a copy or a fill put it there, or nobody: an input, a constant */
  ORIGIN_FIRST_IN, /* this and above: word origin - ORIGIN_FIRST_IN of TRANSFER_IN, as it came */
};

#endif
