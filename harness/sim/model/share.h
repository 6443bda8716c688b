/* share.h: the SM's share of what all SMs use: L2, DRAM, the dispatch of blocks.
 *
 * A launch's first blocks do the same at the same time on all SMs, so what one does not use then is
 * lost: all of them want it next. Later they have drifted apart, and what one leaves another takes,
 * or it makes up for it itself. Measured by gpus/calibrate_bursts.cu on an H200: blocks of 1024
 * threads that load 16 KiB at once, wait and store them get 4.0 TB/s of the 4.3 that DRAM has.
 */
#ifndef KIT_SHARE_H
#define KIT_SHARE_H

#include "harness/sim/model/hierarchy.h"

/* Cycles. */
static const double in_step = 2000, makes_up = 2000;

/* Takes `cost` cycles of a share that is taken up to *taken, from `now` on; returns when it does.
 */
static inline double take_share(double *taken, double now, double cost) {
  *taken = later(*taken, later(now < in_step ? now : in_step, now - makes_up));
  double start = later(*taken, now);
  *taken += cost;
  return start;
}

#endif
