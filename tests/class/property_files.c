/* property_files.c: a platform's downloads, rosters and tables of a course (property.h). */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/class/base/csv.h"
#include "tests/class/property.h"

/* --- a download: a folder or a zip --- */

struct writing {
  struct course *course;
  struct archive *zip; /* NULL: a folder */
};

static void write_file(const char *path, const char *data, size_t length) {
  FILE *file = fopen(path, "w");
  if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0)
    die("%s: not written", path);
}

static void make_folders(const char *path) {
  autofree char *copy = xstrdup(path);
  for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(copy, 0777);
    *at = '/';
  }
}

static void add_file(struct writing *writing, const char *name, const char *data, size_t length) {
  if (!writing->zip) {
    autofree char *path = xprintf("%s/%s", writing->course->download, name);
    make_folders(path);
    write_file(path, data, length);
    return;
  }
  struct archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname_utf8(entry, name);
  archive_entry_set_size(entry, (la_int64_t)length);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  if (archive_write_header(writing->zip, entry) != ARCHIVE_OK ||
      archive_write_data(writing->zip, data, length) != (la_ssize_t)length)
    die("%s: %s", name, archive_error_string(writing->zip));
  archive_entry_free(entry);
}

/* before: what the platform puts before the file's name. */
static void add_submission(struct writing *writing, const struct handed_in *handed,
                           const char *before, const char *number) {
  static const char cut[] = "PK\003\004\024\000\000\000\010\000cut off";
  autofree char *name = xprintf("%slab%d%s.%s", before, handed->lab + 1, number,
                                handed->broken ? "zip" : "cu"),
                *text = xprintf("// score = %d of %d\n", handed->score, SCORE_MAX);
  if (handed->broken) { /* each another, so that it is new */
    freed_by(text_free) struct text all = {0};
    text_append(&all, cut, sizeof cut - 1);
    text_add(&all, "%d", handed->score);
    add_file(writing, name, text_get(&all), all.length);
  } else {
    add_file(writing, name, text, strlen(text));
  }
}

/* As Canvas writes a name into a file's: small letters and digits, joined. */
static char *canvas_name(const char *name) {
  struct text text = {0};
  for (const char *at = name; *at; at++) {
    char c = *at >= 'A' && *at <= 'Z' ? (char)(*at | 0x20) : *at;
    if (!strchr(" ,.-'/_", c)) text_append(&text, &c, 1);
  }
  return text.data ? text.data : xstrdup("");
}

static void add_canvas(struct writing *writing, const struct handed_in *handed, bool group) {
  struct course *course = writing->course;
  autofree char *name =
                    group ? xstrdup("Team Rocket") : course_name(course, handed->owner[0], true),
                *small = canvas_name(name),
                *before = xprintf("%s_%s%s_%d_", small, handed->score % 5 ? "" : "LATE_",
                                  handed->as, 50000 + handed->score),
                *number = handed->score % 3 ? xstrdup("") : xprintf("-%d", 1 + handed->score % 4);
  add_submission(writing, handed, before, number);
}

static void add_moodle(struct writing *writing, const struct handed_in *handed) {
  struct course *course = writing->course;
  autofree char *name = handed->owner[0] >= TEAM ? xprintf("Team %d", handed->owner[0] - TEAM)
                                                 : course_name(course, handed->owner[0], false),
                *before = xprintf("%s_%s_assignsubmission_file_%s", name, handed->as,
                                  course->seed % 3 ? "/" : "");
  add_submission(writing, handed, before, "");
}

/* Some accounts have no address or no number there. */
static bool gradescope_shows(const struct course *course, int student, enum identity_kind kind) {
  int which = (student + (int)(course->seed % 11)) % 7;
  return kind == IDENTITY_ID ? which != 2 && which != 5 : which != 6;
}

static void add_gradescope(struct writing *writing, const struct handed_in *handed,
                           struct text *metadata) {
  struct course *course = writing->course;
  autofree char *before = xprintf("assignment_7_export/submission_%d/", 900 + handed->score);
  add_submission(writing, handed, before, "");
  text_add(metadata, "submission_%d:\n  :submitters:\n", 900 + handed->score);
  for (int o = 0; o < handed->owners; o++) {
    int student = handed->owner[o];
    autofree char *name = course_name(course, student, false);
    text_add(metadata, "  - :name: \"%s\"\n", name);
    if (gradescope_shows(course, student, IDENTITY_ID))
      text_add(metadata, "    :sid: '%s'\n", course->students[student].value[IDENTITY_ID]);
    if (gradescope_shows(course, student, IDENTITY_EMAIL))
      text_add(metadata, "    :email: %s\n", course->students[student].mailbox);
  }
  text_add(metadata, "  :created_at: 2026-01-31 11:%02d:00 Z\n", course->run);
}

static void add_clone(struct writing *writing, const struct handed_in *handed) {
  struct course *course = writing->course;
  bool before_lab = strcmp(course->slug, "-hpc-course") == 0;
  autofree char *folder = before_lab
                              ? xprintf("hpc-lab%d-%s", handed->lab + 1, handed->as)
                              : xprintf("lab%d%s-%s", handed->lab + 1, course->slug, handed->as),
                *git = xprintf("%s/%s/.git/", course->download, folder),
                *before = xprintf("%s/", folder);
  if (before_lab || chance(course, 50)) make_folders(git);
  add_submission(writing, handed, before, "");
}

static void write_download(struct course *course) {
  bool zipped = course->platform != GITHUB && chance(course, 50);
  const char *suffix = zipped ? ".zip" : "";
  course->download = course->seed % 4
                         ? path_in(course, "run%d/lab%d%s", course->run, course->lab + 1, suffix)
                         : path_in(course, "run%d/submissions%s", course->run, suffix);
  make_folders(course->download);
  struct writing writing = {.course = course};
  if (zipped) {
    writing.zip = archive_write_new();
    archive_write_set_format_zip(writing.zip);
    archive_write_set_options(writing.zip, "compression=store,hdrcharset=UTF-8");
    if (archive_write_open_filename(writing.zip, course->download) != ARCHIVE_OK)
      die("%s", course->download);
  } else {
    mkdir(course->download, 0777);
  }
  freed_by(text_free) struct text metadata = {0};
  for (int g = 0; g < course->group_count[course->lab]; g++) {
    const struct group *group = &course->groups[course->lab][g];
    if (group->last < 0) continue;
    const struct handed_in *handed = &course->handed[group->last];
    autofree char *before = xprintf("%s/", handed->as);
    if (course->platform == CANVAS) add_canvas(&writing, handed, group->count > 1);
    if (course->platform == MOODLE) add_moodle(&writing, handed);
    if (course->platform == GRADESCOPE) add_gradescope(&writing, handed, &metadata);
    if (course->platform == GITHUB) add_clone(&writing, handed);
    if (course->platform == FOLDER) add_submission(&writing, handed, before, "");
  }
  if (metadata.length)
    add_file(&writing, "assignment_7_export/submission_metadata.yml", metadata.data,
             metadata.length);
  if (!zipped) return;
  if (archive_write_close(writing.zip) != ARCHIVE_OK) die("%s: not written", course->download);
  archive_write_free(writing.zip);
}

/* --- tables --- */

static void add_cell(struct text *text, const char *before, const char *value, const char *after) {
  autofree char *whole = xprintf("%s%s", before, value ? value : "");
  csv_add(text, value && *value ? whole : "", ',');
  text_add(text, "%s", after);
}

static void write_table(const char *path, struct text *text) {
  make_folders(path);
  write_file(path, text->data, text->length);
  text_free(text);
}

static void add_general_row(const struct course *course, struct text *text, const struct row *row) {
  for (int kind = 0; kind < IDENTITY_FOLDER; kind++)
    if (course->columns[kind]) add_cell(text, "", row->value[kind], ",");
  add_cell(text, "", row->name, ",");
  add_cell(text, "", course->students[row->student].section, "\n");
}

static void write_roster(struct course *course) {
  static const char *const headings[] = {
      "canvas id", "participant number", "", "github", "student id", "login", "email"};
  struct text text = {0};
  if (course->roster_shape == 0) text_add(&text, "Student,ID,SIS User ID,SIS Login ID,Section\n");
  if (course->roster_shape == 1)
    text_add(&text, "Identifier,Full name,Email address,Status,Grade\n");
  for (int kind = 0; course->roster_shape == 2 && kind < IDENTITY_FOLDER; kind++)
    if (course->columns[kind])
      text_add(&text, "%s,", kind == IDENTITY_ID && course->seed % 2 ? "id" : headings[kind]);
  if (course->roster_shape == 2) text_add(&text, "name,section\n");
  if (course->roster_shape == 3) text_add(&text, "identifier,github_username,github_id,name\n");
  for (int r = 0; r < course->row_count; r++) {
    const struct row *row = &course->rows[r];
    char *const *value = row->value;
    if (course->roster_shape == 0) {
      add_cell(&text, "", row->name, ",");
      add_cell(&text, "", value[IDENTITY_CANVAS], ",");
      add_cell(&text, "", value[IDENTITY_ID], ",");
      add_cell(&text, "", value[IDENTITY_LOGIN], ",");
      add_cell(&text, "", course->students[row->student].section, "\n");
    } else if (course->roster_shape == 1) {
      add_cell(&text, "Participant ", value[IDENTITY_MOODLE], ",");
      add_cell(&text, "", row->name, ",");
      add_cell(&text, "", value[IDENTITY_EMAIL], ",Submitted for grading,\n");
    } else if (course->roster_shape == 2) {
      add_general_row(course, &text, row);
    } else {
      add_cell(&text, "", value[IDENTITY_ID], ",");
      add_cell(&text, "", value[IDENTITY_GITHUB], ",,");
      add_cell(&text, "", row->name, "\n");
    }
  }
  write_table(path_in(course, "roster.csv"), &text);
}

static void write_gradebook(struct course *course) {
  struct text text = {0};
  autofree char *possible = course->possible ? xprintf("%d", course->possible) : xstrdup("");
  text_add(&text,
           "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (771),Lab 2 (772),Final Score\n");
  text_add(&text, "    Points Possible,,,,,%s,%s,(read only)\n", possible, possible);
  for (int s = 0; s < course->count; s++) {
    const struct student *who = &course->students[s];
    if (!who->enrolled) continue;
    autofree char *name = course_name(course, s, true);
    add_cell(&text, "", name, ",");
    add_cell(&text, "", who->value[IDENTITY_CANVAS], ",");
    add_cell(&text, "", s % 6 == 5 ? "" : who->value[IDENTITY_ID], ",");
    add_cell(&text, "", who->value[IDENTITY_LOGIN], ",");
    add_cell(&text, "", who->section, ",,,\n");
  }
  text_add(&text, "\"Student, Test\",99,,test,,,,\n");
  write_table(course->gradebook, &text);
}

static void write_worksheet(struct course *course) {
  struct text text = {0};
  text_add(&text,
           "Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified "
           "(grade),Feedback comments\n");
  for (int s = 0; s < course->count; s++) {
    const struct student *who = &course->students[s];
    if (!who->enrolled) continue;
    autofree char *name = course_name(course, s, false),
                  *tail = xprintf(",Submitted,,%d.00,-,\n", course->possible);
    add_cell(&text, "Participant ", who->moodle[course->lab], ",");
    add_cell(&text, "", name, ",");
    add_cell(&text, "", s % 6 == 4 ? "" : who->value[IDENTITY_EMAIL], tail);
  }
  write_table(course->worksheet, &text);
}

void files_write(struct course *course) {
  free_all(course->download, course->gradebook, course->worksheet, course->made);
  course->gradebook = course->worksheet = course->made = NULL;
  write_download(course);
  if (course->roster && course->row_count) write_roster(course);
  if (course->platform == CANVAS || chance(course, 40))
    course->gradebook = path_in(course, "run%d/gradebook.csv", course->run);
  if (chance(course, course->platform == MOODLE ? 60 : 35))
    course->worksheet = path_in(course, "run%d/worksheet.csv", course->run);
  else if (chance(course, course->platform == MOODLE ? 90 : 30))
    course->made = path_in(course, "run%d/made.csv", course->run);
  if (course->gradebook) write_gradebook(course);
  if (course->worksheet) write_worksheet(course);
}
