/* report_html.c: the frame of a class's pages: every page's, with a median and a footer. */
#include "grader/class/report/class_report.h"

#include <stdlib.h>
#include <string.h>

/* What these pages' looks have beside page.css, as text. */
__asm__(
    ".pushsection .rodata\n"
    "kit_report_css: .incbin \"grader/class/report/report.css\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_report_css[];

void report_html_begin(struct html *html, const char *label, const char *heading, const char *score,
                       const char *max, const struct html_link *links) {
  autofree char *title = xprintf("%s%s%s", label ? label : "", label ? ": " : "", heading);
  html_frame_open(html, title, kit_report_css);
  html_header_open(html, label, heading, links);
  if (score) {
    html_open(html, "p", "class", "score", NULL);
    html_text(html, "median ");
    html_element(html, score, "b", NULL);
    html_format(html, " / %s", max);
    html_close(html, "p");
  }
  html_header_close(html);
  html_open(html, "main", NULL);
  html_raw(html, "\n");
}

void report_html_end(struct html *html, const char *const *paragraphs) {
  html_close(html, "main");
  html_open(html, "footer", NULL);
  for (; *paragraphs; paragraphs++) report_html_paragraph(html, NULL, *paragraphs);
  html_close(html, "footer");
  html_frame_close(html);
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

void report_html_cell(struct html *html, const char *of, const char *words) {
  html_open(html, "td", "class", "wide", "data-of", of, NULL);
  html_element(html, words, "bdi", NULL);
  html_close(html, "td");
}

void report_html_number(struct html *html, const char *of, const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *number = xvprintf(format, args);
  va_end(args);
  html_element(html, number, "td", "class", "n", "data-of", of, NULL);
}

void report_html_close(struct html *html, ...) {
  va_list args;
  va_start(args, html);
  for (const char *name; (name = va_arg(args, const char *)) != NULL;) html_close(html, name);
  va_end(args);
  html_raw(html, "\n");
}
