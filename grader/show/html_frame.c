/* html_frame.c: the head of every page, its header, the frame of its tables. Looks are in page.css.
 */
#include "grader/show/html_frame.h"

/* The text of page.css, put here by the assembler so that programs need no file. */
__asm__(
    ".pushsection .rodata\n"
    "kit_page_css: .incbin \"grader/show/page.css\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_page_css[];

/* Nothing is fetched and nothing runs, even if something got past html_escape(). */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

void html_frame_open(struct html *html, const char *title, const char *more_css) {
  html_print(html,
             "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'/>"
             "<meta http-equiv='Content-Security-Policy' content='%s'/>"
             "<meta name='viewport' content='width=device-width, initial-scale=1'/>"
             "<meta name='color-scheme' content='light dark'/>"
             "<meta name='referrer' content='no-referrer'/><title>%s</title><style>",
             policy, title);
  html_raw(html, kit_page_css);
  if (more_css) html_raw(html, more_css);
  html_print(html, "</style></head>\n<body>");
}

void html_frame_close(struct html *html) { html_print(html, "</body></html>\n"); }

void html_header_open(struct html *html, const char *label, const char *heading,
                      const struct html_link *links) {
  html_print(html, "<header><div class='row'><h1>");
  if (label) html_print(html, "<span class='lab'>%s</span> ", label);
  html_print(html, "%s</h1>", heading);
  if (!links->url) return;
  html_print(html, "<nav aria-label='sections'>");
  for (; links->url; links++) html_print(html, "<a href='%s'>%s</a>", links->url, links->title);
  html_print(html, "</nav>");
}

void html_header_close(struct html *html) { html_print(html, "</div></header>"); }

void html_table_open(struct html *html, const char *class, const struct html_column *columns,
                     int count) {
  html_print(html, "<table class='%s'>", class);
  if (count > 0) {
    html_print(html, "<thead><tr>");
    for (int i = 0; i < count; i++)
      html_element(html, columns[i].title, "th", "scope", "col", "class", columns[i].class, NULL);
    html_print(html, "</tr></thead>\n");
  }
  html_print(html, "<tbody>");
}

void html_table_close(struct html *html) { html_print(html, "</tbody></table>"); }
