/* page_handout.c: links to the handouts' sections.
 *
 * A link is written only if what it leads to is there: the handouts that `make handouts` has made
 * (or that came with a student's copy) are read, and looked through for their headings. Without
 * them there is the lab's Markdown file. A page on stdout may end up anywhere: it has none. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/show/page.h"

#include "grader/base/file.h"

/* Sections that explain a metric, a kind of hazard or a term, by the ids of their headings. */
static const struct {
  const char *subject, *sections[4];
} subjects[] = {
    {"global_load_sectors_per_request", {"direction", "footprint"}},
    {"global_store_sectors_per_request", {"footprint", "direction"}},
    {"global_load_sectors_per_warp", {"direction", "footprint"}},
    {"global_store_sectors_per_warp", {"footprint", "direction"}},
    {"global_load_efficiency", {"footprint", "direction"}},
    {"global_store_efficiency", {"footprint", "direction"}},
    {"global_load_bytes", {"traffic"}},
    {"loaded_bytes", {"traffic"}},
    {"global_load_sectors", {"traffic"}},
    {"shared_reuse", {"traffic"}},
    {"shared_conflicts_per_inst", {"banks"}},
    {"shared_conflicts_if_any", {"banks"}},
    {"shared_load_wavefronts_per_inst", {"banks"}},
    {"shared_store_wavefronts_per_inst", {"banks"}},
    {"race", {"barriers"}},
    {"barrier", {"barriers"}},
    {"launch", {"block-limits"}},
};

/* --- paths --- */

/* The way from a folder to a file, both absolute and without links or dots. */
static char *relative_path(const char *folder, const char *file) {
  size_t common = 0; /* up to and with the last slash that both have */
  for (size_t i = 0; file[i] && (folder[i] ? folder[i] : '/') == file[i]; i++) {
    if (file[i] == '/') common = i + 1;
    if (!folder[i]) break;
  }
  struct text path = {0};
  if (common <= strlen(folder)) {
    const char *rest = folder + common;
    if (*rest) text_add(&path, "../");
    for (; *rest; rest++)
      if (*rest == '/') text_add(&path, "../");
  }
  text_add(&path, "%s", file + common);
  return path.data;
}

static char *url_of(const struct page *page, const char *file, const char *section) {
  struct text url = {0};
  autofree char *path = relative_path(page->folder, file);
  html_path(&url, path);
  if (section) text_add(&url, "#%s", section);
  return url.data;
}

/* --- what is there --- */

static int is_page(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".html") == 0;
}

static void add_handout(struct page *page, char *path) {
  char *text = file_read(path, NULL);
  if (!text || page->handout_count == MAX_HANDOUTS) {
    free_all(text, path);
    return;
  }
  page->handouts[page->handout_count++] = (struct handout){path, text};
}

/* Where the pages are: those that `make handouts` has made, or those that came with the kit. */
static char *pages_folder(const struct kit *kit) {
  char *made = kit_path(kit, "build/handouts");
  if (access(made, X_OK) == 0) return made;
  free(made);
  return kit_path(kit, "handouts");
}

/* The lab's own first. */
void page_find_handouts(struct page *page) {
  if (!page->folder) return;
  const char *id = page->grade->lab->id;
  autofree char *folder = pages_folder(page->kit), *own = xprintf("%s.html", id);
  struct dirent **entries;
  int count = scandir(folder, &entries, is_page, alphasort);
  add_handout(page, xprintf("%s/%s", folder, own));
  for (int i = 0; i < count; i++) {
    if (strcmp(entries[i]->d_name, own) != 0)
      add_handout(page, xprintf("%s/%s", folder, entries[i]->d_name));
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

void page_free_handouts(struct page *page) {
  for (int i = 0; i < page->handout_count; i++)
    free_all(page->handouts[i].path, page->handouts[i].text);
}

/* --- links --- */

char *page_handout_url(const struct page *page) {
  autofree char *folder = pages_folder(page->kit);
  autofree char *made = xprintf("%s/%s.html", folder, page->grade->lab->id);
  autofree char *written = kit_path(page->kit, "handouts/%s.md", page->grade->lab->id);
  const char *file = !page->folder                ? NULL
                     : access(made, R_OK) == 0    ? made
                     : access(written, R_OK) == 0 ? written
                                                  : NULL;
  char *url = file ? url_of(page, file, NULL) : NULL;
  return url;
}

/* The heading with that id: its plain text; NULL if there is none. */
static char *heading_of(const char *text, const char *section) {
  autofree char *mark = xprintf(" id=\"%s\"", section);
  char *title = NULL;
  for (const char *at = text; !title && (at = strstr(at, mark)) != NULL; at++) {
    const char *tag = at;
    while (tag > text && *tag != '<') tag--;
    if (tag[1] != 'h' || !strchr("23", tag[2])) continue;
    const char *start = strchr(at, '>');
    if (!start) break;
    size_t length = strcspn(start + 1, "<&");
    title = start[1 + length] == '<' && length > 0 ? xprintf("%.*s", (int)length, start + 1)
                                                   : xstrdup(section);
  }
  return title;
}

static bool write_link(struct page *page, const struct handout *handout, const char *section) {
  autofree char *title = heading_of(handout->text, section);
  if (!title) return false;
  autofree char *url = url_of(page, handout->path, section);
  html_print(&page->html, "<p class='about'>Handout: <a href='%s'>%s</a></p>", url, title);
  return true;
}

void page_handout_link(struct page *page, const char *subject) {
  for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
    if (strcmp(subjects[s].subject, subject) != 0) continue;
    for (int h = 0; h < page->handout_count; h++) {
      for (const char *const *section = subjects[s].sections; *section; section++)
        if (write_link(page, &page->handouts[h], *section)) return;
    }
  }
}
