/* entries.c: lists the files of a folder or zip of submissions. Symbolic links are not followed:
 * they may lead anywhere. */
#include "grader/class/intake/entries.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/intake/submission.h"
#include "grader/class/intake/unpack.h"
#include "grader/class/people/names.h"

enum { MAX_DEPTH = 8, MAX_FILES = 200000 };
static const size_t max_bytes = (size_t)64 << 20; /* of one file */

static bool is_metadata(const char *path) {
  return strcmp(basename(path), "submission_metadata.yml") == 0;
}

static bool is_wanted(const char *path) { return unpack_matters(path) || is_metadata(path); }

static struct entry *add(struct entries *entries, char *path) {
  struct entry *entry = array_add(entries->list, entries->count);
  *entry = (struct entry){.path = path};
  return entry;
}

/* --- what earlier runs have written --- */

/* A state folder, wherever it was copied to, holds this and one of those. */
static const char state_book[] = "gradebook.sqlite";
static const char *const state_parts[] = {"files", "spool", "lock", NULL};
enum { STATE_DEPTH = 1 }; /* it lies in the class's folder, or in one that holds only that */

static bool is_there(int folder, const char *name, const char *part) {
  autofree char *path = xprintf("%s/%s", name, part);
  return faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Is it the state folder of this run, or one of an earlier run? */
static bool is_state(int folder, const char *name, const struct stat *status,
                     const struct stat *state) {
  if (status->st_dev == state->st_dev && status->st_ino == state->st_ino) return true;
  bool any = false;
  if (is_there(folder, name, state_book))
    for (int i = 0; state_parts[i]; i++) any |= is_there(folder, name, state_parts[i]);
  return any;
}

static void note_state(const struct class *class, const char *folder) {
  class_note(class, "%s: left out: an earlier run of ./grade class wrote it", folder);
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

static void mark_folder(char **path) {
  char *marked = xprintf("%s/", *path);
  free(*path);
  *path = marked;
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
    char *inside = xprintf("%s/%s", place, name),
         *own = *path ? xprintf("%s/%s", path, name) : xstrdup(name), *fault = NULL;
    bool within = S_ISDIR(status.st_mode),
         state = within && depth <= STATE_DEPTH && is_state(folder, name, &status, walking->state);
    if (state && status.st_ino != walking->state->st_ino) note_state(class, inside);
    if (within && !state) fault = walk_into(walking, folder, name, inside, own, depth, clone);
    if (within && !fault) {
      free_all(own, inside);
      continue;
    }
    if (within) {
      mark_folder(&own);
    } else if (S_ISLNK(status.st_mode)) {
      if (fstatat(folder, name, &status, 0) != 0 || S_ISDIR(status.st_mode)) mark_folder(&own);
      fault = xstrdup(unpack_link_fault);
    } else if (!S_ISREG(status.st_mode)) {
      fault = xstrdup("it is not a regular file");
    } else if (is_wanted(own) && (size_t)status.st_size > max_bytes) {
      fault = xprintf("it is too large (%lld MB)", (long long)status.st_size >> 20);
    }
    if (walking->entries->count == MAX_FILES)
      die("%s contains more than %d files", class->options->from, MAX_FILES);
    struct entry *entry = add(walking->entries, own);
    entry->place = inside;
    entry->modified = (long long)status.st_mtime;
    entry->fault = fault;
    entry->clone = clone;
  }
  closedir(directory);
}

/* --- a zip --- */

/* A hidden file shows only that its folder is there: the path ends with that. */
static void cut_hidden(char *path) {
  char *at = *path == '.' ? path : strstr(path, "/.");
  if (at) at[at > path] = '\0';
}

static bool starts_with(const char *path, const char *start) {
  return strncmp(path, start, strlen(start)) == 0;
}

static int by_packed_path(const void *a, const void *b) {
  return strcmp(((const struct packed_file *)a)->path, ((const struct packed_file *)b)->path);
}

/* Is there a file, or anything in a folder, of this path? */
static bool is_packed(const struct unpacked *unpacked, const char *folder, const char *name) {
  autofree char *path = xprintf("%s%s", folder, name);
  size_t length = strlen(path);
  bool there = false;
  for (int i = 0; i < unpacked->count && !there; i++) {
    const char *own = unpacked->files[i].path;
    there = starts_with(own, path) && (!own[length] || own[length] == '/');
  }
  return there;
}

/* Leaves out what is in the folder of this gradebook, if it is one of an earlier run's. */
static void leave_state(const struct class *class, struct unpacked *unpacked, const char *book) {
  const char *name = strrchr(book, '/');
  if (!name || strcmp(name + 1, state_book) != 0) return;
  int depth = -1;
  for (const char *at = book; *at; at++) depth += *at == '/';
  autofree char *folder = xprintf("%.*s", (int)(name + 1 - book), book);
  bool any = false;
  for (int i = 0; state_parts[i] && depth <= STATE_DEPTH && !any; i++)
    any = is_packed(unpacked, folder, state_parts[i]);
  if (any) {
    note_state(class, folder);
    for (int i = 0; i < unpacked->count; i++)
      if (starts_with(unpacked->files[i].path, folder)) unpacked->files[i].path[0] = '\0';
  }
}

/* The zip of a whole class: an instructor's own download, so larger, but not believed either. */
static void read_zip(const struct class *class, const char *path, struct entries *entries) {
  static const struct unpack_limits limits = {.entries = MAX_FILES,
                                              .file_bytes = (size_t)64 << 20,
                                              .all_bytes = (size_t)4 << 30,
                                              .ratio = 1000,
                                              .wanted = is_wanted,
                                              .of_many = true};
  size_t length;
  autofree char *data = file_read(path, &length);
  if (!data) die("%s: %s", path, strerror(errno));
  struct unpacked unpacked;
  unpack(data, length, &limits, &unpacked);
  if (unpacked.reason) die("%s: %s; nothing was taken from it", path, unpacked.reason);
  struct packed_file *files = unpacked.files;
  for (int i = 0; i < unpacked.count; i++) cut_hidden(files[i].path);
  for (int i = 0; i < unpacked.count; i++) leave_state(class, &unpacked, files[i].path);
  array_sort(files, unpacked.count, by_packed_path);
  for (int i = 0; i < unpacked.count; i++) {
    struct packed_file *file = &files[i];
    size_t own = strlen(file->path);
    if (own == 0) continue;
    bool folder = file->path[own - 1] == '/';
    /* What is in a folder comes right behind it. */
    if (folder && i + 1 < unpacked.count && starts_with(files[i + 1].path, file->path)) continue;
    bool link = file->fault == unpack_link_fault && !strchr(basename(file->path), '.');
    struct entry *entry =
        add(entries, xprintf("%s%s", file->path, link ? "/" : "")); /* a folder, it seems */
    entry->modified = file->modified;
    if (folder) {
      entry->fault = xstrdup("the folder is empty");
    } else if (file->fault) {
      entry->fault = xstrdup(file->fault);
    } else if (is_wanted(file->path)) {
      entry->data = file->data;
      entry->length = file->length;
      file->data = NULL;
    }
  }
  unpack_free(&unpacked);
}

/* --- both --- */

/* A folder that everything is in ("submissions/", "assignment_77_export/") means nothing, unless
 * what is in it are a single student's files. */
static void strip_folder(struct entries *entries) {
  if (entries->count == 0) return;
  const char *first = entries->list[0].path;
  size_t length = strcspn(first, "/");
  if (!first[length]) return;
  bool differ = false, deep = false, others = false;
  const char *second = NULL; /* in the folder, with something that may be a submission in it */
  for (int i = 0; i < entries->count; i++) {
    const char *path = entries->list[i].path;
    if (strncmp(path, first, length + 1) != 0) return;
    const char *rest = path + length + 1;
    size_t part = strcspn(rest, "/");
    deep |= rest[part] != '\0';
    others |= is_metadata(rest) || (unpack_matters(rest) && strncasecmp(rest, "lab", 3) != 0);
    if (is_metadata(rest)) differ = true;
    if (!submission_is_likely(rest)) continue;
    differ |= second && (strncmp(rest, second, part) != 0 || second[part] != rest[part]);
    second = rest;
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

/* The path with accents and letters as one character; as it is if it is not UTF-8. The caller's. */
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
  autofree struct folder *list = xcalloc((size_t)entries->count + 1, sizeof *list);
  bool twins = false;
  for (int i = 0; i < entries->count; i++) {
    const char *path = entries->list[i].path;
    list[i].name = xprintf("%.*s", (int)strcspn(path, "/"), path);
    list[i].composed = composed(list[i].name);
  }
  array_sort(list, entries->count, by_folder);
  for (int i = 1; i < entries->count; i++)
    twins |= strcmp(list[i - 1].composed, list[i].composed) == 0 &&
             strcmp(list[i - 1].name, list[i].name) != 0;
  for (int i = 0; i < entries->count; i++) free_all(list[i].name, list[i].composed);
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
    read_zip(class, from, entries);
  }
  array_sort(entries->list, entries->count, by_path);
  strip_folder(entries);
}

bool entry_load(struct entry *entry) {
  if (entry->fault) return false;
  if (entry->data || !entry->place) return entry->data != NULL;
  int fd = open(entry->place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct text text = {0};
  ssize_t got = -1;
  autofree char *buffer = xcalloc(1, 65536);
  while (fd >= 0 && (got = read(fd, buffer, 65536)) > 0 && text.length <= max_bytes)
    text_append(&text, buffer, (size_t)got);
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
    free_all(entries->list[i].path, entries->list[i].place, entries->list[i].data,
             entries->list[i].fault);
  }
  free(entries->list);
  *entries = (struct entries){0};
}
