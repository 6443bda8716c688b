/* job.c: the simulator's part of a job (harness/base/job.h): its device has the arrays, and the
 * runner calls the submission.
 *
 * Hazards and a call's first launches go into the report as they happen, its other launches and its
 * totals when it is over (call_totals.h). A runner can only report that a call has come back.
 */

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/base/job.h"
#include "harness/sim/base/error.h"
#include "harness/sim/base/hazard.h"
#include "harness/sim/device/report_json.h"
#include "harness/sim/remote/call_totals.h"
#include "harness/sim/remote/server.h"
#include "harness/sim/remote/timeline_trace.h"

enum { MAX_PLACES_PER_KIND = 128 };   /* hazards at different places */
enum { MAX_LAUNCH_BYTES = 24 << 20 }; /* of launch reports with lines, in total */
static const size_t no_limit = SIZE_MAX >> 1;

/* A reported hazard and how often it has occurred since. */
struct reported {
  json_t *hazard;
  json_int_t again;
};

struct sim_job {
  struct job job;
  struct server server;
  bool fresh; /* the device was replaced: the runner learns of it with the next call */
  struct call_totals totals; /* of the call under way */
  size_t launch_bytes;       /* in all jobs so far */
  struct reported *reported; /* hazards of this job */
  int reported_count, reported_room, places_of_kind[HAZARD_KINDS + 1];
};

/* Hazards */

/* The entry that counts a hazard: that of its place, or, if its kind has too many places, the last
 * of its kind. NULL: it needs one. */
static struct reported *find_reported(struct sim_job *sim, const json_t *hazard) {
  int kind = hazard_json_kind(hazard);
  struct reported *last = NULL;
  for (int i = 0; i < sim->reported_count; i++) {
    struct reported *reported = &sim->reported[i];
    if (hazard_json_same(reported->hazard, hazard)) return reported;
    if (hazard_json_kind(reported->hazard) == kind) last = reported;
  }
  return sim->places_of_kind[kind] == MAX_PLACES_PER_KIND ? last : NULL;
}

/* Reports a hazard when it first occurs, and again when the call is over, with the number of
 * repetitions. So a report stays small, and no hazard displaces one of another kind. */
static void on_hazard(void *context, json_t *hazard) {
  struct sim_job *sim = context;
  if (sim->job.rerun) return;
  struct reported *reported = find_reported(sim, hazard);
  if (reported) {
    reported->again += json_integer_value(json_object_get(hazard, "count"));
    return;
  }
  sim->places_of_kind[hazard_json_kind(hazard)]++;
  if (!ARRAY_RESERVE(sim->reported, sim->reported_room, sim->reported_count + 1))
    kit_die("out of memory");
  sim->reported[sim->reported_count++] = (struct reported){json_incref(hazard), 0};
  job_send_json(&sim->job, FRAME_HAZARD, json_incref(hazard));
}

/* Reports how often hazards have occurred again. */
static void report_repeats(struct sim_job *sim) {
  for (int i = 0; i < sim->reported_count; i++) {
    struct reported *reported = &sim->reported[i];
    if (!reported->again) continue;
    json_t *hazard = json_deep_copy(reported->hazard);
    json_object_set_new(hazard, "count", json_integer(reported->again));
    reported->again = 0;
    job_send_json(&sim->job, FRAME_HAZARD, hazard);
  }
}

static void forget_reported(struct sim_job *sim) {
  for (int i = 0; i < sim->reported_count; i++) json_decref(sim->reported[i].hazard);
  sim->reported_count = 0;
  memset(sim->places_of_kind, 0, sizeof sim->places_of_kind);
}

/* Launches */

/* Lines and accesses are reported for the first call only. */
static bool reports_lines(const struct sim_job *sim) {
  return sim->job.set == 0 && sim->launch_bytes <= MAX_LAUNCH_BYTES;
}

static void report_launch(struct sim_job *sim, const struct launch_report *report) {
  struct launch_report own = *report;
  if (!reports_lines(sim)) {
    own.line_count = 0;
    own.accesses = NULL;
  }
  if (own.line_count > REPORTED_LINES) {
    own.lines = malloc((size_t)own.line_count * sizeof *own.lines);
    if (!own.lines) kit_die("out of memory");
    memcpy(own.lines, report->lines, (size_t)own.line_count * sizeof *own.lines);
    call_totals_limit_lines(own.lines, &own.line_count);
  }
  sim->launch_bytes += job_send_json(&sim->job, FRAME_LAUNCH, launch_to_json(&own));
  if (own.lines != report->lines) free(own.lines);
}

static void on_launch(void *context, const struct launch_report *report) {
  struct sim_job *sim = context;
  bool single;
  if (sim->job.rerun || !sim->server.ready) return; /* what ran before main was no call's */
  if (!call_totals_add(&sim->totals, report, &single)) kit_die("out of memory");
  if (single) report_launch(sim, report);
}

/* The launches that have not been reported one by one. */
static void report_groups(struct sim_job *sim) {
  for (int i = 0; i < sim->totals.group_count; i++)
    sim->launch_bytes += job_send_json(
        &sim->job, FRAME_LAUNCH, launch_group_to_json(&sim->totals.groups[i], !reports_lines(sim)));
}

/* The log of transfers, piece by piece. */
static bool keep_log(void *context, const void *bytes, size_t count) {
  enum { PIECE = 1 << 20 };
  const char *at = bytes;
  for (size_t done = 0, piece; done < count; done += piece) {
    piece = count - done < PIECE ? count - done : PIECE;
    job_send(context, FRAME_TRANSFERS, at + done, piece);
  }
  return true;
}

/* The runner */

static void send_used(struct sim_job *sim) {
  struct budget used = device_used(sim->server.device);
  job_send_json(&sim->job, FRAME_USED,
                json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)used.instructions, "bytes",
                          (json_int_t)used.bytes, "calls", (json_int_t)used.calls));
}

/* Serves the runner until it is ready or its call has returned. What else ends the conversation
 * ends this process. */
static void serve_until(struct sim_job *sim, enum server_end wanted) {
  const char *refused =
      "it sent to the device what no function of the CUDA runtime sends; a "
      "submission must not close, write or replace descriptors that it has not "
      "opened";
  enum server_end end = server_serve(&sim->server, wanted == SERVER_RETURNED);
  struct device_strike strike;
  if (device_fault_struck(sim->server.device, &strike))
    job_send_json(&sim->job, FRAME_FAILED,
                  json_pack("{s:i, s:b}", "line", strike.line, "launched", strike.launched));
  if (end != SERVER_READY) send_used(sim);
  if (end == wanted) return;
  if (end != SERVER_REFUSED && end != SERVER_SPENT) exit(0); /* the runner is gone */
  report_repeats(sim);
  if (end == SERVER_REFUSED) {
    report_groups(sim);
    if (sim->server.refused) refused = sim->server.refused;
    job_send_json(&sim->job, FRAME_BROKEN, json_pack("{s:s}", "message", refused));
  }
  exit(EXCHANGE_ENDED);
}

/* The parts of a job, see job.h */

static struct sim_job *of(struct job *job) { return job->context; }

static int read_frame(struct frame_header *header, void **payload, size_t limit) {
  return frame_read(EXCHANGE_JOB_FD, header, payload, limit);
}

static struct budget read_budget(const json_t *job, const char *name) {
  const json_t *numbers = json_object_get(json_object_get(job, "budget"), name);
  return (struct budget){.instructions = job_count(numbers, "instructions", no_limit),
                         .bytes = job_count(numbers, "bytes", no_limit),
                         .calls = job_count(numbers, "calls", no_limit)};
}

static enum device_fault read_fault(const json_t *options) {
  static const char *const names[] = {[FAULT_MALLOC] = "malloc",
                                      [FAULT_PINNED] = "pinned",
                                      [FAULT_COPY] = "copy",
                                      [FAULT_LAUNCH] = "launch"};
  const char *fail = json_string_value(json_object_get(options, "fail"));
  for (int i = FAULT_MALLOC; fail && i <= FAULT_LAUNCH; i++)
    if (strcmp(names[i], fail) == 0) return (enum device_fault)i;
  return FAULT_NONE;
}

/* Opens the process's first device. The budget is that of the first job for all. */
static void open_device(struct sim_job *sim) {
  char error[200];
  sim->server.options.budget = read_budget(sim->job.json, "limit");
  sim->server.options.used = read_budget(sim->job.json, "used");
  if (!server_open(&sim->server, error, sizeof error))
    kit_die("the simulated GPU could not be started: %s", error);
  serve_until(sim, SERVER_READY); /* it registers its kernels */
}

/* Each job has a device of its own: what one leaves behind, memory, errors or modules, is not there
 * for the next. */
static void begin(struct job *job) {
  struct sim_job *sim = of(job);
  struct server *server = &sim->server;
  const char *rerun = json_string_value(json_object_get(job->options, "rerun"));
  server->options.dry = rerun && strcmp(rerun, "dry") == 0;
  server->options.seed = job_count(job->json, "seed", no_limit);
  server->options.memory_limit = job_count(job->json, "memory_bytes", no_limit);
  server->log.key = job_count(job->options, "transfers", no_limit);
  server->log.on = server->options.origins = server->log.key != 0;
  server->options.fault = read_fault(job->options);
  server->options.fault_at = (int)job_count(job->options, "fail_at", INT_MAX);
  server->options.leaks = json_is_true(json_object_get(job->options, "leaks"));
  server->options.profile = json_is_true(json_object_get(job->options, "profile"));
  server->accesses = json_is_true(json_object_get(job->options, "accesses"));
  sim->fresh = server->device != NULL;
  if (!sim->fresh)
    open_device(sim);
  else if (!server_renew(server))
    kit_die("out of memory for a device");
  forget_reported(sim);
}

static struct job_result place(struct job *job, struct job_array *array, void **input) {
  struct device *device = of(job)->server.device;
  void *bytes = *input;
  *input = NULL;
  if (array->again) device_prefer(device, array->again);
  int error =
      bytes ? device_adopt(device, bytes, array->bytes, &array->address)
            : device_malloc(device, array->bytes, (struct source_place){NULL, 0}, &array->address);
  if (error) return (struct job_result){.error = error, .from = "cudaMalloc"};
  if (!bytes) error = device_fill(device, array->address, array->output ? 0xff : 0, array->bytes);
  device_name_array(device, array->address, array->name, array->rows, array->columns,
                    array->element_size, array->output ? DEVICE_OUTPUT : DEVICE_INPUT);
  return (struct job_result){.error = error, .from = "cudaMemset"};
}

/* The time between two events, as cudaEventElapsedTime has it: a float of milliseconds. */
static double elapsed(double start, double stop) {
  float milliseconds = (float)((stop - start) / 1e6);
  return milliseconds > 0 ? (double)milliseconds * 1e6 : 0;
}

/* What the call has done when, if somebody wants it. */
static void report_timeline(struct sim_job *sim) {
  char *text = timeline_trace_take(sim->server.trace);
  sim->server.trace = NULL;
  if (text) job_send(&sim->job, FRAME_TIMELINE, text, strlen(text));
  free(text);
}

static struct job_result call(struct job *job, json_t *call) {
  struct sim_job *sim = of(job);
  struct server *server = &sim->server;
  double start = device_time_ns(server->device);
  json_object_set_new(call, "fresh", json_boolean(sim->fresh));
  sim->fresh = false;
  char *text = json_dumps(call, JSON_COMPACT);
  if (!text) kit_die("out of memory for a call");
  transfer_log_call(&server->log);
  bool timed = (size_t)job->set < job_count(job->options, "times", INT_MAX);
  if (job->set == 0 && json_is_true(json_object_get(job->options, "timeline")))
    server->trace = timeline_trace_open_memory();
  device_call_begins(server->device, timed);
  server_call(server, text);
  free(text);
  serve_until(sim, SERVER_RETURNED);
  int error = server->returned_error;
  if (!error) error = device_synchronize(server->device);
  device_call_ends(server->device, !error);
  report_timeline(sim);
  if (error)
    return (struct job_result){
        .error = error, .from = server->returned_function, .returned = server->returned_itself};
  double time_ns = timed ? elapsed(start, device_time_ns(server->device)) : 0;
  return (struct job_result){.time_ns = time_ns, .from = ""};
}

static json_t *profile_to_json(const struct device_profile *profile) {
  return json_pack("{s:[f,f], s:[f,f]}", "kernels", profile->kernels.wall, profile->kernels.cpu,
                   "model", profile->model.wall, profile->model.cpu);
}

/* The log of the call has where its results came from. */
static void finish_call(struct job *job, json_t *status) {
  struct sim_job *sim = of(job);
  struct transfer_log *log = &sim->server.log;
  for (int i = 0, output = 0; i < job->array_count && !job->rerun; i++) {
    const struct job_array *array = &job->arrays[i];
    if (array->output)
      transfer_log_result(log, sim->server.device, output++, array->address, array->bytes);
  }
  if (!transfer_log_flush(log)) kit_die("the log of transfers cannot be kept");
  if (job->rerun) return;
  report_repeats(sim);
  report_groups(sim);
  json_object_set_new(status, "totals", call_totals_to_json(&sim->totals));
  json_object_set_new(status, "events_ns", json_real(device_events_ns(sim->server.device)));
  if (sim->server.options.profile) {
    struct device_profile profile = device_profile(sim->server.device);
    json_object_set_new(status, "profile", profile_to_json(&profile));
  }
  call_totals_reset(&sim->totals);
}

static int read_array(struct job *job, const struct job_array *array, void *to) {
  return device_read(of(job)->server.device, to, array->address, array->bytes);
}

static const void *view_array(struct job *job, const struct job_array *array) {
  return device_view(of(job)->server.device, array->address, array->bytes);
}

static void free_array(struct job *job, const struct job_array *array) {
  device_free(of(job)->server.device, array->address);
}

static const char *describe(struct job *job) {
  static char text[GPU_WORDS];
  struct device_info info;
  device_get_info(of(job)->server.device, &info);
  gpu_describe(&info, text, sizeof text);
  return text;
}

int job_run(void) {
  static const struct job_device device = {.read_frame = read_frame,
                                           .begin = begin,
                                           .place = place,
                                           .call = call,
                                           .finish_call = finish_call,
                                           .read = read_array,
                                           .view = view_array,
                                           .free = free_array,
                                           .error_name = error_name,
                                           .error_text = error_text,
                                           .describe = describe};
  struct sim_job sim = {
      .job = {.device = &device, .context = &sim, .report_fd = EXCHANGE_REPORT_FD},
      .server = {.socket = EXCHANGE_DEVICE_FD,
                 .options = device_options_from_environment(),
                 .job = true,
                 .log = {.flush = keep_log, .context = &sim.job},
                 .listener = {.context = &sim, .launched = on_launch, .hazard = on_hazard}}};
  exchange_wait();
  job_run_all(&sim.job);
  server_goodbye(&sim.server);
  server_close(&sim.server);
  forget_reported(&sim);
  free(sim.reported);
  return 0;
}
