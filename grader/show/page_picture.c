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
  freed_by(text_free) struct text svg = {0};
  char *error = picture_svg(page->kit, picture, picture->name, &svg);
  if (!error) {
    html_print(html, "<figure><figcaption>");
    page_line(page, "", picture->line);
    html_print(html, " \u00b7 %s</figcaption><div><img src='data:image/svg+xml;base64,",
               kind_of(picture));
    html_base64(&html->text, svg.data, svg.length);
    html_print(html, "' alt='%s'/></div></figure>\n", picture->sentence);
  }
  return error;
}

/* Those that show waste; with `any` the first in any case. */
static char *write_line(struct page *page, const struct picture_subject *subject, int line,
                        bool any, int *left) {
  struct pictures pictures = pictures_of_line(subject, line);
  char *error = NULL;
  for (int i = 0; i<pictures.count && * left> 0 && !error; i++) {
    if (!pictures.items[i].wasteful && !(any && i == 0)) continue;
    error = write_picture(page, &pictures.items[i]);
    --*left;
  }
  pictures_free(&pictures);
  return error;
}

void page_draw(struct page *page, const struct picture_subject *subject) {
  struct html *html = &page->html;
  int *lines, count = picture_lines(subject, &lines), left = PICTURES_DRAWN;
  autofree char *error = NULL;
  html_print(html, "<div class='pictures'>");
  for (int i = 0; i < count && i < LINES_DRAWN && !error; i++)
    error = write_line(page, subject, lines[i], i == 0, &left);
  html_print(html, "</div>");
  if (error) html_print(html, "<p class='dim'>No picture: %s</p>", error);
  free(lines);
}

void page_pictures(struct page *page) {
  if (page->shown_count == 0) return;
  struct picture_subject subject = picture_subject_of(page->grade);
  int *lines, count = picture_lines(&subject, &lines);
  if (count > 0) {
    html_print(&page->html, "<section id='pictures'><h2>Accesses</h2>");
    page_draw(page, &subject);
    html_print(&page->html, "</section>\n");
  }
  free_all(lines, subject.launches);
}
