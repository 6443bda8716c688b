/* conf.h: one lab.conf: cases, items, points and thresholds, as data; and the hidden.conf that an
 * instructor may have beside it.
 *
 * conf_keys.c has the keys, `./grade conf --keys` prints them. No limit is one of time, so a
 * verdict is the same on any machine at any load.
 *
 * hidden.conf is read after lab.conf and is written alike. A new [case] or [item] is added, and is
 * hidden: its reasons do not give sizes away (score/hidden.c). Of an [item ID] of lab.conf, of
 * [lab], [sweep] and [sizes] the keys given replace those of lab.conf. [answer] and [series] are
 * lab.conf's alone. Points must add up to what they add up to without it: points of what is added
 * are taken off other items.
 */
#ifndef KIT_CONF_H
#define KIT_CONF_H

#include <stdbool.h>

#include "harness/problems/family.h"
#include "harness/sim/base/budget.h"

/* A function of the student's file. */
struct entry_conf {
  char *name;
  const struct family *family; /* of the problem that it solves; NULL: the lab's */
};

/* A call of CUDA that is made to fail in a case, which is right if the submission notices. */
enum case_fail { FAIL_NOTHING, FAIL_MALLOC, FAIL_PINNED, FAIL_COPY, FAIL_LAUNCH, CASE_FAILS };
extern const char *const case_fail_names[];

/* What the time lasts that a function reports (problem.elapsed): nobody asks; its kernels; all of
 * its work, from the first copy or kernel to the last. */
enum case_elapsed { ELAPSED_ANY, ELAPSED_KERNELS, ELAPSED_WORK, CASE_ELAPSED };
extern const char *const case_elapsed_names[];

struct case_conf {
  char *name;
  long dims[PROBLEM_MAX_DIMS]; /* in the order of its problem (conf_family) */
  long sets;
  char *entry;  /* NULL: the first */
  int fail;     /* enum case_fail */
  long fail_at; /* which of such calls, from 1 */
  bool show;
  int elapsed; /* enum case_elapsed: what the time that the function reports must be of */
  bool hidden; /* it is hidden.conf's */
  int line;    /* of its section */
};

enum item_class {
  ITEM_CORRECTNESS,
  ITEM_HAZARD,
  ITEM_TECHNIQUE,
  ITEM_PERFORMANCE,
  ITEM_PREDICTION,
  ITEM_CLASSES
};
extern const char *const item_class_names[]; /* NULL ends them */

enum item_of { OF_VALUE, OF_BASELINE, OF_REFERENCE, ITEM_OFS };
extern const char *const item_of_names[];

/* How points fall from `full` to `zero`: evenly over the value, or over its logarithm. */
enum item_scale { SCALE_LINEAR, SCALE_LOG, ITEM_SCALES };
extern const char *const item_scale_names[];

struct threshold {
  bool given, at_least; /* at_least: >=, else <= */
  double value;
};

struct item_conf {
  char *id, *title, *hint; /* hint may be NULL */
  int class;               /* enum item_class; -1 while not given */
  long points;
  char **cases; /* of a correctness item */
  int case_count;
  char **kinds; /* of a hazard item; none: all */
  int kind_count;
  char **needs; /* IDs of items; none: it stands by itself */
  int need_count;
  char **answers; /* of predictions */
  int answer_count;
  char *case_name, *metric; /* of the others */
  enum item_of of;
  enum item_scale scale;
  struct threshold full, zero, half;
  bool hidden;  /* it is hidden.conf's */
  bool changed; /* it is lab.conf's, and hidden.conf replaces some of its keys */
  int line;     /* of its section, in hidden.conf if that has one */
};

/* A number that students predict: what the model solution has in a case, or a value. */
struct answer_conf {
  char *id; /* as in the student's file: "offset_1" */
  char *question;
  char *case_name, *metric; /* NULL: it is the value */
  long value;
  long within; /* percent */
  int line;    /* of its section */
};

/* A question that is left to the student, in their report. */
struct question_conf {
  char *id, *ask;
  int line; /* of its section */
};

enum { MAX_SHOWN = 6, SWEEP_PARAMETERS = 2, SWEEP_VALUES = 32, SERIES_VALUES = 64 };

struct sweep_conf { /* case_name NULL: the lab has none */
  char *case_name;
  char **parameters; /* SWEEP_PARAMETERS of them */
  int parameter_count;
  long values[SWEEP_VALUES];
  int value_count;
  long max_threads; /* of a block */
  int line;
};

/* A case with each value of one of its dimensions. */
struct series_conf {
  char *name, *title, *case_name, *dimension;
  char *metric;  /* that is shown beside the time; NULL: sectors per load */
  long from, to; /* both are in it; 0: `values` has them */
  long values[SERIES_VALUES];
  int value_count;
  int line; /* of its section */
};

struct sizes_conf { /* of ./grade LAB --sizes; all of it may be left out */
  char *case_name;  /* NULL: the first that is shown, or else the first */
  char **dims;      /* names of dimensions that are n, the others as in the case; none: all */
  int dim_count;
  int line; /* 0: there is no [sizes] */
};

struct conf {
  bool has_hidden; /* hidden.conf has been read, too */
  char *title, *baseline;
  char *teaches; /* or NULL */
  long minutes;  /* that it takes a student; 0: not given */
  char **after;  /* labs to do first */
  int after_count;
  char *leaders;              /* the measured item that a class is ranked by; NULL: by score */
  struct entry_conf *entries; /* at least one */
  int entry_count;
  const struct family *family;                       /* of its problem */
  long instruction_budget, copy_budget, call_budget; /* 0: not given */
  long cpu_limit, sleep_limit, memory_limit, thread_limit, output_limit;
  long build_cpu_limit, build_memory_limit, build_disk_limit;
  struct case_conf *cases;
  int case_count;
  struct item_conf *items;
  int item_count;
  struct answer_conf *answers;
  int answer_count;
  struct question_conf *questions;
  int question_count;
  struct sweep_conf sweep;
  struct series_conf *series;
  int series_count;
  struct sizes_conf sizes;
  long max_points;
};

/* Reads path into conf. name: what messages call the file. Returns 0; or -1 and a message of one
 * line, "lab.conf:12: unknown key 'tilte' in [item loads]; did you mean 'title'?", in *error (the
 * caller's to free). */
int conf_read(const char *path, const char *name, struct conf *conf, char **error);
/* Reads hidden.conf into what conf_read has read. Both 0 and -1 as conf_read. */
int conf_read_hidden(const char *path, const char *name, struct conf *conf, char **error);
void conf_free(struct conf *conf);

/* The case's index, or -1. */
int conf_case(const struct conf *conf, const char *name);
/* The name of the function that a case calls, and the family of its problem. */
const char *conf_function(const struct conf *conf, const struct case_conf *entry);
const struct family *conf_family(const struct conf *conf, const struct case_conf *entry);
/* The item's index, or -1. */
int conf_item(const struct conf *conf, const char *id);
/* The answer's index, or -1. */
int conf_answer(const struct conf *conf, const char *id);

/* Does a correctness item list the case? Of others nobody asks whether the result is right. */
bool conf_case_is_checked(const struct conf *conf, const struct case_conf *entry);

/* Does an item list this kind of hazards by name? */
bool conf_lists_kind(const struct conf *conf, const char *kind);
/* Of how many sets of inputs, the first, somebody looks at modelled times: of a case that is shown,
 * scored or swept by them that of the first, whose launches are reported; of all where the function
 * reports a time itself, which must be that of its kernels; else of none. */
long conf_timed_sets(const struct conf *conf, const struct case_conf *entry);
/* Is something of the case scored or predicted that is on the timeline of its first call? */
bool conf_wants_timeline(const struct conf *conf, const struct case_conf *entry);
/* How many values a series has, and the i-th. */
int series_conf_count(const struct series_conf *series);
long series_conf_value(const struct series_conf *series, int i);
/* The series' index, or -1. */
int conf_series(const struct conf *conf, const char *name);

/* The budget of a grading. What lab.conf does not give follows from the cases: 10 warp instructions
 * for every multiply-add and 64 for every element that any solution must do and move, where one
 * thread that does it all takes 8 and 30; and every array copied 64 times; and something beside,
 * for labs of small cases. */
struct budget conf_budget(const struct conf *conf);

#endif
