/* html_frame.h: what every page has: head, header with links, tables. A page needs nothing else: no
 * network, no script. */
#ifndef KIT_HTML_FRAME_H
#define KIT_HTML_FRAME_H

#include "grader/show/html_text.h"

/* A link of the header: an id of the page ("#items") or a file beside it ("./help.html"). */
struct html_link {
  const char *url, *title;
};

/* Writes everything up to the beginning of <body>. more_css: rules after those of page.css; NULL:
 * none. */
void html_frame_open(struct html *html, const char *title, const char *more_css);
void html_frame_close(struct html *html);

/* The header: label ("lab2"; NULL: none), heading, and links up to one without a url. What is
 * written until html_header_close() stands at its right. */
void html_header_open(struct html *html, const char *label, const char *heading,
                      const struct html_link *links);
void html_header_close(struct html *html);

/* A table up to the beginning of its rows. A column's class: NULL for none. No columns: no
 * headings. */
struct html_column {
  const char *title, *class;
};
void html_table_open(struct html *html, const char *class, const struct html_column *columns,
                     int count);
void html_table_close(struct html *html);

#endif
