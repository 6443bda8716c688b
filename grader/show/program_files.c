/* program_files.c: see program_files.h. */
#include "grader/show/program_files.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/text.h"

enum { MOST_FILES = 30 };

/* ---- which files ---- */

struct program_file *program_file_find(const struct program_files *files, const char *path) {
  for (int i = 0; i < files->count; i++)
    if (strcmp(files->list[i].path, path) == 0) return &files->list[i];
  return NULL;
}

static bool is_source(const char *path) {
  static const char *const ends[] = {".cu", ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                     ".h",  ".hh",  ".hpp", ".hxx", ".inl", ".inc"};
  const char *end = strrchr(path, '.');
  for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
    if (strcmp(end, ends[i]) == 0) return true;
  return false;
}

static bool may_show(const char *path, const char *const *folders, int count) {
  bool inside = false;
  autofree char *real = real_path(xstrdup(path));
  for (int i = 0; i < count && !inside; i++) {
    autofree char *folder = real_path(xstrdup(folders[i]));
    size_t length = strlen(folder);
    inside = strncmp(real, folder, length) == 0 && real[length] == '/';
  }
  return inside && is_source(real);
}

static void add_file(struct program_files *files, const char *path, const char *const *folders,
                     int count) {
  if (!*path || files->count == MOST_FILES || program_file_find(files, path)) return;
  struct program_file *file = array_add(files->list, files->count);
  file->path = path;
  if (!may_show(path, folders, count) || source_read(path, &file->source) != 0)
    file->source = (struct source){.name = xstrdup(basename(path)), .path = xstrdup(path)};
  file->lines = xcalloc((size_t)file->source.line_count + 1, sizeof *file->lines);
}

/* ---- what was seen in them ---- */

static void add_hazard(const struct program_files *files, const json_t *json) {
  const char *path = program_text(json, "file"), *other_path = program_text(json, "other_file");
  struct program_file *file = program_file_find(files, path),
                      *other = program_file_find(files, other_path);
  bool two = strcmp(path, other_path) != 0;
  struct hazard_record record;
  if (file && !hazard_record_from_json(json, &record)) {
    if (two) record.other_line = 0;
    *array_add(file->hazards, file->hazard_count) = record;
  }
  if (two && other && !hazard_record_from_json(json, &record)) {
    record.line = record.other_line;
    record.other_line = 0;
    *array_add(other->hazards, other->hazard_count) = record;
  }
}

/* The entries of a list that are about this file. */
static json_t *part_of(const json_t *list, const char *path) {
  json_t *part = json_array(), *entry;
  size_t i;
  json_array_foreach (list, i, entry)
    if (strcmp(program_text(entry, "file"), path) == 0) json_array_append(part, entry);
  return part;
}

static void add_launch(struct program_file *file, const json_t *launch) {
  json_auto_t *part = json_copy((json_t *)launch),
              *accesses = part_of(json_object_get(launch, "accesses"), file->path);
  json_object_set_new(part, "lines", part_of(json_object_get(launch, "lines"), file->path));
  json_object_set(part, "accesses", accesses);
  if (json_array_size(accesses) == 0) return;
  struct launch_record record;
  if (launch_record_from_json(part, &record))
    launch_record_free(&record);
  else
    *array_add(file->launches, file->launch_count) = record;
}

static void join_accesses(struct program_file *file) {
  for (int i = 0; i < file->launch_count; i++)
    for (int k = 0; k < file->launches[i].access_count; k++)
      *array_add(file->accesses.accesses, file->accesses.access_count) =
          file->launches[i].accesses[k];
}

void program_files_read(const json_t *report, const struct program_found *found,
                        const char *const *folders, int folder_count, struct program_files *files) {
  const json_t *json;
  size_t i;
  *files = (struct program_files){0};
  json_array_foreach (json_object_get(report, "hazards"), i, json) {
    add_file(files, program_text(json, "file"), folders, folder_count);
    add_file(files, program_text(json, "other_file"), folders, folder_count);
  }
  for (int k = 0; k < found->line_count; k++)
    add_file(files, found->lines[k].file, folders, folder_count);
  json_array_foreach (json_object_get(report, "launches"), i, json)
    add_file(files, program_text(json, "file"), folders, folder_count);

  json_array_foreach (json_object_get(report, "hazards"), i, json) add_hazard(files, json);
  for (int k = 0; k < found->line_count; k++) {
    const struct program_line *line = &found->lines[k];
    struct program_file *file = program_file_find(files, line->file);
    if (file && line->line >= 0 && line->line <= file->source.line_count)
      counters_add(&file->lines[line->line], &line->counters);
  }
  for (int k = 0; k < files->count; k++) {
    json_array_foreach (json_object_get(report, "recorded"), i, json)
      add_launch(&files->list[k], json);
    join_accesses(&files->list[k]);
  }
}

void program_files_free(struct program_files *files) {
  for (int i = 0; i < files->count; i++) {
    struct program_file *file = &files->list[i];
    for (int k = 0; k < file->hazard_count; k++) hazard_record_free(&file->hazards[k]);
    for (int k = 0; k < file->launch_count; k++) launch_record_free(&file->launches[k]);
    free_all(file->hazards, file->launches, file->lines, file->accesses.accesses);
    source_free(&file->source);
  }
  free(files->list);
  *files = (struct program_files){0};
}

struct picture_subject program_file_subject(const struct program_file *file, const char *device) {
  struct picture_subject subject = {
      .name = file->source.name, .device = device, .source = &file->source};
  for (int i = 0; i < file->launch_count; i++)
    *array_add(subject.launches, subject.launch_count) =
        (struct picture_launch){&file->launches[i], NULL};
  return subject;
}
