/* device.h: one simulated GPU to a CUDA runtime: memory, modules, launches, errors, reports.
 *
 * This is the whole interface between the runtime (runtime.c, in the student's process) and the
 * device. Nothing crosses it but numbers, names and bytes, so that a process boundary can stand
 * here: remote/client.c has these functions, too, for a device in another process. A device address
 * means nothing on the host. Functions that return int return an enum cudaError.
 */
#ifndef KIT_DEVICE_H
#define KIT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/transfers.h"
#include "harness/sim/base/budget.h"
#include "harness/sim/base/error.h"
#include "harness/sim/base/gpu.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/base/launches.h"
#include "harness/sim/timeline/timeline.h"

struct device;

/* How work is issued: the stream's number (0: legacy default stream); more for copies and fills. */
struct device_issue {
  uint32_t stream;
  int line;        /* of the call; 0: not known */
  bool host_waits; /* the host waits until the work is done */
  bool staged;     /* a copy that takes the host's bytes before the call returns, but ends later */
  bool pageable;   /* a copy from or to pageable memory of the host */
  bool of_library; /* a copy of an operand of device_library_call, which has accounted for it */
  /* For a copy that uses host memory after the call has returned: its address (rows host_pitch
   * apart), used only to find overlaps; 0: none. */
  uint64_t host;
  size_t host_pitch;
  uint64_t copy; /* output: the number of such a copy for device_copy_is_done */
};

/* A call of CUDA that is made to fail: one of its kind in each call of the submission. */
enum device_fault { FAULT_NONE, FAULT_MALLOC, FAULT_PINNED, FAULT_COPY, FAULT_LAUNCH };

struct device_options {
  int threads;           /* worker threads; 0: one per core. Results do not depend on it */
  struct budget budget;  /* fields that are 0 have the default */
  struct budget used;    /* of the budget, before this device was opened */
  uint64_t memory_limit; /* bytes that may be allocated at a time; 0: all that the GPU has */
  const char *gpu;       /* path of the GPU description (gpus/h100.ini); NULL: built-in H100 */
  uint64_t seed;         /* chooses the blocks that the model of time samples; 0: always the same */
  bool origins; /* tracks where words came from, for device_origins and the listener's `shared` */
  bool leaks;   /* reports what calls leave behind, for device_call_ends */
  enum device_fault fault;
  int fault_at;    /* which of its kind, from 1; 0: the first */
  bool waits;      /* launches may wait for what others store while they run (device_go_on) */
  bool dry;        /* does not run kernels: a valid launch only takes some time */
  bool files;      /* lines that it reports are places (source_places.h), of device code, too */
  bool repeats;    /* launches that would do what an earlier one has done need not be executed */
  bool profile;    /* measures what launches take, for device_profile */
  uint64_t sample; /* 0: none. Of a launch that would take more warp instructions only some blocks
                      are executed: counters and times are estimates, results are incomplete.
                      Hazards are not reported of any */
};

/* Options from the environment: KIT_SIM_THREADS, KIT_SIM_BUDGET (warp instructions), KIT_SIM_GPU
 * (path of a GPU description), KIT_SIM_SAMPLE. A malformed number ends the process (status 2). */
struct device_options device_options_from_environment(void);
/* Returns NULL if memory or threads run out. options NULL: those of the environment. */
struct device *device_open(const struct device_options *options);
void device_close(struct device *device);
void device_get_info(const struct device *device, struct device_info *info);

/* The budget. Exceeding it is a hazard and returns cudaErrorLaunchTimeout, which is sticky. Work of
 * the harness itself (issue NULL) is not counted. device_count_call counts a submission's call. */
struct budget device_used(const struct device *device);
void device_count_call(struct device *device);
/* Charges for the bytes that the submission's call at this line allocates. The device charges for
 * copies and fills itself. */
int device_spend_bytes(struct device *device, int line, size_t width, size_t rows);
/* Ends the submission's work: the memory to track its arrays has run out. */
void device_run_short(struct device *device);
bool device_is_over_budget(const struct device *device);

/* What all launches so far took of this machine's time: to execute kernels, to model their time. */
struct device_cost {
  double wall, cpu; /* seconds */
};
struct device_profile {
  struct device_cost kernels, model;
};
struct device_profile device_profile(const struct device *device);

/* A call of the submission begins and ends. timed: its launches report modelled times; for what is
 * not asked for nothing is traced and replayed. A device with an event models all the same: events
 * of the program read the same times either way. Launches outside of calls are timed. in_order: it
 * returned without an error; then what it has made and not given back is reported: memory, events,
 * streams. */
void device_call_begins(struct device *device, bool timed);
/* Modelled time from the first cudaEventRecord of the call to the last, in ns; 0: nothing lies
 * between them, or there are fewer than two. */
double device_events_ns(struct device *device);
void device_call_ends(struct device *device, bool in_order);
/* Has options.fault struck since the last question? */
struct device_strike {
  int line;      /* of the call that failed; 0: not known */
  bool launched; /* a kernel was launched after it */
};
bool device_fault_struck(struct device *device, struct device_strike *strike);

/* The number of a source file of host code (source_places.h): lines that calls give may be places.
 * 0: the device knows only one file. */
int device_file_number(struct device *device, const char *path);

/* Memory. Addresses are aligned to 256 bytes. A range that is not inside one live allocation:
 * cudaErrorInvalidValue. device_memory_info: free and total bytes. */
int device_malloc(struct device *device, size_t bytes, struct source_place place,
                  uint64_t *address);
/* Makes an array of malloc'ed bytes, which the device takes over, whatever it returns: like
 * device_malloc and device_write by the harness. */
int device_adopt(struct device *device, void *contents, size_t bytes, uint64_t *address);

/* The next array begins at this address, as long as nothing lives there: where one that was freed
 * began. Without this addresses of freed arrays are given out again as late as possible. */
void device_prefer(struct device *device, uint64_t address);
int device_free(struct device *device, uint64_t address);
int device_write(struct device *device, uint64_t to, const void *from, size_t bytes);
int device_read(struct device *device, void *to, uint64_t from, size_t bytes);
/* Where bytes of an array lie until the device is next used; NULL: they must be read. */
const void *device_view(struct device *device, uint64_t from, size_t bytes);
int device_copy(struct device *device, uint64_t to, uint64_t from, size_t bytes);
int device_fill(struct device *device, uint64_t address, unsigned char value, size_t bytes);
/* The same for rows of width bytes, `pitch` bytes apart, each of which counts as a copy of its own.
 * width over a pitch: cudaErrorInvalidPitchValue. issue NULL: the harness's, after all work. */
int device_write_rows(struct device *device, struct device_issue *issue, uint64_t to,
                      size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t rows);
int device_read_rows(struct device *device, struct device_issue *issue, void *to, size_t to_pitch,
                     uint64_t from, size_t from_pitch, size_t width, size_t rows);
int device_copy_rows(struct device *device, struct device_issue *issue, uint64_t to,
                     size_t to_pitch, uint64_t from, size_t from_pitch, size_t width, size_t rows);
int device_fill_rows(struct device *device, struct device_issue *issue, uint64_t address,
                     size_t pitch, unsigned char value, size_t width, size_t rows);
/* Host copies piece by piece, for a caller that does not have all bytes at once: device_begin_copy
 * checks all rows and counts their time, then the pieces follow, each inside one row. */
int device_begin_copy(struct device *device, struct device_issue *issue, bool to_device,
                      uint64_t address, size_t pitch, size_t width, size_t rows);
int device_write_piece(struct device *device, uint64_t to, const void *from, size_t bytes);
int device_read_piece(struct device *device, void *to, uint64_t from, size_t bytes);
/* Appends the origins of the words of these bytes to the list; a device that tracks no origins
 * reports a kernel's. False if memory runs out. */
bool device_origins(struct device *device, uint64_t address, size_t bytes,
                    struct transfer_runs *list);
/* Bytes of the heap from which kernels take memory; cudaErrorInvalidValue once one has. */
int device_set_heap(struct device *device, size_t bytes);
/* How many grids that kernels have launched may wait to run
 * (cudaLimitDevRuntimePendingLaunchCount).
 */
int device_set_pending(struct device *device, size_t launches);
/* So many connections do streams share, of kernels and of copies, 1 to MAX_CONNECTIONS; 0: as it
 * is. CUDA_DEVICE_MAX_CONNECTIONS, CUDA_DEVICE_MAX_COPY_CONNECTIONS ("CUDA C++ Programming Guide",
 * "CUDA Environment Variables"). */
enum { MAX_CONNECTIONS = 32 };
int device_set_connections(struct device *device, uint32_t kernels, uint32_t copies);
int device_memory_info(struct device *device, size_t *free_bytes, size_t *total_bytes);

/* Memory of graphs: an address that is promised for bytes, allocated and freed (device_free) again
 * and again. */
enum graph_memory_call {
  GRAPH_MEMORY_PROMISE,  /* stores the address */
  GRAPH_MEMORY_ALLOCATE, /* cudaErrorInvalidValue: it is allocated */
  GRAPH_MEMORY_FORGET,   /* what is allocated stays */
  GRAPH_MEMORY_CALLS
};
int device_graph_memory(struct device *device, enum graph_memory_call call, size_t bytes, int line,
                        uint64_t *address);

/* Virtual memory management (base/reservation.h says what each call does and returns). */
enum mapping_call {
  MAPPING_RESERVE, /* bytes; stores the address */
  MAPPING_FREE,    /* address, bytes */
  MAPPING_CREATE,  /* bytes; stores the handle */
  MAPPING_RELEASE, /* handle */
  MAPPING_RETAIN,  /* address; stores the handle */
  MAPPING_MAP,     /* address, bytes, handle */
  MAPPING_UNMAP,   /* address, bytes */
  MAPPING_ACCESS,  /* address, bytes, access */
  MAPPING_ASK,     /* address; stores its access */
  MAPPING_CALLS
};
struct mapping_request {
  enum mapping_call call;
  int access;
  uint64_t address, bytes, handle;
  int line; /* of the call; it names what is reserved */
};
int device_mapping(struct device *device, const struct mapping_request *request, uint64_t *stored);
/* The array or variable that an address lies in. cudaErrorInvalidValue: none. */
int device_find_array(struct device *device, uint64_t address, uint64_t *start, uint64_t *bytes);

/* Managed memory (CUDA C++ Programming Guide, "Unified Memory"): the host maps *pages, a descriptor
 * that the caller then owns, at the address that kernels use. The host's writes initialise it. A
 * place with LINE_OF_RUNTIME: it is mapped over memory of the host, which nobody has to free. */
int device_malloc_managed(struct device *device, size_t bytes, struct source_place place,
                          uint64_t *address, int *pages);
/* The same for a variable in managed memory (PTX: .attribute(.managed)), by its address. */
int device_variable_pages(struct device *device, uint64_t address, int *pages);
/* How work that the host has not waited for uses an array. */
enum array_use { ARRAY_UNUSED, ARRAY_READ, ARRAY_WRITTEN };
enum array_use device_array_use(struct device *device, uint64_t address);
/* Host code accessed a byte of managed memory: a race if such work does, too, and one writes. */
void device_host_access(struct device *device, uint64_t address, bool writes);
/* cudaMemPrefetchAsync: its pages move to the device, or to the host. */
int device_prefetch(struct device *device, const struct device_issue *issue, uint64_t address,
                    size_t bytes, bool to_device);

/* The host pins memory of its own, or gives it back: takes its time, and may be what is made to
 * fail. */
int device_pin(struct device *device, int line, enum timeline_pin what, size_t bytes);

/* Describes an allocation: its name in messages, its shape (rows x columns, row-major, elements of
 * element_size bytes), and what a kernel may do with it. An output counts as never written. */
enum device_role { DEVICE_SCRATCH, DEVICE_INPUT, DEVICE_OUTPUT };
int device_name_array(struct device *device, uint64_t address, const char *name, size_t rows,
                      size_t columns, size_t element_size, enum device_role role);

/* Modules. The text is copied. On a parse error: cudaErrorInvalidPtx and one line in error. What a
 * GPU's compiler would refuse: cudaErrorInvalidKernelImage and a sentence. */
int device_load_module(struct device *device, const char *ptx, size_t length, int *module,
                       char *error, size_t error_size);
/* Address and size of a .global or .const variable; cudaErrorInvalidSymbol if there is none. */
int device_get_symbol(struct device *device, int module, const char *name, uint64_t *address,
                      size_t *bytes);

/* cudaErrorInvalidDeviceFunction if the module has no such kernel. */
int device_get_kernel(struct device *device, int module, const char *kernel,
                      struct kernel_info *info);
/* For each byte of its parameters (info.param_bytes): 1 if the kernel may read it, 0 if nothing
 * depends on it, as between the members of a struct. The same error. */
int device_kernel_reads(struct device *device, int module, const char *kernel,
                        unsigned char *reads);
/* Dynamic shared memory that a launch of this kernel may ask for
 * (cudaFuncAttributeMaxDynamicSharedMemorySize). */
int device_set_max_shared(struct device *device, int module, const char *kernel, size_t bytes);

/* The code that CUDA returns at the launch itself (cudaErrorInvalidConfiguration,
 * cudaErrorInvalidValue for too much shared memory, ...), which is also recorded as a hazard. What
 * goes wrong inside the kernel comes from the next device_synchronize. */
int device_launch(struct device *device, const struct launch *launch);

/* With device_options.waits, device_launch returns also when a launch waits for what others store
 * while it runs (device_wait.c). Is there such a launch? */
bool device_waits(struct device *device);
/* Others have been at work since. */
void device_has_news(struct device *device);
/* Gives each of them a turn, idle ones only if there is news. DEVICE_GIVES_UP: nobody will store
 * anything any more, so those that are idle end as deadlocks; DEVICE_ENDS: the program does, and
 * with it all of them. Stores whether any has done something, and the streams of those left. */
enum device_patience { DEVICE_WAITS, DEVICE_GIVES_UP, DEVICE_ENDS };
enum { MAX_WAITING = 128 }; /* further launches run to their end */
struct device_waiting {
  bool moved;
  int count;
  uint32_t streams[MAX_WAITING];
};
void device_go_on(struct device *device, enum device_patience patience,
                  struct device_waiting *left);

/* A call of a library such as cuBLAS: its kernel is not simulated, the caller computes what it
 * would. The device does the rest: checks the operands as a kernel's accesses, finds races with
 * other work of streams, and adds the time of the call at the GPU's ceiling. The caller then reads
 * operands and writes results with device_issue.of_library, if *runs: nothing is out of bounds. */
struct library_operand {
  char name[16]; /* "A", as the library's documentation has it */
  uint64_t address;
  size_t pitch, width, rows; /* bytes of rows, `pitch` apart */
  size_t element;            /* bytes */
  bool reads, writes;
};
struct library_call {
  char function[64]; /* "cublasSgemm" */
  int line;
  uint32_t stream;
  bool goes_on; /* more operands of the call before, which has been accounted for as a whole */
  bool on_tensor_cores;
  double operations; /* of the whole call: as many as take the same time in single precision */
  double bytes;      /* that it moves */
  int operand_count;
  const struct library_operand *operands; /* at most MAX_LIBRARY_OPERANDS */
};
enum { MAX_LIBRARY_OPERANDS = 96 };
int device_library_call(struct device *device, const struct library_call *call, bool *runs);
/* Waits for all work. Returns the first error of a kernel (cudaErrorIllegalAddress, ...), which is
 * sticky: every later call on this device returns it. */
int device_synchronize(struct device *device);
/* The sticky error without waiting. */
int device_error(const struct device *device);
/* What all launches and copies since device_open take, one after the other, modelled, in ns. */
double device_time_ns(const struct device *device);

/* Streams and events order work, so that races between pieces of work can be found (streams.h).
 * Work runs when it is issued. No such stream or event: cudaErrorInvalidResourceHandle. */
/* line: of the call that creates it (0: not known), or LINE_OF_RUNTIME: nobody has to destroy it.
 */
enum { LINE_OF_RUNTIME = -1 };
struct device_stream {
  bool non_blocking;
  int priority; /* the lower, the earlier */
  int line;
};
int device_stream_create(struct device *device, const struct device_stream *made, uint32_t *stream);
int device_stream_destroy(struct device *device, uint32_t stream);
int device_stream_synchronize(struct device *device, uint32_t stream);
/* cudaErrorNotReady if its work is not done by the host's clock. */
int device_stream_query(struct device *device, uint32_t stream);
/* A function of the host comes next in the stream; what comes before it is done when this returns.
 */
int device_host_function(struct device *device, uint32_t stream);

/* All 0, but for `timed`: one that is made when it is first recorded. */
struct device_event {
  uint32_t number; /* in streams.h */
  uint32_t mark;   /* in timeline.h */
  bool timed;      /* its time will be read */
};
int device_event_create(struct device *device, int line, struct device_event *event);
int device_event_record(struct device *device, struct device_event *event, uint32_t stream);
int device_event_destroy(struct device *device, const struct device_event *event);
int device_event_synchronize(struct device *device, const struct device_event *event);
/* cudaErrorNotReady if it has not happened by the host's clock. */
int device_event_query(struct device *device, const struct device_event *event);
/* ns from one to the other. cudaErrorNotReady: one has not happened. */
int device_event_elapsed(struct device *device, const struct device_event *start,
                         const struct device_event *stop, double *ns);
int device_stream_wait(struct device *device, uint32_t stream, const struct device_event *event);
/* Has the host waited for a copy that uses its memory (device_issue)? */
bool device_copy_is_done(struct device *device, uint64_t copy);
/* Reports that host code touched the memory of such a copy too early, a race. into_device: the copy
 * reads it. offset: bytes from its start. */
struct device_touch {
  int line; /* of the copy */
  bool into_device, writes;
  uint64_t offset;
};
void device_report_touch(struct device *device, const struct device_touch *touch);

/* Reports: base/launches.h. */
struct shared_contents {
  bool by_host;
  uint64_t address;
  const void *data;
  size_t bytes;
  struct transfer_runs *origins; /* of contents from the device; NULL if by_host */
};
/* Called by the device in the order of events, on the thread that called the device; pointers are
 * valid during the call. */
struct device_listener {
  void *context;
  void (*launched)(void *context, const struct launch_report *report);
  void (*hazard)(void *context, const struct hazard *hazard); /* after its launch; counts final */
  void (*printed)(void *context, const char *text, size_t length); /* device printf; NULL: stdout */
  bool wants_accesses;                                             /* in launch reports */
  /* The kernel's blocks begin to run; NULL: they have run. May be NULL. Must not call the device.
   */
  void (*runs)(void *context, const char *kernel);
  /* A managed array has new contents: from the host (whose words are numbered as those of a copy of
   * all of it), or from the device. May be NULL. Must not call the device. */
  void (*shared)(void *context, const struct shared_contents *contents);
  struct timeline_listener timeline; /* what is on it; has a context of its own */
};
void device_listen(struct device *device, const struct device_listener *listener);
/* Passes on a hazard found by the runtime itself like the device's own: to the listener, or to
 * stderr if there is none. */
void device_report_hazard(struct device *device, const struct hazard *hazard);

#endif
