/* report_html.c: see report_html.h. Looks: grader/show/page.css, and what a class's pages have of
 * their own in report.css. */
#include "grader/class/report/report_html.h"

#include <string.h>

/* Both sheets as text, put here by the assembler so that the program needs no file. */
__asm__(
    ".pushsection .rodata\n"
    "kit_report_css: .incbin \"grader/show/page.css\"\n"
    ".incbin \"grader/class/report/report.css\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_report_css[];

/* Nothing is fetched and nothing runs, even if something got past html_escape(). */
static const char policy[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'";

static void write_head(struct html *html, const char *label, const char *heading) {
  html_open(html, "head", NULL);
  html_empty(html, "meta", "charset", "utf-8", NULL);
  html_empty(html, "meta", "http-equiv", "Content-Security-Policy", "content", policy, NULL);
  html_empty(html, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1",
             NULL);
  html_empty(html, "meta", "name", "color-scheme", "content", "light dark", NULL);
  html_empty(html, "meta", "name", "referrer", "content", "no-referrer", NULL);
  html_open(html, "title", NULL);
  html_format(html, "%s%s%s", label ? label : "", label ? ": " : "", heading);
  html_close(html, "title");
  html_open(html, "style", NULL);
  html_raw(html, kit_report_css);
  html_close(html, "style");
  html_close(html, "head");
  html_raw(html, "\n");
}

void report_html_begin(struct html *html, const char *label, const char *heading, const char *score,
                       const char *max, const struct report_link *links) {
  html_raw(html, "<!DOCTYPE html>\n");
  html_open(html, "html", "lang", "en", NULL);
  write_head(html, label, heading);
  html_open(html, "body", NULL);
  html_open(html, "header", NULL);
  html_open(html, "div", "class", "row", NULL);
  html_open(html, "h1", NULL);
  if (label) {
    html_element(html, label, "span", "class", "lab", NULL);
    html_raw(html, " ");
  }
  html_text(html, heading);
  html_close(html, "h1");
  html_open(html, "nav", "aria-label", "sections", NULL);
  for (; links->url; links++) html_element(html, links->title, "a", "href", links->url, NULL);
  html_close(html, "nav");
  if (score) {
    html_open(html, "p", "class", "score", NULL);
    html_text(html, "median ");
    html_element(html, score, "b", NULL);
    html_format(html, " / %s", max);
    html_close(html, "p");
  }
  html_close(html, "div");
  html_close(html, "header");
  html_open(html, "main", NULL);
  html_raw(html, "\n");
}

void report_html_end(struct html *html, const char *const *paragraphs) {
  html_close(html, "main");
  html_open(html, "footer", NULL);
  for (; *paragraphs; paragraphs++) report_html_paragraph(html, NULL, *paragraphs);
  html_close(html, "footer");
  html_close(html, "body");
  html_close(html, "html");
  html_raw(html, "\n");
}

void report_html_paragraph(struct html *html, const char *class, const char *words) {
  html_element(html, words, "p", "class", class, NULL);
  html_raw(html, "\n");
}

void report_html_name(struct html *html, const char *name) {
  enum { MOST = 96 }; /* bytes */
  size_t length = strlen(name), cut = html_cut(name, length, MOST);
  html_open(html, "bdi", NULL);
  html_bytes(html, name, cut);
  if (cut < length) html_text(html, "\u2026");
  html_close(html, "bdi");
}
