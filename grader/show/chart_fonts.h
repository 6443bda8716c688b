/* chart_fonts.h: which characters a PNG of a chart can show. gnuplot (5.4, with Pango 1.50) draws
 * one that no installed font has hundreds of pixels high, over the whole picture. */
#ifndef KIT_CHART_FONTS_H
#define KIT_CHART_FONTS_H

#include <stdbool.h>

/* Begin with {0}: what is installed is looked up with fc-list once it matters. */
struct chart_fonts {
  bool read;
  struct font_range *ranges; /* of characters, of all fonts together */
  int count;
};
void chart_fonts_free(struct chart_fonts *fonts);

/* The words with a square in place of each character that no font has; the caller's. */
char *chart_fonts_replace(struct chart_fonts *fonts, const char *words);

#endif
