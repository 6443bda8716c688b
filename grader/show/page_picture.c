/* page_picture.c: where the accesses of the lines that waste most go, drawn.
 *
 * A picture stands in the page as an image of its own: its style and its ids cannot meet ours, and
 * nothing in an image runs. */
#include <stdlib.h>
#include <string.h>

#include "grader/show/page.h"
#include "grader/show/picture.h"

enum { LINES_DRAWN = 3, PICTURES_DRAWN = 6 };

static const char *kind_of(const struct picture *picture) {
  if (strcmp(picture->plot, "bank_map") == 0) return "all warps of a block over the banks";
  return strcmp(picture->space, "shared") == 0 ? "one warp over banks and wavefronts"
                                               : "one warp over the sectors of global memory";
}

/* Returns NULL, or why there is none. */
static char *write_picture(struct page *page, const struct picture *picture) {
  struct html *html = &page->html;
  struct text svg = {0}, url = {0};
  char *error = picture_svg(page->kit, picture, picture->name, &svg);
  if (!error) {
    char *words = xprintf("line %d", picture->line);
    text_add(&url, "data:image/svg+xml;base64,");
    html_base64(&url, svg.data, svg.length);
    html_open(html, "figure", NULL);
    html_open(html, "figcaption", NULL);
    page_line_link(page, picture->line, words);
    html_format(html, " \u00b7 %s", kind_of(picture));
    html_close(html, "figcaption");
    html_open(html, "div", NULL);
    html_empty(html, "img", "src", text_get(&url), "alt", picture->sentence, NULL);
    html_close(html, "div");
    html_close(html, "figure");
    html_raw(html, "\n");
    free(words);
  }
  text_free(&svg);
  text_free(&url);
  return error;
}

/* Those that show waste; with `any` the first in any case. */
static char *write_line(struct page *page, int line, bool any, int *left) {
  struct pictures pictures = pictures_of_line(page->grade, line);
  char *error = NULL;
  for (int i = 0; i<pictures.count && * left> 0 && !error; i++) {
    if (!pictures.items[i].wasteful && !(any && i == 0)) continue;
    error = write_picture(page, &pictures.items[i]);
    --*left;
  }
  pictures_free(&pictures);
  return error;
}

void page_pictures(struct page *page) {
  struct html *html = &page->html;
  if (page->shown_count == 0) return;
  int *lines, count = picture_lines(page->grade, &lines), left = PICTURES_DRAWN;
  char *error = NULL;
  if (count > 0) {
    html_open(html, "section", "id", "pictures", NULL);
    html_element(html, "Accesses", "h2", NULL);
    html_open(html, "div", "class", "pictures", NULL);
    for (int i = 0; i < count && i < LINES_DRAWN && !error; i++)
      error = write_line(page, lines[i], i == 0, &left);
    html_close(html, "div");
    if (error) {
      html_open(html, "p", "class", "dim", NULL);
      html_format(html, "No picture: %s", error);
      html_close(html, "p");
    }
    html_close(html, "section");
    html_raw(html, "\n");
  }
  free(error);
  free(lines);
}
