/* options.h: what the command line of ./grade class asks for. */
#ifndef KIT_CLASS_OPTIONS_H
#define KIT_CLASS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of --help. NULL, 0, false: not given. */
struct class_options {
  const char *from;   /* DIR or ZIP */
  const char *lab;    /* of files whose name does not show it */
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
  bool preview, accept, regrade, again, unsafe;
  bool report, names, similar, feedback, dump;
  const char *log;     /* a student */
  int similar_percent; /* from which pairs are listed */
  const char *canvas, *column, *moodle, *jsonl;
  const char *columns[16]; /* "name=HEADING": what tables call their columns */
  int columns_count;
  const char *decimal;   /* "comma", "point": of tables whose numbers do not show it */
  const char *slurm[32]; /* options of sbatch: "partition=gpu", in order; for slurm.h */
  int slurm_count;
  bool cancel;
};

#endif
