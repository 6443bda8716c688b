/* device.c: the simulated GPU behind device.h: checks what is asked of it, runs it, reports it. */
#include "harness/sim/device/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/sim/base/gpu.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/base/origin.h"
#include "harness/sim/base/source_places.h"
#include "harness/sim/base/xorwow.h"
#include "harness/sim/decode/kernel.h"
#include "harness/sim/device/repeats.h"
#include "harness/sim/device/state.h"
#include "harness/sim/exec/launch.h"
#include "harness/sim/exec/launch_check.h"
#include "harness/sim/exec/slice.h"
#include "harness/sim/model/model.h"
#include "harness/sim/model/plan.h"
#include "harness/sim/model/sample.h"
#include "harness/sim/ptx/ptx.h"

/* For runs by hand: some minutes of simulation. Gradings use their lab's (grader/lab/conf.h). */
static const struct budget default_budget = {
    .instructions = 20000000000, .bytes = UINT64_C(1) << 40, .calls = 10000000};

/* A positive number from the environment, or 0 if the variable is not set. */
static uint64_t number_from_environment(const char *name) {
  const char *text = getenv(name);
  if (!text) return 0;
  char *end;
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *end || value == 0) {
    fprintf(stderr, "kit: %s=%s: should be a positive number\n", name, text);
    exit(2);
  }
  return value;
}

struct device_options device_options_from_environment(void) {
  uint64_t threads = number_from_environment("KIT_SIM_THREADS");
  return (struct device_options){
      .threads = threads > 1024 ? 1024 : (int)threads,
      .budget.instructions = number_from_environment("KIT_SIM_BUDGET"),
      .gpu = getenv("KIT_SIM_GPU"),
      .sample = number_from_environment("KIT_SIM_SAMPLE"),
  };
}

struct device *device_open(const struct device_options *options) {
  struct device_options from_environment;
  if (!options) {
    from_environment = device_options_from_environment();
    options = &from_environment;
  }
  struct device *device = calloc(1, sizeof *device);
  char error[256];
  if (!device) return NULL;
  if (!gpu_read(&device->gpu, options->gpu, error, sizeof error)) {
    fprintf(stderr, "kit: %s\n", error);
    free(device);
    return NULL;
  }
  device->memory = memory_open(device->gpu.info.memory_bytes, options->memory_limit);
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  device->threads = options->threads > 0 ? options->threads : cores > 0 ? (int)cores : 1;
  device->sample = options->sample;
  device->dry = options->dry;
  device->waits = options->waits;
  device->max_pending = PENDING_LAUNCHES;
  device->files = options->files;
  device->is_profiled = options->profile;
  device->seeks_leaks = options->leaks;
  device->fault = options->fault;
  device->fault_at = options->fault_at > 0 ? options->fault_at : 1;
  device->seed = options->seed;
  device->budget = options->budget;
  device->used = options->used;
  if (!device->budget.instructions) device->budget.instructions = default_budget.instructions;
  if (!device->budget.bytes) device->budget.bytes = default_budget.bytes;
  if (!device->budget.calls) device->budget.calls = default_budget.calls;
  device->streams = streams_open();
  device->timeline = timeline_open(&device->gpu);
  if (!device->memory || !device->streams || !device->timeline) {
    memory_close(device->memory);
    streams_close(device->streams);
    timeline_close(device->timeline);
    free(device);
    return NULL;
  }
  device->memory->origins = options->origins;
  if (options->repeats) device->repeats = repeats_open();
  pthread_mutex_init(&device->lock, NULL);
  return device;
}

static void module_release(struct module *module) {
  if (!module) return;
  for (int i = 0; i < module->kernel_count; i++) {
    plan_free(module->kernels[i].plan);
    kernel_release(&module->kernels[i]);
  }
  free(module->kernels);
  free(module->variables);
  ptx_free(module->ptx);
  free(module);
}

void device_close(struct device *device) {
  if (!device) return;
  for (struct device_waiting left; device->waiting;) device_go_on(device, DEVICE_ENDS, &left);
  repeats_close(device->repeats);
  for (int i = 0; i < device->module_count; i++) module_release(device->modules[i]);
  memory_close(device->memory);
  streams_close(device->streams);
  timeline_close(device->timeline);
  free(device->held);
  pthread_mutex_destroy(&device->lock);
  free(device);
}

void device_get_info(const struct device *device, struct device_info *info) {
  *info = device->gpu.info;
}
void device_listen(struct device *device, const struct device_listener *listener) {
  device->listener = *listener;
  timeline_listen(device->timeline, &listener->timeline);
}
void device_report_hazard(struct device *device, const struct hazard *hazard) {
  if (device->listener.hazard)
    device->listener.hazard(device->listener.context, hazard);
  else if (hazard->kind != HAZARD_call) /* the program can check its errors itself */
    fprintf(stderr, "%s\n", hazard->message);
}
double device_time_ns(const struct device *device) { return device->time_ns; }
int device_error(const struct device *device) { return device->error; }

/* ---- what it takes ---- */

struct device_profile device_profile(const struct device *device) {
  return device->profile;
}

static double seconds_on(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct device_cost cost_now(const struct device *device) {
  if (!device->is_profiled) return (struct device_cost){0};
  return (struct device_cost){seconds_on(CLOCK_MONOTONIC), seconds_on(CLOCK_PROCESS_CPUTIME_ID)};
}

static void add_cost(const struct device *device, struct device_cost begin,
                     struct device_cost *sum) {
  struct device_cost now = cost_now(device);
  sum->wall += now.wall - begin.wall;
  sum->cpu += now.cpu - begin.cpu;
}

/* ---- the budget ---- */

struct budget device_used(const struct device *device) {
  return device->used;
}

bool device_is_over_budget(const struct device *device) { return device->over_budget; }

/* Reports the first overrun as a hazard; all later calls fail. */
__attribute__((format(printf, 3, 4))) static int go_over_budget(struct device *device, int line,
                                                                const char *format, ...) {
  struct hazard hazard = {.kind = HAZARD_budget, .line = line, .count = 1};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(hazard.message, sizeof hazard.message, format, arguments);
  va_end(arguments);
  if (!device->over_budget) device_report_hazard(device, &hazard);
  device->over_budget = true;
  device->error = cudaErrorLaunchTimeout;
  return cudaErrorLaunchTimeout;
}

int device_spend_bytes(struct device *device, int line, size_t width, size_t rows) {
  char budget[40];
  enum { MIN_ROW = 64 }; /* bytes: a shorter row costs as much */
  size_t bytes;
  uint64_t budget_bytes = device->budget.bytes,
           left = device->used.bytes < budget_bytes ? budget_bytes - device->used.bytes : 0;
  if (!__builtin_mul_overflow(width < MIN_ROW ? MIN_ROW : width, rows, &bytes) && bytes <= left) {
    device->used.bytes += bytes;
    return cudaSuccess;
  }
  return go_over_budget(
      device, line,
      "with these %zu x %zu bytes the calls that allocate, copy and fill are over their budget "
      "of %s bytes for all cases together (managed memory is copied by each launch). Allocate "
      "and copy what the kernels need once, not again in a loop.",
      rows, width, budget_text(budget_bytes, budget, sizeof budget));
}

void device_run_short(struct device *device) {
  HOLD(&device->lock);
  go_over_budget(
      device, 0,
      "the program has arrays of %zu bytes on the device, and their contents and notes of who "
      "uses them take more than the limit of %zu MiB. Allocate only what the kernels need.",
      device->memory->bytes_in_use, device->memory->limit >> 20);
}

void device_count_call(struct device *device) {
  HOLD(&device->lock);
  if (device->used.calls++ < device->budget.calls) return;
  char budget[40];
  go_over_budget(
      device, 0,
      "the program has called the device (launches, copies, allocations, events) %s times, "
      "which is its budget for all cases together. Let one launch do more, and look at what "
      "ends the loop around the calls.",
      budget_text(device->budget.calls, budget, sizeof budget));
}

/* ---- modules ---- */

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". False, and why. */
static bool check_constant_memory(const struct ptx_module *ptx, char *error, size_t size) {
  enum { CONSTANT_BYTES = 64 << 10 };
  size_t bytes = 0;
  for (int i = 0; i < ptx->variable_count; i++) {
    const struct ptx_variable *v = &ptx->variables[i];
    if (v->space == PTX_CONST && !v->external && __builtin_add_overflow(bytes, v->size, &bytes))
      bytes = SIZE_MAX;
  }
  if (bytes <= CONSTANT_BYTES) return true;
  snprintf(error, size,
           "the __constant__ variables of this file take %zu bytes; a GPU has %d for them, so its "
           "compiler would refuse the file. Put large tables into global memory",
           bytes, CONSTANT_BYTES);
  return false;
}

/* Variables in global and constant memory become allocations under their own names. */
static int load_variables(struct device *device, struct module *module) {
  const struct ptx_module *ptx = module->ptx;
  module->variables = calloc((size_t)ptx->variable_count + 1, sizeof *module->variables);
  if (!module->variables) return cudaErrorMemoryAllocation;
  for (int i = 0; i < ptx->variable_count; i++) {
    const struct ptx_variable *v = &ptx->variables[i];
    if ((v->space != PTX_GLOBAL && v->space != PTX_CONST) || v->external || v->size == 0) continue;
    struct allocation *a = memory_allocate(device->memory, v->size, v->managed);
    if (!a) return cudaErrorMemoryAllocation;
    if (v->init)
      memcpy(a->data, v->init, v->size);
    else
      memset(a->data, 0, v->size);
    if (xorwow_is_matrices(v->name, v->size)) xorwow_fill(a->data);
    memory_mark_initialised(a, 0, v->size);
    managed_export(a, 0, v->size);
    origin_given(device->memory, a);
    a->constant = v->space == PTX_CONST;
    a->variable = true;
    a->element = ptx_type_size(v->type);
    demangle_variable(v->name, a->name, sizeof a->name);
    a->named = true;
    struct module_variable *variable = &module->variables[module->variable_count++];
    *variable = (struct module_variable){v->name, a->address, v->size};
  }
  return cudaSuccess;
}

/* Puts addresses into the initialisers of a module that name them: those of what the program's
 * newest module, number `newest`, defines; of all if it is that one. */
static void fill_in_addresses(struct device *device, const struct module *module, int newest) {
  const struct module *by = device->modules[newest];
  int k = 0;
  for (int i = 0; i < module->ptx->variable_count && k < module->variable_count; i++) {
    const struct ptx_variable *v = &module->ptx->variables[i];
    if (module->variables[k].name != v->name) continue;
    uint64_t place = module->variables[k++].address;
    for (int j = 0; j < v->address_count; j++) {
      const struct ptx_address *address = &v->addresses[j];
      const struct module_variable *found = module_variable(module, address->name);
      uint64_t value = found ? found->address : module_function_address(module, address->name);
      bool is_new = found ? found >= by->variables && found < by->variables + by->variable_count
                          : module_of_function_address(value) == newest;
      if (!value || !(is_new || module == by)) continue;
      value += (uint64_t)address->offset;
      value = (value & address->mask) >> __builtin_ctzll(address->mask);
      struct allocation *a = memory_find(device->memory, place, v->size);
      memcpy(a->data + address->at, &value, address->bytes);
      a->changes++;
      managed_export(a, address->at, address->bytes);
    }
  }
}

int device_file_number(struct device *device, const char *path) {
  return device->files ? place_number(path) : 0;
}

/* Lines of device code become places. What clang has inlined from its own headers, such as operator
 * delete, gets the place of the code before it. */
static void place_instructions(struct ptx_module *ptx) {
  enum { CLANGS = -1 };
  int *numbers = calloc((size_t)ptx->file_count + 1, sizeof *numbers);
  if (!numbers) return;
  for (int i = 0; i < ptx->file_count; i++) {
    const char *path = ptx->files[i];
    numbers[i] = !path ? 0 : strstr(path, "/cuda_wrappers/") ? CLANGS : place_number(path);
  }
  for (int f = 0; f < ptx->function_count; f++) {
    struct ptx_function *function = &ptx->functions[f];
    int before = 0;
    for (int i = 0; i < function->instruction_count; i++) {
      struct ptx_instruction *in = &function->instructions[i];
      int file = in->file < ptx->file_count ? numbers[in->file] : 0;
      in->line = file == CLANGS ? before : place_make(file, in->line);
      before = in->line;
    }
  }
  free(numbers);
}

int device_load_module(struct device *device, const char *ptx, size_t length, int *module_number,
                       char *error, size_t error_size) {
  HOLD(&device->lock);
  if (device->error) return device->error;
  struct module *module = calloc(1, sizeof *module);
  if (!module || device->module_count == MAX_MODULES) {
    free(module);
    snprintf(error, error_size, "out of memory for another module");
    return cudaErrorMemoryAllocation;
  }
  module->ptx = device->files ? ptx_parse_files(ptx, length, error, error_size)
                              : ptx_parse(ptx, length, error, error_size);
  if (!module->ptx) {
    module_release(module);
    return cudaErrorInvalidPtx;
  }
  if (!check_constant_memory(module->ptx, error, error_size)) {
    module_release(module);
    return cudaErrorInvalidKernelImage;
  }
  if (device->files) place_instructions(module->ptx);
  module->all = device->modules;
  module->all_count = &device->module_count;
  module->kernels = calloc((size_t)module->ptx->function_count + 1, sizeof *module->kernels);
  int code = module->kernels ? load_variables(device, module) : cudaErrorMemoryAllocation;
  if (code != cudaSuccess) {
    snprintf(error, error_size, "out of memory for the module's variables");
    module_release(module);
    return code;
  }
  *module_number = device->module_count;
  device->modules[device->module_count++] = module;
  for (int i = 0; i <= *module_number; i++)
    fill_in_addresses(device, device->modules[i], *module_number);
  for (int i = 0; i < module->ptx->function_count; i++) {
    const struct ptx_function *f = &module->ptx->functions[i];
    if (!f->entry || f->external) continue;
    struct kernel *kernel = &module->kernels[module->kernel_count++];
    kernel->function = f;
    kernel->module = module;
    kernel->max_dynamic_shared = (size_t)device->gpu.info.shared_per_block;
    demangle_function(f->name, kernel->name, sizeof kernel->name);
    kernel_describe(kernel);
  }
  return cudaSuccess;
}

int device_get_symbol(struct device *device, int module, const char *name, uint64_t *address,
                      size_t *bytes) {
  HOLD(&device->lock);
  if (module < 0 || module >= device->module_count) return cudaErrorInvalidSymbol;
  const struct module_variable *v = module_variable(device->modules[module], name);
  if (!v) return cudaErrorInvalidSymbol;
  *address = v->address;
  *bytes = v->bytes;
  return cudaSuccess;
}

static struct kernel *find_kernel(const struct device *device, int module, const char *name) {
  if (module < 0 || module >= device->module_count) return NULL;
  return module_own_kernel(device->modules[module], name);
}

int device_get_kernel(struct device *device, int module, const char *name,
                      struct kernel_info *info) {
  HOLD(&device->lock);
  struct kernel *kernel = find_kernel(device, module, name);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (!kernel_decode(kernel)) return cudaErrorMemoryAllocation;
  *info = kernel->info;
  info->max_dynamic_shared = kernel->max_dynamic_shared;
  return cudaSuccess;
}

int device_kernel_reads(struct device *device, int module, const char *name, unsigned char *reads) {
  HOLD(&device->lock);
  struct kernel *kernel = find_kernel(device, module, name);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (!kernel_decode(kernel)) return cudaErrorMemoryAllocation;
  if (kernel->reads_param)
    memcpy(reads, kernel->reads_param, kernel->info.param_bytes);
  else
    memset(reads, 1, kernel->info.param_bytes);
  return cudaSuccess;
}

int device_set_max_shared(struct device *device, int module, const char *name, size_t bytes) {
  HOLD(&device->lock);
  struct kernel *kernel = find_kernel(device, module, name);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  size_t max = (size_t)device->gpu.info.shared_per_block_optin;
  if (bytes > max || kernel->static_shared_bytes > max - bytes) return cudaErrorInvalidValue;
  kernel->max_dynamic_shared = bytes > (size_t)device->gpu.info.shared_per_block
                                   ? bytes
                                   : (size_t)device->gpu.info.shared_per_block;
  return cudaSuccess;
}

/* ---- launches ---- */

/* Notes why a launch was refused; returns the code. */
__attribute__((format(printf, 5, 6))) static int refuse(struct hazard_list *list,
                                                        enum hazard_kind kind, int line, int code,
                                                        const char *format, ...) {
  bool fresh;
  struct hazard *h = hazard_note(list, kind, line, 0, "", 1, &fresh);
  va_list arguments;
  va_start(arguments, format);
  if (h) vsnprintf(h->message, sizeof h->message, format, arguments);
  va_end(arguments);
  return code;
}

void device_report_hazards(struct device *device, struct hazard_list *list) {
  for (int i = 0; i < list->count; i++) device_report_hazard(device, &list->items[i]);
  hazard_list_clear(list);
}

/* Does anybody look at a launch's time? Who counts on a sample goes by its blocks. */
static bool is_timed(const struct device *device) {
  return !device->untimed || device->has_events || device->sample;
}

/* A launch whose time is modelled while it runs, and after. */
struct timed_launch {
  struct model_launch launch;
  struct model_replays replays;
  bool is_profiled;
  double cpu; /* seconds that the replays took while it ran */
  double ns, demand;
  struct link_use link;
};

static void foresee_time(void *context, const struct block_trace *traces, int count) {
  struct timed_launch *timed = context;
  double begin = timed->is_profiled ? seconds_on(CLOCK_THREAD_CPUTIME_ID) : 0;
  timed->replays.count = 0;
  if (count) model_foresee(&timed->launch, traces, count, &timed->replays);
  if (timed->is_profiled) timed->cpu += seconds_on(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Adds the launch's time to the device's. False: out of memory. */
static bool pass_modelled_time(struct device *device, struct timed_launch *timed,
                               const struct launch_result *result, struct launch_report *report) {
  struct model_time time;
  struct device_cost begin = cost_now(device);
  timed->launch.launch = device->memory->launch;
  timed->launch.executed_blocks = result->executed;
  timed->launch.waited = result->waited;
  timed->launch.works = result->works;
  if (!model_time(&timed->launch, result->traces, result->trace_count, &result->counters,
                  &timed->replays, &time))
    return false;
  device->profile.kernels.cpu -= timed->cpu;
  device->profile.model.cpu += timed->cpu;
  add_cost(device, begin, &device->profile.model);
  const struct link_use link = residency_launch(device);
  if (link.mapped_ns > time.ns) {
    time.ns = link.mapped_ns;
    time.bound = "host link";
    time.demand = 0;
  }
  timed->ns = time.ns; /* the next launch finds the pages on the device */
  timed->link = link;
  timed->demand = time.demand;
  if (link.fetched_ns > time.ns) time.bound = "page migration";
  device->time_ns += time.ns + link.fetched_ns;
  report->timed = !device->untimed;
  report->time_ns = report->timed ? time.ns + link.fetched_ns : 0;
  report->dram_bytes = report->timed ? time.dram_bytes : 0;
  snprintf(report->bound, sizeof report->bound, "%s", report->timed ? time.bound : "");
  return true;
}

static void send_report(const struct device *device, const struct launch_report *report) {
  if (device->listener.launched) device->listener.launched(device->listener.context, report);
}

static bool make_report(struct device *device, const struct kernel *kernel,
                        const struct launch *launch, const char *launched_by,
                        const struct launch_result *result, struct timed_launch *timed,
                        struct launch_report *made) {
  struct launch_report report = {.static_shared_bytes = kernel->static_shared_bytes,
                                 .dynamic_shared_bytes = launch->shared_bytes,
                                 .registers = kernel->info.registers,
                                 .place = launch->place,
                                 .counters = result->counters,
                                 .lines = result->lines,
                                 .line_count = result->line_count,
                                 .traffic = result->traffic,
                                 .traffic_count = result->traffic_count,
                                 .accesses = result->accesses,
                                 .access_count = result->access_count};
  snprintf(report.kernel, sizeof report.kernel, "%s", kernel->name);
  if (launched_by) snprintf(report.launched_by, sizeof report.launched_by, "%s", launched_by);
  memcpy(report.grid, launch->grid, sizeof report.grid);
  memcpy(report.block, launch->block, sizeof report.block);
  if (is_timed(device) && !pass_modelled_time(device, timed, result, &report)) return false;
  *made = report;
  return true;
}

/* A launch under way. One that waits for others outlives the call that began it. */
struct running {
  struct device *device;
  struct kernel *kernel;
  struct launch launch;
  char launched_by[128]; /* a kernel; "": the host */
  struct launch_options options;
  struct timed_launch timed;
  struct repeat *repeat;
  struct hazard_list hazards;
  struct exchange exchange;
  uint64_t traced[MAX_TRACED];
  _Alignas(16) unsigned char params[];
};

/* What earlier launches of its kind came to. NULL: it is executed in any case. */
static struct repeat *find_repeats(struct device *device, const struct kernel *kernel,
                                   const struct launch *launch,
                                   const struct launch_options *options) {
  if (!device->repeats || device->sample || device->seed || options->record_accesses) return NULL;
  unsigned how = (unsigned)device->module_count << 4 | (unsigned)is_timed(device) << 3 |
                 (unsigned)device->untimed << 2 | (unsigned)(options->work != NULL) << 1 |
                 (unsigned)(options->streams != NULL);
  return repeats_find(device->repeats, kernel, launch, how);
}

/* A launch on the timeline. work: what is known of it besides its grid. False: out of memory. */
static bool pass_kernel(struct device *device, const struct launch *launch,
                        struct timeline_work work) {
  work.kind = TIMELINE_KERNEL;
  work.stream = launch->stream;
  work.blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  work.line = launch->place.line;
  if (!(work.ns > 0)) work.ns = device->gpu.model.launch_interval_ns;
  return timeline_issue(device->timeline, &work);
}

/* One that was executed, now or before, with this outcome. link: what it has moved this time. */
static bool pass_outcome(struct device *device, const struct running *running,
                         const struct outcome *outcome, const struct link_use *link) {
  struct timeline_work work = {
      .of_device = running->launched_by[0],
      .ns = outcome->ns + link->fetched_ns,
      .room = running->options.resident,
      .demand = outcome->demand,
      .stored = outcome->report.counters.value[COUNTER_global_store_bytes] +
                outcome->report.counters.value[COUNTER_global_atomic_bytes],
      .fetched = link->fetched,
      .mapped = outcome->mapped};
  snprintf(work.name, sizeof work.name, "%s", running->kernel->name);
  return pass_kernel(device, &running->launch, work);
}

/* Passes a launch off as executed if memory is by now what it would make of it. That takes nothing
 * of the budget: there are programs that launch a kernel a million times. */
static bool pass_repeat(struct device *device, const struct running *running) {
  const struct launch_options *options = &running->options;
  const struct outcome *known =
      repeat_take(running->repeat, device->memory, options->streams, options->work);
  if (!known) return false;
  streams_end_work(device->streams, options->work);
  device->time_ns += known->ns;
  pass_outcome(device, running, known, &(struct link_use){0});
  struct launch_report report = known->report;
  report.place = running->launch.place;
  snprintf(report.launched_by, sizeof report.launched_by, "%s", running->launched_by);
  send_report(device, &report);
  return true;
}

/* Keeps what an executed launch came to. */
static void keep_outcome(struct device *device, struct repeat *repeat, struct outcome *outcome,
                         const struct work *work) {
  launch_result_drop_traces(&outcome->result);
  if (repeat_end(repeat, device->memory, outcome, work))
    outcome->result = (struct launch_result){0}; /* it is no longer ours */
}

/* Each launch samples its own blocks. */
static uint64_t next_seed(struct device *device) {
  if (device->seed) device->seed = (device->seed * UINT64_C(0x5851f42d4c957f2d) + 0x14057b7f) | 1;
  return device->seed;
}

/* The time of a launch that is not run is independent of its data. */
static int pass_time(struct device *device, const struct launch *launch) {
  int error = managed_import(device, launch->place.line);
  if (error) return error;
  device->dry_launches++;
  double ns = 10000 + (double)(device->dry_launches * 7919 % 4001);
  device->time_ns += ns;
  return pass_kernel(device, launch, (struct timeline_work){.ns = ns}) ? cudaSuccess
                                                                       : cudaErrorMemoryAllocation;
}

static int64_t instructions_left(const struct device *device) {
  uint64_t max = INT64_MAX / 2, budget = device->budget.instructions,
           left = device->used.instructions < budget ? budget - device->used.instructions : 0;
  return (int64_t)(left < max ? left : max);
}

/* False, and a hazard, if the budget does not even suffice to start all blocks of the grid. */
static bool check_start(struct device *device, const struct launch *launch) {
  const unsigned *g = launch->grid, *b = launch->block;
  uint64_t warps = ((uint64_t)b[0] * b[1] * b[2] + LANES - 1) / LANES;
  double blocks = (double)g[0] * g[1] * g[2];
  if (blocks * (double)(BLOCK_INSTRUCTIONS + warps * WARP_INSTRUCTIONS) <=
      (double)instructions_left(device))
    return true;
  char budget[40];
  go_over_budget(
      device, launch->place.line,
      "a grid of %u x %u x %u blocks: only to start them takes more than the budget of %s "
      "warp instructions, which all cases share. Launch as many blocks as the result needs.",
      g[0], g[1], g[2], budget_text(device->budget.instructions, budget, sizeof budget));
  return false;
}

/* Other orders are for hazards: of the many launches of a kernel by kernels the first will do. */
static bool tries_orders(struct kernel *kernel, const struct family *family) {
  enum { FIRST = 4 };
  return !family->kernel || kernel->children++ < FIRST;
}

/* Prepares what the launch needs besides memory. NULL: out of that. */
static struct running *make_running(struct device *device, struct kernel *kernel,
                                    const struct launch *launch, const struct family *family) {
  int threads = (int)(launch->block[0] * launch->block[1] * launch->block[2]);
  int resident = occupancy_blocks(&device->gpu.info, threads, kernel->info.registers,
                                  kernel->static_shared_bytes + launch->shared_bytes);
  if (resident < 1) resident = 1;
  uint64_t seed = next_seed(device);
  if (is_timed(device) && !kernel->plan &&
      !(kernel->plan = plan_make(kernel, gpu_capability(&device->gpu.info))))
    return NULL;
  struct running *running = malloc(sizeof *running + launch->param_bytes);
  if (!running) return NULL;
  *running = (struct running){
      .device = device,
      .kernel = kernel,
      .launch = *launch,
      .options = {.threads = device->threads,
                  .budget = instructions_left(device),
                  .whole_budget = device->budget.instructions,
                  .resident = (uint64_t)resident * (uint64_t)device->gpu.info.sm_count,
                  .record_accesses = device->listener.wants_accesses,
                  .sample = device->sample,
                  .lineage = family->lineage,
                  .tries_orders = tries_orders(kernel, family),
                  .traced = running->traced,
                  .exchange = &running->exchange},
      .timed.is_profiled = device->is_profiled,
      .hazards.kernel = kernel->name};
  if (family->kernel)
    snprintf(running->launched_by, sizeof running->launched_by, "%s", family->kernel);
  memcpy(running->params, launch->params, launch->param_bytes);
  running->launch.params = running->params;
  running->launch.kernel = kernel->name;
  if (!is_timed(device)) return running;
  struct launch_options *options = &running->options;
  uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  options->traced_count = sample_choose(&device->gpu, seed, blocks, (threads + LANES - 1) / LANES,
                                        resident, running->traced, &options->trace_room);
  running->timed.launch = (struct model_launch){&device->gpu,
                                                kernel->plan,
                                                blocks,
                                                resident,
                                                kernel->static_shared_bytes + launch->shared_bytes,
                                                0,
                                                blocks};
  options->on_traces = foresee_time;
  options->context = &running->timed;
  return running;
}

static int begin_work(struct running *running) {
  struct device *device = running->device;
  const struct launch *launch = &running->launch;
  int code = managed_import(device, launch->place.line);
  if (code != cudaSuccess) return code;
  running->exchange.at_once =
      device->waits && launch->beside_host && running->kernel->programs[0]->has_updates;
  if (running->exchange.at_once) managed_share(device, true);
  if (!streams_keep_work(device->streams) || device->sample) {
    streams_pass_work(device->streams, launch->stream);
    return cudaSuccess;
  }
  struct work *work = streams_begin_work(device->streams, WORK_KERNEL, launch->stream);
  if (!work) return cudaErrorMemoryAllocation;
  work->line = launch->place.line;
  work->signals = running->kernel->programs[0]->signals;
  snprintf(work->kernel, sizeof work->kernel, "%s", running->kernel->name);
  running->options.streams = streams_keep(device->streams) ? device->streams : NULL;
  running->options.work = work;
  return cudaSuccess;
}

/* Can it be that the launch waits for others? */
static bool may_wait(const struct running *running) {
  const struct program *program = running->kernel->programs[0];
  return running->device->waits && !running->device->sample &&
         (program->has_polls || program->has_fence || program->order_matters);
}

/* Those of a grid that has ended. */
static int run_children(const struct running *running, const struct children *children) {
  struct family family = {.kernel = running->kernel->name,
                          .stream = running->launch.stream,
                          .lineage = running->options.lineage};
  family.lineage.depth++;
  return device_run_children(running->device, children, &family);
}

static int run_launch(void *context) {
  struct running *running = context;
  struct device *device = running->device;
  const struct device_listener *listener = &device->listener;
  struct kernel *kernel = running->kernel;
  struct repeat *repeat = running->repeat;
  struct work *work = running->options.work;
  if (repeat) repeat_begin(repeat, device->memory);
  device->memory->marks_lines = is_timed(device);
  running->exchange.shown = device->memory->clock;
  struct device_cost cost = cost_now(device);
  if (listener->runs) listener->runs(listener->context, kernel->name);
  struct outcome outcome;
  struct launch_result *result = &outcome.result;
  bool ran = launch_run(&running->launch, kernel, device->memory, &device->gpu.info,
                        &running->options, &running->hazards, result);
  add_cost(device, cost, &device->profile.kernels);
  managed_export_launch(device, &running->exchange,
                        running->options.wait && kernel->programs[0]->signals);
  device->used.instructions += result->spent;
  device->over_budget = device->used.instructions > device->budget.instructions;
  bool reported = ran && make_report(device, kernel, &running->launch, running->launched_by, result,
                                     &running->timed, &outcome.report);
  if (listener->runs) listener->runs(listener->context, NULL);
  if (!ran) {
    streams_end_work(device->streams, work);
    launch_result_release(result);
    device_report_hazards(device, &running->hazards);
    return cudaErrorMemoryAllocation;
  }
  if (result->printed_bytes) {
    if (listener->printed)
      listener->printed(listener->context, result->printed, result->printed_bytes);
    else
      fwrite(result->printed, 1, result->printed_bytes, stdout);
  }
  if (reported) send_report(device, &outcome.report);
  outcome.ns = running->timed.ns;
  outcome.demand = running->timed.demand;
  outcome.mapped = running->timed.link.mapped;
  if (reported && !pass_outcome(device, running, &outcome, &running->timed.link)) reported = false;
  if (result->error) device->error = result->error;
  if (outcome.report.timed) outcome.report.time_ns = outcome.ns;
  if (repeat && reported && !result->others_ran && !running->hazards.count && !device->error &&
      !device->over_budget)
    keep_outcome(device, repeat, &outcome, work);
  streams_end_work(device->streams, work);
  if (device->sample)
    hazard_list_clear(&running->hazards);
  else
    device_report_hazards(device, &running->hazards);
  struct children children = result->children;
  result->children = (struct children){0};
  launch_result_release(result);
  int code = reported ? run_children(running, &children) : cudaErrorMemoryAllocation;
  children_release(&children);
  return code;
}

/* cudaSuccess, or a hazard if there is something in the kernel that cannot be run. */
static int check_kernel(const struct device *device, struct kernel *kernel, int launch_line,
                        struct hazard_list *list) {
  const struct device_info *gpu = &device->gpu.info;
  if (!kernel_decode(kernel)) return cudaErrorMemoryAllocation;
  if (kernel->needs > 10 * gpu->compute_major + gpu->compute_minor)
    return refuse(list, HAZARD_launch, kernel->needs_line ? kernel->needs_line : launch_line,
                  cudaErrorNoKernelImageForDevice,
                  "%s needs a GPU of compute capability %d.%d or later; the %s has %d.%d, so there "
                  "is no code of this kernel for it and it was not run.",
                  kernel->needs_what, kernel->needs / 10, kernel->needs % 10, gpu->name,
                  gpu->compute_major, gpu->compute_minor);
  if (!kernel->error[0]) return cudaSuccess;
  int line = kernel->error_line ? kernel->error_line : launch_line;
  if (kernel->invalid)
    return refuse(list, HAZARD_launch, line, cudaErrorInvalidKernelImage, "%s.", kernel->error);
  return refuse(list, HAZARD_unsupported, line, cudaErrorNotSupported,
                "%s. The simulator does not guess: this needs a GPU.", kernel->error);
}

int device_run(struct device *device, struct kernel *kernel, const struct launch *launch,
               const struct family *family) {
  struct hazard_list list = {.kernel = kernel->name};
  int code = check_kernel(device, kernel, launch->place.line, &list);
  device_report_hazards(device, &list);
  if (code != cudaSuccess) return code;
  if (!check_start(device, launch)) return device->error;
  struct running *running = make_running(device, kernel, launch, family);
  if (!running) return cudaErrorMemoryAllocation;
  code = begin_work(running);
  if (!code) running->repeat = find_repeats(device, kernel, launch, &running->options);
  if (running->repeat && pass_repeat(device, running)) {
    free(running);
    return cudaSuccess;
  }
  bool by_host = !family->kernel;
  if (!code && by_host && may_wait(running))
    return waiting_begin(device, run_launch, running, &running->options, &running->launch);
  if (!code) code = run_launch(running);
  free(running);
  return code;
}

int device_launch(struct device *device, const struct launch *launch) {
  HOLD(&device->lock);
  if (device->error) return device->error;
  struct kernel *kernel = find_kernel(device, launch->module, launch->kernel);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (!streams_knows(device->streams, launch->stream)) return cudaErrorInvalidResourceHandle;
  if (launch->param_bytes != kernel->info.param_bytes) return cudaErrorInvalidValue;
  struct hazard_list list = {.kernel = kernel->name};
  char why[LAUNCH_CHECK_TEXT];
  int code = launch_check(&device->gpu.info, kernel, launch, why, sizeof why);
  if (code != cudaSuccess) refuse(&list, HAZARD_launch, launch->place.line, code, "%s", why);
  if (code == cudaSuccess) code = check_kernel(device, kernel, launch->place.line, &list);
  device_report_hazards(device, &list);
  if (code != cudaSuccess) return code;
  device->strike.launched = true;
  if (fault_strikes(device, FAULT_LAUNCH, launch->place.line)) return cudaErrorLaunchOutOfResources;
  if (device->dry) {
    if (!check_start(device, launch)) return device->error;
    streams_pass_work(device->streams, launch->stream);
    return pass_time(device, launch);
  }
  const struct family host = {.stream = launch->stream, .lineage.max_pending = device->max_pending};
  return device_run(device, kernel, launch, &host);
}
