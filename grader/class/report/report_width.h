/* report_width.h: how much room words take on a chart, and how to make them fit. */
#ifndef KIT_REPORT_WIDTH_H
#define KIT_REPORT_WIDTH_H

/* Sizes of a chart's letters in pixels, as plots/class/class.gp has them, rounded up. */
enum { REPORT_LETTERS = 15, REPORT_SMALL = 13, REPORT_LARGE = 19 };

/* The width in pixels of one line in DejaVu Sans, which is as wide as any font that a viewer is
 * likely to have in its place. */
double report_width(const char *words, int letters);
/* The words in lines of at most that many pixels, broken at spaces, or inside a word that is wider
 * than a line. Of more than max_lines lines the last one ends with an ellipsis. The caller's. */
char *report_lines(const char *words, int letters, double pixels, int max_lines);

#endif
