/* chart.h: draws a chart with gnuplot: a file of plots/, a table, and words.
 *
 * The table and the words may hold what a submission says. gnuplot gets them as a file and as
 * arguments, shows them as they are, and runs where it can start no other program. */
#ifndef KIT_CHART_H
#define KIT_CHART_H

#include <stdbool.h>

#include "grader/base/screen.h"
#include "grader/base/text.h"
#include "grader/lab/lab.h"

enum { CHART_MORE = 3 };
enum chart_format { CHART_SVG, CHART_PNG, CHART_TEXT };
/* By the end of a file's name, .svg or .png; false: it is another. */
bool chart_format_of(const char *path, enum chart_format *format);

struct chart {
  const char *name;             /* plots/NAME.gp, where the arguments and the table are explained */
  const char *data;             /* the table, tab-separated; or NULL: */
  const char *data_path;        /* it is in this file */
  const char *title, *source;   /* source: device, and whether modelled or measured */
  const char *more[CHART_MORE]; /* up to the first NULL */
};

/* Appends the chart to output: an SVG or PNG file, or lines of text, 80 columns wide. Returns NULL,
 * or one sentence on what is wrong (the caller's to free); that never ends the program. */
char *chart_draw(const struct kit *kit, const struct chart *chart, enum chart_format format,
                 struct text *output);
/* An SVG file of chart_draw's as an <svg> element to stand in a page, whose ids all begin with
 * `id`; false: it is none. */
bool chart_element(const char *svg, const char *id, struct text *output);
/* Draws a chart as such an element. */
char *chart_svg(const struct kit *kit, const struct chart *chart, const char *id,
                struct text *output);

/* --- Which characters a PNG of a chart can show. gnuplot (5.4, with Pango 1.50) draws one that no
 * installed font has hundreds of pixels high, over the whole picture. */

/* Begin with {0}: what is installed is looked up with fc-list once it matters. */
struct chart_fonts {
  bool read;
  struct font_range *ranges; /* of characters, of all fonts together */
  int count;
};
void chart_fonts_free(struct chart_fonts *fonts);

/* The words with a square in place of each character that no font has; the caller's. */
char *chart_fonts_replace(struct chart_fonts *fonts, const char *words);

/* Takes a chart and the name of its file, without its end. The chart is gone afterwards. */
typedef void chart_taker(const struct chart *chart, const char *name, void *context);

/* --- A chart for people: files in build/pictures, and lines on the terminal. */

/* Both return NULL, or one sentence on what is wrong, the caller's to free. */

/* Writes build/pictures/NAME.svg and .png, and says so. */
char *chart_show_files(const struct kit *kit, const struct chart *chart, const char *name,
                       const struct screen *screen);
/* A chart_taker: files, and with plot lines on the terminal, too. What is wrong becomes a note. */
struct chart_showing {
  const struct kit *kit;
  bool plot;
  const struct screen *screen;
};
void chart_show(const struct chart *chart, const char *name, void *showing);
/* Draws it with characters. */
char *chart_show_text(const struct kit *kit, const struct chart *chart,
                      const struct screen *screen);

#endif
