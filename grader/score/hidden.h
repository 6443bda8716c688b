/* hidden.h: what a grade reveals of hidden cases (hidden.conf): which one failed, and what kind of
 * mistake it is. Sizes, values, lines, names, times and counters stay with the instructor: a file
 * that is graded can choose each of them by the size that it is called with. */
#ifndef KIT_HIDDEN_H
#define KIT_HIDDEN_H

#include "grader/score/score.h"

/* Before the grade is scored: reasons, hazards and output of hidden cases become words that
 * students may read. Everything that is made of the grade afterwards holds no more than that. Where
 * cases are asked for by name nothing changes: that is the instructor, who has the file. */
void hidden_redact(struct grade *grade);

/* "case" or "hidden case". */
const char *hidden_case_word(const struct conf *conf, int index);
/* Are sizes of this case not to be told? */
bool hidden_keeps_quiet(const struct grade *grade, int index);

#endif
