/* card.h: the score card on the terminal. */
#ifndef KIT_CARD_H
#define KIT_CARD_H

#include "screen.h"
#include "score.h"

struct card_options {
  bool explain;  /* every line and every counter of the launches */
  bool solution; /* the reference was graded: say how to start */
  bool partial;  /* not all cases were asked for */
  bool other_file;
};

void card_print(const struct screen *screen, const struct grade *grade,
                const struct card_options *options);

/* table.c: the counters of the launch that matters beside the source; with explain, of every
 * launch of its case. */
void table_print(const struct screen *screen, const struct grade *grade, bool explain);

#endif
