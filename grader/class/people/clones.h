/* clones.h: whose clones are, which GitHub Classroom calls ASSIGNMENT-ACCOUNT.
 *
 * Both parts may hold hyphens, and one account may end as another does: "lab1-x-ada" is x-ada's, or
 * is ada's at an assignment lab1-x. The assignment is what the clones have in common: the beginning
 * behind which most of them are somebody's account. */
#ifndef KIT_CLASS_CLONES_H
#define KIT_CLASS_CLONES_H

#include "grader/class/people/people.h"

/* Sets match and person, or why not, of those mentions that are clones and have none yet. */
void clones_match(const struct people *people, struct mention *mentions, int count);

#endif
