/* regrade.h: grades anew by the lab.conf and kit of now; preview.h says on which gradebook. */
#ifndef KIT_CLASS_REGRADE_H
#define KIT_CLASS_REGRADE_H

#include "grader/class/base/class.h"

enum regrade {
  REGRADE_OUTDATED, /* what another lab.conf or kit graded: scored from what was measured, run anew
                       where that does not tell */
  REGRADE_ALL,      /* everything, in the same way */
  REGRADE_AGAIN,    /* what another lab.conf or kit graded: all of it is run anew */
};

/* Scores graded works anew, or puts them up to be run again. One whose files are gone keeps its
 * grade if it cannot be scored without them; that is a problem. Says how many of each. */
void regrade_run(struct class *class, enum regrade regrade);

#endif
