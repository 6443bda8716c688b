/* page_roofline.c: the shown cases' kernels under the roofs of the GPU, drawn. */
#include "grader/show/page.h"
#include "grader/show/roofline.h"

/* Of what a case has reported: does a kernel have a time? */
bool page_has_roofline(const struct page *page) {
  for (int i = 0; i < page->shown_count; i++)
    if (page->shown[i].longest->time_ns > 0) return true;
  return false;
}

void page_roofline(struct page *page) {
  const struct grade *grade = page->grade;
  if (!page_has_roofline(page)) return;
  freed_by(roofline_free) struct roofline roofline;
  roofline_of_grade(grade, &roofline);
  freed_by(text_free) struct text sentence = {0};
  for (int i = 0; i < roofline.count; i++) {
    const struct roofline_point *point = &roofline.items[i];
    text_add(&sentence, "%s%s: %.0f%% of what its traffic with DRAM lets it reach", i ? "; " : "",
             point->name, roofline_percent(&roofline.gpu, point));
  }
  html_print(&page->html, "<section id='roofline'><h2>Roofline</h2><div class='pictures'>");
  struct page_figure figure = {page, "Operations a second over operations per byte of DRAM traffic",
                               text_get(&sentence)};
  roofline_chart(&roofline, "Kernels under the roofs of the GPU", grade->device, "roofline",
                 page_figure, &figure);
  html_print(&page->html, "</div></section>\n");
}
