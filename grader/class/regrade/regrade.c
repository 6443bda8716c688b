/* regrade.c: scores stored grades again, or queues attempts to be run again. What is to be run
 * again gets new attempts beside the old ones, which stay until there is a result (merge.c):
 * nothing is lost if the run is stopped or fails. */
#include "grader/class/regrade/regrade.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/pin.h"

/* A work that is graded. */
struct work {
  char *id, *lab, *conf_hash, *kit_version;
};

struct works {
  struct work *list;
  int count;
};

static struct works graded(struct gradebook *book) {
  struct works works = {0};
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT work, lab, coalesce(conf_hash, ''), coalesce(kit_version, '') FROM attempt"
      " WHERE status='graded' GROUP BY work ORDER BY lab, work",
      "");
  while (row_next(rows)) {
    *array_add(works.list, works.count) =
        (struct work){row_copy(rows, 0), row_copy(rows, 1), row_copy(rows, 2), row_copy(rows, 3)};
  }
  return works;
}

static void free_works(struct works *works) {
  for (int i = 0; i < works->count; i++) {
    struct work *work = &works->list[i];
    free_all(work->id, work->lab, work->conf_hash, work->kit_version);
  }
  free(works->list);
}

/* --- to be run again --- */

/* The work's files under another name as well. */
static void link_files(const struct class *class, const char *from, const char *to) {
  autofree char *old = class_path(class, "files/%s", from),
                *new = class_path(class, "files/%s", to);
  folder_make(new);
  DIR *directory = opendir(old);
  for (struct dirent *item; directory && (item = readdir(directory)) != NULL;) {
    if (*item->d_name == '.') continue;
    autofree char *there = xprintf("%s/%s", old, item->d_name),
                  *here = xprintf("%s/%s", new, item->d_name);
    if (link(there, here) != 0 && errno != EEXIST) die("%s: %s", here, strerror(errno));
  }
  if (directory) closedir(directory);
}

/* An attempt's new name depends on what it is graded with, so that it is the same one if this is
 * done twice. False: it has that name already. */
static bool name_anew(struct gradebook *book, const char *attempt, const char *hash, char id[17]) {
  sqlite3_stmt *rows = gradebook_query(
      book, "SELECT submitter, lab, sha256, backend, seed FROM attempt WHERE id=?1", "s", attempt);
  while (row_next(rows))
    attempt_id(&(struct attempt_facts){.submitter = row_text(rows, 0),
                                       .lab = row_text(rows, 1),
                                       .sha256 = row_text(rows, 2),
                                       .backend = row_text(rows, 3),
                                       .seed = sqlite3_column_int64(rows, 4),
                                       .conf_hash = hash,
                                       .kit_version = KIT_VERSION},
               id);
  return strcmp(id, attempt) != 0;
}

/* New attempts of a work's people, pending, of the same files. */
static void requeue(struct class *class, const struct work *work, const char *hash) {
  struct gradebook *book = class->book;
  char *list = gradebook_string(
           book,
           "SELECT group_concat(id, char(10)) FROM (SELECT id FROM attempt WHERE work=?1"
           " ORDER BY id<>work, id)",
           "s", work->id),
       *rest = list, *attempt, first[17] = "";
  while ((attempt = strsep(&rest, "\n")) != NULL) {
    char id[17];
    bool fresh = name_anew(book, attempt, hash, id);
    if (!*first) memcpy(first, id, sizeof first);
    if (!fresh) /* scored in between by another lab.conf, whose hash is not in the name */
      gradebook_run(book, "UPDATE attempt SET status='pending' WHERE id=?1", "s", attempt);
    else
      gradebook_run(book,
                    "INSERT OR IGNORE INTO attempt(id, student, submitter, work, lab, number,"
                    " submitted, late, marked_late, file, sha256, status, counts, seed, backend,"
                    " kit_version, conf_hash) SELECT ?2, student, submitter, ?3, lab, number,"
                    " submitted, late, marked_late, file, sha256, 'pending', 0, seed, backend, ?4,"
                    " ?5 FROM attempt WHERE id=?1",
                    "sssss", attempt, id, first, KIT_VERSION, hash);
  }
  if (strcmp(first, work->id) != 0) link_files(class, work->id, first);
  free(list);
}

static bool has_file(const struct class *class, const struct work *work) {
  autofree char *path = class_path(class, "files/%s/%s.cu", work->id, work->lab);
  return access(path, R_OK) == 0;
}

/* --- each work --- */

struct regrading {
  struct class *class;
  enum regrade how;
  int scored, changed, again, stuck;
  char *why; /* the first reason to run something again */
};

/* From what was measured; false: that is not enough. */
static bool score_anew(struct regrading *regrading, const struct work *work) {
  struct stored stored;
  if (!stored_open(regrading->class, work->id, &stored)) return false;
  if (stored.fits) {
    json_t *json = stored_json(&stored);
    const json_t *items = json_object_get(json, "items");
    regrading->changed += !json_equal(items, json_object_get(stored.json, "items"));
    regrading->scored++;
    char *wrong = merge_result(regrading->class->book, work->id, json);
    if (wrong) die("attempt %s: %s", work->id, wrong);
    json_decref(json);
  } else if (!regrading->why) {
    regrading->why = xstrdup(stored.why);
  }
  bool fits = stored.fits;
  stored_free(&stored);
  return fits;
}

static void regrade_one(struct regrading *regrading, const struct work *work, const char *hash) {
  struct class *class = regrading->class;
  bool conf = strcmp(work->conf_hash, hash) != 0, kit = strcmp(work->kit_version, KIT_VERSION) != 0;
  if (!conf && !kit && regrading->how != REGRADE_ALL) return;
  /* What another version of the kit has measured is none of this one's figures. */
  bool run = kit || (conf && regrading->how == REGRADE_AGAIN);
  if (!run && score_anew(regrading, work)) return;
  if (has_file(class, work)) {
    requeue(class, work, hash);
    regrading->again++;
  } else {
    regrading->stuck++;
  }
}

void regrade_run(struct class *class, enum regrade regrade) {
  struct works works = graded(class->book);
  struct regrading regrading = {.class = class, .how = regrade};
  char *hash = NULL;
  for (int i = 0; i < works.count; i++) {
    const struct work *work = &works.list[i];
    if (i == 0 || strcmp(work->lab, works.list[i - 1].lab) != 0) {
      free(hash);
      hash = pin_hash(&class->kit, work->lab);
    }
    gradebook_begin(class->book);
    regrade_one(&regrading, work, hash);
    gradebook_commit(class->book);
  }
  class_note(class,
             "%d scored again from what was measured, %d of which changed; %d to be run again%s%s",
             regrading.scored, regrading.changed, regrading.again, regrading.why ? ": " : "",
             regrading.why ? regrading.why : "");
  if (regrading.stuck)
    class_problem(class,
                  "%d keep their grades: they would have to be run again, and their files are not "
                  "in %s/files",
                  regrading.stuck, class->state);
  free_all(hash, regrading.why);
  free_works(&works);
}
