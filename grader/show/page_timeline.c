/* page_timeline.c: what copies and kernels of the shown cases did when, drawn. A single kernel has
 * no timeline worth a look. */
#include <stdlib.h>

#include "grader/show/page.h"
#include "grader/show/timeline_picture.h"

static const struct spans *spans_of(const struct page *page, int i) {
  return &page->grade->cases[page->shown[i].index].spans;
}

bool page_has_timeline(const struct page *page, int i) {
  const struct spans *spans = spans_of(page, i);
  int pieces = 0;
  for (size_t k = 0; k < spans->count; k++) pieces += spans->items[k].process == SPAN_OF_STREAM;
  return pieces > 1;
}

void page_figure(const struct chart *chart, const char *name, void *context) {
  const struct page_figure *figure = context;
  struct html *html = &figure->page->html;
  freed_by(text_free) struct text svg = {0};
  (void)name;
  autofree char *error = chart_draw(figure->page->kit, chart, CHART_SVG, &svg);
  if (error) {
    html_print(html, "<p class='dim'>No picture: %s</p>", error);
    return;
  }
  html_print(html, "<figure><figcaption>%s</figcaption><div><img src='data:image/svg+xml;base64,",
             figure->title);
  html_base64(&html->text, svg.data, svg.length);
  html_print(html, "' alt='%s'/></div></figure>\n", figure->sentence);
}

static void draw_spans(struct page *page, const struct spans *spans, const char *title,
                       const char *source) {
  autofree char *sentence = timeline_sentence(spans);
  struct page_figure figure = {page, title, sentence};
  timeline_picture(spans, "Timeline", source, "timeline", page_figure, &figure);
}

/* As it was measured, if it was, and as it was modelled. */
static void draw_case(struct page *page, int index, const char *name) {
  const struct case_result *result = &page->grade->cases[index];
  const struct conf *conf = &page->grade->lab->conf;
  const char *function = conf_function(conf, &conf->cases[index]), *device = page->grade->device;
  autofree char *title = xprintf("%s in case %s%s", function, name,
                                 result->measured_trace ? ", modelled" : ""),
                *source = xprintf("%s, modelled time", result->report.device);
  if (result->measured_trace) {
    autofree char *measured = xprintf("%s in case %s, measured on %s", function, name, device),
                  *cupti = xprintf("%s, measured by CUPTI", device);
    draw_spans(page, &result->measured, measured, cupti);
  }
  draw_spans(page, &result->spans, title, source);
  if (result->not_recorded)
    html_print(&page->html, "<p class='dim'>No measured timeline: %s</p>", result->not_recorded);
}

void page_timelines(struct page *page) {
  bool any = false;
  for (int i = 0; i < page->shown_count; i++) {
    if (!page_has_timeline(page, i)) continue;
    if (!any)
      html_print(&page->html, "<section id='timelines'><h2>Timeline</h2><div class='pictures'>");
    any = true;
    draw_case(page, page->shown[i].index, page->shown[i].name);
  }
  if (any) html_print(&page->html, "</div></section>\n");
}
