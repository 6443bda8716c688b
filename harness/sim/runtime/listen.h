/* listen.h: the simulator's reports as JSON, for programs that its device is linked into
 * (libsim.a): tests and benchmarks. */
#ifndef KIT_LISTEN_H
#define KIT_LISTEN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* From now on every launch, hazard and crash is handed to the listener, as the JSON objects of the
 * grade's "launches" (without "case") and "hazards". The listener borrows the object. */
typedef void sim_listener(void *context, const char *what /* "launch" or "hazard" */,
                          json_t *object);
void sim_listen(sim_listener *listener, void *context);

/* Describes an allocation: its name in messages, and its shape (row-major, rows x columns elements
 * of element_size bytes). An output counts as not yet written; else it is an input. */
void sim_name_array(const void *device_pointer, const char *name, size_t rows, size_t columns,
                    size_t element_size, bool output);

#endif
