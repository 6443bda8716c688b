/* client.h: the runner's side of a device in another process, beyond device.h: starting one, and
 * the calls of a job that the device has. */
#ifndef KIT_CLIENT_H
#define KIT_CLIENT_H

#include <jansson.h>
#include <stdint.h>

/* spawn.c: starts the device's process for a runner that somebody started by hand. */

/* Returns our end of the socket. Ends the program (status 2), with a sentence that says what to do,
 * if the device cannot be started. The device ends when our end closes. */
int device_spawn(void);

/* A job's calls: what to call, and that it came back. */

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
