/* regrade.h: what to do after lab.conf or the kit has changed. */
#ifndef KIT_CLASS_REGRADE_H
#define KIT_CLASS_REGRADE_H

#include "class.h"

/* --regrade: scores every graded attempt anew from what was measured; what lab.conf asks for now
 * and was not measured is put up to be run again. Says how many of each. */
void regrade_run(struct class *class);

/* --again: puts everything up to be run again that another lab.conf or kit has graded. */
void regrade_again(struct class *class);

/* Neither was asked for: says if they would change anything. */
void regrade_hint(struct class *class);

#endif
