/* html_text.h: writes HTML: elements are closed as they were opened, strings stay text.
 *
 * Whatever a submission has a say in (its source, names, messages, output) reaches a page through
 * html_text(), html_format(), html_print() or an attribute's value, and all of these through one
 * function that lets no markup, no control character and no invalid UTF-8 pass. Names of elements
 * and of attributes are ours. What is written is XML, too, so that an XML parser can check it. */
#ifndef KIT_HTML_TEXT_H
#define KIT_HTML_TEXT_H

#include "grader/base/text.h"

enum { HTML_DEPTH = 32 };

/* A page that is being written; {0} is an empty one. */
struct html {
  struct text text;
  const char *open[HTML_DEPTH]; /* elements that are not closed yet */
  int depth;
};

/* Opens an element. After its name: attributes and their values in turn, up to NULL; an attribute
 * whose value is NULL is left out.
 *
 *     html_open(html, "td", "class", "n", NULL); */
void html_open(struct html *html, const char *name, ...) __attribute__((sentinel));
/* Closes the innermost element, which must be that one. */
void html_close(struct html *html, const char *name);
/* An element without content: <br/>. */
void html_empty(struct html *html, const char *name, ...) __attribute__((sentinel));
/* An element that holds just this text. */
void html_element(struct html *html, const char *text, const char *name, ...)
    __attribute__((sentinel));

/* Text, escaped. */
void html_text(struct html *html, const char *string);
void html_bytes(struct html *html, const char *bytes, size_t length);
void html_format(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Markup of our own with strings and numbers in it, which are escaped: printf's conversions without
 * '*'. An apostrophe in the format becomes a quote.
 *
 *     html_print(html, "<p class='dim'>lines %d to %d of <code>%s</code></p>", 1, 9, name); */
void html_print(struct html *html, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Markup of our own, as it is. */
void html_raw(struct html *html, const char *markup);

/* The function behind all of the above: appends the bytes as text that HTML and XML read as nothing
 * but text, inside of elements and of quoted attributes. Control characters other than tabs and
 * line feeds, and characters that cannot be seen or that turn text round, become their number in
 * brackets; what is not UTF-8 becomes U+FFFD. */
void html_escape(struct text *text, const char *bytes, size_t length);
/* How many of these bytes, `max` at most, end where a character ends. */
size_t html_cut(const char *bytes, size_t length, size_t max);

/* A path as a URL that a browser resolves against the page's own: "./" and the path, what is not
 * plain in it as %XX. */
void html_path(struct text *url, const char *path);
void html_base64(struct text *text, const void *bytes, size_t length);

/* --- What every page has: head, header with links, tables. It needs no network, no script. --- */

/* A link of the header: an id of the page ("#items") or a file beside it ("./help.html"). */
struct html_link {
  const char *url, *title;
};

/* Writes everything up to the beginning of <body>. more_css: rules after page.css's; NULL: none. */
void html_frame_open(struct html *html, const char *title, const char *more_css);
void html_frame_close(struct html *html);

/* The header: label ("lab2"; NULL: none), heading, and links up to one without a url. What is
 * written until html_header_close() stands at its right. */
void html_header_open(struct html *html, const char *label, const char *heading,
                      const struct html_link *links);
void html_header_close(struct html *html);

/* A table up to its first row. A column's class may be NULL. No columns: no headings. */
struct html_column {
  const char *title, *class;
};
void html_table_open(struct html *html, const char *class, const struct html_column *columns,
                     int count);
void html_table_close(struct html *html);

#endif
