/* run_command.c: ./grade run PROG.cu: compiles a program with a main of its own (harness/kcc), runs
 * it in the sandbox on the simulated GPU, and tells what the device has seen.
 *
 * The program's output is its own, and so is its exit status. The device is a process beside it,
 * outside the sandbox; its report (harness/sim/remote/program_report.h) is a file in our private
 * folder.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/output.h"
#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/commands/commands.h"
#include "grader/commands/run_request.h"
#include "grader/grading/grading.h"
#include "grader/lab/gpus.h"
#include "grader/run/locate.h"
#include "grader/sandbox/process.h"
#include "grader/show/program_found.h"
#include "grader/show/program_summary.h"
#include "grader/show/resources.h"
#include "grader/show/timeline_chart.h"
#include "grader/show/timeline_picture.h"

/* The path as seen from our folder, if it lies there. */
static const char *path_from_here(const char *path) {
  char here[4096];
  size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
  bool inside = length && strncmp(path, here, length) == 0 && path[length] == '/';
  return inside ? path + length + 1 : path;
}

/* A crash knows addresses of the program: the first that lies in one of its own files is its place.
 */
static void locate_crash(json_t *hazard, const char *program, const char *headers) {
  enum { MOST = 16 };
  uint64_t addresses[MOST];
  int count = 0;
  size_t i;
  json_t *address;
  json_array_foreach (json_object_get(hazard, "addresses"), i, address)
    if (count < MOST) addresses[count++] = (uint64_t)json_integer_value(address);
  autofree char *places = locate_addresses(program, addresses, count);
  for (char *at = places, *end; *at; at = end) {
    end = at + strcspn(at, "\n");
    if (*end) *end++ = '\0';
    char *colon = strrchr(at, ':');
    int line = colon ? atoi(colon + 1) : 0;
    if (line <= 0 || strncmp(at, headers, strlen(headers)) == 0 || strncmp(at, "/usr/", 5) == 0)
      continue;
    *colon = '\0';
    json_object_set_new(hazard, "file", json_string(path_from_here(at)));
    json_object_set_new(hazard, "line", json_integer(line));
    return;
  }
}

/* Its "first" launches have what a kernel takes; the GPU is the one that it ran on. */
static void find_resources(const json_t *report, struct resources *resources) {
  freed_by(program_found_free) struct program_found found;
  *resources = (struct resources){.count = 0};
  resources_read_gpu(&resources->gpu);
  program_found_read(report, &found);
  for (int i = 0; i < found.kernel_count; i++) {
    const json_t *launch = found.kernels[i].first;
    struct launch_record record;
    if (launch_record_from_json(launch, &record) == NULL && resources_is_kernel(&record)) {
      struct kernel_resources kernel = resources_of_launch(&resources->gpu, &record, NULL);
      kernel.kernel = found.kernels[i].name;
      *array_add(resources->items, resources->count) = kernel;
    }
    launch_record_free(&record);
  }
}

static void write_json(json_t *found, int status, const char *path) {
  json_object_del(found, "recorded");
  json_object_set_new(found, "exit_status", json_integer(status));
  autofree char *text = json_dumps(found, JSON_INDENT(1));
  autofree char *whole = xprintf("%s\n", text ? text : "");
  output_write("--json", path, whole, strlen(whole));
}

/* The trace that the device has written: drawn, and kept where that is asked for. */
static void show_timeline(const struct kit *kit, const struct screen *screen, const char *path,
                          const json_t *found, const struct run_request *request) {
  const char *kept = request->trace;
  json_error_t error;
  json_t *trace = json_load_file(path, 0, &error);
  struct spans spans;
  spans_read(trace, &spans);
  timeline_chart(screen, &spans, "modelled");
  struct chart_showing showing = {kit, request->plot, screen};
  autofree char *source = xprintf("%s, modelled time", program_text(found, "device"));
  timeline_picture(&spans, "Timeline", source, "timeline", chart_show, &showing);
  spans_free(&spans);
  autofree char *text = trace && kept ? json_dumps(trace, JSON_COMPACT) : NULL;
  if (text) output_write("--timeline", kept, text, strlen(text));
  json_decref(trace);
}

int run_program(const struct kit *kit, int argc, char **argv) {
  struct run_request request;
  run_request_parse(argc, argv, &request);
  if (request.gpu && strcmp(request.gpu, "list") == 0) return list_gpus(kit);
  if (request.gpu) gpus_select(kit, request.gpu);
  struct whole_program *program = &request.program;
  struct kept_output output = {0};
  program->accesses = request.html || request.picture;
  program->output = request.html ? &output : NULL;
  const char *work = grading_open(kit, request.unsafe);
  autofree char *path = xprintf("%s/program", work), *report = xprintf("%s/report.json", work),
                *timeline = xprintf("%s/timeline.json", work);
  if (request.timeline) program->timeline = timeline;
  int status = 1;
  struct process_end end = {0};
  json_t *found = NULL;
  bool compiled = whole_program_compile(kit, program, work, path);
  if (compiled) {
    whole_program_run(kit, program, work, path, report, &end);
    if (end.start_error) {
      grading_close();
      die("the program cannot be started: %s", strerror(end.start_error));
    }
    status = end.interrupted ? 128 + end.interrupted
             : end.signal    ? 128 + end.signal
                             : end.exit_code;
    json_error_t error;
    found = json_load_file(report, 0, &error);
    autofree char *headers = kit_path(kit, "harness/");
    size_t i;
    json_t *hazard;
    json_array_foreach (json_object_get(found, "hazards"), i, hazard)
      if (json_object_get(hazard, "addresses")) locate_crash(hazard, path, headers);
    if (end.interrupted)
      note(found ? "interrupted; this was found until then"
                 : "interrupted in a kernel that has not ended: nothing is known of it");
    else if (end.signal)
      note("The program did not come to its end: %s", signal_in_words(end.signal));
    struct screen screen;
    screen_open(&screen, stderr);
    int faults = program_summary(&screen, found,
                                 &(struct program_summary_options){.only_faults = request.sanitize,
                                                                   .lines = request.explain});
    if (request.resources && found) {
      freed_by(resources_free) struct resources resources;
      find_resources(found, &resources);
      resources_print(&screen, &resources, NULL);
      json_object_set_new(found, "resources", resources_to_json(&resources, NULL));
    }
    if (request.timeline) show_timeline(kit, &screen, timeline, found, &request);
    if (request.sanitize && faults && status == 0) status = 1;
  }
  if (request.html || request.picture) run_pages(kit, &request, argv + 1, compiled, &end, found);
  if (request.json && found) write_json(found, status, request.json);
  json_decref(found);
  kept_output_free(&output);
  text_free(&program->messages);
  grading_close();
  return status;
}
