/* runtime.h: the state that the files of the CUDA runtime share: the device, the last error, and
 * what clang registered. */
#ifndef KIT_RUNTIME_H
#define KIT_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/sim/device/device.h"
#include "harness/sim/device/report_json.h"
#include <driver_types.h>

/* The process's one device, opened at the first call. Ends the process (status 2) if it cannot be
 * opened. */
struct device *runtime_device(void);
/* Closes it: everything on it is gone, and the next call opens a fresh one. */
void runtime_reset(void);
/* It was replaced by a fresh one from the other side, which has the modules, but no streams and
 * events. */
void runtime_renewed(void);
/* How often there was another device: what was made on an earlier one must be made again. */
int runtime_generation(void);
/* How often the device was opened here: modules must be loaded again. */
int runtime_openings(void);
/* The listener of this and every later device of the process. */
void runtime_listen(const struct json_listener *listener);

/* What every API function returns through: keeps a failure for cudaGetLastError. */
cudaError_t runtime_result_of(int error, const char *function);
#define runtime_result(error) runtime_result_of(error, __func__)
/* The same for a call of which more is known: its line (0: not known), why it failed, "a pointer is
 * null", and what to do about it, a sentence. */
cudaError_t runtime_explained(int error, const char *function, int line, const char *why,
                              const char *advice);
/* The API function whose failure was kept last, "cudaMemcpy" or "cudaMemcpy: ..."; NULL if there is
 * none. */
const char *runtime_failed_function(void);
/* The sticky error that every call on the device returns, or cudaSuccess. */
cudaError_t runtime_sticky(void);
/* Reports that a function of the API needs a GPU, which is no fault of the student's; line may be
 * 0. */
cudaError_t runtime_unsupported(const char *function, int line);
/* Waits for all work. Returns the sticky error if there is one. */
cudaError_t runtime_wait(void);

/* After the host has waited for something, or work was issued: what host code may touch is
 * protected or free again. */
void runtime_settle(void);

/* The line of the copy or fill that this thread is in (kit_at); it is told once, then 0. */
int runtime_line(void);
/* The device's number for a stream (device.h). False if there is no such stream. */
bool runtime_stream(struct CUstream_st *stream, uint32_t *number);

/* registration.c: what clang's generated code registered when the program started. Modules are
 * loaded when first needed; one that the kit cannot read is a hazard. */

/* Loads all modules that are registered and not loaded yet. */
void registration_load_all(void);
/* The kernel behind a host stub. Returns false if there is none. */
bool registration_kernel(const void *stub, int *module, const char **name);
/* Address and size of the device variable behind a host variable; a CUDA error code. */
int registration_symbol(const void *variable, uint64_t *address, size_t *bytes);
/* The place of the <<<>>> whose configuration was popped last by this thread; it is told once. */
struct source_place registration_launch_place(void);

/* crash.c: why host code crashed, and where. */

/* Catches SIGSEGV, SIGBUS, SIGFPE and SIGILL on a stack of its own and says what went wrong, to the
 * listener or on stderr; then the process dies by the signal, in every case but one: memory that an
 * asynchronous copy uses (host_buffers.h). */
void crash_catch(void);

/* places: where in the program (addresses relative to its start) it was, the innermost first, and
 * then what looks like the calls that led there; the listener borrows them. */
void crash_listen(void (*listener)(const char *message, const uint64_t *places, int count));

#endif
