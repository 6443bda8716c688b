/* runner_print.c: see runner_print.h. */
#include "harness/runner/runner_print.h"

#include <stdio.h>
#include <string.h>

static const char *text(json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value ? value : "";
}

static double number(json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static void print_extent(const char *name, json_t *extent) {
  printf("%s ", name);
  for (size_t i = 0; i < json_array_size(extent); i++)
    printf("%s%lld", i ? "x" : "", (long long)json_integer_value(json_array_get(extent, i)));
}

/* "  name   count   per  note": nothing if nothing was counted. */
static void print_row(const char *name, double count, const char *unit, double per,
                      const char *note) {
  if (count <= 0) return;
  printf("  %-24s %14.0f %-13s", name, count, unit);
  if (note) printf(" %8.2f %s", per, note);
  putchar('\n');
}

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

void print_launch(json_t *launch) {
  json_t *counters = json_object_get(launch, "counters");
  printf("\nlaunch %s<<<>>> at line %.0f: ", text(launch, "kernel"), number(launch, "line"));
  print_extent("grid", json_object_get(launch, "grid"));
  print_extent(", block", json_object_get(launch, "block"));
  printf(", %.0f bytes shared, %.0f registers\n", number(launch, "shared_bytes"),
         number(launch, "registers"));
  printf("  time %.2f us (%s), bound by %s\n", number(launch, "time_ns") / 1000,
         text(launch, "time_kind"), text(launch, "bound"));

  double instructions = number(counters, "inst_executed");
  double loads = number(counters, "global_load_requests"),
         stores = number(counters, "global_store_requests");
  double shared_loads = number(counters, "shared_load_inst"),
         shared_stores = number(counters, "shared_store_inst");
  print_row("warp instructions", instructions, "",
            ratio(number(counters, "thread_inst_executed"), instructions), "active lanes of 32");
  print_row("branches", number(counters, "branches"), "", number(counters, "divergent_branches"),
            "divergent");
  print_row("barriers", number(counters, "barriers"), "", 0, NULL);
  print_row("global loads", loads, "requests",
            ratio(number(counters, "global_load_sectors"), loads), "sectors a request");
  print_row("global stores", stores, "requests",
            ratio(number(counters, "global_store_sectors"), stores), "sectors a request");
  print_row("global atomics", number(counters, "global_atomic_requests"), "requests", 0, NULL);
  print_row("shared loads", shared_loads, "instructions",
            ratio(number(counters, "shared_load_wavefronts"), shared_loads),
            "wavefronts an instruction");
  print_row("shared stores", shared_stores, "instructions",
            ratio(number(counters, "shared_store_wavefronts"), shared_stores),
            "wavefronts an instruction");
  print_row("local loads", number(counters, "local_load_inst"), "instructions", 0, NULL);
  print_row("local stores", number(counters, "local_store_inst"), "instructions", 0, NULL);
  fflush(stdout);
}

void print_hazard(json_t *hazard) {
  printf("  %s: %s", json_is_true(json_object_get(hazard, "warning")) ? "warning" : "HAZARD",
         text(hazard, "kind"));
  if (number(hazard, "line") > 0) printf(", line %.0f", number(hazard, "line"));
  if (number(hazard, "other_line") > 0) printf(" and line %.0f", number(hazard, "other_line"));
  if (number(hazard, "count") > 1)
    printf(", %s%.0f times", json_is_true(json_object_get(hazard, "more")) ? "at least " : "",
           number(hazard, "count"));
  printf("\n    %s\n", text(hazard, "message"));
  fflush(stdout);
}
