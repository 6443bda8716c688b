/* class.h: what all parts of ./grade class work on. */
#ifndef KIT_CLASS_H
#define KIT_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "gradebook.h"
#include "lab.h"

/* The command line, in the order of ./grade class --help (command.c). NULL, 0, false: not given. */
struct class_options {
  const char *from;   /* DIR or ZIP */
  const char *lab;    /* of files whose name does not say it */
  const char *roster; /* CSV */
  const char *state;
  const char *format; /* of the folder or zip */
  const char *policy; /* "last", "best" */
  const char *due;
  const char *backend;
  const char *engine; /* "local", "slurm" */
  int jobs;
  bool seeded;
  uint64_t seed;
  bool regrade, again, unsafe;
  bool report, names, similar, feedback, dump;
  int similar_percent; /* from which pairs are listed */
  const char *canvas, *column, *moodle, *jsonl;
  const char *slurm[32]; /* options of sbatch: "partition=gpu", in order; for slurm.h */
  int slurm_count;
  bool cancel;
};

struct class {
  const struct class_options *options;
  struct kit kit;
  char *state; /* the state folder, absolute */
  struct gradebook *book;
  bool utf8;    /* stderr shows it */
  int problems; /* what could not be read or graded, each told on stderr: exit status 1 */
};

/* Says on stderr what is wrong with a submission, and counts it. Names and whatever else comes
 * from outside is shown without control characters. */
void class_problem(struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line on stderr, made safe to show. */
void class_note(const struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The state folder that the options name, made if it is missing; absolute, the caller's. */
char *class_state_folder(const struct class_options *options);
/* Path inside the state folder; the caller's. */
char *class_path(const struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
