/* entries.c: see entries.h. Symbolic links are not followed: they may lead anywhere. */
#include "entries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#include "names.h"
#include "text.h"
#include "unpack.h"

enum { MAX_DEPTH = 8, MAX_FILES = 200000 };
static const size_t max_bytes = (size_t)64 << 20; /* of one file */

static bool has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), wanted = strlen(suffix);
  return length > wanted && strcasecmp(path + length - wanted, suffix) == 0;
}

static bool is_metadata(const char *path) { return has_suffix(path, "submission_metadata.yml"); }
static bool is_wanted(const char *path) { return unpack_matters(path) || is_metadata(path); }

static struct entry *add(struct entries *entries, char *path) {
  entries->list = xrealloc(entries->list, sizeof *entries->list * (size_t)(entries->count + 1));
  struct entry *entry = &entries->list[entries->count++];
  *entry = (struct entry){.path = path};
  return entry;
}

/* Is it the state folder of this run, or one of an earlier run? */
static bool is_state(int folder, const char *name, const struct stat *status,
                     const struct stat *state) {
  if (status->st_dev == state->st_dev && status->st_ino == state->st_ino) return true;
  static const char *const parts[] = {"gradebook.sqlite", "files", "spool", "lock"};
  bool all = true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && all; i++) {
    char *path = xprintf("%s/%s", name, parts[i]);
    all = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    free(path);
  }
  return all;
}

/* What is read of a folder. */
struct walking {
  struct class *class;
  const struct stat *state;
  struct entries *entries;
};

static void walk(struct walking *walking, int folder, const char *place, const char *path,
                 int depth, bool clone);

/* A folder in it, or what stands for one. Returns why it is not looked into; the caller's. */
static char *walk_into(struct walking *walking, int folder, const char *name, const char *place,
                       const char *path, int depth, bool clone) {
  if (depth == MAX_DEPTH) return xstrdup("folders are nested too deeply");
  int next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (next < 0) return xprintf("the folder cannot be read: %s", strerror(errno));
  struct stat git;
  clone |=
      depth <= 1 && fstatat(next, ".git", &git, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(git.st_mode);
  int before = walking->entries->count;
  walk(walking, next, place, path, depth + 1, clone);
  return walking->entries->count > before ? NULL : xstrdup("the folder is empty");
}

static void walk(struct walking *walking, int folder, const char *place, const char *path,
                 int depth, bool clone) {
  struct class *class = walking->class;
  DIR *directory = fdopendir(folder);
  if (!directory) die("%s: %s", place, strerror(errno));
  for (struct dirent *item; (item = readdir(directory)) != NULL;) {
    const char *name = item->d_name;
    struct stat status;
    if (*name == '.' || unpack_is_clutter(name) || strcmp(name, "__MACOSX") == 0) continue;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(status.st_mode) && depth == 0 && is_state(folder, name, &status, walking->state)) {
      if (status.st_ino != walking->state->st_ino)
        class_note(class, "%s/%s: left out: it is what an earlier run has written", place, name);
      continue;
    }
    char *inside = xprintf("%s/%s", place, name),
         *own = *path ? xprintf("%s/%s", path, name) : xstrdup(name), *fault = NULL;
    if (S_ISDIR(status.st_mode)) {
      fault = walk_into(walking, folder, name, inside, own, depth, clone);
      if (!fault) {
        free(own);
        free(inside);
        continue;
      }
      char *marked = xprintf("%s/", own);
      free(own);
      own = marked;
    } else if (S_ISLNK(status.st_mode)) {
      fault = xstrdup("it is a symbolic link, which may lead anywhere: put the file itself there");
    } else if (!S_ISREG(status.st_mode)) {
      fault = xstrdup("it is no regular file");
    } else if (is_wanted(own) && (size_t)status.st_size > max_bytes) {
      fault = xprintf("it is too large (%lld MB)", (long long)status.st_size >> 20);
    }
    if (walking->entries->count == MAX_FILES)
      die("%s holds more than %d files", class->options->from, MAX_FILES);
    struct entry *entry = add(walking->entries, own);
    entry->place = inside;
    entry->modified = (long long)status.st_mtime;
    entry->fault = fault;
    entry->clone = clone;
  }
  closedir(directory);
}

/* The zip of a whole class: an instructor's own download, so larger, but not believed either. */
static void read_zip(const char *path, struct entries *entries) {
  static const struct unpack_limits limits = {.entries = MAX_FILES,
                                              .file_bytes = (size_t)64 << 20,
                                              .all_bytes = (size_t)4 << 30,
                                              .ratio = 1000,
                                              .wanted = is_wanted,
                                              .folders = true};
  size_t length;
  char *data = file_read(path, &length);
  if (!data) die("%s: %s", path, strerror(errno));
  struct unpacked unpacked;
  unpack(data, length, &limits, &unpacked);
  free(data);
  if (unpacked.reason) die("%s: %s; nothing was taken from it", path, unpacked.reason);
  for (int i = 0; i < unpacked.count; i++) {
    struct packed_file *file = &unpacked.files[i];
    if (unpack_is_clutter(file->path)) continue;
    size_t own = strlen(file->path);
    bool folder = file->path[own - 1] == '/';
    /* Sorted by path: what is in a folder comes right behind it. */
    if (folder && i + 1 < unpacked.count &&
        strncmp(unpacked.files[i + 1].path, file->path, own) == 0)
      continue;
    struct entry *entry = add(entries, xstrdup(file->path));
    entry->modified = file->modified;
    if (folder) entry->fault = xstrdup("the folder is empty");
    if (is_wanted(file->path)) {
      entry->data = file->data;
      entry->length = file->length;
      file->data = NULL;
    }
  }
  unpack_free(&unpacked);
}

/* A folder that everything is in ("submissions/", "assignment_77_export/") says nothing: unless
 * what is in it are a single student's files. */
static void strip_folder(struct entries *entries) {
  if (entries->count == 0) return;
  const char *first = entries->list[0].path;
  size_t length = strcspn(first, "/");
  if (!first[length]) return;
  bool differ = false, deep = false, others = false;
  const char *second = first + length + 1;
  for (int i = 0; i < entries->count; i++) {
    const char *path = entries->list[i].path;
    if (strncmp(path, first, length + 1) != 0) return;
    const char *rest = path + length + 1;
    size_t part = strcspn(rest, "/");
    deep |= rest[part] != '\0';
    differ |= strncmp(rest, second, part) != 0 || second[part] != rest[part];
    others |= is_metadata(rest) || (unpack_matters(rest) && strncasecmp(rest, "lab", 3) != 0);
  }
  struct handed_name handed;
  bool named = names_parse(FORMAT_MOODLE, first, &handed);
  handed_name_free(&handed);
  if (named || !differ || !(deep || others)) return;
  for (int i = 0; i < entries->count; i++) {
    char *path = entries->list[i].path;
    memmove(path, path + length + 1, strlen(path + length + 1) + 1);
  }
}

/* The path with every accent and its letter as one character; as it is if it is no UTF-8. The
 * caller's. */
static char *composed(const char *path) {
  utf8proc_uint8_t *whole = utf8proc_NFC((const utf8proc_uint8_t *)path);
  char *copy = xstrdup(whole ? (const char *)whole : path);
  free(whole);
  return copy;
}

/* What somebody's files are in, as it is and composed. */
struct folder {
  char *name, *composed;
};

static int by_folder(const void *a, const void *b) {
  const struct folder *x = a, *y = b;
  int difference = strcmp(x->composed, y->composed);
  return difference ? difference : strcmp(x->name, y->name);
}

/* Do two folders (or files outside of any) differ in nothing but how accents are written? */
static bool has_twins(const struct entries *entries) {
  struct folder *list = xcalloc((size_t)entries->count + 1, sizeof *list);
  bool twins = false;
  for (int i = 0; i < entries->count; i++) {
    const char *path = entries->list[i].path;
    list[i].name = xprintf("%.*s", (int)strcspn(path, "/"), path);
    list[i].composed = composed(list[i].name);
  }
  if (entries->count) qsort(list, (size_t)entries->count, sizeof *list, by_folder);
  for (int i = 1; i < entries->count; i++)
    twins |= strcmp(list[i - 1].composed, list[i].composed) == 0 &&
             strcmp(list[i - 1].name, list[i].name) != 0;
  for (int i = 0; i < entries->count; i++) {
    free(list[i].name);
    free(list[i].composed);
  }
  free(list);
  return twins;
}

/* The same folder may come with accents as one character or as two, by which system packed it last;
 * libarchive makes one of them. Twins stay what they are: two. */
static void compose_paths(struct entries *entries) {
  if (has_twins(entries)) return;
  for (int i = 0; i < entries->count; i++) {
    char *path = composed(entries->list[i].path);
    free(entries->list[i].path);
    entries->list[i].path = path;
  }
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

void entries_read(struct class *class, struct entries *entries) {
  *entries = (struct entries){0};
  const char *from = class->options->from;
  struct stat status, state;
  if (stat(from, &status) != 0) die("%s: %s", from, strerror(errno));
  if (stat(class->state, &state) != 0) die("%s: %s", class->state, strerror(errno));
  if (S_ISDIR(status.st_mode)) {
    int folder = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) die("%s: %s", from, strerror(errno));
    walk(&(struct walking){class, &state, entries}, folder, from, "", 0, false);
    compose_paths(entries);
  } else {
    read_zip(from, entries);
  }
  if (entries->count) qsort(entries->list, (size_t)entries->count, sizeof *entries->list, by_path);
  strip_folder(entries);
}

bool entry_load(struct entry *entry) {
  if (entry->fault) return false;
  if (entry->data || !entry->place) return entry->data != NULL;
  int fd = open(entry->place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct text text = {0};
  ssize_t got = -1;
  char *buffer = xcalloc(1, 65536);
  while (fd >= 0 && (got = read(fd, buffer, 65536)) > 0 && text.length <= max_bytes)
    text_append(&text, buffer, (size_t)got);
  free(buffer);
  if (got < 0) entry->fault = xprintf("it cannot be read: %s", strerror(errno));
  if (fd >= 0) close(fd);
  if (got != 0) {
    text_free(&text);
    if (!entry->fault) entry->fault = xstrdup("it is too large");
    return false;
  }
  entry->data = text.data ? text.data : xstrdup("");
  entry->length = text.length;
  return true;
}

void entry_unload(struct entry *entry) {
  if (!entry->place) return;
  free(entry->data);
  entry->data = NULL;
}

void entries_free(struct entries *entries) {
  for (int i = 0; i < entries->count; i++) {
    free(entries->list[i].path);
    free(entries->list[i].place);
    free(entries->list[i].data);
    free(entries->list[i].fault);
  }
  free(entries->list);
  *entries = (struct entries){0};
}
