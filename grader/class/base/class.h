/* class.h: what all parts of ./grade class work on. */
#ifndef KIT_CLASS_H
#define KIT_CLASS_H

#include <stdbool.h>

#include "grader/class/base/gradebook.h"
#include "grader/class/base/options.h"
#include "grader/lab/lab.h"

struct class {
  const struct class_options *options;
  struct kit kit;
  char *state; /* the state folder, absolute */
  struct gradebook *book;
  const char *cause; /* of the changes that grading makes, for history_record() */
  bool utf8;         /* stderr shows it */
  int problems;      /* what could not be read or graded, each reported on stderr: exit status 1 */
};

/* Reports on stderr what is wrong with a submission, and counts it. Names and whatever else comes
 * from outside is shown without control characters. */
void class_problem(struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A line on stderr, made safe to show. */
void class_note(const struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The state folder that the options name, made if it is missing; absolute, the caller's. */
char *class_state_folder(const struct class_options *options);
/* Locks the state folder (STATE/lock) until the program ends, however it ends; if somebody else has
 * the lock, names them and ends the program. */
void class_lock(const char *state);
/* Is it one of the kit's labs? */
bool class_has_lab(const struct class *class, const char *id);
/* Path inside the state folder; the caller's. */
char *class_path(const struct class *class, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
