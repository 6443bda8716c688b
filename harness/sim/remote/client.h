/* client.h: the runner's side of a device in another process, beyond device.h: starting one, and
 * the calls of a job that the device has. */
#ifndef KIT_CLIENT_H
#define KIT_CLIENT_H

#include <jansson.h>
#include <stdint.h>

/* spawn.c: starts the device's process for a runner that was started by hand. */

/* Returns this end of the socket. Exits (status 2) with advice if the device cannot be started. The
 * device ends when this end closes. */
int device_spawn(void);

/* ---- calls of a job ---- */

/* Reports that the submission's kernels are registered and its first call may come. */
void called_ready(void);
/* The next call, as backend_next_call in backend.h describes it; the caller's. NULL: no more calls.
 */
json_t *called_next(void);
/* Reports that the call returned with this error, from this API function ("": none failed). */
void called_returned(int error, const char *function);
/* Reports that host code crashed (a listener of crash_listen). */
void called_crashed(const char *message, const uint64_t *places, int count);

#endif
