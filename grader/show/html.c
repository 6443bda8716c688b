/* html.c: the page of a grade, and how it gets into its file. The parts of the page are in
 * page_*.c. */
#include "grader/show/html.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/show/page.h"

static void open_frame(struct html *html, const struct grade *grade) {
  freed_by(text_free) struct text title = {0};
  text_add(&title, "%s: %s", grade->lab->id, grade->verdict);
  if (!grade->error) text_add(&title, ", %ld / %ld", grade->score, grade->lab->conf.max_points);
  text_add(&title, " \u00b7 %s", grade->source->name);
  html_frame_open(html, text_get(&title), NULL);
}

struct text html_page(const struct kit *kit, const struct grade *grade, const char *folder) {
  struct page page;
  page_open(&page, kit, grade, folder);
  struct html *html = &page.html;
  open_frame(html, grade);
  page_header(&page);
  html_print(html, "<main>");
  page_first(&page);
  if (page_build_failed(grade)) page_hazards(&page);
  page_score(&page);
  if (!page_build_failed(grade)) page_hazards(&page);
  page_launches(&page);
  page_source(&page);
  page_pictures(&page);
  page_cases(&page);
  page_terms(&page);
  html_print(html, "</main>");
  page_footer(&page);
  html_frame_close(html);
  struct text text = html->text;
  page_close(&page);
  return text;
}

/* --- the file --- */

/* Where to write: the file itself, and whether it is one that a new file can take the place of
 * (a device or a pipe is written to). */
struct target {
  char *path;   /* symbolic links followed */
  char *folder; /* that it is in */
  bool replace;
};

/* Returns 0, or -1 with errno set. */
static int target_find(const char *path, struct target *target) {
  struct stat status;
  bool there = stat(path, &status) == 0;
  if (there && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return -1;
  }
  if (!*path || path[strlen(path) - 1] == '/') {
    errno = *path ? EISDIR : ENOENT;
    return -1;
  }
  char *copy = xstrdup(path), *folder = realpath(dirname(copy), NULL);
  free(copy);
  if (!folder) return -1;
  copy = xstrdup(path);
  char *real = there ? realpath(path, NULL) : xprintf("%s/%s", folder, basename(copy));
  free(copy);
  if (there && real) {
    free(folder);
    copy = xstrdup(real);
    folder = xstrdup(dirname(copy));
    free(copy);
  }
  *target = (struct target){real ? real : xstrdup(path), folder, !there || S_ISREG(status.st_mode)};
  return 0;
}

static void target_free(struct target *target) { free_all(target->path, target->folder); }

void html_check(const char *path) {
  struct target target;
  if (strcmp(path, "-") == 0) return;
  if (target_find(path, &target) != 0) die("--html %s: %s", path, strerror(errno));
  if (access(target.replace ? target.folder : target.path, W_OK) != 0)
    die("--html %s: %s", path, strerror(errno));
  target_free(&target);
}

static bool write_page(const struct target *target, const struct text *text) {
  if (target->replace) return file_try_write(target->path, text->data, text->length);
  FILE *file = fopen(target->path, "we");
  if (!file) return false;
  bool written = fwrite(text->data, 1, text->length, file) == text->length;
  return fclose(file) == 0 && written;
}

void html_write(const struct kit *kit, const struct grade *grade, const char *path) {
  struct target target = {0};
  bool to_stdout = strcmp(path, "-") == 0;
  if (!to_stdout && target_find(path, &target) != 0) die("--html %s: %s", path, strerror(errno));
  freed_by(text_free) struct text text = html_page(kit, grade, target.folder);
  if (to_stdout) {
    fwrite(text.data, 1, text.length, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
      die("--html: cannot write to stdout: %s", strerror(errno));
  } else if (!write_page(&target, &text)) {
    die("--html %s: %s", path, strerror(errno));
  }
  target_free(&target);
}
