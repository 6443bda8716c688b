/* submitters.h: who handed in, and which students those are.
 *
 * What a platform calls whoever handed in is a fact that stays: attempts belong to a submitter.
 * Which student that is follows from the roster, and is worked out again in every run (by the rules
 * in people.h): where a roster was wrong and is corrected, attempts move to whom they belong. Who
 * is nobody of the roster is a student of their own. */
#ifndef KIT_CLASS_SUBMITTERS_H
#define KIT_CLASS_SUBMITTERS_H

#include "grader/class/base/class.h"
#include "grader/class/people/people.h"

struct submitter {
  enum identity_kind kind;  /* IDENTITY_KINDS: only the submission's own number is known */
  char *value;              /* as it is on the platform */
  char *name, *email, *sid; /* NULL: not known */
  const char *scope;        /* which download it came from last */
  bool clone;               /* value is a folder ASSIGNMENT-ACCOUNT */
};

/* In the caller's transaction. Returns the submitter's key; the caller's. */
char *submitter_add(struct gradebook *book, const struct submitter *submitter);
void submitter_free(struct submitter *submitter);

/* Finds out who all submitters are, and moves attempts; in the caller's transaction. */
void submitters_resolve(struct gradebook *book);
/* Reports who was taken for somebody by less than a number, who could not be, and who is not on the
 * roster; writes STATE/people.tsv. */
void submitters_report(struct class *class);

/* All students, with what they and those who handed in for them go by; the caller's, indexed. */
struct people submitters_people(struct gradebook *book);

#endif
