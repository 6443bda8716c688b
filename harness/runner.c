/* runner.c: the program that runs a student's solution: build/sim/lab2.
 *
 *     build/sim/lab2 M=64 N=64 K=64    by hand: makes inputs, calls the student, tells
 *     build/sim/lab4 --entry transpose_padded       where a file has several functions
 *     build/sim/lab2 --job             for the grader: jobs in, reports out, as exchange.h says
 *
 * Exit status: 0, 1 if by hand the result is wrong or a call failed, 2 for a fault of the kit or of
 * the machine. The student's code runs in this process: nothing it does to it can hurt more than
 * its own grade.
 */
#include <argp.h>
#include <cuda_runtime_api.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "backend.h"
#include "exchange.h"
#include "leftovers.h"
#include "problem.h"
#include "runner_print.h"
#include "statistics.h"
#include "timing.h"

/* Our or the machine's fault, told as the grader expects it. The grader then looks at how the model
 * solution fares: the student's code, which shares this process, may have closed the report. */
static _Noreturn void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("kit: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

static size_t array_elements(const struct problem_array *array, const int *dims) {
  return (size_t)dims[array->rows] * (size_t)dims[array->columns];
}

static size_t array_bytes(const struct problem_array *array, const int *dims) {
  return array_elements(array, dims) * array->element_size;
}

/* Who returned the last error of run_set: an API function that the student called, or, in words,
 * the harness. */
static const char *error_from;

/* Device time of a call of the student's, of all that it did: kernels, copies, fills. 0 before
 * the first, or where it cannot be told. */
static double call_ns;
static uint64_t call_copied_in; /* bytes that it copied from the host to the device */

/* Calls the function between two events. Returns the first error that is left. */
static cudaError_t timed_call(void *function, void *const *device, const int *dims) {
  cudaEvent_t start = NULL, stop = NULL;
  float milliseconds = 0;
  bool timed = cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess &&
               cudaEventRecord(start, NULL) == cudaSuccess;
  call_copied_in = backend_copied_in();
  problem.call(function, device, dims);
  call_copied_in = backend_copied_in() - call_copied_in;
  cudaError_t error = cudaGetLastError();
  cudaError_t finished = cudaDeviceSynchronize();
  if (!error) error = finished;
  error_from = backend_failed_function();
  timed = timed && !error && cudaEventRecord(stop, NULL) == cudaSuccess &&
          cudaEventSynchronize(stop) == cudaSuccess &&
          cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess;
  call_ns = timed ? (double)milliseconds * 1e6 : 0;
  if (start) cudaEventDestroy(start);
  if (stop) cudaEventDestroy(stop);
  leftovers_reset();
  return error;
}

/* One call of a function of the student's on host arrays, each as large as its shape says: inputs
 * are read, outputs written (with NaN bytes where nothing came back). Returns the first error, of
 * the kit's own calls or of the student's. */
static cudaError_t run_set(void *function, void *const *host, const int *dims) {
  void *device[PROBLEM_MAX_ARRAYS] = {NULL};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < problem.array_count && !error; i++) {
    const struct problem_array *array = &problem.arrays[i];
    size_t bytes = array_bytes(array, dims);
    error = cudaMalloc(&device[i], bytes);
    if (error) break;
    if (array->role == BACKEND_INPUT)
      error = cudaMemcpy(device[i], host[i], bytes, cudaMemcpyHostToDevice);
    else
      error = cudaMemset(device[i], 0xff, bytes);
    backend_name_array(device[i], array->name, (size_t)dims[array->rows],
                       (size_t)dims[array->columns], array->element_size, array->role);
  }
  error_from = backend_failed_function();
  if (!error) error = timed_call(function, device, dims);
  for (int i = 0; i < problem.array_count; i++) {
    const struct problem_array *array = &problem.arrays[i];
    if (array->role != BACKEND_OUTPUT) continue;
    cudaError_t copied = cudaErrorUnknown;
    if (device[i])
      copied = cudaMemcpy(host[i], device[i], array_bytes(array, dims), cudaMemcpyDeviceToHost);
    if (copied) memset(host[i], 0xff, array_bytes(array, dims));
    if (copied && !error) {
      error = copied;
      error_from = "the harness: it cannot read the result back; was its array freed?";
    }
  }
  for (int i = 0; i < problem.array_count; i++)
    if (device[i]) cudaFree(device[i]);
  (void)cudaGetLastError();
  return error;
}

static void alloc_arrays(void **host, const int *dims) {
  for (int i = 0; i < problem.array_count; i++) {
    host[i] = malloc(array_bytes(&problem.arrays[i], dims));
    if (!host[i]) die("out of memory for %s", problem.arrays[i].name);
  }
}

/* The student's function of that name, the first if name is NULL; NULL if there is none. */
static void *find_entry(const char *name) {
  if (!name) return kit_entries[0];
  for (int i = 0; kit_entry_names[i]; i++)
    if (strcmp(kit_entry_names[i], name) == 0) return kit_entries[i];
  return NULL;
}

static void free_arrays(void **host) {
  for (int i = 0; i < problem.array_count; i++) free(host[i]);
}

/* For the grader */

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
  if (job_read.report_fd < 0) die("the report cannot be written: %s", strerror(errno));
  close(EXCHANGE_REPORT_FD);
  struct frame_header header;
  void *payload;
  int got;
  while ((got = frame_read(EXCHANGE_JOB_FD, &header, &payload, SIZE_MAX / 4)) == 1) {
    size_t count = (size_t)job_read.count + 1;
    job_read.frames = realloc(job_read.frames, count * sizeof *job_read.frames);
    if (!job_read.frames) die("out of memory for the job");
    job_read.frames[job_read.count++] = (struct frame){header.type, header.bytes, payload};
    token = header.token;
  }
  if (got < 0 || job_read.count == 0) die("cannot read the job: it ends early or is damaged");
  close(EXCHANGE_JOB_FD);
  leftovers_begin(&at_start);
  memset(&header, 0, sizeof header);
}

/* Runs before every constructor, those of shared libraries, too. */
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = read_jobs;

static void send_frame(enum frame_type type, const void *payload, size_t bytes) {
  if (frame_write(job_read.report_fd, type, token, payload, bytes) != 0)
    die("cannot write the report: %s", strerror(errno));
}

static void send_json(enum frame_type type, json_t *object) {
  char *text = json_dumps(object, JSON_COMPACT);
  if (!text) die("out of memory for the report");
  send_frame(type, text, strlen(text));
  free(text);
}

static void send_event(void *context, const char *what, json_t *object) {
  (void)context;
  send_json(strcmp(what, "launch") == 0 ? FRAME_LAUNCH : FRAME_HAZARD, object);
}

/* The next frame, which must be of this type. Its payload is the caller's. */
static struct frame take_frame(enum frame_type type, const char *what) {
  if (job_read.next == job_read.count) die("the job ends before %s", what);
  struct frame frame = job_read.frames[job_read.next++];
  if (frame.type != type) die("the job has something else in the place of %s", what);
  return frame;
}

/* The job's next array, into `to`. */
static void take_array(void *to, size_t bytes, const char *name) {
  struct frame frame = take_frame(FRAME_ARRAY, name);
  if (frame.bytes != bytes) die("the job's array %s has the wrong size", name);
  memcpy(to, frame.payload, bytes);
  free(frame.payload);
}

static void read_dims(json_t *job, int *dims) {
  for (int i = 0; i < problem.dim_count; i++) {
    json_int_t value =
        json_integer_value(json_object_get(json_object_get(job, "dims"), problem.dims[i]));
    if (value < 1 || value > INT_MAX) die("the job has no valid dimension %s", problem.dims[i]);
    dims[i] = (int)value;
  }
}

/* "invalid argument, from cudaMemcpy" */
static const char *error_text(cudaError_t error) {
  static char text[200];
  snprintf(text, sizeof text, "%s%s%s", cudaGetErrorString(error), error_from ? ", from " : "",
           error_from ? error_from : "");
  return text;
}

static void send_status(int set, cudaError_t error) {
  json_t *status = json_pack("{s:i, s:s?, s:s, s:f, s:I}", "set", set, "error",
                             error ? cudaGetErrorName(error) : NULL, "message", error_text(error),
                             "time_ns", call_ns, "copied_in_bytes", (json_int_t)call_copied_in);
  if (!status) die("out of memory for the report");
  send_json(FRAME_STATUS, status);
  json_decref(status);
}

/* Times the function beside the trusted ones that the runner has, and reports it. */
static void time_job(const json_t *timing, void *function, const int *dims) {
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
    void *other = find_entry(entry);
    if (!other) die("this runner has no function %s", entry);
    if (i == 0) request.reference = request.count;
    request.timed[request.count].name = others[i];
    request.timed[request.count++].function = other;
  }
  if (request.reference == 0) die("this runner has no reference to time beside");
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame);
  if (!result)
    result = json_pack("{s:s, s:s}", "error", error ? error : "out of memory", "blame",
                       blame < 0 ? "" : request.timed[blame].name);
  if (!result) die("out of memory for the report");
  send_json(FRAME_TIMING, result);
  json_decref(result);
}

/* Runs the next job; false if one of its calls left an error: the device may then be of no use. */
static bool run_job(void) {
  json_error_t problem_in_json;
  struct frame frame = take_frame(FRAME_JOB, "a job");
  json_t *job = json_loads(frame.payload, 0, &problem_in_json);
  free(frame.payload);
  if (!job) die("the job is not JSON: %s", problem_in_json.text);
  const char *name = json_string_value(json_object_get(job, "problem"));
  if (!name || strcmp(name, problem.name) != 0)
    die("this runner is for the problem %s", problem.name);
  int dims[PROBLEM_MAX_DIMS];
  read_dims(job, dims);
  int sets = (int)json_integer_value(json_object_get(job, "sets"));
  const char *entry = json_string_value(json_object_get(job, "entry"));
  void *function = find_entry(entry);
  if (!function) die("this runner has no function %s", entry);
  backend_record_accesses(
      json_is_true(json_object_get(json_object_get(job, "options"), "accesses")));
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
  alloc_arrays(host, dims);
  for (int set = 0; set < sets; set++) {
    for (int i = 0; i < problem.array_count; i++) {
      if (problem.arrays[i].role != BACKEND_INPUT) continue;
      size_t bytes = array_bytes(&problem.arrays[i], dims);
      take_array(host[i], bytes, problem.arrays[i].name);
    }
    cudaError_t error = run_set(function, host, dims);
    good = good && !error;
    send_status(set, error);
    for (int i = 0; i < problem.array_count; i++)
      if (problem.arrays[i].role == BACKEND_OUTPUT)
        send_frame(FRAME_ARRAY, host[i], array_bytes(&problem.arrays[i], dims));
  }
  free_arrays(host);
  json_t *done = json_pack("{s:s, s:s}", "backend", backend_name(), "device", backend_device());
  if (!done) die("out of memory for the report");
  send_json(FRAME_DONE, done);
  json_decref(done);
  return good;
}

static int run_jobs(void) {
  while (job_read.next < job_read.count && run_job()) {
  }
  return 0;
}

/* By hand */

struct options {
  bool job;
  void *function; /* of the student's */
  int dims[PROBLEM_MAX_DIMS];
  unsigned long seed;
  int rounds; /* of timing; 0: none */
};

static void print_event(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "launch") == 0)
    print_launch(object);
  else
    print_hazard(object);
}

/* Inputs in [-1, 1), the same for the same seed: splitmix64. */
static void fill_input(float *values, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    values[i] = (float)(z >> 40) / (float)(1 << 23) - 1.0f;
  }
}

static int check_result(void *const *host, const int *dims) {
  enum { MOST_WORK = 300000000 };
  if (problem.work(dims) > MOST_WORK) {
    puts("result: not checked, too large for the plain check (./grade checks any size)");
    return 0;
  }
  size_t at;
  double error = problem.check(host, dims, &at);
  if (error <= 1) {
    puts("result: right");
    return 0;
  }
  for (int i = 0; i < problem.array_count; i++) {
    const struct problem_array *array = &problem.arrays[i];
    if (array->role != BACKEND_OUTPUT) continue;
    size_t columns = (size_t)dims[array->columns];
    printf("result: WRONG, worst at %s[%zu][%zu] (row, column), which is %g\n", array->name,
           at / columns, at % columns, (double)((float *)host[i])[at]);
    break;
  }
  return 1;
}

/* Times the function and prints a table of one row. */
static int time_by_hand(const struct options *options) {
  struct timing_request request = {.dims = options->dims,
                                   .timed = {{"submission", options->function}},
                                   .count = 1,
                                   .rounds_most = options->rounds,
                                   .seed = options->seed};
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame), *value;
  if (!result) {
    printf("result: %s\n", error);
    return 1;
  }
  json_t *events = json_object_get(json_array_get(json_object_get(result, "timed"), 0), "event_ns");
  double *ns = calloc(json_array_size(events) + 1, sizeof *ns), sum = 0, squares = 0;
  size_t i, count = json_array_size(events);
  if (!ns) die("out of memory for the times");
  json_array_foreach (events, i, value) sum += ns[i] = json_number_value(value);
  for (i = 0; i < count; i++)
    squares += (ns[i] - sum / (double)count) * (ns[i] - sum / (double)count);
  struct interval median = median_interval(ns, (int)count);
  puts("median_ns\tdeviation_ns\tlow_ns\thigh_ns\trounds\tcalls_a_round\tdevice");
  printf("%.0f\t%.0f\t%.0f\t%.0f\t%zu\t%d\t%s\n", median.median,
         count > 1 ? sqrt(squares / (double)(count - 1)) : 0, median.low, median.high, count,
         (int)json_integer_value(json_object_get(result, "batch")), backend_device());
  free(ns);
  json_decref(result);
  return 0;
}

static int run_by_hand(const struct options *options) {
  const int *dims = options->dims;
  void *host[PROBLEM_MAX_ARRAYS];
  alloc_arrays(host, dims);
  uint64_t state = options->seed;
  for (int i = 0; i < problem.array_count; i++)
    if (problem.arrays[i].role == BACKEND_INPUT)
      fill_input(host[i], array_elements(&problem.arrays[i], dims), &state);
  printf("%s on %s:", problem.name, backend_device());
  for (int i = 0; i < problem.dim_count; i++) printf(" %s=%d", problem.dims[i], dims[i]);
  putchar('\n');
  fflush(stdout);
  backend_listen(print_event, NULL);
  cudaError_t error = run_set(options->function, host, dims);
  int status = 1;
  if (error)
    printf("result: %s (%s)\n", cudaGetErrorName(error), error_text(error));
  else
    status = check_result(host, dims);
  free_arrays(host);
  return status;
}

/* NAME=VALUE, a dimension of the problem. */
static void parse_dim(const char *text, struct argp_state *state, struct options *options) {
  const char *equals = strchr(text, '=');
  for (int i = 0; equals && i < problem.dim_count; i++) {
    size_t length = strlen(problem.dims[i]);
    if ((size_t)(equals - text) != length || strncmp(text, problem.dims[i], length) != 0) continue;
    char *end;
    errno = 0;
    long value = strtol(equals + 1, &end, 10);
    if (errno || end == equals + 1 || *end || value < 1 || value > 65536)
      argp_error(state, "%s: a dimension is a whole number from 1 to 65536", text);
    options->dims[i] = (int)value;
    return;
  }
  char known[128] = "";
  for (int i = 0; i < problem.dim_count; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), " %s=..", problem.dims[i]);
  argp_error(state, "%s: not an argument; the dimensions are%s", text, known);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  char *end;
  switch (key) {
    case 'j':
      options->job = true;
      return 0;
    case 'e':
      options->function = find_entry(argument);
      if (!options->function)
        argp_error(state, "--entry=%s: the file has no such function", argument);
      return 0;
    case 't':
      options->rounds = argument ? atoi(argument) : 20;
      if (options->rounds < 1 || options->rounds > 10000)
        argp_error(state, "--time=%s: not a number of rounds", argument);
      return 0;
    case 's':
      options->seed = strtoul(argument, &end, 10);
      if (end == argument || *end) argp_error(state, "--seed=%s: not a number", argument);
      return 0;
    case ARGP_KEY_ARG:
      parse_dim(argument, state, options);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv) {
  static const struct argp_option list[] = {
      {"job", 'j', NULL, 0, "Run jobs of the grader (descriptors 3 and 4)", 0},
      {"entry", 'e', "NAME", 0, "Call this function of the file (default: the lab's first)", 0},
      {"time", 't', "ROUNDS", OPTION_ARG_OPTIONAL,
       "Time it so many rounds (default 20) and print a table; results are not checked", 0},
      {"seed", 's', "N", 0, "Other inputs for another N (default 1)", 0},
      {0},
  };
  static const struct argp parser = {
      .options = list,
      .parser = parse_option,
      .args_doc = "[DIMENSION=N...]",
      .doc =
          "Runs one solution by hand: makes inputs, calls it once, prints every launch with its "
          "counters, what the checks found, and whether the result is right.\v"
          "Example: M=100 N=64 K=17 (what is left out is 64).\n"
          "To grade, use ./grade.",
  };
  struct options options = {.seed = 1, .function = kit_entries[0]};
  for (int i = 0; i < PROBLEM_MAX_DIMS; i++) options.dims[i] = 64;
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  int status = options.job      ? run_jobs()
               : options.rounds ? time_by_hand(&options)
                                : run_by_hand(&options);
  fflush(stdout);
  if (options.job) _exit(status); /* the report is complete: nothing of the submission's runs now */
  return status;
}
