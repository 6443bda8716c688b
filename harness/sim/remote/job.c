/* job.c: runs the grader's jobs: places the arrays, has the runner call the submission, reports
 * what happened.
 *
 * For every set of inputs the device makes the arrays, fills them, lets the runner call the
 * submission, and when that has returned reads the outputs: what they are at that moment counts.
 * Hazards and a call's first launches go into the report as they happen, its other launches and its
 * totals when it is over (call_totals.h). So all that the runner can say about a call is that it
 * came back.
 */

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/array.h"
#include "harness/base/exchange.h"
#include "harness/sim/base/error.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/device/report_json.h"
#include "harness/sim/remote/call_totals.h"
#include "harness/sim/remote/server.h"

enum { MAX_ARRAYS = 8, MAX_SIDE = 1 << 20 };
enum { MAX_PLACES_PER_KIND = 128 }; /* hazards at different places */
static const size_t max_array_bytes = (size_t)16 << 30;
static const size_t max_launch_bytes = (size_t)24
                                       << 20; /* of launch reports with lines, in total */

struct array {
  char name[32];
  bool output;
  size_t rows, columns, element_size, bytes;
  uint64_t address; /* on the device; 0: not allocated */
};

/* A reported hazard and how often it has occurred since. */
struct reported {
  json_t *hazard;
  json_int_t again;
};

struct job {
  uint64_t token;
  json_t *json;
  struct array arrays[MAX_ARRAYS];
  int array_count, sets;
  bool fresh; /* the device was replaced, which the next call reports to the runner */
  bool rerun; /* only for the log of transfers: nothing else is reported */
  bool empty; /* the job comes without inputs */
  int set;    /* whose call is under way */
  struct call_totals totals; /* of that call */
  size_t launch_bytes;       /* in all jobs so far */
  struct reported *reported; /* hazards of this job */
  int reported_count, reported_room, places_of_kind[HAZARD_KINDS];
  struct server server;
};

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Our or the machine's fault. Returns false. */
static bool complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("kit: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

/* Writing the report */

static bool send_frame(const struct job *job, enum frame_type type, const void *payload,
                       size_t bytes) {
  if (frame_write(EXCHANGE_REPORT_FD, type, job->token, payload, bytes) == 0) return true;
  return complain("the report cannot be written: %s", strerror(errno));
}

/* Takes the object. */
static bool send_json(struct job *job, enum frame_type type, json_t *object) {
  char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
  bool ok = text ? send_frame(job, type, text, strlen(text)) : complain("out of memory");
  if (ok && type == FRAME_LAUNCH) job->launch_bytes += strlen(text);
  free(text);
  json_decref(object);
  return ok;
}

static bool same_place(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kind", "line", "other_line", "warning", "array", "kernel"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]))) return false;
  return true;
}

static int kind_of(const json_t *hazard) {
  const char *kind = json_string_value(json_object_get(hazard, "kind"));
  for (int k = 0; kind && k < HAZARD_KINDS; k++)
    if (strcmp(hazard_names[k], kind) == 0) return k;
  return 0;
}

/* Reports a hazard when it first occurs, and again when the call is over, with the number of
 * repetitions. So a report stays small, and no hazard displaces one of another kind. */
static bool report_hazard(struct job *job, json_t *hazard) {
  for (int i = 0; i < job->reported_count; i++) {
    if (!same_place(job->reported[i].hazard, hazard)) continue;
    job->reported[i].again += json_integer_value(json_object_get(hazard, "count"));
    return true;
  }
  int kind = kind_of(hazard);
  if (job->places_of_kind[kind] ==
      MAX_PLACES_PER_KIND) { /* the kind's last entry stands for all further places */
    for (int i = job->reported_count - 1; i >= 0; i--) {
      if (kind_of(job->reported[i].hazard) != kind) continue;
      job->reported[i].again += json_integer_value(json_object_get(hazard, "count"));
      return true;
    }
  }
  job->places_of_kind[kind]++;
  if (!ARRAY_RESERVE(job->reported, job->reported_room, job->reported_count + 1))
    return complain("out of memory");
  job->reported[job->reported_count++] = (struct reported){json_incref(hazard), 0};
  return send_json(job, FRAME_HAZARD, json_incref(hazard));
}

/* Reports how often hazards have occurred again. */
static bool report_repeats(struct job *job) {
  bool ok = true;
  for (int i = 0; i < job->reported_count && ok; i++) {
    struct reported *reported = &job->reported[i];
    if (!reported->again) continue;
    json_t *hazard = json_deep_copy(reported->hazard);
    if (hazard) json_object_set_new(hazard, "count", json_integer(reported->again));
    reported->again = 0;
    ok = send_json(job, FRAME_HAZARD, hazard);
  }
  return ok;
}

static void forget_reported(struct job *job) {
  for (int i = 0; i < job->reported_count; i++) json_decref(job->reported[i].hazard);
  free(job->reported);
  job->reported = NULL;
  job->reported_count = job->reported_room = 0;
  memset(job->places_of_kind, 0, sizeof job->places_of_kind);
}

static void on_event(void *context, const char *what, json_t *object) {
  struct job *job = context;
  (void)what;
  if (!job->rerun && !report_hazard(job, object)) exit(2);
}

/* Lines and accesses are reported for the first call only. */
static bool report_launch(struct job *job, const struct launch_report *report) {
  struct launch_report own = *report;
  if (job->set > 0 || job->launch_bytes > max_launch_bytes) {
    own.line_count = 0;
    own.accesses = NULL;
  }
  if (own.line_count > REPORTED_LINES) {
    own.lines = malloc((size_t)own.line_count * sizeof *own.lines);
    if (!own.lines) return complain("out of memory");
    memcpy(own.lines, report->lines, (size_t)own.line_count * sizeof *own.lines);
    call_totals_limit_lines(own.lines, &own.line_count);
  }
  bool ok = send_json(job, FRAME_LAUNCH, launch_to_json(&own));
  if (own.lines != report->lines) free(own.lines);
  return ok;
}

static void launched(void *context, const struct launch_report *report) {
  struct job *job = context;
  bool single;
  if (job->rerun || !job->server.ready) return; /* what ran before main was no call's */
  if (!call_totals_add(&job->totals, report, &single)) {
    complain("out of memory");
    exit(2);
  }
  if (single && !report_launch(job, report)) exit(2);
}

/* The launches that have not been reported one by one. */
static bool report_groups(struct job *job) {
  bool ok = true;
  for (int i = 0; i < job->totals.group_count && ok; i++)
    ok = send_json(job, FRAME_LAUNCH,
                   launch_group_to_json(&job->totals.groups[i],
                                        job->set > 0 || job->launch_bytes > max_launch_bytes));
  return ok;
}

static bool send_status(struct job *job, int set, int error, const char *from, double time_ns) {
  char text[300];
  if (job->rerun) return true;
  if (!report_repeats(job) || !report_groups(job)) return false;
  snprintf(text, sizeof text, "%s%s%s", error_text(error), *from ? ", from " : "", from);
  return send_json(job, FRAME_STATUS,
                   json_pack("{s:i, s:s?, s:s, s:s, s:f, s:o}", "set", set, "error",
                             error ? error_name(error) : NULL, "from", from, "message", text,
                             "time_ns", time_ns, "totals", call_totals_to_json(&job->totals)));
}

static bool send_broken(struct job *job) {
  const char *why = job->server.refused;
  if (!report_repeats(job) || !report_groups(job)) return false;
  return send_json(
      job, FRAME_BROKEN,
      json_pack("{s:s}", "message",
                why ? why
                    : "it sent to the device what no function of the CUDA runtime sends; a "
                      "submission must not close, write or replace descriptors that it has "
                      "not opened"));
}

/* The log of transfers, piece by piece. */
static bool keep_log(void *context, const void *bytes, size_t count) {
  enum { PIECE = 1 << 20 };
  const char *at = bytes;
  bool ok = true;
  for (size_t done = 0, piece; done < count && ok; done += piece) {
    piece = count - done < PIECE ? count - done : PIECE;
    ok = send_frame(context, FRAME_TRANSFERS, at + done, piece);
  }
  return ok;
}

/* Reading the job */

static size_t read_count(const json_t *object, const char *key, size_t max) {
  const json_t *value = json_object_get(object, key);
  json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
  return number > 0 && (uint64_t)number <= max ? (size_t)number : 0;
}

static bool read_array(const json_t *json, struct array *array) {
  const char *name = json_string_value(json_object_get(json, "name"));
  *array = (struct array){.output = json_is_true(json_object_get(json, "output")),
                          .rows = read_count(json, "rows", MAX_SIDE),
                          .columns = read_count(json, "columns", MAX_SIDE),
                          .element_size = read_count(json, "element_size", 64)};
  array->bytes = array->rows * array->columns * array->element_size;
  if (!name || strlen(name) >= sizeof array->name || array->bytes == 0 ||
      array->bytes > max_array_bytes)
    return complain("the job has an array that is none");
  snprintf(array->name, sizeof array->name, "%s", name);
  return true;
}

/* The next job's head: 1, 0 if there is none, -1. */
static int read_job(struct job *job) {
  struct frame_header header;
  void *payload;
  int got = frame_read(EXCHANGE_JOB_FD, &header, &payload, (size_t)1 << 20);
  if (got == 0) return 0;
  json_decref(job->json);
  job->json =
      got == 1 && header.type == FRAME_JOB ? json_loadb(payload, header.bytes, 0, NULL) : NULL;
  job->token = header.token;
  free(payload);
  const json_t *arrays = json_object_get(job->json, "arrays"), *array;
  job->sets = (int)read_count(job->json, "sets", 1000);
  const json_t *options = json_object_get(job->json, "options");
  const char *rerun = json_string_value(json_object_get(options, "rerun"));
  job->rerun = rerun != NULL;
  job->empty = json_is_true(json_object_get(options, "empty"));
  job->server.options.dry = rerun && strcmp(rerun, "dry") == 0;
  job->server.options.seed = read_count(job->json, "seed", SIZE_MAX >> 1);
  job->server.log.key = read_count(options, "transfers", SIZE_MAX >> 1);
  job->server.log.on = job->server.options.origins = job->server.log.key != 0;
  job->array_count = 0;
  if (!job->sets || json_array_size(arrays) < 1 || json_array_size(arrays) > MAX_ARRAYS) {
    complain("the job cannot be read: it is damaged");
    return -1;
  }
  size_t i;
  json_array_foreach (arrays, i, array)
    if (!read_array(array, &job->arrays[job->array_count++])) return -1;
  return 1;
}

/* The budget of the jobs and what of it is used, which the first of a process says. */
static void read_budget(const json_t *json, struct device_options *options) {
  const json_t *list = json_object_get(json, "budget");
  struct budget *to[] = {&options->budget, &options->used};
  static const char *const names[] = {"limit", "used"};
  for (int i = 0; i < 2; i++) {
    const json_t *numbers = json_object_get(list, names[i]);
    to[i]->instructions = read_count(numbers, "instructions", SIZE_MAX >> 1);
    to[i]->bytes = read_count(numbers, "bytes", SIZE_MAX >> 1);
    to[i]->calls = read_count(numbers, "calls", SIZE_MAX >> 1);
  }
}

static bool send_used(struct job *job) {
  struct budget used = device_used(job->server.device);
  return send_json(job, FRAME_USED,
                   json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)used.instructions,
                             "bytes", (json_int_t)used.bytes, "calls", (json_int_t)used.calls));
}

/* The job's next frame, an input; the caller's. */
static void *read_input(const struct array *array) {
  struct frame_header header;
  void *payload;
  int got = frame_read(EXCHANGE_JOB_FD, &header, &payload, array->bytes);
  if (got == 1 && header.type == FRAME_ARRAY && header.bytes == array->bytes) return payload;
  free(payload);
  complain("the job ends before %s, or there is no memory for it", array->name);
  return NULL;
}

/* A set */

/* Puts an array on the device. Returns the code, and which function gave it. */
static int place_array(struct device *device, struct array *array, const void *input,
                       const char **from) {
  *from = "cudaMalloc";
  int error = device_malloc(device, array->bytes, (struct source_place){NULL, 0}, &array->address);
  if (error) return error;
  *from = input ? "cudaMemcpy" : "cudaMemset";
  error = input ? device_write(device, array->address, input, array->bytes)
                : device_fill(device, array->address, array->output ? 0xff : 0, array->bytes);
  device_name_array(device, array->address, array->name, array->rows, array->columns,
                    array->element_size, array->output ? DEVICE_OUTPUT : DEVICE_INPUT);
  return error;
}

/* All of them: *error is the first code. False: a fault of ours. */
static bool place_arrays(struct job *job, int *error, const char **from) {
  *error = 0;
  for (int i = 0; i < job->array_count; i++) {
    struct array *array = &job->arrays[i];
    array->address = 0;
    bool comes = !array->output && !job->empty;
    void *input = comes ? read_input(array) : NULL;
    if (comes && !input) return false;
    if (!*error) *error = place_array(job->server.device, array, input, from);
    free(input);
  }
  return true;
}

static enum server_end call(struct job *job) {
  json_t *addresses = json_object();
  for (int i = 0; i < job->array_count; i++)
    json_object_set_new(addresses, job->arrays[i].name,
                        json_integer((json_int_t)job->arrays[i].address));
  json_t *json =
      json_pack("{s:O?, s:O?, s:O?, s:o, s:b}", "problem", json_object_get(job->json, "problem"),
                "entry", json_object_get(job->json, "entry"), "dims",
                json_object_get(job->json, "dims"), "arrays", addresses, "fresh", (int)job->fresh);
  job->fresh = false;
  char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
  json_decref(json);
  bool asked = text && server_call(&job->server, text);
  free(text);
  return asked ? server_serve(&job->server, true) : SERVER_CLOSED;
}

/* The time between two events, as cudaEventElapsedTime has it: a float of milliseconds. */
static double elapsed(double start, double stop) {
  float milliseconds = (float)((stop - start) / 1e6);
  return milliseconds > 0 ? (double)milliseconds * 1e6 : 0;
}

/* The outputs as they are now: with NaN bytes where there is nothing to read. */
static bool send_outputs(struct job *job, int set, int error, const char *from, double time_ns) {
  void *outputs[MAX_ARRAYS] = {NULL};
  bool ok = true;
  for (int i = 0; i < job->array_count && ok; i++) {
    const struct array *array = &job->arrays[i];
    if (!array->output || job->rerun) continue;
    outputs[i] = malloc(array->bytes);
    if (!outputs[i]) {
      ok = complain("out of memory for %s", array->name);
      break;
    }
    int copied = array->address
                     ? device_read(job->server.device, outputs[i], array->address, array->bytes)
                     : cudaErrorUnknown;
    if (copied) memset(outputs[i], 0xff, array->bytes);
    if (copied && !error) {
      error = copied;
      from = "the harness: it cannot read the result back; was its array freed?";
    }
  }
  ok = ok && send_status(job, set, error, from, time_ns);
  for (int i = 0; i < job->array_count; i++) {
    if (ok && outputs[i]) ok = send_frame(job, FRAME_ARRAY, outputs[i], job->arrays[i].bytes);
    free(outputs[i]);
  }
  return ok;
}

static void free_arrays(struct job *job) {
  for (int i = 0; i < job->array_count; i++)
    if (job->arrays[i].address) device_free(job->server.device, job->arrays[i].address);
}

enum job_end {
  JOB_OK,
  JOB_FAILED /* a call did: the last job */,
  JOB_BROKEN,
  JOB_ENDED /* by us */,
  JOB_FAULT
};

/* The log of the call, with where its results came from. */
static bool log_results(struct job *job) {
  struct transfer_log *log = &job->server.log;
  for (int i = 0, output = 0; i < job->array_count && !job->rerun; i++) {
    const struct array *array = &job->arrays[i];
    if (!array->output) continue;
    transfer_log_result(log, job->server.device, output++, array->address, array->bytes);
  }
  return transfer_log_flush(log) || complain("the log of transfers cannot be kept");
}

static enum job_end run_set(struct job *job, int set) {
  struct server *server = &job->server;
  const char *from = "";
  int error;
  double time_ns = 0;
  job->set = set;
  call_totals_reset(&job->totals);
  if (!place_arrays(job, &error, &from)) return JOB_FAULT;
  if (!error) {
    double start = device_time_ns(server->device);
    transfer_log_call(&server->log);
    enum server_end end = call(job);
    if (!send_used(job)) return JOB_FAULT;
    if (end == SERVER_REFUSED) {
      send_broken(job);
      return JOB_ENDED;
    }
    if (end == SERVER_SPENT) return report_repeats(job) ? JOB_ENDED : JOB_FAULT;
    if (end != SERVER_RETURNED) return JOB_BROKEN;
    error = server->returned_error;
    if (!error) error = device_synchronize(server->device);
    from = server->returned_function;
    if (!error) time_ns = elapsed(start, device_time_ns(server->device));
  }
  if (!log_results(job) || !send_outputs(job, set, error, error ? from : "", time_ns))
    return JOB_FAULT;
  free_arrays(job);
  return error ? JOB_FAILED : JOB_OK;
}

static enum job_end run_job(struct job *job) {
  struct server *server = &job->server;
  forget_reported(job);
  bool accesses = json_is_true(json_object_get(json_object_get(job->json, "options"), "accesses"));
  if (accesses != server->accesses) {
    server->accesses = accesses;
    server_listen(server);
  }
  bool ok = true;
  for (int set = 0; set < job->sets; set++) {
    enum job_end end = run_set(job, set);
    if (end >= JOB_BROKEN) return end;
    ok = ok && end == JOB_OK;
  }
  struct device_info info;
  char name[96];
  device_get_info(server->device, &info);
  snprintf(name, sizeof name, "simulated %s", info.name);
  if (!send_json(job, FRAME_DONE, json_pack("{s:s, s:s}", "backend", "sim", "device", name)))
    return JOB_FAULT;
  return ok ? JOB_OK : JOB_FAILED;
}

/* Each job has a device of its own: what one leaves behind, memory, errors or modules, is not there
 * for the next. */
static bool next_device(struct job *job) {
  job->server.options.memory_limit = read_count(job->json, "memory_bytes", SIZE_MAX >> 1);
  job->fresh = true;
  return server_renew(&job->server, true) || complain("out of memory for a device");
}

/* Lets the runner register its kernels. JOB_RIGHT: its first call may come. */
static enum job_end wait_until_ready(struct job *job) {
  enum server_end end = server_serve(&job->server, false);
  if (end == SERVER_READY) return JOB_OK;
  if (!send_used(job)) return JOB_FAULT;
  if (end == SERVER_REFUSED) return send_broken(job) ? JOB_ENDED : JOB_FAULT;
  if (end == SERVER_SPENT) return report_repeats(job) ? JOB_ENDED : JOB_FAULT;
  return JOB_BROKEN;
}

int job_run(void) {
  char error[200];
  struct job job = {.server = {.socket = EXCHANGE_DEVICE_FD,
                               .options = device_options_from_environment(),
                               .log = {.flush = keep_log, .context = &job}}};
  job.server.listener.on_event = on_event;
  job.server.listener.launched = launched;
  job.server.listener.context = &job;
  enum job_end end = JOB_FAULT;
  int got = read_job(&job);
  read_budget(job.json, &job.server.options);
  job.server.options.memory_limit = read_count(job.json, "memory_bytes", SIZE_MAX >> 1);
  if (got == 1 && !server_open(&job.server, error, sizeof error)) {
    complain("the simulated GPU could not be started: %s", error);
    got = -1;
  }
  if (got == 1 && (end = wait_until_ready(&job)) != JOB_OK) got = 0;
  while (got == 1 && (end = run_job(&job)) == JOB_OK)
    if ((got = read_job(&job)) == 1 && !next_device(&job)) got = -1;
  if (got >= 0 && end <= JOB_FAILED) server_goodbye(&job.server);
  server_close(&job.server);
  forget_reported(&job);
  call_totals_reset(&job.totals);
  json_decref(job.json);
  return got < 0 || end == JOB_FAULT ? 2 : end == JOB_ENDED ? EXCHANGE_ENDED : 0;
}
