/* card.h: the score card on the terminal. */
#ifndef KIT_CARD_H
#define KIT_CARD_H

#include "grader/base/screen.h"
#include "grader/score/score.h"

struct card_options {
  bool explain;  /* every line and every counter of the launches */
  bool solution; /* the reference was graded: say how to start */
  bool partial;  /* not all cases were asked for */
};

void card_print(const struct screen *screen, const struct grade *grade,
                const struct card_options *options);

/* table.c: measured times, if there are any. */
void measured_print(const struct screen *screen, const struct grade *grade);
/* table.c: each timed case's share of what the device could do. */
void shares_print(const struct screen *screen, const struct grade *grade);
/* table.c: the shown cases side by side, if there are several. */
void compare_print(const struct screen *screen, const struct grade *grade);
/* table.c: the counters of the launch that matters of each shown case beside the source; with
 * explain, of every launch of these cases. */
void table_print(const struct screen *screen, const struct grade *grade, bool explain);

#endif
