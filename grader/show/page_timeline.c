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

struct drawing {
  struct page *page;
  char *error; /* NULL: all went well */
  const char *title, *sentence;
};

static void draw(const struct chart *chart, const char *name, void *context) {
  struct drawing *drawing = context;
  struct html *html = &drawing->page->html;
  freed_by(text_free) struct text svg = {0};
  (void)name;
  drawing->error = chart_draw(drawing->page->kit, chart, CHART_SVG, &svg);
  if (drawing->error) return;
  html_print(html, "<figure><figcaption>%s</figcaption><div><img src='data:image/svg+xml;base64,",
             drawing->title);
  html_base64(&html->text, svg.data, svg.length);
  html_print(html, "' alt='%s'/></div></figure>\n", drawing->sentence);
}

void page_timelines(struct page *page) {
  struct html *html = &page->html;
  bool any = false;
  for (int i = 0; i < page->shown_count; i++) {
    if (!page_has_timeline(page, i)) continue;
    if (!any) html_print(html, "<section id='timelines'><h2>Timeline</h2><div class='pictures'>");
    any = true;
    const struct case_result *result = &page->grade->cases[page->shown[i].index];
    const struct conf *conf = &page->grade->lab->conf;
    autofree char *sentence = timeline_sentence(&result->spans),
                  *title = xprintf("%s in case %s",
                                   conf_function(conf, &conf->cases[page->shown[i].index]),
                                   page->shown[i].name),
                  *source = xprintf("%s, modelled time", result->report.device);
    struct drawing drawing = {page, NULL, title, sentence};
    timeline_picture(&result->spans, "Timeline", source, "timeline", draw, &drawing);
    if (drawing.error) html_print(html, "<p class='dim'>No picture: %s</p>", drawing.error);
    free(drawing.error);
  }
  if (any) html_print(html, "</div></section>\n");
}
