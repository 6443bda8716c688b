/* leftovers.h: what a submission may leave behind when its function has returned, and what must not
 * reach the calls of others: threads, the rounding mode, settings of the device. */
#ifndef KIT_LEFTOVERS_H
#define KIT_LEFTOVERS_H

enum { LEFTOVERS_MAX_THREADS = 256 };

/* The threads that run in this process before the submission is called for the first time. */
struct leftovers {
  int known[LEFTOVERS_MAX_THREADS];
  int known_count;
  char name[16]; /* of this thread, and so of each that the submission starts */
};

/* To be called on the thread that will call the submission. */
void leftovers_begin(struct leftovers *leftovers);

/* How many threads that were started since then still run. Those of the driver, which names its
 * own, do not count. */
int leftovers_threads(const struct leftovers *leftovers);

/* Restores what a call may have changed for those that follow: the floating-point environment and,
 * on the backend, the device's settings. */
void leftovers_reset(void);

#endif
