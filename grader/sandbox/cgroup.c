/* cgroup.c: a control group for each sandbox.
 *
 * Version 2 has one tree (Documentation/admin-guide/cgroup-v2.rst): a group can be made below one
 * that hands on the controllers and is ours to write to. That is not the group we are in, which has
 * processes, but often one above: systemd gives a user's own part of the tree to the user. Version
 * 1 has a tree a controller. */
#include "grader/sandbox/box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/text.h"

static const char root[] = "/sys/fs/cgroup";

static bool write_value(const char *folder, const char *file, const char *value) {
  autofree char *path = xprintf("%s/%s", folder, file);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool good = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
  close(fd);
  return good;
}

/* The number behind a word in a file of a group, or 0. */
static long read_value(const char *folder, const char *file, const char *word) {
  char *path = xprintf("%s/%s", folder, file), line[256];
  FILE *from = fopen(path, "re");
  free(path);
  long value = 0;
  size_t length = strlen(word);
  while (from && fgets(line, sizeof line, from))
    if (strncmp(line, word, length) == 0 && line[length] == ' ') value = atol(line + length);
  if (from) fclose(from);
  return value;
}

static bool has_word(const char *folder, const char *file, const char *word) {
  char *path = xprintf("%s/%s", folder, file), line[256] = "";
  FILE *from = fopen(path, "re");
  free(path);
  bool found = from && fgets(line, sizeof line, from) && strstr(line, word);
  if (from) fclose(from);
  return found;
}

/* Our own group of a controller ("": version 2's tree), as /proc/self/cgroup names it; or NULL. */
static char *own_group(const char *controller) {
  FILE *from = fopen("/proc/self/cgroup", "re");
  char line[1024], *found = NULL;
  while (from && !found && fgets(line, sizeof line, from)) {
    line[strcspn(line, "\n")] = '\0';
    char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
    if (!path) continue;
    *path = '\0';
    if (strcmp(names + 1, controller) == 0) found = xstrdup(path + 1);
  }
  if (from) fclose(from);
  return found;
}

/* Groups whose grader was killed before it could remove them. */
static void remove_stale(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) return;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    int pid;
    if (sscanf(entry->d_name, "lab-kit-%d-", &pid) == 1 && kill(pid, 0) != 0 && errno == ESRCH)
      unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
  }
  closedir(entries);
}

/* Makes a group in folder, which changes to its name; false: none can be made there. */
static bool make_in(char **folder) {
  static unsigned number;
  if (number == 0) remove_stale(*folder);
  char *group = xprintf("%s/lab-kit-%d-%u", *folder, (int)getpid(), number++);
  bool made = mkdir(group, 0755) == 0;
  free(made ? *folder : group);
  if (made) *folder = group;
  return made;
}

/* A new group for a controller of version 1 or for version 2; NULL: none. */
static char *make_group(const char *controller) {
  bool second = !*controller;
  autofree char *own = own_group(controller);
  if (!own) return NULL;
  char *tree = second ? xstrdup(root) : xprintf("%s/%s", root, controller),
       *folder = xprintf("%s%s", tree, strcmp(own, "/") == 0 ? "" : own);
  size_t top = strlen(tree);
  free(tree);
  for (;;) {
    if ((!second || has_word(folder, "cgroup.subtree_control", "memory")) && make_in(&folder))
      return folder;
    char *slash = strrchr(folder, '/');
    if (!slash || (size_t)(slash - folder) < top) break;
    *slash = '\0';
  }
  free(folder);
  return NULL;
}

static void set_limit(const char *folder, const char *file, uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  if (value) write_value(folder, file, text);
}

void cgroup_make(uint64_t memory_bytes, uint64_t processes, struct cgroup *group) {
  *group = (struct cgroup){{NULL, NULL}};
  if (!memory_bytes && !processes) return;
  if (access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0) {
    char *folder = group->folders[0] = make_group("");
    if (!folder) return;
    set_limit(folder, "memory.max", memory_bytes);
    if (memory_bytes) write_value(folder, "memory.swap.max", "0");
    set_limit(folder, "pids.max", processes);
    return;
  }
  if (memory_bytes) group->folders[0] = make_group("memory");
  if (group->folders[0]) set_limit(group->folders[0], "memory.limit_in_bytes", memory_bytes);
  if (processes) group->folders[1] = make_group("pids");
  if (group->folders[1]) set_limit(group->folders[1], "pids.max", processes);
}

void cgroup_enter(const struct cgroup *group) {
  for (int i = 0; i < 2; i++)
    if (group->folders[i]) write_value(group->folders[i], "cgroup.procs", "0");
}

void cgroup_remove(struct cgroup *group, bool *out_of_memory) {
  for (int i = 0; i < 2; i++) {
    autofree char *folder = group->folders[i];
    if (!folder) continue;
    if (read_value(folder, "memory.events", "oom_kill") > 0 ||
        read_value(folder, "memory.oom_control", "oom_kill") > 0)
      *out_of_memory = true;
    for (int tries = 0; rmdir(folder) != 0 && errno == EBUSY && tries < 100; tries++)
      nanosleep(&(struct timespec){0, 2000000}, NULL); /* the kernel is still clearing up */
    group->folders[i] = NULL;
  }
}

char *cgroup_describe(void) {
  struct cgroup group;
  bool killed;
  cgroup_make(1 << 30, 0, &group);
  if (!group.folders[0]) return xstrdup("cannot be made here: each process has its own limits");
  char *text = xprintf("made in %.*s", (int)(strrchr(group.folders[0], '/') - group.folders[0]),
                       group.folders[0]);
  cgroup_remove(&group, &killed);
  return text;
}
