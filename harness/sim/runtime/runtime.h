/* runtime.h: the state that the files of the CUDA runtime share: the device, the last error, and
 * what clang registered. */
#ifndef KIT_RUNTIME_H
#define KIT_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/sim/device/device.h"
#include <driver_types.h>

/* The version of CUDA whose driver this is; the runtime's own is CUDART_VERSION. A driver serves
 * older runtimes. */
enum { DRIVER_VERSION = 13000 };

/* The process's one device, opened at the first call. Ends the process (status 2) if it cannot. */
struct device *runtime_device(void);
/* Is it open? */
bool runtime_is_open(void);
/* Closes it: everything on it is gone, and the next call opens a fresh one. */
void runtime_reset(void);
/* The device's side has replaced it by a fresh one, with modules, without streams and events. */
void runtime_renewed(void);
/* Counts devices: objects of an earlier generation must be created again. */
int runtime_generation(void);
/* Counts openings on this side, after each of which modules must be loaded again. */
int runtime_openings(void);
/* A call has made the device this thread's own, as cudaSetDevice and cudaFree(0) do. The driver,
 * where no context is current, then takes the primary one: true once. */
void runtime_bind(void);
bool runtime_take_binding(void);
/* The listener of this and every later device of the process; must stay. */
void runtime_listen(const struct device_listener *listener);

/* Every API function returns through this: it keeps a failure for cudaGetLastError. */
cudaError_t runtime_result_of(int error, const char *function);
#define runtime_result(error) runtime_result_of(error, __func__)
/* The same for a call with an explanation: its line (0: unknown), why it failed, "a pointer is
 * null", and advice, a sentence. */
cudaError_t runtime_explained(int error, const char *function, int line, const char *why,
                              const char *advice);
/* Calls between the two leave what cudaGetLastError returns as it was. */
void runtime_save_error(void);
void runtime_restore_error(void);
/* The API function that failed last, "cudaMemcpy" or "cudaMemcpy: ..."; NULL if there is none. */
const char *runtime_failed_function(void);
/* The sticky error that every call on the device returns, or cudaSuccess; cudaErrorNotPermitted in
 * a function that a stream calls. */
cudaError_t runtime_sticky(void);
/* Calls a function that is in a stream. */
void runtime_call_host(void (*function)(void *), void *data);
/* Reports that a function of the API needs a GPU, no fault of the student's; line may be 0. */
cudaError_t runtime_unsupported(const char *function, int line);
/* Waits for all work. Returns the sticky error if there is one. */
cudaError_t runtime_wait(void);

/* To be called after a wait of the host or issued work: updates what host code may not touch. */
void runtime_settle(void);

/* The place (source_places.h) of this thread's current call, where kit_at has it; else 0. */
int runtime_line(void);
/* A line of a file, as a place (source_places.h). file NULL: not known. */
int runtime_place(const char *file, int line);
/* File and line of this thread's current call, as kit_at has them. */
struct source_place runtime_call_place(void);
/* Streams of the runtime's own, which are nobody's leaks; NULL: out of memory. */
struct CUstream_st *runtime_take_stream(void);
void runtime_return_stream(struct CUstream_st *stream);
/* Is it the default stream that waits for others? */
bool runtime_is_legacy(struct CUstream_st *stream);
/* The device's number for a stream (device.h). False if there is no such stream. */
bool runtime_stream(struct CUstream_st *stream, uint32_t *number);

/* runtime_launch.c: the kernel behind a host stub, and what it is; a CUDA error code. */
cudaError_t runtime_kernel(const void *stub, int *module, const char **name,
                           struct kernel_info *info);
/* Launches it, whether the stream is captured or not; records no error. */
struct cudaKernelNodeParams;
cudaError_t runtime_launch(const struct cudaKernelNodeParams *params, size_t shared_bytes,
                           struct source_place place, struct CUstream_st *stream, bool cooperative);
/* Dynamic shared memory that a launch of it may ask for. */
size_t runtime_max_dynamic_shared(const struct device_info *device, const struct kernel_info *info);

/* registration.c: what clang's generated code registered when the program started. Modules are
 * loaded when first needed; one that the kit cannot read is a hazard. */

/* Loads all modules that are registered and not loaded yet. */
void registration_load_all(void);
/* Has __managed__ variables share the pages of a device that has the modules, but is another one.
 */
void registration_share_managed(void);
/* The kernel behind a host stub. Returns false if there is none. */
bool registration_kernel(const void *stub, int *module, const char **name);
/* Address and size of the device variable behind a host variable; a CUDA error code. */
int registration_symbol(const void *variable, uint64_t *address, size_t *bytes);
/* The place of the <<<>>> whose configuration this thread popped last; returned once. */
struct source_place registration_launch_place(void);

/* Modules that a program loads itself; `module` and `function` name them from then on, the function
 * also where a host stub may stand. The text is copied, the name of a function must stay. Several
 * texts, each from its .version on, are one module (cuLinkComplete makes such). CUDA error codes;
 * registration_unload: false if there is no such module. */
int registration_load(void *module, const char *ptx);
bool registration_unload(const void *module);
int registration_function(const void *module, const void *function, const char *name);
int registration_global(const void *module, const char *name, uint64_t *address, size_t *bytes);

/* crash.c: why host code crashed, and where. */

/* Catches SIGSEGV, SIGBUS, SIGFPE and SIGILL on a stack of its own and reports the cause to the
 * listener or on stderr. Then the process dies by the signal, unless the fault was in memory that
 * an asynchronous copy uses (host_buffers.h). */
void crash_catch(void);

/* places: addresses relative to the start of the program: where it crashed, then probable callers;
 * the listener borrows them. */
void crash_listen(void (*listener)(const char *message, const uint64_t *places, int count));

#endif
