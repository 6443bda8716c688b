/* lab.c: finds the kit and its labs, which are folders labs/labN_name with a .cu and lab.conf. */
#include "grader/lab/lab.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

static void find_root(struct kit *kit) {
  const char *given = getenv("KIT_ROOT");
  char path[PATH_MAX];
  if (given && *given) {
    kit->root = realpath(given, NULL);
    if (!kit->root) die("KIT_ROOT=%s: %s", given, strerror(errno));
    return;
  }
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0) die("cannot find the kit's folder: /proc/self/exe: %s", strerror(errno));
  path[length] = '\0';
  /* build/grade, or build/san/grade */
  for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
    *slash = '\0';
    autofree char *labs = xprintf("%s/labs", path);
    bool found = access(labs, X_OK) == 0;
    if (found) {
      kit->root = xstrdup(path);
      return;
    }
  }
  die("cannot find the kit's folder: there is no labs/ above this program; start it as ./grade");
}

void kit_find(struct kit *kit) {
  *kit = (struct kit){0};
  find_root(kit);
  kit->device = kit_path(kit, "build/device");
}

void kit_free(struct kit *kit) { free_all(kit->root, kit->device, kit->confs); }

char *kit_path(const struct kit *kit, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *tail = xvprintf(format, args), *path = xprintf("%s/%s", kit->root, tail);
  va_end(args);
  free(tail);
  return path;
}

const char *short_path(const char *path) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) return path;
  size_t length = strlen(here);
  return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* lab2 before lab10: by number, then by name. */
static int by_number(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  long m = strtol(x + strcspn(x, "0123456789"), NULL, 10),
       n = strtol(y + strcspn(y, "0123456789"), NULL, 10);
  return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

/* The names of the folders in labs/. */
static char **lab_folders(const struct kit *kit, int *count) {
  autofree char *path = kit_path(kit, "labs");
  DIR *directory = opendir(path);
  if (!directory) die("%s: %s", path, strerror(errno));
  char **folders = NULL;
  *count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    autofree char *conf = xprintf("%s/%s/lab.conf", path, entry->d_name);
    if (entry->d_name[0] != '.' && strchr(entry->d_name, '_') && access(conf, F_OK) == 0)
      *array_add(folders, *count) = xstrdup(entry->d_name);
  }
  closedir(directory);
  *array_add(folders, *count) = NULL;
  (*count)--;
  qsort(folders, (size_t)*count, sizeof *folders, by_number);
  return folders;
}

char **lab_ids(const struct kit *kit, int *count) {
  int found;
  char **ids = lab_folders(kit, &found);
  for (int i = 0; i < found; i++) *strchr(ids[i], '_') = '\0';
  if (count) *count = found;
  return ids;
}

void lab_free_ids(char **ids) {
  for (char **at = ids; *at; at++) free(*at);
  free(ids);
}

/* The folder's .cu file: named as the lab, or else its only one (a lab that was copied may still
 * have the other's). */
static char *lab_file(const struct kit *kit, const char *above, const struct lab *lab) {
  char *named = kit_path(kit, "%s/%s/%s.cu", above, lab->folder, lab->id);
  if (access(named, F_OK) == 0) return named;
  autofree char *pattern = kit_path(kit, "%s/%s/*.cu", above, lab->folder);
  glob_t found;
  if (glob(pattern, 0, NULL, &found) == 0) {
    if (found.gl_pathc == 1) {
      free(named);
      named = xstrdup(found.gl_pathv[0]);
    }
    globfree(&found);
  }
  return named;
}

/* The folder of a lab's lab.conf; *shown: what messages call it. Both are the caller's. */
static char *conf_folder(const struct kit *kit, const struct lab *lab, char **shown) {
  autofree char *conf = xprintf("%s/%s/lab.conf", kit->confs ? kit->confs : "", lab->id);
  bool own = !kit->confs || access(conf, F_OK) != 0;
  *shown = own ? xprintf("labs/%s", lab->folder) : xprintf("%s/%s", kit->confs, lab->id);
  return own ? kit_path(kit, "labs/%s", lab->folder) : xstrdup(*shown);
}

void lab_open(const struct kit *kit, const char *id, struct lab *lab) {
  *lab = (struct lab){0};
  int count;
  char **folders = lab_folders(kit, &count);
  size_t length = strlen(id);
  for (int i = 0; i < count && !lab->folder; i++) {
    bool short_name = strncmp(folders[i], id, length) == 0 && folders[i][length] == '_';
    if (short_name || strcmp(folders[i], id) == 0) lab->folder = xstrdup(folders[i]);
  }
  if (!lab->folder) {
    struct text list = {0};
    for (int i = 0; i < count; i++) {
      *strchr(folders[i], '_') = '\0';
      text_add(&list, "%s%s", i ? ", " : "", folders[i]);
    }
    die("no lab '%s'; labs are: %s", id, text_get(&list));
  }
  lab_free_ids(folders);
  lab->id = xstrdup(lab->folder);
  *strchr(lab->id, '_') = '\0';
  lab->source = lab_file(kit, "labs", lab);
  lab->solution = lab_file(kit, "solutions", lab);
  autofree char *shown = NULL;
  autofree char *folder = conf_folder(kit, lab, &shown), *name = xprintf("%s/lab.conf", shown),
                *hidden_name = xprintf("%s/hidden.conf", shown);
  char *error;
  lab->conf_path = xprintf("%s/lab.conf", folder);
  if (conf_read(lab->conf_path, name, &lab->conf, &error) != 0) die("%s", error);
  autofree char *hidden = xprintf("%s/hidden.conf", folder);
  if (kit->public || access(hidden, F_OK) != 0) return;
  lab->hidden_path = xstrdup(hidden);
  if (conf_read_hidden(hidden, hidden_name, &lab->conf, &error) != 0) die("%s", error);
}

void lab_free(struct lab *lab) {
  conf_free(&lab->conf);
  free_all(lab->id, lab->folder, lab->source, lab->solution, lab->conf_path, lab->hidden_path);
}

uint64_t lab_hash_conf(const struct lab *lab, uint64_t hash) {
  return hash_file(hash_file(hash, lab->conf_path), lab->hidden_path);
}

bool lab_has_solution(const struct lab *lab) { return access(lab->solution, R_OK) == 0; }

char *conf_hash(const struct lab *lab) {
  return xprintf("%016" PRIx64, lab_hash_conf(lab, HASH_START));
}

char *conf_case_hash(const struct conf *conf, int case_index) {
  const struct case_conf *entry = &conf->cases[case_index];
  const struct problem *problem = conf_family(conf, entry)->problem;
  freed_by(text_free) struct text facts = {0};
  text_add(&facts, "%s\n%s\n%s\n%ld %ld %ld %ld %ld %ld %ld %ld %ld\n", problem->name, entry->name,
           conf_function(conf, entry), entry->sets, conf->instruction_budget, conf->copy_budget,
           conf->call_budget, conf->cpu_limit, conf->sleep_limit, conf->memory_limit,
           conf->thread_limit, conf->output_limit);
  for (int i = 0; i < problem->dim_count; i++) text_add(&facts, "%ld ", entry->dims[i]);
  uint64_t hash = hash_bytes(HASH_START, facts.data, facts.length);
  return xprintf("%016" PRIx64, hash);
}
