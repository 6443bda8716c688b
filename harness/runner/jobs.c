/* jobs.c: runs the grader's jobs on a device of this process's own: jobs in, reports out, as
 * exchange.h says. That is so on a GPU; the simulator's device has the jobs itself (calls.c). See
 * jobs.h. */
#include "harness/runner/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/exchange.h"
#include "harness/runner/call.h"
#include "harness/runner/leftovers.h"
#include "harness/runner/timing.h"

static uint64_t token; /* of the job: what makes a report ours */
static struct leftovers at_start;

/* The jobs, read before any code of the student's runs: its constructors find neither their
 * descriptor nor the report's in the place where exchange.h has it. */
struct frame {
  uint32_t type;
  size_t bytes;
  void *payload;
};
static struct {
  int report_fd;
  struct frame *frames; /* in order */
  int count, next;
} job_read = {.report_fd = -1};

static void read_jobs(int argc, char **argv, char **environment) {
  (void)environment;
  if (argc < 2 || strcmp(argv[1], "--job") != 0) return;
  const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
  int place = 100 + (random ? (random[9] | random[10] << 8) % 800 : 0);
  job_read.report_fd = fcntl(EXCHANGE_REPORT_FD, F_DUPFD_CLOEXEC, place);
  if (job_read.report_fd < 0) runner_die("the report cannot be written: %s", strerror(errno));
  close(EXCHANGE_REPORT_FD);
  struct frame_header header;
  void *payload;
  int got;
  while ((got = frame_read(EXCHANGE_JOB_FD, &header, &payload, SIZE_MAX / 4)) == 1) {
    size_t count = (size_t)job_read.count + 1;
    job_read.frames = realloc(job_read.frames, count * sizeof *job_read.frames);
    if (!job_read.frames) runner_die("out of memory for the job");
    job_read.frames[job_read.count++] = (struct frame){header.type, header.bytes, payload};
    token = header.token;
  }
  if (got < 0 || job_read.count == 0)
    runner_die("cannot read the job: it ends early or is damaged");
  close(EXCHANGE_JOB_FD);
  leftovers_begin(&at_start);
  memset(&header, 0, sizeof header);
}

/* Runs before every constructor, those of shared libraries, too. */
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = read_jobs;

static void send_frame(enum frame_type type, const void *payload, size_t bytes) {
  if (frame_write(job_read.report_fd, type, token, payload, bytes) != 0)
    runner_die("cannot write the report: %s", strerror(errno));
}

static void send_json(enum frame_type type, json_t *object) {
  char *text = json_dumps(object, JSON_COMPACT);
  if (!text) runner_die("out of memory for the report");
  send_frame(type, text, strlen(text));
  free(text);
}

static void send_event(void *context, const char *what, json_t *object) {
  (void)context;
  send_json(strcmp(what, "launch") == 0 ? FRAME_LAUNCH : FRAME_HAZARD, object);
}

/* The next frame, which must be of this type. Its payload is the caller's. */
static struct frame take_frame(enum frame_type type, const char *what) {
  if (job_read.next == job_read.count) runner_die("the job ends before %s", what);
  struct frame frame = job_read.frames[job_read.next++];
  if (frame.type != type) runner_die("the job has something else in the place of %s", what);
  return frame;
}

/* The job's next array, into `to`. */
static void take_array(void *to, size_t bytes, const char *name) {
  struct frame frame = take_frame(FRAME_ARRAY, name);
  if (frame.bytes != bytes) runner_die("the job's array %s has the wrong size", name);
  memcpy(to, frame.payload, bytes);
  free(frame.payload);
}

static void read_dims(json_t *job, long *dims) {
  for (int i = 0; i < kit_problem->dim_count; i++) {
    json_int_t value =
        json_integer_value(json_object_get(json_object_get(job, "dims"), kit_problem->dims[i]));
    if (value < 1 || value > INT_MAX)
      runner_die("the job has no valid dimension %s", kit_problem->dims[i]);
    dims[i] = (int)value;
  }
}

static void send_status(int set, const struct call_result *call) {
  json_t *status =
      json_pack("{s:i, s:s?, s:s?, s:s, s:f}", "set", set, "error",
                call->error ? cudaGetErrorName(call->error) : NULL, "from", call->error_from,
                "message", call_error_text(call), "time_ns", call->time_ns);
  if (!status) runner_die("out of memory for the report");
  send_json(FRAME_STATUS, status);
  json_decref(status);
}

/* Times the function beside the trusted ones that the runner has, and reports it. */
static void time_job(const json_t *timing, void *function, const long *dims) {
  static const char *const others[] = {"reference", "baseline"}; /* keys of the functions' names */
  struct timing_request request = {
      .dims = dims,
      .timed = {{"submission", function}},
      .count = 1,
      .seconds = json_number_value(json_object_get(timing, "seconds")),
      .rounds_most = (int)json_integer_value(json_object_get(timing, "rounds")),
      .seed = token,
      .at_start = &at_start,
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *entry = json_string_value(json_object_get(timing, others[i]));
    if (!entry) continue;
    void *other = entry_find(entry);
    if (!other) runner_die("this runner has no function %s", entry);
    if (i == 0) request.reference = request.count;
    request.timed[request.count].name = others[i];
    request.timed[request.count++].function = other;
  }
  if (request.reference == 0) runner_die("this runner has no reference to time beside");
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame);
  if (!result)
    result = json_pack("{s:s, s:s}", "error", error ? error : "out of memory", "blame",
                       blame < 0 ? "" : request.timed[blame].name);
  if (!result) runner_die("out of memory for the report");
  send_json(FRAME_TIMING, result);
  json_decref(result);
}

/* Runs the next job; false if one of its calls left an error: the device may then be of no use. */
static bool run_job(void) {
  json_error_t problem_in_json;
  struct frame frame = take_frame(FRAME_JOB, "a job");
  json_t *job = json_loads(frame.payload, 0, &problem_in_json);
  free(frame.payload);
  if (!job) runner_die("the job is not JSON: %s", problem_in_json.text);
  const char *name = json_string_value(json_object_get(job, "problem"));
  if (!name || strcmp(name, kit_problem->name) != 0)
    runner_die("this runner is for the problem %s", kit_problem->name);
  long dims[PROBLEM_MAX_DIMS];
  read_dims(job, dims);
  int sets = (int)json_integer_value(json_object_get(job, "sets"));
  const char *entry = json_string_value(json_object_get(job, "entry"));
  void *function = entry_find(entry);
  if (!function) runner_die("this runner has no function %s", entry);
  json_t *timing = json_incref(json_object_get(json_object_get(job, "options"), "timing"));
  json_decref(job);

  if (timing) {
    time_job(timing, function, dims);
    json_decref(timing);
    sets = 0;
  }
  backend_listen(send_event, NULL);
  void *host[PROBLEM_MAX_ARRAYS];
  bool good = true;
  host_arrays_alloc(host, dims);
  for (int set = 0; set < sets; set++) {
    for (int i = 0; i < kit_problem->input_count; i++) {
      size_t bytes = problem_bytes(kit_problem, i, dims);
      take_array(host[i], bytes, kit_problem->arrays[i].name);
    }
    struct call_result call = call_on_host(function, host, dims);
    good = good && !call.error;
    send_status(set, &call);
    for (int i = kit_problem->input_count; i < problem_array_count(kit_problem); i++)
      send_frame(FRAME_ARRAY, host[i], problem_bytes(kit_problem, i, dims));
  }
  host_arrays_free(host);
  json_t *done = json_pack("{s:s, s:s}", "backend", backend_name(), "device", backend_device());
  if (!done) runner_die("out of memory for the report");
  send_json(FRAME_DONE, done);
  json_decref(done);
  return good;
}

int jobs_run(void) {
  while (job_read.next < job_read.count && run_job()) {
  }
  return 0;
}
