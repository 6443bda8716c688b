/* chart_show.h: a chart for people: files in build/pictures, and lines on the terminal. */
#ifndef KIT_CHART_SHOW_H
#define KIT_CHART_SHOW_H

#include "grader/base/screen.h"
#include "grader/show/chart.h"

/* Both return NULL, or one sentence on what is wrong, the caller's to free. */

/* Writes build/pictures/NAME.svg and .png, and says so. */
char *chart_show_files(const struct kit *kit, const struct chart *chart, const char *name,
                       const struct screen *screen);
/* Draws it with characters. */
char *chart_show_text(const struct kit *kit, const struct chart *chart,
                      const struct screen *screen);

#endif
