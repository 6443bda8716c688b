/* preview.c: makes a preview of the gradebook, and puts it in the gradebook's place. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/class/base/digest.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/pin.h"
#include "grader/class/engine/engine.h"
#include "grader/class/regrade/regrade.h"

/* What a preview is made of: the grades, by what they are to be graded, and how. The caller's. */
static char *basis_of(struct class *class) {
  freed_by(text_free) struct text text = {0};
  text_add(&text, "kit %s\n", KIT_VERSION);
  int count;
  struct kit own = class->kit;
  own.confs = NULL;
  char **labs = lab_ids(&own, &count);
  for (int i = 0; i < count; i++) {
    if (!gradebook_number(class->book, "SELECT 1 FROM attempt WHERE lab=?1 LIMIT 1", "s", labs[i]))
      continue;
    autofree char *hash = pin_hash(&own, labs[i]);
    text_add(&text, "%s %s\n", labs[i], hash);
  }
  lab_free_ids(labs);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT id, student, number, status, score, conf_hash, late, counts FROM attempt ORDER BY id",
      "");
  while (row_next(rows)) {
    for (int i = 0; i < 8; i++) {
      const char *value = row_text(rows, i);
      text_add(&text, "%s%s", value ? value : "-", i < 7 ? " " : "\n");
    }
  }
  char hash[SHA256_HEX];
  sha256(text_get(&text), text.length, hash);
  return xstrdup(hash);
}

static void remove_database(const char *path) {
  static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    autofree char *part = xprintf("%s%s", path, ends[i]);
    unlink(part);
  }
}

static char *preview_path(const struct class *class) { return class_path(class, "preview.sqlite"); }

/* Opens the preview of this basis, as far as it is; a fresh one if there is none. */
static struct gradebook *open_preview(struct class *class, const char *basis) {
  autofree char *path = preview_path(class), *made = xprintf("%s.new", path);
  struct gradebook *book = NULL;
  if (access(path, F_OK) == 0) {
    book = gradebook_open(path, false);
    autofree char *there = gradebook_meta(book, "preview_of");
    if (!there || strcmp(there, basis) != 0) {
      gradebook_close(book);
      book = NULL;
      remove_database(path);
    }
  }
  if (!book) {
    /* Under its name only when it is whole. */
    remove_database(made);
    gradebook_run(class->book, "VACUUM INTO ?1", "s", made);
    book = gradebook_open(made, false);
    gradebook_begin(book);
    gradebook_set_meta(book, "preview_of", basis);
    autofree char *last = gradebook_string(book, "SELECT coalesce(max(id), 0) FROM change", "");
    gradebook_set_meta(book, "preview_after", last);
    gradebook_commit(book);
    gradebook_close(book);
    if (rename(made, path) != 0) die("%s: %s", path, strerror(errno));
    book = gradebook_open(path, false);
  }
  return book;
}

void preview_run(struct class *class, enum regrade regrade) {
  autofree char *basis = basis_of(class);
  struct class next = *class;
  next.book = open_preview(class, basis);
  next.kit.confs = NULL;
  next.problems = 0;
  autofree char *stage = gradebook_meta(next.book, "preview_stage");
  if (!stage) {
    gradebook_begin(next.book);
    pins_renew(&next);
    gradebook_commit(next.book);
    regrade_run(&next, regrade);
    gradebook_begin(next.book);
    gradebook_set_meta(next.book, "preview_stage", "run");
    gradebook_commit(next.book);
  } else {
    pins_open(&next, "next");
  }
  autofree char *cause = changes_cause(class->book, next.book);
  next.cause = cause;
  collect_run(&next);
  long long missing = gradebook_number(
      next.book, "SELECT count(*) FROM attempt WHERE status IN ('pending', 'error')", "");
  int changed = changes_print(class->book, next.book);
  long long all = gradebook_number(next.book, "SELECT count(*) FROM standing", "");
  printf("%d of %lld grades would change (%s)\n", changed, all, cause);
  if (missing)
    class_problem(class, "%lld could not be graded: run the same command to try again", missing);
  else if (!class->options->accept)
    class_note(class, "Nothing has changed yet: --accept makes the changes");
  class->problems += next.problems;
  gradebook_close(next.book);
  free(next.kit.confs);
}

/* --- taking it --- */

/* Everything in the file itself, and no other beside it. */
static void close_whole(struct gradebook *book) {
  autofree char *mode = gradebook_string(book, "PRAGMA journal_mode=DELETE", "");
  if (!mode || strcmp(mode, "delete") != 0)
    die("gradebook %s: another program has it open: close that first", book->path);
  gradebook_close(book);
}

void preview_accept(struct class *class) {
  autofree char *path = preview_path(class), *basis = basis_of(class);
  if (access(path, F_OK) != 0)
    die("--accept: there is no preview to accept: --preview makes one and lists what would change");
  struct gradebook *next = gradebook_open(path, false);
  autofree char *of = gradebook_meta(next, "preview_of"),
                *stage = gradebook_meta(next, "preview_stage");
  bool done = stage && !gradebook_number(next,
                                         "SELECT count(*) FROM attempt WHERE status IN "
                                         "('pending', 'error')",
                                         "");
  if (!of || strcmp(of, basis) != 0)
    die("--accept: grades, lab.conf or the kit have changed since the preview: run --preview "
        "again");
  if (!done) die("--accept: the preview is not finished: run --preview again");
  autofree char *now = gradebook_now();
  gradebook_begin(next);
  gradebook_run(next,
                "UPDATE change SET at=?1 WHERE id>(SELECT CAST(value AS INTEGER) FROM meta WHERE "
                "key='preview_after')",
                "s", now);
  gradebook_run(next, "DELETE FROM meta WHERE key LIKE 'preview%'", "");
  gradebook_commit(next);
  close_whole(next);
  autofree char *own = xstrdup(class->book->path);
  close_whole(class->book);
  if (rename(path, own) != 0) die("%s: %s", own, strerror(errno));
  int folder = open(class->state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  class->book = gradebook_open(own, false);
  pins_open(class, "pinned");
  class_note(class, "The preview is accepted");
}
