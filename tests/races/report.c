/* report.c: linked with a CUDA program, writes what the simulator finds in it to the file that
 * KIT_RACES_REPORT names: a line a hazard, its fields separated by tabs:
 *
 *     kind   error or warning   line   other line   array   kernel   count   message
 *
 * The last line is `end` if the program has returned or called exit(): without it the process was
 * killed. Without KIT_RACES_REPORT the program runs as it would without this file.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/listen.h"
#include <cuda_runtime_api.h>

static FILE *report;

static const char *text_of(const json_t *hazard, const char *key, char *text, size_t size) {
  const char *value = json_string_value(json_object_get(hazard, key));
  snprintf(text, size, "%s", value ? value : "");
  for (char *c = text; *c; c++)
    if (*c == '\t' || *c == '\n') *c = ' ';
  return text;
}

static long long number_of(const json_t *hazard, const char *key) {
  return (long long)json_integer_value(json_object_get(hazard, key));
}

static void heard(void *context, const char *what, json_t *object) {
  (void)context;
  if (strcmp(what, "hazard") != 0) return;
  char kind[64], array[256], kernel[256], message[2048];
  fprintf(report, "%s\t%s\t%lld\t%lld\t%s\t%s\t%lld\t%s\n",
          text_of(object, "kind", kind, sizeof kind),
          json_is_true(json_object_get(object, "warning")) ? "warning" : "error",
          number_of(object, "line"), number_of(object, "other_line"),
          text_of(object, "array", array, sizeof array),
          text_of(object, "kernel", kernel, sizeof kernel), number_of(object, "count"),
          text_of(object, "message", message, sizeof message));
  fflush(report);
}

/* A program may end without waiting for its kernels. */
static void finish(void) {
  cudaDeviceSynchronize();
  fputs("end\n", report);
  fclose(report);
}

__attribute__((constructor)) static void listen(void) {
  const char *path = getenv("KIT_RACES_REPORT");
  if (!path) return;
  report = fopen(path, "w");
  if (!report) {
    perror(path);
    exit(2);
  }
  sim_listen(heard, NULL);
  atexit(finish);
}
