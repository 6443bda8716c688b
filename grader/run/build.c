/* build.c: runs harness/compile; see build.h. */
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

enum { BUILD_SECONDS = 60, OUTPUT_LIMIT = 64 << 10 };

struct building {
  char *script, *folder, **environment;
  const char **argv;
  char *beside[2];
  int output_fd;
  struct process_under_way compiler;
};

struct building *build_start(const struct kit *kit, const struct build *build) {
  struct building *building = xcalloc(1, sizeof *building);
  building->script = kit_path(kit, "harness/compile");
  const char *fixed[] = {building->script, "--backend",   build->backend, "--lab",      build->lab,
                         "--source",       build->source, "--output",     build->runner};
  enum { FIXED = sizeof fixed / sizeof *fixed };
  size_t count = 0;
  const char **argv = xcalloc((size_t)(FIXED + 2 * build->variant_count + 5), sizeof *argv);
  for (; count < FIXED; count++) argv[count] = fixed[count];
  for (int i = 0; i < build->variant_count; i++) {
    argv[count++] = "--variant";
    argv[count++] = build->variants[i];
  }
  building->beside[0] = build->reference ? xprintf("reference=%s", build->reference) : NULL;
  building->beside[1] = build->baseline ? xprintf("baseline=%s", build->baseline) : NULL;
  for (int i = 0; i < 2; i++) {
    if (!building->beside[i]) continue;
    argv[count++] = "--beside";
    argv[count++] = building->beside[i];
  }
  building->argv = argv;
  building->folder = xstrdup(build->runner);
  char *slash = strrchr(building->folder, '/'); /* dies with our work folder */
  if (slash) *slash = '\0';
  building->environment = process_environment(slash ? building->folder : ".");
  building->output_fd = memory_file("compiler output");
  process_start(&(struct process){.argv = argv,
                                  .environment = building->environment,
                                  .output_fd = building->output_fd,
                                  .wall_seconds = BUILD_SECONDS,
                                  .file_bytes = (uint64_t)1 << 30},
                &building->compiler);
  return building;
}

static void free_building(struct building *building) {
  close(building->output_fd);
  process_free_environment(building->environment);
  free(building->folder);
  free(building->script);
  free(building->argv);
  for (int i = 0; i < 2; i++) free(building->beside[i]);
  free(building);
}

enum build_end build_finish(struct building *building, struct text *output) {
  struct process_end end;
  process_finish(&building->compiler, &end);
  char *buffer = xcalloc(OUTPUT_LIMIT, 1);
  ssize_t got = pread(building->output_fd, buffer, OUTPUT_LIMIT, 0);
  if (got > 0) text_append(output, buffer, (size_t)got);
  free(buffer);
  enum build_end result = BUILD_FAILED;
  if (end.start_error) {
    text_add(output, "%s: %s\n", building->script, strerror(end.start_error));
  } else if (end.timed_out) {
    text_add(output, "error: the compiler did not finish within %d s\n", BUILD_SECONDS);
    result = BUILD_REFUSED;
  } else if (end.signal) {
    text_add(output, "harness/compile was ended by signal %d\n", end.signal);
  } else if (end.exit_code <= 1) {
    result = end.exit_code == 0 ? BUILD_OK : BUILD_REFUSED;
  }
  free_building(building);
  return result;
}

void build_stop(struct building *building) {
  process_stop(&building->compiler);
  free_building(building);
}

enum build_end build_runner(const struct kit *kit, const struct build *build, struct text *output) {
  return build_finish(build_start(kit, build), output);
}

char *build_first_error(const char *output, int *line) {
  *line = 0;
  const char *error = strstr(output, "error: ");
  if (!error) {
    error = strstr(output, "undefined reference to ");
    if (!error) return xstrdup("the compiler refused it");
    return xprintf("%.*s", (int)strcspn(error, "\n"), error);
  }
  /* path:LINE:COLUMN: error: words */
  const char *start = error;
  while (start > output && start[-1] != '\n') start--;
  for (const char *at = start; at < error; at++) {
    char *end;
    if (*at != ':') continue;
    long number = strtol(at + 1, &end, 10);
    if (end > at + 1 && *end == ':' && number > 0 && number < 10000000) {
      *line = (int)number;
      break;
    }
  }
  error += strlen("error: ");
  return xprintf("%.*s", (int)strcspn(error, "\n"), error);
}
