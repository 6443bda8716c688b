/* job.c: see job.h. */
#include "harness/base/job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 1 << 28, MAX_ELEMENT = 64, MAX_JOB_BYTES = 1 << 20, MAX_SETS = 1000 };
static const size_t max_array_bytes = (size_t)16 << 30;

_Noreturn void kit_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("kit: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

void job_send(const struct job *job, enum frame_type type, const void *payload, size_t bytes) {
  if (frame_write(job->report_fd, type, job->token, payload, bytes) != 0)
    kit_die("the report cannot be written: %s", strerror(errno));
}

size_t job_send_json(const struct job *job, enum frame_type type, json_t *object) {
  char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (!text) kit_die("out of memory for the report");
  size_t bytes = strlen(text);
  job_send(job, type, text, bytes);
  free(text);
  json_decref(object);
  return bytes;
}

size_t job_count(const json_t *object, const char *key, size_t max) {
  const json_t *value = json_object_get(object, key);
  json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
  return number > 0 && (uint64_t)number <= max ? (size_t)number : 0;
}

static void read_array(const json_t *json, struct job_array *array) {
  const char *name = json_string_value(json_object_get(json, "name"));
  *array = (struct job_array){.output = json_is_true(json_object_get(json, "output")),
                              .rows = job_count(json, "rows", MAX_SIDE),
                              .columns = job_count(json, "columns", MAX_SIDE),
                              .element_size = job_count(json, "element_size", MAX_ELEMENT)};
  array->bytes = array->rows * array->columns * array->element_size;
  if (!name || strlen(name) >= sizeof array->name || array->bytes == 0 ||
      array->bytes > max_array_bytes)
    kit_die("the job has an array that is none");
  strcpy(array->name, name);
}

/* The next job's head; false: there are no more. */
static bool read_job(struct job *job) {
  struct frame_header header;
  void *payload;
  int got = job->device->read_frame(&header, &payload, MAX_JOB_BYTES);
  if (got == 0) return false;
  json_decref(job->json);
  job->json =
      got == 1 && header.type == FRAME_JOB ? json_loadb(payload, header.bytes, 0, NULL) : NULL;
  if (!job->json) kit_die("the job cannot be read: it is damaged");
  free(payload);
  job->token = header.token;
  job->options = json_object_get(job->json, "options");
  job->rerun = json_is_string(json_object_get(job->options, "rerun"));
  job->sets = (int)job_count(job->json, "sets", MAX_SETS);
  const json_t *arrays = json_object_get(job->json, "arrays"), *array;
  if (json_array_size(arrays) > JOB_MAX_ARRAYS) kit_die("the job has too many arrays");
  size_t i;
  json_array_foreach (arrays, i, array) read_array(array, &job->arrays[i]);
  job->array_count = (int)json_array_size(arrays);
  return true;
}

/* The job's next frame, an input; the caller's. */
static void *read_input(struct job *job, const struct job_array *array) {
  struct frame_header header;
  void *payload;
  int got = job->device->read_frame(&header, &payload, array->bytes);
  if (got != 1 || header.type != FRAME_ARRAY || header.bytes != array->bytes)
    kit_die("the job ends before %s, or there is no memory for it", array->name);
  return payload;
}

/* Of three calls the second finds its arrays where the first had them, with other contents: what
 * was kept for these addresses is wrong by now. The third finds them elsewhere: so are addresses
 * that were kept themselves. */
static bool is_in_same_place(const struct job *job) { return job->set == 1 && job->sets > 2; }

/* Returns the first error. */
static struct job_result place_arrays(struct job *job) {
  struct job_result result = {0};
  bool empty = json_is_true(json_object_get(job->options, "empty"));
  for (int i = 0; i < job->array_count; i++) {
    struct job_array *array = &job->arrays[i];
    void *input = array->output || empty ? NULL : read_input(job, array);
    array->again = is_in_same_place(job) ? array->address : 0;
    array->address = 0;
    if (!result.error) result = job->device->place(job, array, &input);
    free(input);
  }
  return result;
}

static struct job_result call(struct job *job) {
  json_t *addresses = json_object();
  for (int i = 0; i < job->array_count; i++)
    json_object_set_new(addresses, job->arrays[i].name,
                        json_integer((json_int_t)job->arrays[i].address));
  json_t *json =
      json_pack("{s:O?, s:O?, s:O?, s:o}", "problem", json_object_get(job->json, "problem"),
                "entry", json_object_get(job->json, "entry"), "dims",
                json_object_get(job->json, "dims"), "arrays", addresses);
  if (!json) kit_die("out of memory for a call");
  struct job_result result = job->device->call(job, json);
  json_decref(json);
  return result;
}

static json_t *status_to_json(const struct job *job, const struct job_result *result) {
  const char *name = job->device->error_name(result->error), *from = result->from;
  char message[300];
  snprintf(message, sizeof message, "%s%s%s", job->device->error_text(result->error),
           from && *from ? ", from " : "", from ? from : "");
  return json_pack("{s:i, s:s?, s:s?, s:s, s:f, s:b}", "set", job->set, "error",
                   result->error ? name : NULL, "from", from, "message", message, "time_ns",
                   result->time_ns, "returned", result->returned);
}

/* Reports the call and its outputs, with NaN bytes where there is nothing to read. */
static void report_call(struct job *job, struct job_result *result) {
  const struct job_device *device = job->device;
  void *outputs[JOB_MAX_ARRAYS] = {NULL}; /* what was read */
  const void *bytes[JOB_MAX_ARRAYS] = {NULL};
  for (int i = 0; i < job->array_count && !job->rerun; i++) {
    const struct job_array *array = &job->arrays[i];
    if (!array->output) continue;
    bytes[i] = device->view ? device->view(job, array) : NULL;
    if (bytes[i]) continue;
    bytes[i] = outputs[i] = malloc(array->bytes);
    if (!outputs[i]) kit_die("out of memory for %s", array->name);
    int error = device->read(job, array, outputs[i]);
    if (error) memset(outputs[i], 0xff, array->bytes);
    if (error && !result->error)
      *result = (struct job_result){
          error, "the harness: it cannot read the result back; was its array freed?",
          result->time_ns, false};
  }
  json_t *status = status_to_json(job, result);
  if (device->finish_call) device->finish_call(job, status);
  if (job->rerun)
    json_decref(status);
  else
    job_send_json(job, FRAME_STATUS, status);
  for (int i = 0; i < job->array_count; i++) {
    if (bytes[i]) job_send(job, FRAME_ARRAY, bytes[i], job->arrays[i].bytes);
    free(outputs[i]);
  }
}

/* False: the call failed. */
static bool run_set(struct job *job) {
  struct job_result result = place_arrays(job);
  if (!result.error) result = call(job);
  report_call(job, &result);
  for (int i = 0; i < job->array_count; i++)
    if (job->arrays[i].address) job->device->free(job, &job->arrays[i]);
  return result.error == 0;
}

static bool run_job(struct job *job) {
  const struct job_device *device = job->device;
  const json_t *timing = json_object_get(job->options, "timing");
  bool ok = true;
  if (device->begin) device->begin(job);
  if (timing && device->time) job_send_json(job, FRAME_TIMING, device->time(job, timing));
  for (job->set = 0; job->set < job->sets; job->set++) ok = run_set(job) && ok;
  job_send_json(job, FRAME_DONE, json_pack("{s:s}", "device", device->describe(job)));
  return ok;
}

void job_run_all(struct job *job) {
  if (!read_job(job)) kit_die("there is no job");
  while (run_job(job) && read_job(job)) {
  }
  json_decref(job->json);
}
