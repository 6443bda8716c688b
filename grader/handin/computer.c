/* computer.c: see computer.h. */
#include "grader/handin/computer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

/* What follows `key` in the first line of the file that begins with it, without quotes; or `other`.
 * The caller's. */
static char *value_in(const char *path, const char *key, const char *other) {
  autofree char *text = file_read(path, NULL);
  for (const char *line = text; line && *line;) {
    size_t length = strcspn(line, "\n");
    if (strncmp(line, key, strlen(key)) == 0) {
      const char *value = line + strlen(key);
      value += strspn(value, " \t:=\"");
      size_t rest = (size_t)(line + length - value);
      while (rest && value[rest - 1] == '"') rest--;
      return xprintf("%.*s", (int)rest, value);
    }
    line += length + (line[length] == '\n');
  }
  return xstrdup(other);
}

struct computer computer_describe(void) {
  autofree char *cpu = value_in("/proc/cpuinfo", "model name", "not known");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return (struct computer){
      .cpu = xprintf("%s, %ld core%s", cpu, cores, cores == 1 ? "" : "s"),
      .system = value_in("/etc/os-release", "PRETTY_NAME", "not known"),
  };
}

void computer_free(struct computer *computer) { free_all(computer->cpu, computer->system); }
