/* report_html.h: the frame of the class's pages. A page needs nothing else: no network, no
 * script. */
#ifndef KIT_REPORT_HTML_H
#define KIT_REPORT_HTML_H

#include "grader/show/html_text.h"

/* Writes everything up to the beginning of <main>. label: before the heading ("lab2"), NULL: none.
 * score, max: at the right of the header; score NULL: nothing. links end with a NULL url. */
void report_html_begin(struct html *html, const char *label, const char *heading, const char *score,
                       const char *max, const struct html_link *links);
/* Closes what report_html_begin has opened; paragraphs: the footer's, up to NULL. */
void report_html_end(struct html *html, const char *const *paragraphs);

/* What somebody is called, apart from the direction of the text around it; the beginning, if it is
 * very long. */
void report_html_name(struct html *html, const char *name);

/* A paragraph. class: NULL: none. */
void report_html_paragraph(struct html *html, const char *class, const char *words);

#endif
