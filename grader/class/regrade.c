/* regrade.c: see regrade.h. An attempt that is to be run again gets a new row beside the old
 * one, which stays until there is a result (merge.c): nothing is lost if the run is stopped or
 * fails. */
#include "regrade.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attempt.h"
#include "conf_hash.h"
#include "merge.h"
#include "stored.h"
#include "text.h"
#include "version.h"

struct attempts {
  char **ids;
  int count;
};

static void add_id(struct attempts *attempts, const char *id) {
  if ((attempts->count & (attempts->count - 1)) == 0) /* room for a power of two */
    attempts->ids = xrealloc(
        attempts->ids, sizeof *attempts->ids * (size_t)(attempts->count ? 2 * attempts->count : 1));
  attempts->ids[attempts->count++] = xstrdup(id);
}

static struct attempts graded(struct gradebook *book) {
  struct attempts attempts = {0};
  sqlite3_stmt *rows =
      gradebook_query(book, "SELECT id FROM attempt WHERE status='graded' ORDER BY id", "");
  while (gradebook_next(book, rows)) add_id(&attempts, (const char *)sqlite3_column_text(rows, 0));
  sqlite3_finalize(rows);
  return attempts;
}

static void free_attempts(struct attempts *attempts) {
  for (int i = 0; i < attempts->count; i++) free(attempts->ids[i]);
  free(attempts->ids);
}

static char *hash_now(const struct class *class, const char *lab_id) {
  struct lab lab;
  lab_open(&class->kit, lab_id, &lab);
  char *hash = conf_hash(&lab);
  lab_free(&lab);
  return hash;
}

/* A new row, pending, of the same file. Its id tells what it is graded with, so that it is the
 * same one if this is done twice. */
static void put_up(struct class *class, const char *old) {
  struct gradebook *book = class->book;
  char *lab = gradebook_string(book, "SELECT lab FROM attempt WHERE id=?1", "s", old),
       *student = gradebook_string(book, "SELECT student FROM attempt WHERE id=?1", "s", old),
       *sha256 = gradebook_string(book, "SELECT sha256 FROM attempt WHERE id=?1", "s", old);
  char *hash = hash_now(class, lab), id[17];
  long long seed = gradebook_number(book, 0, "SELECT seed FROM attempt WHERE id=?1", "s", old);
  attempt_id(&(struct attempt_facts){.student = student,
                                     .lab = lab,
                                     .sha256 = sha256,
                                     .conf_hash = hash,
                                     .kit_version = KIT_VERSION,
                                     .backend = class->options->backend,
                                     .seed = seed},
             id);
  if (strcmp(id, old) ==
      0) { /* scored in between by another lab.conf, whose hash is not in the id */
    gradebook_run(book, "UPDATE attempt SET status='pending' WHERE id=?1", "s", old);
  } else {
    char *from = class_path(class, "files/%s/%s.cu", old, lab),
         *folder = class_path(class, "files/%s", id),
         *to = class_path(class, "files/%s/%s.cu", id, lab);
    mkdir(folder, 0777);
    if (link(from, to) != 0 && access(to, R_OK) != 0) die("%s cannot be linked to %s", to, from);
    gradebook_run(book,
                  "INSERT OR IGNORE INTO attempt(id, student, lab, number, submitted, late,"
                  " marked_late, file, sha256, status, counts, seed, backend, kit_version,"
                  " conf_hash) SELECT ?2, student, lab, number, submitted, late, marked_late, file,"
                  " sha256, 'pending', 0, seed, ?3, ?4, ?5 FROM attempt WHERE id=?1",
                  "sssss", old, id, class->options->backend, KIT_VERSION, hash);
    free(from);
    free(folder);
    free(to);
  }
  free(hash);
  free(lab);
  free(student);
  free(sha256);
}

void regrade_run(struct class *class) {
  struct attempts attempts = graded(class->book);
  int scored = 0, changed = 0, again = 0;
  char *why = NULL;
  for (int i = 0; i < attempts.count; i++) {
    struct stored stored;
    const char *id = attempts.ids[i];
    gradebook_begin(class->book);
    bool there = stored_open(class, id, &stored);
    if (there && stored.fits) {
      json_t *json = stored_json(&stored);
      const json_t *items = json_object_get(json, "items");
      changed += !json_equal(items, json_object_get(stored.json, "items"));
      scored++;
      char *wrong = merge_result(class->book, id, json);
      if (wrong) die("attempt %s: %s", id, wrong);
      json_decref(json);
    } else {
      if (there && !why) why = xstrdup(stored.why);
      put_up(class, id);
      again++;
    }
    if (there) stored_free(&stored);
    gradebook_commit(class->book);
  }
  class_note(class,
             "%d scored anew from what was measured, %d of which changed; %d to be run again%s%s",
             scored, changed, again, why ? ": " : "", why ? why : "");
  free(why);
  free_attempts(&attempts);
}

/* Has temp.now(lab, hash) name the lab.conf of now of every lab that is graded. */
static void list_hashes(struct class *class) {
  struct gradebook *book = class->book;
  gradebook_run(book, "DROP TABLE IF EXISTS temp.now", "");
  gradebook_run(book,
                "CREATE TEMP TABLE now AS SELECT DISTINCT lab, '' AS hash FROM attempt"
                " WHERE status='graded'",
                "");
  sqlite3_stmt *rows = gradebook_query(book, "SELECT lab FROM temp.now ORDER BY lab", "");
  struct attempts labs = {0};
  while (gradebook_next(book, rows)) add_id(&labs, (const char *)sqlite3_column_text(rows, 0));
  sqlite3_finalize(rows);
  for (int i = 0; i < labs.count; i++) {
    char *hash = hash_now(class, labs.ids[i]);
    gradebook_run(book, "UPDATE temp.now SET hash=?2 WHERE lab=?1", "ss", labs.ids[i], hash);
    free(hash);
  }
  free_attempts(&labs);
}

/* Ids of those graded by another lab.conf or kit. */
static struct attempts outdated(struct class *class, int *confs, int *kits) {
  struct attempts attempts = {0};
  *confs = *kits = 0;
  list_hashes(class);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT id, conf_hash IS NOT hash, kit_version IS NOT ?1 FROM attempt JOIN temp.now"
      " USING (lab) WHERE status='graded' AND (conf_hash IS NOT hash OR kit_version IS NOT ?1)"
      " ORDER BY id",
      "s", KIT_VERSION);
  while (gradebook_next(class->book, rows)) {
    *confs += sqlite3_column_int(rows, 1);
    *kits += sqlite3_column_int(rows, 2);
    add_id(&attempts, (const char *)sqlite3_column_text(rows, 0));
  }
  sqlite3_finalize(rows);
  return attempts;
}

void regrade_again(struct class *class) {
  int confs, kits;
  struct attempts attempts = outdated(class, &confs, &kits);
  gradebook_begin(class->book);
  for (int i = 0; i < attempts.count; i++) put_up(class, attempts.ids[i]);
  gradebook_commit(class->book);
  class_note(class, "%d to be run again: %d graded by another lab.conf, %d by another kit",
             attempts.count, confs, kits);
  free_attempts(&attempts);
}

void regrade_hint(struct class *class) {
  int confs, kits;
  struct attempts attempts = outdated(class, &confs, &kits);
  if (confs)
    class_note(class,
               "lab.conf changed since %d were graded: --regrade scores them from what was "
               "measured, --again grades them anew",
               confs);
  if (kits)
    class_note(class, "%d were graded by another version of the kit: --again grades them anew",
               kits);
  free_attempts(&attempts);
}
