/* called.h: the runner's side of a job that the device has: what to call, and that it came back. */
#ifndef KIT_CALLED_H
#define KIT_CALLED_H

#include <jansson.h>
#include <stdint.h>

/* The submission's kernels are registered: the device may be told of its first call. */
void called_ready(void);
/* The next call as backend.h's backend_next_call describes it, the caller's; NULL: there is none
 * any more. */
json_t *called_next(void);
/* It came back with this error (a cudaError_t, which function gave: "" if none did). */
void called_returned(int error, const char *function);
/* Host code crashed (a listener of crash.h). */
void called_crashed(const char *message, const uint64_t *places, int count);

#endif
