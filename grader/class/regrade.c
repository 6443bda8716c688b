/* regrade.c: see regrade.h. An attempt that is to be run again gets a new row beside the old
 * one, which stays until there is a result (merge.c): nothing is lost if the run is stopped or
 * fails. */
#include "regrade.h"

#include <dirent.h>
#include <errno.h>
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

struct works {
  char **ids;
  int count;
};

static void add_id(struct works *works, const char *id) {
  if ((works->count & (works->count - 1)) == 0) /* room for a power of two */
    works->ids =
        xrealloc(works->ids, sizeof *works->ids * (size_t)(works->count ? 2 * works->count : 1));
  works->ids[works->count++] = xstrdup(id);
}

static struct works graded(struct gradebook *book) {
  struct works works = {0};
  sqlite3_stmt *rows = gradebook_query(
      book, "SELECT DISTINCT work FROM attempt WHERE status='graded' ORDER BY work", "");
  while (gradebook_next(book, rows)) add_id(&works, (const char *)sqlite3_column_text(rows, 0));
  sqlite3_finalize(rows);
  return works;
}

static void free_works(struct works *works) {
  for (int i = 0; i < works->count; i++) free(works->ids[i]);
  free(works->ids);
}

static char *hash_now(const struct class *class, const char *lab_id) {
  struct lab lab;
  lab_open(&class->kit, lab_id, &lab);
  char *hash = conf_hash(&lab);
  lab_free(&lab);
  return hash;
}

/* All that was handed in together: the file and its headers. */
static void link_files(const struct class *class, const char *old, const char *work) {
  char *from = class_path(class, "files/%s", old), *to = class_path(class, "files/%s", work);
  DIR *folder = opendir(from);
  if (!folder || (mkdir(to, 0777) != 0 && errno != EEXIST))
    die("%s: %s", folder ? to : from, strerror(errno));
  for (struct dirent *item; (item = readdir(folder)) != NULL;) {
    if (*item->d_name == '.') continue;
    char *file = xprintf("%s/%s", from, item->d_name), *copy = xprintf("%s/%s", to, item->d_name);
    if (link(file, copy) != 0 && errno != EEXIST)
      die("%s cannot be linked to %s: %s", copy, file, strerror(errno));
    free(file);
    free(copy);
  }
  closedir(folder);
  free(from);
  free(to);
}

/* A new row, pending, for each attempt of a work: of a group several. Their ids tell what they are
 * graded with, so that they are the same ones if this is done twice. */
static void put_up(struct class *class, const char *old) {
  struct gradebook *book = class->book;
  char *lab = gradebook_string(book, "SELECT lab FROM attempt WHERE work=?1", "s", old),
       *hash = hash_now(class, lab), work[17] = "";
  sqlite3_stmt *rows = gradebook_query(
      book, "SELECT id, submitter, sha256, seed FROM attempt WHERE work=?1 ORDER BY id<>work, id",
      "s", old);
  while (gradebook_next(book, rows)) {
    const char *attempt = (const char *)sqlite3_column_text(rows, 0);
    char id[17];
    attempt_id(&(struct attempt_facts){.student = (const char *)sqlite3_column_text(rows, 1),
                                       .lab = lab,
                                       .sha256 = (const char *)sqlite3_column_text(rows, 2),
                                       .conf_hash = hash,
                                       .kit_version = KIT_VERSION,
                                       .backend = class->options->backend,
                                       .seed = sqlite3_column_int64(rows, 3)},
               id);
    if (!*work) {
      memcpy(work, id, sizeof work);
      /* Scored in between by another lab.conf, whose hash is not in the id. */
      if (strcmp(work, old) == 0) break;
      link_files(class, old, work);
    }
    gradebook_run(book,
                  "INSERT OR IGNORE INTO attempt(id, student, submitter, work, lab, number,"
                  " submitted, late, marked_late, file, sha256, status, counts, seed, backend,"
                  " kit_version, conf_hash) SELECT ?2, student, submitter, ?6, lab, number,"
                  " submitted, late, marked_late, file, sha256, 'pending', 0, seed, ?3, ?4, ?5"
                  " FROM attempt WHERE id=?1",
                  "ssssss", attempt, id, class->options->backend, KIT_VERSION, hash, work);
  }
  sqlite3_finalize(rows);
  if (strcmp(work, old) == 0)
    gradebook_run(book, "UPDATE attempt SET status='pending' WHERE work=?1", "s", old);
  free(hash);
  free(lab);
}

void regrade_run(struct class *class) {
  struct works works = graded(class->book);
  int scored = 0, changed = 0, again = 0;
  char *why = NULL;
  for (int i = 0; i < works.count; i++) {
    struct stored stored;
    const char *id = works.ids[i];
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
  free_works(&works);
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
  struct works labs = {0};
  while (gradebook_next(book, rows)) add_id(&labs, (const char *)sqlite3_column_text(rows, 0));
  sqlite3_finalize(rows);
  for (int i = 0; i < labs.count; i++) {
    char *hash = hash_now(class, labs.ids[i]);
    gradebook_run(book, "UPDATE temp.now SET hash=?2 WHERE lab=?1", "ss", labs.ids[i], hash);
    free(hash);
  }
  free_works(&labs);
}

/* Works that another lab.conf or kit graded; *confs, *kits: works. */
static struct works outdated(struct class *class, int *confs, int *kits) {
  struct works works = {0};
  *confs = *kits = 0;
  list_hashes(class);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT work, sum(conf_hash IS NOT hash), sum(kit_version IS NOT ?1) FROM attempt"
      " JOIN temp.now USING (lab) WHERE status='graded' AND"
      " (conf_hash IS NOT hash OR kit_version IS NOT ?1) GROUP BY work ORDER BY work",
      "s", KIT_VERSION);
  while (gradebook_next(class->book, rows)) {
    *confs += sqlite3_column_int(rows, 1);
    *kits += sqlite3_column_int(rows, 2);
    add_id(&works, (const char *)sqlite3_column_text(rows, 0));
  }
  sqlite3_finalize(rows);
  return works;
}

void regrade_again(struct class *class) {
  int confs, kits;
  struct works works = outdated(class, &confs, &kits);
  gradebook_begin(class->book);
  for (int i = 0; i < works.count; i++) put_up(class, works.ids[i]);
  gradebook_commit(class->book);
  class_note(class, "%d to be run again: %d graded by another lab.conf, %d by another kit",
             works.count, confs, kits);
  free_works(&works);
}

void regrade_hint(struct class *class) {
  int confs, kits;
  struct works works = outdated(class, &confs, &kits);
  if (confs)
    class_note(class,
               "lab.conf changed since %d were graded: --regrade scores them from what was "
               "measured, --again grades them anew",
               confs);
  if (kits)
    class_note(class, "%d were graded by another version of the kit: --again grades them anew",
               kits);
  free_works(&works);
}
