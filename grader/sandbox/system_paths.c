/* system_paths.c: lists the folders and devices of this machine that a sandbox shows. */
#include "grader/sandbox/box.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/sandbox/process.h"

static void add(char **list, size_t room, char *path) {
  size_t count = 0;
  while (list[count]) count++;
  if (count + 1 >= room || access(path, F_OK) != 0)
    free(path);
  else
    list[count] = path;
}

#define ADD(list, path) add(list, sizeof(list) / sizeof *(list), path)

static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* The folder that a compiler outside the system's own is installed in, with bin/ and lib/ in it; of
 * one that lies elsewhere only its own folder. */
static void add_program(struct system_paths *paths, const char *name) {
  char *found = strchr(name, '/') ? xstrdup(name) : program_find(name),
       *real = found ? realpath(found, NULL) : NULL;
  free(found);
  if (!real) return;
  for (char **at = paths->read; *at; at++) {
    if (!is_below(real, *at)) continue;
    free(real);
    return;
  }
  char *slash = strrchr(real, '/');
  *slash = '\0';
  char *bin = strrchr(real, '/');
  if (bin && bin > real && strcmp(bin, "/bin") == 0) {
    autofree char *library = xprintf("%.*s/lib", (int)(bin - real), real);
    bool installed = access(library, F_OK) == 0;
    if (installed) *bin = '\0';
  }
  if (*real)
    ADD(paths->read, real);
  else
    free(real);
}

void system_paths_list(bool tools, bool gpu, struct system_paths *paths) {
  static const char *const folders[] = {
      "/usr",   "/bin",    "/sbin",      "/lib",       "/lib32",
      "/lib64", "/libx32", "/nix/store", "/gnu/store", "/etc/ld.so.cache"};
  static const char *const for_tools[] = {"/etc/alternatives"};
  *paths = (struct system_paths){{NULL}, {NULL}};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    ADD(paths->read, xstrdup(folders[i]));
  for (size_t i = 0; tools && i < sizeof for_tools / sizeof *for_tools; i++)
    ADD(paths->read, xstrdup(for_tools[i]));
  if (tools) {
    static const char *const programs[] = {"clang++", "nvcc", "c++", "ld", "nm"};
    if (getenv("CLANGXX")) add_program(paths, getenv("CLANGXX"));
    if (getenv("CXX")) add_program(paths, getenv("CXX"));
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) add_program(paths, programs[i]);
  }
  ADD(paths->devices, xstrdup("/dev/null"));
  ADD(paths->read, xstrdup("/dev/urandom"));
  if (!gpu) return;
  ADD(paths->read, xstrdup("/sys/devices/system")); /* clocks and processors: CUPTI reads them */
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  int number = visible && *visible >= '0' && *visible <= '9' ? atoi(visible) : 0;
  ADD(paths->devices, xprintf("/dev/nvidia%d", number));
  ADD(paths->devices, xstrdup("/dev/nvidiactl"));
  ADD(paths->devices, xstrdup("/dev/nvidia-uvm"));
}

void system_paths_free(struct system_paths *paths) {
  for (char **at = paths->read; *at; at++) free(*at);
  for (char **at = paths->devices; *at; at++) free(*at);
}
