/* summary.h: one lab over the whole class, as figures taken from the gradebook.
 *
 * What stands for a student is one attempt: the one that the gradebook's policy counts, else the
 * last. Shares of the class are of the students whose standing attempt is graded. Times are
 * compared only among attempts of one device and one kind (modelled or measured): the most
 * frequent. All strings belong to the summary; raw, as in the gradebook. */
#ifndef KIT_SUMMARY_H
#define KIT_SUMMARY_H

#include <stdbool.h>

#include "grader/class/base/gradebook.h"
#include "grader/lab/conf.h"

enum standing_state {
  STANDING_GRADED,
  STANDING_ERROR,   /* the kit or the machine failed */
  STANDING_REFUSED, /* nothing in it could be graded */
  STANDING_PENDING,
  STANDING_MISSING, /* nothing was handed in */
  STANDING_STATES
};

struct attempt_score {
  int number; /* which attempt it was, from 1 */
  double score;
};

/* A student in this lab. */
struct standing {
  char *student, *name, *section, *pseudonym;
  enum standing_state state;
  char *attempt, *verdict, *reason; /* NULL: none */
  long score, max;                  /* of STANDING_GRADED */
  long late;                        /* seconds; 0: in time */
  int attempts;                     /* handed in, whatever became of them */
  struct attempt_score *scores;     /* of graded attempts, as they came */
  int score_count;
  double ratio; /* its time over the reference's, geometric mean over the shown cases; NaN */
  double value; /* of the item that the leaderboard is about; NaN: there is none, or it is not
                   compared (struct leaders) */
};

struct item_summary {
  char *id, *title, *class, *hint; /* hint: NULL if nobody needs it */
  long max;
  int full, part, none; /* students by points */
  int unjudged; /* points that could not be looked at: the case is not right. Not in `none`. */
};

struct hazard_summary {
  char *kind;
  int students; /* of whom it costs points */
  int warned;   /* others, who have it as a warning only */
};

/* Five numbers of a sample: its quartiles by linear interpolation (R's type 7), and the outermost
 * values within 1.5 times the box's width of the box. */
struct spread {
  int count;
  double low, quartile, median, upper, high;
};

/* A student's run of a case: its outputs are right. NaN: not known. */
struct case_point {
  int standing;
  double time_ns, baseline_ns, reference_ns, percent, bytes;
};

struct case_summary {
  char *name;
  struct case_point *points; /* of the most frequent device and kind */
  int count;
  double reference_ns, baseline_ns;       /* medians; NaN: there is none */
  double reference_bytes, baseline_bytes; /* of global memory, in sectors of 32 */
  double reference_percent;
  char *ceiling; /* what the percent is of: "the GPU's DRAM"; NULL */
};

/* How many chose this shape of a block for the longest launch of the case. */
struct shape_summary {
  long x, y, z;
  int students;
  double time_ns; /* median of those whose outputs are right; NaN: none */
};

/* What the leaderboard goes by, if not by score: an item's value (lab.conf's 'leaders'). Compared
 * are those of the most frequent device and kind of time, of attempts without a fault: a kernel
 * that is wrong at an edge, or has a race, is fast for nothing. */
struct leaders {
  char *title, *unit; /* of the item, of its metric; NULL: by score */
  bool at_least;      /* more is better */
};

struct summary {
  char *lab, *title;          /* title: NULL if the kit has no such lab */
  char *baseline;             /* what the baseline is: "lab1's solution"; NULL: the lab has none */
  bool sweep;                 /* the lab is about the shape of a block */
  struct standing *standings; /* by id */
  int count;                  /* of students */
  int states[STANDING_STATES];
  int late;
  long max; /* points */
  struct spread scores;
  int full_marks;
  struct item_summary *items; /* the most often missed first */
  int item_count;
  struct hazard_summary *hazards; /* the most frequent first */
  int hazard_count;

  char *device, *time_kind; /* of the times; NULL: there are none */
  struct leaders leaders;
  int other_times;            /* students left out of them, for another device or kind */
  struct case_summary *cases; /* those that the lab shows */
  int case_count;
  struct shape_summary *shapes;
  int shape_count;
  char *shape_case;

  int max_attempts;     /* of one student */
  double *median_after; /* max_attempts: the class's median; who made fewer keeps the last score */
  char *seeds, *kits, *graded_at; /* "7", "0.9", the latest; "" if nothing is graded */
};

/* Reads the lab's figures; conf is its lab.conf, NULL if the kit has no such lab. The database gets
 * temporary tables, and is not changed otherwise. */
void summary_read(struct gradebook *book, const char *lab, const struct conf *conf,
                  struct summary *summary);
void summary_free(struct summary *summary);

/* The labs of which there are attempts, in order; the caller's (each string, too). */
char **summary_labs(struct gradebook *book, int *count);

/* Sorts the values. All NaN if there are none. */
struct spread spread_of(double *values, int count);
/* Share of the graded as a percentage, rounded; never 0 or 100 unless it is none or all. */
int summary_percent(int part, int whole);
/* Has the item been missed by this many? */
int item_missed(const struct item_summary *item);
/* The students' indices, best first: by the leaderboard's value if it has one, by score, then time
 * beside the reference's, then pseudonym; graded ones only. The caller's; *count of them. */
int *summary_ranking(const struct summary *summary, int *count);
/* The rank, from 1, of the i-th of them: equals share one. */
int summary_rank(const struct summary *summary, const int *places, int i);

/* --- parts of summary_read() --- */

/* All of them look at the temporary table standing(student, attempt, place): the graded attempts
 * that stand for their students; place: in summary->standings. */

/* Scores of every attempt, and the class's median after so many. */
void summary_progress(struct gradebook *book, struct summary *summary);
/* Times, traffic, ceilings; and each student's ratio. */
void summary_cases(struct gradebook *book, const struct conf *conf, struct summary *summary);
/* The leaderboard's values; after summary_cases(). */
void summary_leaders(struct gradebook *book, const struct conf *conf, struct summary *summary);
/* Which shapes of blocks were chosen. */
void summary_shapes(struct gradebook *book, const struct conf *conf, struct summary *summary);

#endif
