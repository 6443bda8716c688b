/* report.h: what was reported about one case, read from its file of frames and checked.
 *
 * On the simulator the device's process wrote it, on a GPU the runner: nothing in the file is
 * believed, as the student's code may run in the process that wrote it. A frame without the job's
 * token does not count (but is counted); anything malformed makes the whole report damaged. */
#ifndef KIT_REPORT_H
#define KIT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/base/profile.h"
#include "grader/lab/metric.h"
#include "grader/run/transfer_records.h"
#include "harness/problems/family.h"
#include "harness/sim/base/budget.h"
#include "harness/sim/base/counters.h"

struct line_counters {
  int line;
  struct counters counters;
};

/* Where a warp's first execution of a memory instruction went. */
struct access_warp {
  int warp;            /* in the block */
  uint32_t mask;       /* active lanes */
  int64_t offsets[32]; /* bytes from the array's start, by lane */
  int cost;            /* sectors (global) or wavefronts (shared) */
};

/* One memory instruction of a kernel, as one block executed it. */
struct access_record {
  int line, index; /* index: the n-th such instruction of its line, from 0 */
  bool shared;     /* else global */
  char *op;        /* "load", "store", "atomic" */
  char *array;     /* "" if it has no name */
  int bytes;       /* of a lane */
  long array_bytes;
  int base; /* shared: the array's start modulo 128 bytes, for its bank; else 0 */
  uint64_t block[3];
  struct access_warp *warps;
  int warp_count;
};

struct launch_record {
  uint64_t launches; /* 1; or of so many like it this is the sum */
  char *kernel;
  uint64_t grid[3], block[3], registers;
  uint64_t shared_bytes, dynamic_shared_bytes; /* a block's: all, and the dynamic part of it */
  uint64_t time_ns;                            /* 0: it has none, as nobody asked for it */
  uint64_t dram_bytes;                         /* modelled (sim/model/model.h); 0: not known */
  char *time_kind, *bound; /* "modelled", NULL without a time; bound: "" if the runner gave none */
  int line;
  int set; /* of inputs, from 0 */
  struct counters counters;
  struct line_counters *lines;
  int line_count;
  struct access_record *accesses; /* none unless the job asked for them */
  int access_count;
  json_t *accesses_json; /* the same; NULL: none */
};

struct hazard_record {
  char *kind, *kernel, *array, *message;
  bool warning;
  int line, other_line;
  uint64_t count;
  bool more;              /* than count: the simulator stopped counting */
  int weight;             /* of two races the heavier one says more about what is missing */
  uint64_t addresses[16]; /* of a crash, in the program: where its line may be found */
  int address_count;
};

struct set_record {
  bool done;
  char *error, *message; /* error NULL: the call went well */
  bool returned;         /* the function itself returned the error */
  bool failed;           /* in it a call was made to fail, in this line; 0: not known */
  int failed_line;
  bool failed_launched; /* a kernel was launched all the same */
  char *error_from;     /* the API function that returned it, or words; NULL: not known */
  uint64_t time_ns;     /* of all that the call did on the device; 0: not known */
  uint64_t events_ns;   /* from its first cudaEventRecord to its last; with has_totals */
  bool has_totals;
  struct totals totals; /* of all launches, as the device adds them up; it owns the traffic */
  json_t *timeline;     /* a trace (sim/remote/timeline_trace.h); NULL: not asked for */
  void *outputs[PROBLEM_MAX_ARRAYS];
};

struct report {
  struct launch_record *launches;
  int launch_count;
  struct hazard_record *hazards;
  int hazard_count;
  struct set_record *sets;
  int set_count;
  bool done;                     /* the report ends as it should */
  struct budget used;            /* by all jobs so far; 0: not reported */
  struct seconds kernels, model; /* of the device's, if they were asked for */
  char *device;                  /* NULL until then */
  int forged;                    /* frames with another token */
  char damaged[200];             /* what is wrong with the report, "" if nothing is */
  struct transfers transfers; /* of all its calls, if it is done; empty: they were not asked for */
  char *broken; /* why the device broke off, because of the program; NULL: it did not */
};

/* Reads fd from where it stands to the end of one case's report. sets: the job's input sets. */
void report_read(int fd, uint64_t token, const struct problem *problem, const long *dims, int sets,
                 struct report *report);
void report_free(struct report *report);
/* Reads to the end of the report of a run that is only there for its log of transfers. False if the
 * report is damaged, or ends too early. */
bool report_read_transfers(int fd, uint64_t token, struct transfers *transfers);

/* {"M":64, ...} */
json_t *dims_to_json(const struct problem *problem, const long *dims);

void hazard_record_free(struct hazard_record *hazard);
void launch_record_free(struct launch_record *launch);
/* The list "traffic" into the totals: NULL, or what is wrong with it. */
const char *traffic_from_json(const json_t *list, struct totals *totals);
/* As in the grade's "hazards": NULL, or what is wrong; then there is nothing to free. */
const char *hazard_record_from_json(const json_t *json, struct hazard_record *hazard);
/* The launch as in the grade's "launches", without "case"; and back: NULL, or what is wrong. */
json_t *launch_record_to_json(const struct launch_record *launch);
const char *launch_record_from_json(const json_t *json, struct launch_record *launch);

#endif
