/* cause.h: what to fix first: the fault that explains the rest of what is lost. The card, the page,
 * JSON and the text for Gradescope all begin with it. */
#ifndef KIT_CAUSE_H
#define KIT_CAUSE_H

#include "grader/score/score.h"

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
