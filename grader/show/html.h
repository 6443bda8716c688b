/* html.h: a grade as one page that needs nothing else: no network, no script. */
#ifndef KIT_HTML_H
#define KIT_HTML_H

#include "grader/score/score.h"

/* Writes the page to path (output.h); ends the program if it cannot. A grade of verdict
 * "error" makes a page, too. */
void html_write(const struct kit *kit, const struct grade *grade, const char *path);

/* The same for the text of any page. */
void html_write_text(const struct text *text, const char *path);

/* The page itself. folder: where it will lie, for links to other files; NULL: not known. */
struct text html_page(const struct kit *kit, const struct grade *grade, const char *folder);

#endif
