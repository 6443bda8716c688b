/* choice.h: which .cu file of a submission is the one to grade for a lab. */
#ifndef KIT_CLASS_CHOICE_H
#define KIT_CLASS_CHOICE_H

#include "grader/class/intake/submission.h"

struct choice {
  const struct part **parts; /* all .cu files for the lab */
  int count;
  bool attempts;            /* each is to be graded, in this order */
  const struct part *best;  /* else this one; NULL: there is none */
  const struct part *rival; /* unless there is another as good; NULL */
};

/* lab: as in struct part. folder: names are the student's own, and several files named as the lab
 * are attempts. */
struct choice choice_make(const struct submission *submission, const char *lab, bool folder);
void choice_free(struct choice *choice);

#endif
