/* crash.h: says why host code crashed, and where. */
#ifndef KIT_CRASH_H
#define KIT_CRASH_H

#include <stdint.h>

/* Catches SIGSEGV, SIGBUS, SIGFPE and SIGILL on a stack of its own and says what went wrong, to the
 * listener or on stderr; then the process dies by the signal, in every case but one: memory that an
 * asynchronous copy uses (host_buffers.h). */
void crash_catch(void);

/* places: where in the program (addresses relative to its start) it was, the innermost first, and
 * then what looks like the calls that led there; the listener borrows them. */
void crash_listen(void (*listener)(const char *message, const uint64_t *places, int count));

#endif
