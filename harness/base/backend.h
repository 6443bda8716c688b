/* backend.h: what the harness needs beyond the CUDA runtime API. Each backend is a library that
 * provides it together with the runtime: harness/sim/runtime/backend.c for the simulator. The
 * harness itself does not know which one it runs on.
 */
#ifndef KIT_BACKEND_H
#define KIT_BACKEND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum backend_role { BACKEND_INPUT, BACKEND_OUTPUT };

/* "sim" or "gpu". */
const char *backend_name(void);
/* What the results were obtained on, for people: "simulated NVIDIA H100 80GB HBM3". A static
 * string. */
const char *backend_device(void);

/* The API function that returned the last error, "cudaMemcpy", or NULL. */
const char *backend_failed_function(void);

/* Describes an allocation to the backend: its name in messages, its shape (row-major, rows x
 * columns elements of element_size bytes), and what kernels may do with it. An output counts as not
 * yet written. */
void backend_name_array(const void *device_pointer, const char *name, size_t rows, size_t columns,
                        size_t element_size, enum backend_role role);

/* From now on every launch and hazard is handed to the listener, as the JSON objects of the grade's
 * "launches" (without "case") and "hazards". The listener borrows the object. */
typedef void backend_listener(void *context, const char *what /* "launch" or "hazard" */,
                              json_t *object);
void backend_listen(backend_listener *listener, void *context);

/* A device that is a process of its own, on the grader's side, has the grader's jobs itself: it
 * makes the arrays, asks for a call, and looks at what the call did. Here its side that runs the
 * submission: backend_next_call waits for the next call to make; false: there is none any more. The
 * object is the caller's:
 * {"problem":"matmul", "entry":"matmul" or null, "dims":{"M":64,..}, "arrays":{"A":ADDRESS,..}}.
 * backend_returned reports that the call has returned, with the first error left (a
 * cudaError_t). Ends the process on a backend whose device gives no calls. */
bool backend_next_call(json_t **call);
void backend_returned(int error);

/* Does time pass as on a clock? False: it is modelled, and the same each time. */
bool backend_is_real(void);
/* Puts the device's settings back to those of its first call: limits, cache preferences, how the
 * host waits; and nothing stays in the L2 cache by a persisting access window. */
void backend_reset_device(void);
/* The device's state, {"sm_clock_mhz":1980, "throttle":["power cap"], "other_processes":0}, without
 * what cannot be known; or JSON's null. */
json_t *backend_condition(void);

#endif
