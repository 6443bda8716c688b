/* run.h: cases of a lab: inputs to a runner process, its report back, the outputs checked. */
#ifndef KIT_RUN_H
#define KIT_RUN_H

#include <stdint.h>

#include "grader/base/profile.h"
#include "grader/base/text.h"
#include "grader/lab/lab.h"
#include "grader/lab/metric.h"
#include "grader/run/report.h"

enum case_state {
  CASE_NOT_RUN, /* reason says why */
  CASE_RIGHT,
  CASE_WRONG, /* wrong outputs, an error, a crash, a hang: reason says which */
  CASE_ERROR, /* our or the machine's fault: reason */
};

/* What a failure means for the cases after it. */
enum case_stop { STOP_NOTHING, STOP_LARGER, STOP_ALL };

struct case_result {
  enum case_state state;
  bool claimed; /* of CASE_ERROR: the program itself reports it; who is to blame is not known yet */
  bool undecided; /* of CASE_RIGHT: it does not show whether kernels or copies did the work */
  enum case_stop stop;
  const char *kind; /* of the grader's own hazard: "wrong", "crash", "timeout", ...; or NULL */
  char *reason;     /* NULL if all is well */
  int line;         /* of the source, that reason is about; 0: none */
  const struct hazard_record *quoted; /* of the report: the reason has its message; NULL: none */
  enum explains explains;             /* of wrong outputs: what the reason explains */
  struct report report;
  struct totals totals; /* of the first set's launches */
  struct spans spans;   /* what the first set's work did when; empty: not known */
  /* The same as it was measured on a GPU: with the trace (harness/base/trace_events.h) that it was
   * read from, NULL if it was not, and then why, or NULL if nobody asked. */
  struct spans measured;
  json_t *measured_trace;
  char *not_recorded;
  struct text output;       /* what the program printed, raw */
  const char *output_since; /* the case from which on it did; NULL: this one */
};

/* What a submission has used of its lab's budget so far. */
struct spending {
  struct budget used;
  double cpu_seconds; /* of host code */
};

struct runner {
  const char *path;   /* the executable */
  const char *device; /* the simulated device's (kit.device); NULL: the runner has a device of its
                         own, and the jobs */
  const char *directory; /* to run in */
  const char *keep;      /* folder for copies of job, report and output; or NULL */
  const char *entry;     /* the function to call; NULL: the case's */
  bool other_lab;        /* it is another lab's: its first function is called in every case */
  bool on_gpu;           /* it uses a real device, which wants address space without end */
  bool provenance;       /* it must be kernels that compute (provenance.h); on the simulator only */
  bool times;            /* launches have times also where conf_timed_sets sees no use for them */
  bool accesses;         /* launches of shown cases report where their accesses went */
  bool timeline;         /* calls report one also where conf_wants_timeline sees no use for it */
  struct spending *
      spending; /* of the whole grading, counted here; NULL: each process has a budget of its own */
  struct profile *profile; /* what it takes is added here; NULL: nobody asks */
};

/* Cases that one process runs one after another, up to one after which it does not go on: its call
 * left an error, it crashed, it hung. What the grader does between these steps goes on beside it.
 *
 *   run_prepare  makes the inputs. seed: of the whole grading; the case's name makes other data of
 *                it. runner and conf must stay.
 *   run_open     starts the process, which waits for its jobs; may be left out
 *   run_open_second  starts the one in which run_judge has all run again, too; may be left out
 *   run_start    has it run them, with what the runner's spending has left of the budget
 *   run_wait     waits until it has ended, reads what it has reported, and counts what it has spent
 *   run_judge    checks the outputs and, if the runner asks for provenance, has all of it run again
 *                for that; releases the run. Returns how many cases have been judged, the first
 *                ones; at least 1. results: of all cases, by index.
 *   run_drop     in place of the rest: ends it wherever it is, and releases it; NULL: does nothing
 *
 * What was not right in company must be run again by itself, and only this run counts: so no case
 * is wrong for what another has done. run_again does so. */
struct run;
struct run *run_prepare(const struct runner *runner, const struct conf *conf, const int *cases,
                        int count, uint64_t seed);
void run_open(struct run *run);
void run_open_second(struct run *run);
void run_start(struct run *run);
void run_wait(struct run *run);
int run_judge(struct run *run, struct case_result *results);
void run_drop(struct run *run);
/* Is it a run of exactly these cases? */
bool run_is_of(const struct run *run, const int *cases, int count);
void run_again(const struct runner *runner, const struct conf *conf, const int *cases, int judged,
               uint64_t seed, struct case_result *results);

/* All of that for one case, and for several. run_some returns what run_judge does. */
void run_case(const struct runner *runner, const struct conf *conf, int case_index, uint64_t seed,
              struct case_result *result);
int run_some(const struct runner *runner, const struct conf *conf, const int *cases, int count,
             uint64_t seed, struct case_result *results);
/* How many of these cases to run in one process, as starting one takes as long as a case of some
 * size. At least 1. Small ones are together, and so are hidden ones and open ones, whose output
 * anyone may see. One in which a call is made to fail, so that the program may end, is run by
 * itself. */
int run_group(const struct conf *conf, const int *cases, int count);

/* Takes the first `judged` cases off the list, and those that need not be run for what others
 * showed, whose results say so: after a crash larger ones of the same function, after a hang all.
 * Returns how many are left. */
int cases_left(const struct conf *conf, int *cases, int count, int judged,
               struct case_result *results);

/* Of a function for which the host or copies do the work in one case they do it in all: right cases
 * that are undecided become wrong. */
void cases_decide(const struct conf *conf, struct case_result *results);
/* A claimed CASE_ERROR turns out to be the submission's own doing. */
void case_blame_program(struct case_result *result);
/* The launch of the first call that took longest; NULL: there is none. */
const struct launch_record *case_longest_launch(const struct case_result *result);
void case_free(struct case_result *result);

/* Work of a case, to tell larger ones: the product of its dimensions. */
double case_work(const struct conf *conf, int case_index);

/* --- judge.c */

struct ends;
/* Fills all of the result but its output, of a report that has been read. inputs: the arrays of one
 * set after another; ends: of its process (execute.h). */
void case_judge(const struct conf *conf, int case_index, void *const *inputs, uint64_t seed,
                const struct ends *ends, struct case_result *result);
/* Judges it wrong, or, with NULL for a kind, our fault. Returns true. */
bool case_fail(struct case_result *result, const char *kind, enum case_stop stop,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* --- unchecked.c: a case in which a call of CUDA is made to fail (conf.h). */

/* Judges whether the submission has noticed; false: nothing was made to fail before it ended. */
bool case_judge_failure(const struct conf *conf, const struct case_conf *entry,
                        const struct ends *ends, struct case_result *result);

/* --- coverage.c: elements that no kernel wrote, and why: the grid, or there was no kernel. */

/* Which elements of the first output were left as they were before the call (bytes of 0xff), in
 * words, with what the set's launches have to do with it: "only columns 0 to 31 of 33 of C were
 * written: ...". The caller's; NULL if they form no pattern. The set's outputs are there. */
char *coverage_describe(const struct problem *problem, const long *dims,
                        const struct report *report, int set);

#endif
