/* host_threads.h: what other threads of this process do: while one launches work, can they do
 * something meanwhile; while one waits for work, can they still? */
#ifndef KIT_HOST_THREADS_H
#define KIT_HOST_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* This thread only waits in here, until is_done(what); NULL: it is the runtime's own, which does
 * nothing by itself. It is back. */
void host_thread_rests(bool (*is_done)(const void *what), const void *what);
void host_thread_is_back(void);

/* Are there others that do not rest? */
bool host_threads_are_several(void);

/* Do all threads rest, or have those that do not slept for some seconds, since the first call with
 * this {0}? */
struct host_quiet {
  double since;
  uint64_t used;
};
bool host_threads_are_quiet(struct host_quiet *quiet);

#endif
