/* run_pages.c: the page of a program, and pictures of its accesses (./grade run). */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "grader/commands/run_request.h"
#include "grader/show/html.h"
#include "grader/show/picture.h"
#include "grader/show/program_page.h"

/* The folders whose files may be shown: those of its own files, and those of -I. */
static int folders_of(const struct run_request *request, const char **folders) {
  int count = 0;
  for (int i = 0; i < request->files; i++) {
    autofree char *copy = xstrdup(request->names[i]);
    folders[count++] = xstrdup(dirname(copy));
  }
  for (int i = 0; i < request->folder_count; i++) folders[count++] = xstrdup(request->folders[i]);
  return count;
}

static bool has_picture(const struct picture_subject *subject, int line) {
  int *lines, count = picture_lines(subject, &lines), i = 0;
  while (i < count && lines[i] != line) i++;
  free(lines);
  return i < count;
}

static bool is_wanted(const struct run_request *request, const struct program_line *line) {
  const char *name = request->picture_file;
  size_t length = strlen(line->file), end = name ? strlen(name) : 0;
  if (request->picture_line && line->line != request->picture_line) return false;
  return !name || (length >= end && strcmp(line->file + length - end, name) == 0);
}

/* Of the costliest line that is asked for and has pictures. */
static void show_picture(const struct kit *kit, const struct run_request *request,
                         const json_t *report, const struct program_found *found,
                         const struct program_files *files) {
  struct screen screen;
  screen_open(&screen, stderr);
  for (int i = 0; i < found->line_count; i++) {
    const struct program_line *line = &found->lines[i];
    const struct program_file *file = program_file_find(files, line->file);
    if (!file || !is_wanted(request, line)) continue;
    struct picture_subject subject = program_file_subject(file, program_text(report, "device"));
    bool shown = has_picture(&subject, line->line);
    if (shown) picture_show(kit, &subject, line->line, request->plot, &screen);
    free(subject.launches);
    if (shown) return;
  }
  note("No picture: %s that reads or writes global or shared memory",
       request->picture_line ? "this is no line" : "no kernel ran");
}

void run_pages(const struct kit *kit, const struct run_request *request, char *const *command,
               bool compiled, const struct process_end *end, const json_t *report) {
  struct program_found found;
  struct program_files files;
  const char *slash = strrchr(request->names[0], '/'), *folders[2 * PROGRAM_MAX_WORDS];
  int count = folders_of(request, folders);
  program_found_read(report, &found);
  program_files_read(report, &found, folders, count, &files);
  if (request->picture && compiled) show_picture(kit, request, report, &found, &files);
  if (request->html) {
    freed_by(text_free) struct text page =
        program_page(kit, &(struct program_page){.program = &request->program,
                                                 .title = slash ? slash + 1 : request->names[0],
                                                 .command = command,
                                                 .compiled = compiled,
                                                 .end = end,
                                                 .output = request->program.output,
                                                 .report = report,
                                                 .found = &found,
                                                 .files = &files});
    html_write_text(&page, request->html);
  }
  for (int i = 0; i < count; i++) free((char *)folders[i]);
  program_files_free(&files);
  program_found_free(&found);
}
