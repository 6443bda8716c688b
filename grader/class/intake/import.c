/* import.c: makes attempts of what was handed in.
 *
 * Files are written first and made durable, then all new rows are added in one transaction: a row
 * is never without its file. Files without a row, of a run that was killed in between, are removed
 * by collect.c. What a group handed in is one work: its file and its grading are named by the
 * attempt of the first of them. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/base/version.h"
#include "grader/class/book/attempt.h"
#include "grader/class/book/pin.h"
#include "grader/class/book/submitters.h"
#include "grader/class/intake/handed.h"
#include "grader/class/intake/roster.h"

void import_settings(struct class *class) {
  struct gradebook *book = class->book;
  const struct class_options *options = class->options;
  gradebook_begin(book);
  autofree char *seed = gradebook_meta(book, "seed");
  if (seed && options->seeded && strtoull(seed, NULL, 10) != options->seed)
    die("this class is graded with seed %s, so that everybody gets the same inputs; for %" PRIu64
        " use another --state DIR",
        seed, options->seed);
  if (!seed) {
    uint32_t fresh;
    random_bytes(&fresh, sizeof fresh);
    autofree char *text = xprintf("%" PRIu64, options->seeded ? options->seed : (uint64_t)fresh);
    gradebook_set_meta(book, "seed", text);
  }
  if (options->due) {
    long long due;
    if (!attempt_parse_time(options->due, &due))
      die("--due %s: write 2026-01-31, 2026-01-31T23:59 or 2026-01-31T22:59Z", options->due);
    autofree char *time = gradebook_time(due), *cause = xprintf("--due %s", options->due);
    gradebook_set_meta(book, "due", time);
    history_record(book, cause);
  }
  autofree char *policy = gradebook_meta(book, "policy");
  if (options->policy || !policy) {
    autofree char *cause = xprintf("--policy %s", options->policy ? options->policy : "last");
    gradebook_set_meta(book, "policy", options->policy ? options->policy : "last");
    history_record(book, cause);
  }
  gradebook_set_meta(book, "kit_version", KIT_VERSION);
  gradebook_commit(book);
}

/* --- writing --- */

static void write_file(const char *path, const char *data, size_t length) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) die("%s: %s", path, strerror(errno));
  if (!write_all(fd, data, length))
    die("%s: %s; nothing is lost: make room, and run the same command again", path,
        strerror(errno));
  if (close(fd) != 0) die("%s: %s", path, strerror(errno));
}

static void write_source(const struct class *class, const char *work, const struct handed *handed) {
  autofree char *folder = class_path(class, "files/%s", work),
                *path = class_path(class, "files/%s/%s.cu", work, handed->lab);
  folder_make(folder);
  write_file(path, handed->data, handed->length);
  for (int i = 0; i < handed->header_count; i++) {
    autofree char *header = class_path(class, "files/%s/%s", work, handed->headers[i].name);
    write_file(header, handed->headers[i].data, handed->headers[i].length);
  }
}

/* Everything that was written lies on the disk. */
static void sync_state(const struct class *class) {
  int fd = open(class->state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 || syncfs(fd) != 0) die("%s: %s", class->state, strerror(errno));
  close(fd);
}

/* --- rows --- */

/* What one person handed in for one lab. */
struct row {
  const struct handed *handed;
  char *submitter, *student; /* student: once it is known */
  char id[17], work[17];
  bool known, again, last;
};

struct importing {
  struct class *class;
  char *const *labs;
  char **hashes; /* of the labs' confs */
  long long seed;
  struct row *rows; /* by submitter, lab and order */
  int count, fresh, known, refused;
};

static const char *hash_of(struct importing *importing, const char *id) {
  int i = 0;
  while (importing->labs[i] && strcmp(importing->labs[i], id) != 0) i++;
  if (!importing->labs[i]) return "";
  if (!importing->hashes[i]) {
    pin_add(importing->class, id);
    importing->hashes[i] = pin_hash(&importing->class->kit, id);
  }
  return importing->hashes[i];
}

static int by_submitter(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  int difference = strcmp(x->submitter, y->submitter);
  if (!difference) difference = strcmp(x->handed->lab, y->handed->lab);
  if (!difference) difference = x->handed->order - y->handed->order;
  if (!difference)
    difference = (x->handed->submitted > y->handed->submitted) -
                 (x->handed->submitted < y->handed->submitted);
  return difference ? difference : strcmp(x->handed->file, y->handed->file);
}

static bool same_lab(const struct row *a, const struct row *b) {
  return strcmp(a->submitter, b->submitter) == 0 && strcmp(a->handed->lab, b->handed->lab) == 0;
}

/* A row for each person, who are added to the gradebook. */
static void list_rows(struct importing *importing, const struct handed_list *handed) {
  int people = 0;
  for (int i = 0; i < handed->count; i++) people += handed->list[i].people;
  importing->rows = xcalloc((size_t)people + 1, sizeof *importing->rows);
  for (int i = 0; i < handed->count; i++) {
    char first[17] = "";
    for (int p = 0; p < handed->list[i].people; p++) {
      struct row *row = &importing->rows[importing->count++];
      row->handed = &handed->list[i];
      row->submitter = submitter_add(importing->class->book, &handed->list[i].who[p]);
      attempt_id(&(struct attempt_facts){.submitter = row->submitter,
                                         .lab = row->handed->lab,
                                         .sha256 = row->handed->sha256,
                                         .conf_hash = hash_of(importing, row->handed->lab),
                                         .kit_version = KIT_VERSION,
                                         .backend = importing->class->options->backend,
                                         .seed = importing->seed},
                 row->id);
      if (p == 0) memcpy(first, row->id, sizeof first);
      memcpy(row->work, first, sizeof first);
    }
  }
  array_sort(importing->rows, importing->count, by_submitter);
  for (int i = 0; i < importing->count; i++) {
    struct row *row = &importing->rows[i];
    row->last = i + 1 == importing->count || !same_lab(row, row + 1);
    for (int j = i + 1; j < importing->count && same_lab(row, &importing->rows[j]); j++)
      row->again |= strcmp(row->handed->sha256, importing->rows[j].handed->sha256) == 0;
  }
}

/* The same content handed in before is the same attempt. An earlier kit did not know submitters:
 * what it took of the student was theirs. */
static char *known_attempt(struct gradebook *book, const struct row *row) {
  return gradebook_string(
      book,
      "SELECT id FROM attempt WHERE lab=?3 AND sha256=?4 AND"
      " (submitter=?1 OR (student=?2 AND submitter LIKE 'earlier:%')) ORDER BY number DESC",
      "ssss", row->submitter, row->student, row->handed->lab, row->handed->sha256);
}

/* When it was handed in; NULL: not known. Moodle's zip has no times: its grading worksheet, given
 * as the roster, has when each participant of the assignment last handed in. The caller's. */
static char *time_of(struct gradebook *book, const struct row *row) {
  if (row->handed->submitted > 0) return gradebook_time(row->handed->submitted);
  return gradebook_string(
      book,
      "SELECT s.submitted FROM submitter AS u JOIN identifier AS i ON i.kind='moodle' AND"
      " i.value=u.value AND i.student=?2 JOIN student AS s ON s.id=?2"
      " WHERE u.key=?1 AND u.kind='moodle'",
      "ss", row->submitter, row->student);
}

/* If it is what they want graded now, it is the last one again. */
static void renew(struct gradebook *book, const struct row *row, const char *id) {
  autofree char *worksheet = row->handed->submitted > 0 ? NULL : time_of(book, row);
  gradebook_run(book,
                "UPDATE attempt SET submitter=?2, submitted=coalesce(?3, submitted) WHERE id=?1",
                "sss", id, row->submitter, worksheet);
  if (row->last)
    gradebook_run(book,
                  "UPDATE attempt SET number=(SELECT max(number)+1 FROM attempt WHERE student=?2 "
                  "AND lab=?3) WHERE id=?1 AND number<(SELECT max(number) FROM attempt WHERE "
                  "student=?2 AND lab=?3)",
                  "sss", id, row->student, row->handed->lab);
}

static void add_row(struct importing *importing, const struct row *row) {
  struct gradebook *book = importing->class->book;
  const struct handed *handed = row->handed;
  autofree char *submitted = time_of(book, row), *file = gradebook_text(handed->file),
                *reason = gradebook_text(handed->refused);
  gradebook_run(
      book,
      "INSERT INTO attempt(id, student, submitter, work, lab, number, submitted, marked_late, file,"
      " sha256, status, reason, seed, backend, kit_version, conf_hash) VALUES(?1, ?2, ?3, ?4, ?5,"
      " (SELECT coalesce(max(number), 0)+1 FROM attempt WHERE student=?2 AND lab=?5),"
      " ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
      "ssssssisssslsss", row->id, row->student, row->submitter, row->work, handed->lab, submitted,
      (int)handed->late, file, handed->sha256, handed->refused ? "refused" : "pending", reason,
      importing->seed, importing->class->options->backend, KIT_VERSION,
      hash_of(importing, handed->lab));
}

/* Who everybody is, and what of theirs is new. */
static void find_known(struct importing *importing) {
  struct gradebook *book = importing->class->book;
  submitters_resolve(book);
  for (int i = 0; i < importing->count; i++) {
    struct row *row = &importing->rows[i];
    free(row->student);
    row->student =
        gradebook_string(book, "SELECT student FROM submitter WHERE key=?1", "s", row->submitter);
    autofree char *known = row->again ? NULL : known_attempt(book, row);
    row->known = known != NULL;
    if (known) renew(book, row, known);
  }
}

/* What was refused as its lab was not known, until a later run knows it or something else came. */
static void drop_labless(struct importing *importing) {
  for (int i = 0; i < importing->count; i++) {
    const struct row *row = &importing->rows[i];
    if (i > 0 && strcmp(importing->rows[i - 1].submitter, row->submitter) == 0) continue;
    gradebook_run(importing->class->book,
                  "DELETE FROM attempt WHERE submitter=?1 AND lab='' AND sha256<>?2", "ss",
                  row->submitter, *row->handed->lab ? "" : row->handed->sha256);
  }
}

/* Files first: what is in the gradebook is on the disk. */
static void write_files(struct importing *importing) {
  bool any = false;
  for (int i = 0; i < importing->count; i++) {
    const struct row *row = &importing->rows[i];
    if (row->again || row->known || row->handed->refused) continue;
    write_source(importing->class, row->work, row->handed);
    any = true;
  }
  if (any) sync_state(importing->class);
}

static void add_all(struct importing *importing, const struct handed_list *handed) {
  struct class *class = importing->class;
  gradebook_begin(class->book);
  if (class->options->roster)
    class_note(class, "The roster lists %d students", roster_read(class, class->options->roster));
  list_rows(importing, handed);
  drop_labless(importing);
  find_known(importing);
  history_record(class->book, class->options->roster ? "the roster" : "who it is");
  write_files(importing);
  for (int i = 0; i < importing->count; i++) {
    const struct row *row = &importing->rows[i];
    if (row->again) continue;
    importing->known += row->known;
    if (row->known) continue;
    importing->refused += row->handed->refused != NULL;
    importing->fresh += row->handed->refused == NULL;
    add_row(importing, row);
  }
  history_record(class->book, "handed in");
  gradebook_commit(class->book);
  for (int i = 0; i < importing->count; i++)
    free_all(importing->rows[i].submitter, importing->rows[i].student);
  free(importing->rows);
}

/* --- the whole --- */

static enum class_format find_format(struct class *class, const struct entries *entries) {
  autofree const char **paths = xcalloc((size_t)entries->count + 1, sizeof *paths);
  for (int i = 0; i < entries->count; i++) paths[i] = entries->list[i].path;
  const char *wanted = class->options->format;
  autofree char *why = NULL;
  enum class_format format = names_recognise(paths, entries->count, &why);
  if (wanted) format = class_format_find(wanted);
  class_note(class, "Reading %s as %s%s%s", class->options->from, class_format_names[format],
             wanted ? "" : ": ", wanted ? "" : why);
  return format;
}

static void read_metadata(struct class *class, struct entries *entries,
                          struct gradescope_metadata *metadata) {
  for (int i = 0; i < entries->count; i++) {
    struct entry *entry = &entries->list[i];
    if (strcmp(entry->path, "submission_metadata.yml") != 0) continue;
    if (!entry_load(entry)) die("%s: %s", entry->path, entry->fault);
    autofree char *wrong = gradescope_read(entry->data, entry->length, metadata);
    if (wrong) class_problem(class, "%s: %s; names are unknown", entry->path, wrong);
  }
}

/* Notes how many cannot be late because the platform's download does not have when they came. */
static void report_times(struct class *class, enum class_format format) {
  autofree char *due = gradebook_meta(class->book, "due");
  long long unknown = gradebook_number(
      class->book, "SELECT count(*) FROM attempt WHERE counts AND submitted IS NULL", "");
  if (due && format == FORMAT_CANVAS)
    class_note(class, "Canvas's zip has no times of submission: late is what Canvas marked LATE");
  else if (due && unknown)
    class_note(class, "%lld submission%s on time: %s", unknown,
               unknown == 1 ? " counts as" : "s count as",
               format == FORMAT_MOODLE
                   ? "Moodle's zip has no times of submission; the assignment's grading worksheet "
                     "has them: pass it as --roster FILE.csv"
                   : "it is not known when they were handed in");
}

void import_run(struct class *class) {
  autofree char *files = class_path(class, "files"), *spool = class_path(class, "spool");
  folder_make(files);
  folder_make(spool);
  struct entries entries;
  entries_read(class, &entries);
  enum class_format format = find_format(class, &entries);
  struct gradescope_metadata metadata = {0};
  if (format == FORMAT_GRADESCOPE) read_metadata(class, &entries, &metadata);
  int count;
  char **labs = lab_ids(&class->kit, &count);
  const char *lab = class->options->lab;
  if (lab && !class_has_lab(class, lab))
    die("there is no lab '%s'; ./grade list shows the labs", lab);
  struct handed_list handed;
  handed_read(class, &entries, format, &metadata, labs, &handed);
  struct importing importing = {
      .class = class, .labs = labs, .hashes = xcalloc((size_t)count, sizeof *importing.hashes)};
  importing.seed = gradebook_number(class->book, "SELECT value FROM meta WHERE key='seed'", "");
  add_all(&importing, &handed);
  class_note(class, "%d new to grade, %d refused, %d known from before", importing.fresh,
             importing.refused, importing.known);
  report_times(class, format);
  for (int i = 0; i < count; i++) free(importing.hashes[i]);
  free(importing.hashes);
  handed_free(&handed);
  gradescope_free(&metadata);
  lab_free_ids(labs);
  entries_free(&entries);
}
