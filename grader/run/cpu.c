/* cpu.c: runs a program that times a problem on the CPU, and keeps what it prints. */
#include "grader/run/cpu.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/sandbox/process.h"

static const double build_seconds = 120, machine_seconds = 20, time_seconds = 900;

/* What a program of the kit's prints. NULL with *why (the caller's) if it does not end well. */
static char *output_of(const char *const *argv, double seconds, char **why) {
  struct process_end end;
  char *text = process_output((struct process){.argv = argv, .wall_seconds = seconds}, &end);
  if (!end.start_error && !end.timed_out && !end.signal && end.exit_code == 0) return text;
  *why = end.start_error ? xprintf("%s: %s", argv[0], strerror(end.start_error))
         : end.timed_out ? xprintf("%s did not end within %.0f s", argv[0], seconds)
         : end.signal ? xprintf("%s was killed by signal %d (%s): remove it, and it is built anew",
                                argv[0], end.signal, strsignal(end.signal))
                      : xprintf("%s reports: %.*s", argv[0], (int)strcspn(text, "\n"), text);
  free(text);
  return NULL;
}

/* "AMD EPYC, 2 cores, gcc 12.2.0 -O3 -march=native, OpenBLAS 0.3.21"; NULL: it is not that. */
static char *machine_in_words(const char *text) {
  json_auto_t *json = json_loads(text, 0, NULL);
  const char *cpu = NULL, *compiler = NULL, *library = NULL;
  int cores = 0;
  if (json_unpack(json, "{s:s, s:i, s:s, s?s}", "cpu", &cpu, "cores", &cores, "compiler", &compiler,
                  "library", &library) != 0)
    json_unpack(json, "{s:s, s:i, s:s}", "cpu", &cpu, "cores", &cores, "compiler", &compiler);
  if (!cpu || !compiler) return NULL;
  char *words = xprintf("%s, %d core%s, %s%s%s", cpu, cores, cores == 1 ? "" : "s", compiler,
                        library ? ", " : "", library ? library : "");
  return words;
}

char *cpu_open(const struct kit *kit, const struct problem *problem, struct cpu *cpu) {
  autofree char *code = kit_path(kit, "harness/problems/%s/cpu.c", problem->name),
                *make = program_find("make"), *target = xprintf("build/cpu-%s", problem->name);
  char *why = NULL;
  *cpu = (struct cpu){0};
  if (access(code, R_OK) != 0)
    return xprintf("problem %s has no code for a CPU (harness/problems/%s/cpu.c)", problem->name,
                   problem->name);
  if (!make) return xstrdup("make is not installed (./setup installs it)");
  autofree char *built =
      output_of((const char *[]){make, "-s", "-C", kit->root, target, NULL}, build_seconds, &why);
  if (!built) return why;
  char *program = kit_path(kit, "%s", target);
  autofree char *machine =
      output_of((const char *[]){program, "--machine", NULL}, machine_seconds, &why);
  cpu->machine = machine ? machine_in_words(machine) : NULL;
  if (cpu->machine) {
    cpu->program = program;
    return NULL;
  }
  if (!why) why = xprintf("%s does not describe the machine", program);
  free(program);
  return why;
}

void cpu_close(struct cpu *cpu) {
  free_all(cpu->program, cpu->machine);
  *cpu = (struct cpu){0};
}

/* --- times --- */

static bool take_times(const char *text, struct cpu_times *times) {
  json_auto_t *json = json_loads(text, 0, NULL);
  const json_t *codes = json_object_get(json, "codes"), *code;
  size_t i;
  *times = (struct cpu_times){0};
  json_array_foreach (codes, i, code) {
    const char *id = json_string_value(json_object_get(code, "id")),
               *name = json_string_value(json_object_get(code, "name")),
               *left_out = json_string_value(json_object_get(code, "left_out"));
    const json_t *median = json_object_get(code, "median_ns"),
                 *deviation = json_object_get(code, "deviation_ns");
    if (!id || !name || (!left_out && !(json_number_value(median) > 0))) continue;
    *array_add(times->codes, times->count) = (struct cpu_time){
        .id = xstrdup(id),
        .name = xstrdup(name),
        .ns = json_is_number(median) ? json_number_value(median) : NAN,
        .deviation_ns = json_is_number(deviation) ? json_number_value(deviation) : NAN,
        .runs = (int)json_integer_value(json_object_get(code, "runs")),
        .left_out = left_out ? xstrdup(left_out) : NULL};
  }
  return times->count > 0;
}

/* By all that a measurement depends on. */
static char *cache_path(const struct kit *kit, const struct cpu *cpu, const struct problem *problem,
                        const long *dims) {
  uint64_t hash = hash_file(HASH_START, cpu->program);
  hash = hash_bytes(hash, cpu->machine, strlen(cpu->machine) + 1);
  hash = hash_bytes(hash, dims, (size_t)problem->dim_count * sizeof *dims);
  return kit_path(kit, "build/cache/cpu-%s-%016lx.json", problem->name, hash);
}

char *cpu_measure(const struct kit *kit, const struct cpu *cpu, const struct problem *problem,
                  const long *dims, struct cpu_times *times) {
  autofree char *path = cache_path(kit, cpu, problem, dims), *kept = file_read(path, NULL),
                *folder = kit_path(kit, "build/cache");
  if (kept && take_times(kept, times)) return NULL;
  const char *argv[1 + PROBLEM_MAX_DIMS + 1] = {cpu->program};
  char *words[PROBLEM_MAX_DIMS], *why = NULL;
  for (int i = 0; i < problem->dim_count; i++)
    argv[1 + i] = words[i] = xprintf("%s=%ld", problem->dims[i], dims[i]);
  autofree char *text = output_of(argv, time_seconds, &why);
  for (int i = 0; i < problem->dim_count; i++) free(words[i]);
  if (!text) return why;
  if (!take_times(text, times)) return xprintf("%s reports no times", cpu->program);
  mkdir(folder, 0777);
  file_try_write(path, text, strlen(text)); /* best effort */
  return NULL;
}

void cpu_times_free(struct cpu_times *times) {
  for (int i = 0; i < times->count; i++)
    free_all(times->codes[i].id, times->codes[i].name, times->codes[i].left_out);
  free(times->codes);
  *times = (struct cpu_times){0};
}
