/* collect.c: has pending attempts graded by an engine, and merges the results.
 *
 * Of works of the same code only the first is given to the engine; the others get its grade, in the
 * same transaction. Where it gets none (the kit or the machine failed), or one with messages of the
 * compiler, which may quote comments, they are graded after the others, each by itself.
 *
 * Results that are there at a time are merged in one transaction, and their files removed after it:
 * killed in between, the next run merges them again, which gives the same rows. Everything under
 * spool/ that belongs to no pending attempt is left over, and removed. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/pin.h"
#include "grader/class/engine/copies.h"
#include "grader/class/engine/engine.h"
#include "grader/class/engine/slurm.h"
#include "grader/run/work.h"

enum { BATCH = 256 }; /* results in a transaction */

struct collecting {
  struct class *class;
  struct copies copies;
  const char *merged[BATCH]; /* in the transaction that is open; NULL: one that has no result */
  int merged_count;
  int total, done;
  bool terminal, shown;
  double start;
};

/* "1:05:09", "2:07". */
static void add_time(struct text *text, double seconds) {
  long whole = (long)(seconds + 0.5);
  if (whole >= 3600)
    text_add(text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    text_add(text, "%ld:%02ld", whole / 60, whole % 60);
}

static void clear_line(struct collecting *collecting) {
  if (collecting->shown) fprintf(stderr, "\r\033[K");
  collecting->shown = false;
}

/* A line that is written over on a terminal; elsewhere one every tenth of the way. */
static void show(struct collecting *collecting) {
  double passed = clock_seconds() - collecting->start;
  freed_by(text_free) struct text line = {0};
  text_add(&line, "%d of %d graded, ", collecting->done, collecting->total);
  add_time(&line, passed);
  if (collecting->done > 0 && collecting->done < collecting->total) {
    text_add(&line, ", about ");
    add_time(&line, passed / collecting->done * (collecting->total - collecting->done));
    text_add(&line, " to go");
  }
  int step = collecting->total / 10 > 0 ? collecting->total / 10 : 1;
  if (collecting->terminal) {
    fprintf(stderr, "\r\033[K%s", text_get(&line));
    collecting->shown = true;
  } else if (collecting->done % step == 0 || collecting->done == collecting->total) {
    fprintf(stderr, "%s\n", text_get(&line));
  }
}

static void show_note(void *context, const char *line) {
  struct collecting *collecting = context;
  clear_line(collecting);
  class_note(collecting->class, "%s", line);
}

static char *spool_path(const struct class *class, const char *attempt, const char *suffix) {
  return class_path(class, "spool/%s%s", attempt, suffix);
}

static void remove_job(const struct class *class, const char *attempt) {
  static const char *const suffixes[] = {".job", ".json"};
  for (int i = 0; i < 2; i++) {
    autofree char *path = spool_path(class, attempt, suffixes[i]);
    unlink(path);
  }
}

/* Whatever was merged so far is there for good. */
static void settle(struct collecting *collecting) {
  if (collecting->merged_count == 0) return;
  gradebook_commit(collecting->class->book);
  for (int i = 0; i < collecting->merged_count; i++)
    if (collecting->merged[i]) remove_job(collecting->class, collecting->merged[i]);
  collecting->merged_count = 0;
}

static void waiting(void *context, int running) {
  (void)running;
  settle(context);
}

/* Opens the transaction that the attempt is merged in; NULL: its files stay, as a batch system may
 * still run its task. */
static void begin(struct collecting *collecting, const char *attempt) {
  if (collecting->merged_count == BATCH) settle(collecting);
  if (collecting->merged_count == 0) gradebook_begin(collecting->class->book);
  collecting->merged[collecting->merged_count++] = attempt;
}

static void lost(void *context, const char *attempt, const char *reason) {
  struct collecting *collecting = context;
  begin(collecting, NULL);
  merge_failure(collecting->class->book, attempt, reason);
  collecting->done++;
  show(collecting);
}

/* Gives a work's copies the grade that it has got, if it is one. */
static void share(struct collecting *collecting, const char *attempt, const char *text) {
  struct gradebook *book = collecting->class->book;
  int count;
  struct copy *copies = copies_of(&collecting->copies, attempt, &count);
  if (count == 0 ||
      !gradebook_number(book, "SELECT 1 FROM attempt WHERE work=?1 AND status='graded'", "s",
                        attempt))
    return;
  json_auto_t *result = json_loads(text, 0, NULL);
  const char *messages = json_string_value(json_object_get(result, "messages"));
  for (int i = 0; i < count; i++) {
    if (!copies[i].exact && messages && *messages) continue;
    begin(collecting, copies[i].work);
    autofree char *wrong = merge_copy(book, attempt, copies[i].work, text);
    copies[i].graded = !wrong;
    collecting->done += !wrong;
  }
}

static void arrived(void *context, const char *attempt) {
  struct collecting *collecting = context;
  struct class *class = collecting->class;
  autofree char *path = spool_path(class, attempt, ".json"), *text = file_read(path, NULL);
  int why = errno;
  begin(collecting, attempt);
  autofree char *wrong = text ? merge_text(class->book, attempt, text)
                              : xprintf("its result cannot be read: %s", strerror(why));
  if (wrong) merge_failure(class->book, attempt, wrong);
  collecting->done++;
  if (!wrong) share(collecting, attempt, text);
  show(collecting);
}

/* Jobs are small and can be made again: written anew by every run, through a file that is renamed,
 * as a task of an earlier run on another machine may be reading. */
static void write_job(struct class *class, const char *attempt, const char *lab, long long seed,
                      const char *backend) {
  autofree char *source = xprintf("files/%s/%s.cu", attempt, lab),
                *path = spool_path(class, attempt, ".job"),
                *temporary = class_path(class, "spool/.%s.job.%d", attempt, (int)getpid());
  const char *confs = strrchr(class->kit.confs, '/') + 1;
  json_auto_t *job = json_pack("{s:s, s:s, s:I, s:s, s:s}", "lab", lab, "source", source, "seed",
                               (json_int_t)seed, "backend", backend, "confs", confs);
  errno = 0;
  if (json_dump_file(job, temporary, JSON_COMPACT) != 0 || rename(temporary, path) != 0) {
    int why = errno;
    unlink(temporary);
    die("%s: %s; what was graded is kept: run the same command again", path,
        why ? strerror(why) : "cannot be written");
  }
}

/* Takes away what is in spool/ for no pending attempt: temporary files of what was killed, results
 * that are merged. */
static void clean_spool(struct class *class) {
  autofree char *folder = class_path(class, "spool");
  DIR *directory = opendir(folder);
  if (!directory) die("%s: %s", folder, strerror(errno));
  for (struct dirent *item; (item = readdir(directory)) != NULL;) {
    const char *name = item->d_name, *dot = strrchr(name, '.');
    bool ours = *name == '.' ? strlen(name) > 17 && name[17] == '.'
                             : dot && dot - name == 16 &&
                                   (strcmp(dot, ".job") == 0 || strcmp(dot, ".json") == 0);
    if (!ours) continue;
    char id[17] = "";
    memcpy(id, name + (*name == '.'), 16);
    bool pending = gradebook_number(
        class->book, "SELECT 1 FROM attempt WHERE work=?1 AND status IN ('pending','error')", "s",
        id);
    struct stat status;
    autofree char *path = xprintf("%s/%s", folder, name);
    /* A temporary file may still be written to, by a task on another machine. */
    bool old = lstat(path, &status) == 0 && time(NULL) - status.st_mtime > 3600;
    if (*name == '.' ? strcmp(class->options->engine, "local") == 0 || old : !pending) unlink(path);
  }
  closedir(directory);
}

/* Takes away files of no attempt, of a run that was killed before it added the rows. A preview has
 * files of its own there. */
static void clean_files(struct class *class) {
  autofree char *preview = class_path(class, "preview.sqlite"),
                *folder = class_path(class, "files");
  DIR *directory = access(preview, F_OK) == 0 ? NULL : opendir(folder);
  for (struct dirent *item; directory && (item = readdir(directory)) != NULL;) {
    autofree char *inside = xprintf("%s/%s", folder, item->d_name);
    if (*item->d_name != '.' &&
        !gradebook_number(class->book, "SELECT 1 FROM attempt WHERE work=?1", "s", item->d_name))
      work_remove_folder(inside);
  }
  if (directory) closedir(directory);
}

/* One of verdict "error" would be found at once, and not be tried again. */
static void drop_failed(struct class *class, const char *attempt) {
  autofree char *path = spool_path(class, attempt, ".json");
  json_auto_t *result = json_load_file(path, 0, NULL);
  const char *verdict = json_string_value(json_object_get(result, "verdict"));
  if (!verdict || strcmp(verdict, "error") == 0) unlink(path);
}

/* Notes a digest of the code of each work that is pending, for the query below. */
static void digest_pending(struct class *class) {
  gradebook_run(class->book, "CREATE TEMP TABLE IF NOT EXISTS code(work TEXT, digest TEXT)", "");
  gradebook_run(class->book, "DELETE FROM temp.code", "");
  sqlite3_stmt *rows = gradebook_query(
      class->book, "SELECT DISTINCT work FROM attempt WHERE status IN ('pending', 'error')", "");
  while (row_next(rows)) {
    char digest[SHA256_HEX];
    copies_digest(class, row_text(rows, 0), digest);
    gradebook_run(class->book, "INSERT INTO temp.code VALUES(?1, ?2)", "ss", row_text(rows, 0),
                  digest);
  }
}

/* Writes the jobs of what is pending, and lists it: copies of a work apart from what the engine is
 * to grade. Returns how many works wait for a preview. */
static int list_pending(struct collecting *collecting, char ***attempts, int *count) {
  struct class *class = collecting->class;
  int held = 0;
  digest_pending(class);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "WITH pending AS (SELECT work, lab, seed, backend, digest, min(student) AS student, number"
      "  FROM attempt JOIN temp.code USING(work) WHERE status IN ('pending', 'error')"
      "  GROUP BY work)"
      "SELECT work, lab, seed, backend, first_value(work) OVER"
      "  (PARTITION BY lab, seed, backend, digest ORDER BY student, number, work)"
      " FROM pending ORDER BY lab, student, number, work",
      "");
  while (row_next(rows)) {
    const char *work = row_text(rows, 0), *first = row_text(rows, 4);
    if (!pin_fits(class, row_text(rows, 1))) {
      held++;
      continue;
    }
    drop_failed(class, work);
    write_job(class, work, row_text(rows, 1), sqlite3_column_int64(rows, 2), row_text(rows, 3));
    collecting->total++;
    if (strcmp(work, first) == 0 || !copies_add(class, first, work, &collecting->copies))
      *array_add(*attempts, *count) = xstrdup(work);
  }
  copies_sort(&collecting->copies);
  return held;
}

/* By the engine asked for; what it is about to do has been said. */
static void grade(struct collecting *collecting, const char *const *attempts, int count) {
  struct class *class = collecting->class;
  const struct class_options *asked = class->options;
  struct engine_run run = {.root = class->kit.root,
                           .state = class->state,
                           .attempts = attempts,
                           .count = count,
                           .jobs = asked->jobs,
                           .slurm = &(struct slurm_options){asked->slurm, asked->slurm_count},
                           .arrived = arrived,
                           .waiting = waiting,
                           .lost = lost,
                           .note = show_note,
                           .context = collecting};
  freed_by(text_free) struct text words = {0};
  bool slurm = strcmp(asked->engine, "slurm") == 0;
  if (slurm)
    text_add(&words, "Grading %d through Slurm", count);
  else
    text_add(&words, "Grading %d, %d at a time", count, count < asked->jobs ? count : asked->jobs);
  int copies = collecting->total - collecting->done - count;
  if (copies)
    text_add(&words, "; %d more %s the same code as one of these and %s its grade", copies,
             copies == 1 ? "has" : "have", copies == 1 ? "gets" : "get");
  class_note(class, "%s", text_get(&words));
  if (slurm)
    engine_slurm(&run);
  else
    engine_local(&run);
  settle(collecting);
  clear_line(collecting);
}

/* Copies of what has got no grade. */
static void grade_alone(struct collecting *collecting) {
  struct copies *copies = &collecting->copies;
  autofree const char **attempts = NULL;
  int count = 0;
  for (int i = 0; i < copies->count; i++)
    if (!copies->list[i].graded) *array_add(attempts, count) = copies->list[i].work;
  if (count > 0) grade(collecting, attempts, count);
}

void collect_run(struct class *class) {
  clean_spool(class);
  clean_files(class);
  work_sweep(&class->kit);
  const char *term = getenv("TERM");
  struct collecting collecting = {
      .class = class,
      .terminal = isatty(2) && !getenv("NO_COLOR") && !(term && strcmp(term, "dumb") == 0),
      .start = clock_seconds()};
  autofree char **attempts = NULL;
  int count = 0, held = list_pending(&collecting, &attempts, &count);
  const struct class_options *asked = class->options;
  if (held && !asked->preview && !asked->regrade && !asked->again)
    class_problem(class,
                  "%d wait: the others of their lab were graded by another version of the kit; "
                  "--preview shows what this version would change, --accept makes the changes",
                  held);
  if (asked->unsafe) setenv("KIT_UNSAFE", "1", 1);
  if (count > 0) {
    grade(&collecting, (const char *const *)attempts, count);
    grade_alone(&collecting);
  }
  gradebook_begin(class->book);
  history_record(class->book, class->cause);
  gradebook_commit(class->book);
  for (int i = 0; i < count; i++) free(attempts[i]);
  copies_free(&collecting.copies);
}

void collect_report(struct class *class) {
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT coalesce(s.name, a.student), a.lab, a.status, a.reason, a.file FROM attempt AS a "
      "LEFT JOIN student AS s ON s.id=a.student WHERE a.status<>'graded' AND a.counts "
      "ORDER BY a.status, a.student, a.lab, a.number",
      "");
  while (row_next(rows)) {
    const char *who = row_text(rows, 0), *lab = row_text(rows, 1), *status = row_text(rows, 2),
               *reason = row_text(rows, 3), *file = row_text(rows, 4);
    class_problem(class, "%s%s%s: %s: %s (%s)", who, *lab ? ", " : "", lab,
                  strcmp(status, "error") == 0 ? "not graded, which costs no points" : status,
                  reason ? reason : "not graded yet", file ? file : "");
  }
  class_note(
      class, "%lld graded, %lld refused, %lld not graded; the gradebook is %s",
      gradebook_number(class->book, "SELECT count(*) FROM attempt WHERE status='graded'", ""),
      gradebook_number(class->book, "SELECT count(*) FROM attempt WHERE status='refused'", ""),
      gradebook_number(class->book,
                       "SELECT count(*) FROM attempt WHERE status IN ('pending','error')", ""),
      class->book->path);
}
