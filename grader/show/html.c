/* html.c: the page's frame, and how it gets into its file. The parts of the page are
 * in page_*.c, its looks in page.css. */
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

/* The text of page.css, put here by the assembler so that the grader needs no file. */
__asm__(
    ".pushsection .rodata\n"
    "kit_page_css: .incbin \"grader/show/page.css\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_page_css[];

/* --- the page --- */

/* Nothing is fetched and nothing runs, even if something got past html_escape(). */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

static void write_head(struct html *html, const struct grade *grade) {
  html_open(html, "head", NULL);
  html_empty(html, "meta", "charset", "utf-8", NULL);
  html_empty(html, "meta", "http-equiv", "Content-Security-Policy", "content", policy, NULL);
  html_empty(html, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1",
             NULL);
  html_empty(html, "meta", "name", "color-scheme", "content", "light dark", NULL);
  html_empty(html, "meta", "name", "referrer", "content", "no-referrer", NULL);
  html_open(html, "title", NULL);
  html_format(html, "%s: %s", grade->lab->id, grade->verdict);
  if (!grade->error) html_format(html, ", %ld / %ld", grade->score, grade->lab->conf.max_points);
  html_format(html, " \u00b7 %s", grade->source->name);
  html_close(html, "title");
  html_open(html, "style", NULL);
  html_raw(html, kit_page_css);
  html_close(html, "style");
  html_close(html, "head");
}

struct text html_page(const struct kit *kit, const struct grade *grade, const char *folder) {
  struct page page;
  page_open(&page, kit, grade, folder);
  struct html *html = &page.html;
  html_raw(html, "<!DOCTYPE html>\n");
  html_open(html, "html", "lang", "en", NULL);
  write_head(html, grade);
  html_raw(html, "\n");
  html_open(html, "body", NULL);
  page_header(&page);
  html_open(html, "main", NULL);
  page_first(&page);
  if (page_build_failed(grade)) page_hazards(&page);
  page_score(&page);
  if (!page_build_failed(grade)) page_hazards(&page);
  page_launches(&page);
  page_source(&page);
  page_pictures(&page);
  page_cases(&page);
  page_terms(&page);
  html_close(html, "main");
  page_footer(&page);
  html_close(html, "body");
  html_close(html, "html");
  html_raw(html, "\n");
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

static void target_free(struct target *target) {
  free(target->path);
  free(target->folder);
}

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
  struct text text = html_page(kit, grade, target.folder);
  if (to_stdout) {
    fwrite(text.data, 1, text.length, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
      die("--html: cannot write to stdout: %s", strerror(errno));
  } else if (!write_page(&target, &text)) {
    die("--html %s: %s", path, strerror(errno));
  }
  text_free(&text);
  target_free(&target);
}
