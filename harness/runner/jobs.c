/* jobs.c: runs the grader's jobs (harness/base/job.h) with the CUDA runtime's device. So it is on a
 * GPU; the simulator's device runs the jobs itself and asks for calls (calls.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/job.h"
#include "harness/runner/calls.h"
#include "harness/runner/leftovers.h"
#include "harness/runner/timing.h"

static struct job own = {.report_fd = -1};
static struct leftovers at_start;

/* The jobs are read before any code of the student's runs, so its constructors find neither them
 * nor the report at the descriptors of exchange.h. */
static struct {
  struct frame {
    struct frame_header header;
    void *payload;
  } * frames; /* in order */
  int count, next;
} job_read;

static void read_jobs(int argc, char **argv, char **environment) {
  (void)environment;
  if (argc < 2 || strcmp(argv[1], "--job") != 0) return;
  const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
  int place = 100 + (random ? (random[9] | random[10] << 8) % 800 : 0), got;
  own.report_fd = fcntl(EXCHANGE_REPORT_FD, F_DUPFD_CLOEXEC, place);
  if (own.report_fd < 0) kit_die("the report cannot be written: %s", strerror(errno));
  close(EXCHANGE_REPORT_FD);
  struct frame frame;
  exchange_wait();
  while ((got = frame_read(EXCHANGE_JOB_FD, &frame.header, &frame.payload, SIZE_MAX / 4)) == 1) {
    size_t count = (size_t)job_read.count + 1;
    job_read.frames = realloc(job_read.frames, count * sizeof *job_read.frames);
    if (!job_read.frames) kit_die("out of memory for the job");
    job_read.frames[job_read.count++] = frame;
  }
  if (got < 0) kit_die("cannot read the job: it ends early or is damaged");
  close(EXCHANGE_JOB_FD);
  leftovers_begin(&at_start);
  memset(&frame, 0, sizeof frame);
}

/* Runs before every constructor, those of shared libraries, too. */
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = read_jobs;

/* --- the parts of a job, see job.h --- */

static int next_frame(struct frame_header *header, void **payload, size_t limit) {
  if (job_read.next == job_read.count) return 0;
  const struct frame *frame = &job_read.frames[job_read.next++];
  *header = frame->header;
  *payload = frame->payload;
  return header->bytes <= limit ? 1 : -1;
}

static void *pointer_to(const struct job_array *array) { return (void *)(uintptr_t)array->address; }

static struct job_result place(struct job *job, struct job_array *array, void **input) {
  (void)job;
  void *pointer = NULL;
  cudaError_t error = cudaMalloc(&pointer, array->bytes);
  array->address = (uintptr_t)pointer;
  if (!error)
    error = *input ? cudaMemcpy(pointer, *input, array->bytes, cudaMemcpyHostToDevice)
                   : cudaMemset(pointer, 0xff, array->bytes);
  return (struct job_result){.error = error};
}

/* Reports what a call does when. It is the second such call: in the first CUDA loads the kernels.
 */
static void report_timeline(struct job *job, const struct call *call) {
  bool returned;
  if (call_make(call, &returned) != cudaSuccess) return;
  backend_timeline_begin();
  call_make(call, &returned);
  json_t *trace = backend_timeline_end();
  if (trace) job_send_json(job, FRAME_TIMELINE, trace);
}

/* Makes the call between two events, when the inputs have arrived: a stream that does not wait for
 * the default one would start before. */
static struct job_result make_call(struct job *job, json_t *json) {
  struct call call;
  cudaEvent_t start = NULL, stop = NULL;
  float milliseconds = 0;
  call_read(json, &call);
  cudaDeviceSynchronize();
  if (job->set == 0 && json_is_true(json_object_get(job->options, "timeline")))
    report_timeline(job, &call);
  bool timed = cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess &&
               cudaEventRecord(start, NULL) == cudaSuccess;
  bool returned;
  cudaError_t error = call_make(&call, &returned);
  timed = timed && !error && cudaEventRecord(stop, NULL) == cudaSuccess &&
          cudaEventSynchronize(stop) == cudaSuccess &&
          cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess;
  if (start) cudaEventDestroy(start);
  if (stop) cudaEventDestroy(stop);
  leftovers_reset();
  return (struct job_result){
      .error = error, .returned = returned, .time_ns = timed ? (double)milliseconds * 1e6 : 0};
}

static int read_array(struct job *job, const struct job_array *array, void *to) {
  (void)job;
  return cudaMemcpy(to, pointer_to(array), array->bytes, cudaMemcpyDeviceToHost);
}

static void free_array(struct job *job, const struct job_array *array) {
  (void)job;
  cudaFree(pointer_to(array));
  (void)cudaGetLastError();
}

/* Times the function beside the trusted ones that the job names. */
static json_t *time_call(struct job *job, const json_t *timing) {
  static const char *const others[] = {"reference", "baseline"}; /* keys of the functions' names */
  struct call call;
  call_read(job->json, &call);
  struct timing_request request = {
      .problem = call.entry->problem,
      .dims = call.dims,
      .timed = {{"submission", call.entry->function}},
      .count = 1,
      .seconds = json_number_value(json_object_get(timing, "seconds")),
      .max_rounds = (int)json_integer_value(json_object_get(timing, "rounds")),
      .seed = job->token,
      .at_start = &at_start,
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *entry = json_string_value(json_object_get(timing, others[i]));
    if (!entry) continue;
    const struct kit_entry *other = entry_find(entry);
    if (!other) kit_die("this runner has no function %s", entry);
    if (i == 0) request.reference = request.count;
    request.timed[request.count].name = others[i];
    request.timed[request.count++].function = other->function;
  }
  const char *error;
  int blame;
  json_t *result = timing_run(&request, &error, &blame);
  return result ? result
                : json_pack("{s:s, s:s}", "error", error ? error : "out of memory", "blame",
                            blame < 0 ? "" : request.timed[blame].name);
}

static const char *describe(struct job *job) { return (void)job, backend_device(); }
static const char *name_of(int error) { return cudaGetErrorName((cudaError_t)error); }
static const char *text_of(int error) { return cudaGetErrorString((cudaError_t)error); }

int jobs_run(void) {
  static const struct job_device device = {.read_frame = next_frame,
                                           .place = place,
                                           .call = make_call,
                                           .read = read_array,
                                           .free = free_array,
                                           .time = time_call,
                                           .error_name = name_of,
                                           .error_text = text_of,
                                           .describe = describe};
  own.device = &device;
  job_run_all(&own);
  return 0;
}
