/* report_words.h: figures of a class in sentences, for pages, charts and the terminal. All strings
 * are the caller's. */
#ifndef KIT_REPORT_WORDS_H
#define KIT_REPORT_WORDS_H

#include "grader/class/report/summary.h"

/* A score, rounded to a tenth: "39.3", "100". */
char *words_number(double value);
int words_graded(const struct summary *summary);
/* "1 student", "7 students". */
char *words_students(int count);
/* "41% miss "Two barriers, reached by all threads" (12% get none of its points)". */
char *words_item(const struct item_summary *item, int graded);
/* "118 of 120 students handed in, 4 late; 2 could not be read." */
char *words_handed_in(const struct summary *summary);
/* "Half of the class has 76 of 100 points or more ..." */
char *words_scores(const struct summary *summary);
/* "modelled; device: simulated NVIDIA H100": of times; "no times" if there are none. */
char *words_times(const struct summary *summary);
/* "12.3 us", "1.20 ms". */
char *words_time(double ns);
/* "32 × 8", "8 × 8 × 4". */
char *words_shape(const struct shape_summary *shape);
/* Where figures come from, for a chart's last line. */
char *words_source(const struct summary *summary, bool times);
/* How a student is called: by name if names, else by pseudonym. Never empty. */
const char *words_student(const struct standing *standing, bool names);
/* The time beside the reference's: "1.25 x the reference's time"; "" if it is not known. */
char *words_ratio(const struct summary *summary, const struct standing *standing);
/* What the leaderboard goes by besides the score: "62.1 % of the ceiling, modelled"; or that ratio.
 */
char *words_leader(const struct summary *summary, const struct standing *standing);

#endif
