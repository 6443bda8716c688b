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
  html_raw(html, "<!DOCTYPE html>\n");
  html_open(html, "html", "lang", "en", NULL);
  html_open(html, "head", NULL);
  html_empty(html, "meta", "charset", "utf-8", NULL);
  html_empty(html, "meta", "http-equiv", "Content-Security-Policy", "content", policy, NULL);
  html_empty(html, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1",
             NULL);
  html_empty(html, "meta", "name", "color-scheme", "content", "light dark", NULL);
  html_empty(html, "meta", "name", "referrer", "content", "no-referrer", NULL);
  html_element(html, title, "title", NULL);
  html_open(html, "style", NULL);
  html_raw(html, kit_page_css);
  if (more_css) html_raw(html, more_css);
  html_close(html, "style");
  html_close(html, "head");
  html_raw(html, "\n");
  html_open(html, "body", NULL);
}

void html_frame_close(struct html *html) {
  html_close(html, "body");
  html_close(html, "html");
  html_raw(html, "\n");
}

void html_header_open(struct html *html, const char *label, const char *heading,
                      const struct html_link *links) {
  html_open(html, "header", NULL);
  html_open(html, "div", "class", "row", NULL);
  html_open(html, "h1", NULL);
  if (label) {
    html_element(html, label, "span", "class", "lab", NULL);
    html_raw(html, " ");
  }
  html_text(html, heading);
  html_close(html, "h1");
  if (!links->url) return;
  html_open(html, "nav", "aria-label", "sections", NULL);
  for (; links->url; links++) html_element(html, links->title, "a", "href", links->url, NULL);
  html_close(html, "nav");
}

void html_header_close(struct html *html) {
  html_close(html, "div");
  html_close(html, "header");
}

void html_table_open(struct html *html, const char *class, const struct html_column *columns,
                     int count) {
  html_open(html, "table", "class", class, NULL);
  if (count > 0) {
    html_open(html, "thead", NULL);
    html_open(html, "tr", NULL);
    for (int i = 0; i < count; i++)
      html_element(html, columns[i].title, "th", "scope", "col", "class", columns[i].class, NULL);
    html_close(html, "tr");
    html_close(html, "thead");
    html_raw(html, "\n");
  }
  html_open(html, "tbody", NULL);
}

void html_table_close(struct html *html) {
  html_close(html, "tbody");
  html_close(html, "table");
}
