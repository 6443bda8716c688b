/* score.h: from case results to points, each lost point with its reason. */
#ifndef KIT_SCORE_H
#define KIT_SCORE_H

#include "grader/base/source.h"
#include "grader/lab/lab.h"
#include "grader/run/ceiling.h"
#include "grader/run/registers.h"
#include "grader/run/run.h"
#include "grader/run/stopwatch.h"

struct item_result {
  long points;
  double value; /* what was measured, as its thresholds have it; NaN: nothing */
  char *reason; /* why points are lost; NULL if none are */
  const struct hazard_record *hazard; /* of the grade, whose message the reason has; NULL: none */
  bool hint_helps;                    /* the item was looked at, and found wanting */
  bool inconclusive;                  /* measured times vary too much to say how many points */
  bool no_ceiling;        /* it is a share of what the device could do, and that is not known */
  bool waiting;           /* for a case to come out right: nothing to look at yet */
  enum explains explains; /* the reason says what is wrong: a general hint adds nothing */
};

/* Totals of another solution, by case; measured[i]: case i's are there. */
struct reference {
  char *name; /* "lab1's solution" */
  bool *measured;
  struct totals *totals;
};

/* How near a case's time is to what the device could do. */
struct share {
  double per_ns; /* bytes or operations of the problem a ns; 0: the case is not timed */
  struct ceiling ceiling;
  char *unknown; /* why there is no ceiling; or NULL */
};

/* One grading, complete. */
struct grade {
  const struct lab *lab;
  const struct source *source;
  const char *backend;
  uint64_t seed;
  bool partial;              /* not all cases were asked for: this is not the lab's grade */
  char *messages;            /* the compiler's messages, raw; "" if nothing */
  char *device;              /* NULL: not known */
  struct case_result *cases; /* conf.case_count of them */
  struct reference references[ITEM_OFS];
  char *reference_note;     /* on how they were measured; or NULL */
  struct timing *timings;   /* measured times, conf.case_count of them; NULL: times are modelled */
  const char *not_measured; /* on a GPU: why they are modelled nevertheless; or NULL */
  struct share *shares;     /* conf.case_count of them; NULL until the end */
  struct hazard_record *hazards; /* merged over cases, the worst first, warnings last */
  int hazard_count;
  char **answers;            /* what the file predicts (answers.h); NULL: it was not looked at */
  struct item_result *items; /* conf.item_count of them */
  long score;
  const char *verdict; /* "pass", "partial", "fail", "error" */
  char *error;         /* of verdict "error": what is wrong with the kit or the machine */
  bool has_resources;  /* its JSON says what its kernels take of a multiprocessor */
  bool has_roofline;   /* its JSON says where its kernels lie under the GPU's roofs */
  struct register_list registers; /* of its kernels; empty: nobody asks, or they are not known */
  struct profile *profile;        /* where the time went; NULL: nobody asks */
  struct spending spending;       /* what of the budget it has used; calls 0: not known */
  const char *sandbox;            /* the level that it ran in; NULL: not known */
  double seconds;      /* that the grading took; 0: left out, as it differs from one to the next */
  const char *attempt; /* its name in a class; NULL: it is not a class's */
};

/* Does a measured item need this solution's totals for a case that came out right? */
bool score_needs(const struct grade *grade, enum item_of of, int case_index);
/* Does the file not compile? */
bool score_is_build_failure(const struct grade *grade);
/* Has any kernel been launched? */
bool score_any_launch(const struct grade *grade);
/* Does a performance item look at the case? */
bool score_times(const struct conf *conf, int case_index);
/* Merges all cases' hazards and the compiler's warnings (grade->messages) into grade->hazards. */
void score_hazards(struct grade *grade);
/* Are they one fault, perhaps in two kernels made of the same lines? */
bool score_same_place(const struct hazard_record *a, const struct hazard_record *b);
/* Of grade->hazards the one whose message the reason of the case has; NULL: none. */
const struct hazard_record *score_case_hazard(const struct grade *grade, int case_index);
/* Fills items, score and verdict; hazards are merged. */
void score_items(struct grade *grade);
/* A grade for a file that does not compile. */
void score_build_failure(struct grade *grade, const char *compiler_output);

/* A measured item's figure in case `index`, which came out right: the metric's value, or its ratio
 * to the other solution's; of a measured time its interval. other: that solution's value. */
struct interval score_interval(const struct grade *grade, const struct item_conf *item,
                               const struct metric *metric, int index, double *other);

/* The thresholds that an item that is measured goes by in this grade. Those of a share of the
 * ceiling that is compared with another solution's are parts of what that one reaches, here as
 * percentages; part: what they were multiplied by, 1 if by nothing, NaN if that is not known. */
struct item_limits {
  struct threshold full, zero, half;
  double part;
};
struct item_limits score_limits(const struct grade *grade, const struct item_conf *item);

/* The item before i that was lost for the same cause, or -1. Of correctness items, wrong results
 * are taken for one cause: the reasons name the other cases. */
int score_same_cause(const struct grade *grade, int i);

/* Points for a value: all at full or better, falling to 0 at zero, evenly over the value or over
 * its logarithm; rounded down. */
long score_threshold(long points, struct threshold full, struct threshold zero,
                     enum item_scale scale, double value);
/* The value from which it is `earned` points of that slope, rounded to three figures on the side
 * that earns them. */
double score_value_for(long points, struct threshold full, struct threshold zero,
                       enum item_scale scale, long earned);
/* Points for a time: all at full or better, half of them (rounded up) at half or better, else none.
 * Two steps in place of a slope: a time measured again differs by a few percent, and on a slope
 * every percent is a point; a step changes a score only where a time lies on it, and lab.conf puts
 * steps where no common solution lies. */
long score_steps(long points, struct threshold full, struct threshold half, double value);

/* --- hidden.c: what a grade reveals of hidden cases (hidden.conf): which one failed, and what kind
 * of mistake it is. Sizes, values, lines, names, times and counters stay with the instructor: a
 * file that is graded can choose each of them by the size that it is called with. */

/* Before the grade is scored: reasons, hazards and output of hidden cases become words that
 * students may read. Everything that is made of the grade afterwards holds no more than that. Where
 * cases are asked for by name nothing changes: that is the instructor, who has the file. */
void hidden_redact(struct grade *grade);

/* "case" or "hidden case". */
const char *hidden_case_word(const struct conf *conf, int index);
/* Must sizes of this case not be shown? */
bool hidden_keeps_quiet(const struct grade *grade, int index);

/* --- How near a submission comes to what the device could do, in each case that is timed. --- */

/* Fills grade->shares for the cases that performance items look at and that came out right, and the
 * ceiling's time in their totals, before the items are scored. A measured time goes by a ceiling
 * measured at its size, a modelled one by the GPU's description. */
void share_find(const struct kit *kit, struct grade *grade);
/* Of one case whose ceiling is known: the time at that ceiling, into the case's totals. */
void share_apply(struct grade *grade, int case_index);
void share_free(struct grade *grade);

/* --- cause.c: what to fix first: the fault that explains the rest of what is lost. The card, the
 * page, JSON and the text for Gradescope all begin with it. */

/* One of the two, or neither (-1) where nothing is lost or there is no grade. */
struct cause {
  int hazard; /* of grade->hazards */
  int item;   /* the item whose reason it is */
  bool above; /* it is not what the first item that lost points has for its reason */
};
struct cause cause_of(const struct grade *grade);

/* "lab2.cu:17: race: ...", with what to do about it; the caller's. NULL: there is no cause. */
char *cause_words(const struct grade *grade);

/* Is the item's reason the message of the hazard that is the cause? */
bool cause_covers(const struct grade *grade, int item);

/* What to try: the item's general hint, where nothing more precise is known; else NULL. */
const char *cause_hint(const struct grade *grade, int item);

/* "lab2.cu:17: race: ...; at least 8 times"; the caller's. */
char *cause_hazard_words(const struct grade *grade, const struct hazard_record *hazard);

#endif
