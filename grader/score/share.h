/* share.h: how near a submission comes to what the device could do, in each case that is timed. */
#ifndef KIT_SHARE_H
#define KIT_SHARE_H

#include "grader/score/score.h"

/* Fills grade->shares for the cases that performance items look at and that came out right. A
 * measured time is held against a ceiling measured at the same size, a modelled one against the
 * GPU's description. */
void share_find(const struct kit *kit, struct grade *grade);
void share_free(struct grade *grade);

#endif
