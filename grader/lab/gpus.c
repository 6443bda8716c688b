/* gpus.c: finds descriptions of GPUs. */
#include "grader/lab/gpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

static bool is_description(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".ini") == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **gpus_names(const struct kit *kit) {
  autofree char *path = kit_path(kit, "harness/sim/gpus");
  DIR *folder = opendir(path);
  if (!folder) die("%s: %s", path, strerror(errno));
  char **names = NULL;
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (is_description(entry->d_name))
      *array_add(names, count) = xprintf("%.*s", (int)strlen(entry->d_name) - 4, entry->d_name);
  closedir(folder);
  qsort(names, (size_t)count, sizeof *names, by_name);
  *array_add(names, count) = NULL;
  return names;
}

/* NULL: there is none of that name. */
static char *path_of(const struct kit *kit, char *const *names, const char *name) {
  for (; *names; names++)
    if (strcasecmp(*names, name) == 0) return kit_path(kit, "harness/sim/gpus/%s.ini", *names);
  return NULL;
}

static char *absolute(const char *path) {
  char *real = realpath(path, NULL);
  if (!real) die("--gpu %s: %s", path, strerror(errno));
  return real;
}

char *gpus_path(const struct kit *kit, const char *name) {
  char **names = gpus_names(kit), *path = path_of(kit, names, name), error[400];
  if (!path && is_description(name)) path = absolute(name);
  if (!path) {
    freed_by(text_free) struct text list = {0};
    for (char **at = names; *at; at++) text_add(&list, "%s%s", at == names ? "" : ", ", *at);
    die("--gpu %s: there is no such GPU; there are %s (./grade gpus), or a FILE.ini of your own",
        name, text_get(&list));
  }
  lab_free_ids(names);
  struct gpu gpu;
  if (!gpu_read(&gpu, path, error, sizeof error)) die("%s", error);
  return path;
}

void gpus_select(const struct kit *kit, const char *name) {
  autofree char *path = gpus_path(kit, name),
                *built_in = kit_path(kit, "harness/sim/gpus/" GPU_BUILT_IN ".ini");
  if (strcmp(path, built_in) == 0)
    unsetenv("KIT_SIM_GPU");
  else
    setenv("KIT_SIM_GPU", path, 1);
}

char *gpus_selected(void) {
  const char *path = getenv("KIT_SIM_GPU");
  if (!path) return xstrdup(GPU_BUILT_IN);
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return xprintf("%.*s", (int)strlen(name) - (is_description(name) ? 4 : 0), name);
}

void gpus_read_selected(struct gpu *gpu) {
  char error[400];
  if (!gpu_read(gpu, getenv("KIT_SIM_GPU"), error, sizeof error)) die("%s", error);
}
