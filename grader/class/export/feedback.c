/* feedback.c: writes a page and a text for every student and lab. */

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/class/export/export.h"
#include "grader/class/regrade/regrade.h"
#include "grader/lab/lab.h"
#include "grader/show/card.h"
#include "grader/show/html.h"

char *feedback_folder(const char *student) {
  struct text text = {0};
  bool changed = *student == '.' || *student == '-' || strlen(student) > 100;
  for (const char *at = student; *at && text.length < 100; at++) {
    bool allowed = isalnum((unsigned char)*at) || strchr("._@-", *at);
    bool first = at == student && (*at == '.' || *at == '-');
    text_append(&text, allowed && !first ? at : "_", 1);
    changed |= !allowed;
  }
  if (changed)
    text_add(&text, "_%08" PRIx32, (uint32_t)hash_bytes(HASH_START, student, strlen(student)));
  return text.data ? text.data : xstrdup("_");
}

static void write_card(const struct stored *stored, const char *path) {
  struct text text = {0};
  size_t size = 0;
  FILE *file = open_memstream(&text.data, &size);
  if (!file) die("out of memory");
  struct screen screen = {.file = file, .width = 90, .utf8 = true};
  card_print(&screen, &stored->grade, &(struct card_options){.explain = false});
  fclose(file);
  text.length = size;
  file_write(path, text_get(&text), text.length);
  free(text.data);
}

/* For a student's machine: no paths and links of this one. */
static void write_page(const struct class *class, struct stored *stored, const char *path) {
  free(stored->source.path);
  stored->source.path = xstrdup(stored->source.name);
  freed_by(text_free) struct text text = html_page(&class->kit, &stored->grade, NULL);
  file_write(path, text_get(&text), text.length);
}

/* Why there is no page, for the student: the fault may be ours. */
static void write_reason(const char *path, const char *lab, const char *status, const char *file,
                         const char *reason) {
  freed_by(text_free) struct text text = {0};
  bool refused = strcmp(status, "refused") == 0;
  text_add(&text, "%s: %s\n\n%s\n%s\n", *lab ? lab : "Submission",
           refused ? "not accepted" : "not graded yet", reason,
           refused ? "Please hand it in again: the .cu file itself, or a zip with it."
                   : "This is not the file's fault, and costs no points.");
  if (file) text_add(&text, "\nWhat was handed in: %s\n", file);
  file_write(path, text_get(&text), text.length);
}

/* By the lab.conf that the gradebook's points are of? */
static bool is_current(const struct stored *stored) {
  autofree char *hash = conf_hash(&stored->lab);
  const char *own = json_string_value(json_object_get(stored->json, "conf_hash"));
  return own && strcmp(own, hash) == 0 && stored->fits;
}

/* What feedback there is, and how it went. */
struct writing {
  struct class *class;
  char **paths; /* of everything that belongs there */
  int count, written, outdated, without;
};

static void write_one(struct writing *writing, sqlite3_stmt *row) {
  struct class *class = writing->class;
  const char *work = row_text(row, 0), *lab = row_text(row, 2), *status = row_text(row, 3),
             *reason = row_text(row, 4), *file = row_text(row, 5);
  if (!*lab) lab = "unknown-lab"; /* it is not known which */
  char *name = feedback_folder(row_text(row, 1)), *folder = class_path(class, "feedback/%s", name),
       *page = xprintf("%s/%s.html", folder, lab), *text = xprintf("%s/%s.txt", folder, lab);
  folder_make(folder);
  struct stored stored;
  bool graded = strcmp(status, "graded") == 0;
  if (!graded) {
    unlink(page);
    write_reason(text, lab, status, file, reason ? reason : "");
  } else if (stored_open(class, work, &stored)) {
    if (stored.no_file) {
      writing->without++;
    } else if (is_current(&stored)) {
      write_page(class, &stored, page);
      write_card(&stored, text);
      writing->written++;
    } else {
      writing->outdated++;
    }
    stored_free(&stored);
  }
  *array_add(writing->paths, writing->count) = text;
  if (graded)
    *array_add(writing->paths, writing->count) = page;
  else
    free(page);
  free_all(folder, name);
}

static void remove_from(struct writing *writing, const char *folder) {
  DIR *directory = opendir(folder);
  for (struct dirent *item; directory && (item = readdir(directory)) != NULL;) {
    char *path = xprintf("%s/%s", folder, item->d_name);
    if (*item->d_name != '.' &&
        !(array_search(&path, writing->paths, writing->count, compare_strings)))
      unlink(path);
    free(path);
  }
  if (directory) closedir(directory);
  rmdir(folder); /* if nothing is left */
}

/* What was written for somebody who turned out to be another goes. */
static void remove_others(struct writing *writing, const char *root) {
  array_sort(writing->paths, writing->count, compare_strings);
  DIR *directory = opendir(root);
  for (struct dirent *item; directory && (item = readdir(directory)) != NULL;) {
    if (*item->d_name == '.') continue;
    autofree char *folder = xprintf("%s/%s", root, item->d_name);
    remove_from(writing, folder);
  }
  if (directory) closedir(directory);
}

void feedback_write(struct class *class) {
  autofree char *root = class_path(class, "feedback");
  folder_make(root);
  struct writing writing = {.class = class};
  sqlite3_stmt *rows = gradebook_query(class->book,
                                       "SELECT work, student, lab, status, reason, file FROM "
                                       "attempt WHERE counts ORDER BY student, lab",
                                       "");
  while (row_next(rows)) write_one(&writing, rows);
  remove_others(&writing, root);
  class_note(class, "%s: a page and a text for each of %d", root, writing.written);
  if (writing.outdated)
    class_problem(
        class, "no feedback for %d, graded by another lab.conf: run --preview and --accept first",
        writing.outdated);
  if (writing.without)
    class_problem(class, "no feedback for %d, whose files are not in %s/files", writing.without,
                  class->state);
  for (int i = 0; i < writing.count; i++) free(writing.paths[i]);
  free(writing.paths);
}
