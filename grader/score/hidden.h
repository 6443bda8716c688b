/* hidden.h: what a grade tells of hidden cases (hidden.conf): which one failed, what kind of mistake
 * it is and at which line; no sizes and no values, from which the case could be made again. */
#ifndef KIT_HIDDEN_H
#define KIT_HIDDEN_H

#include "score.h"

/* Before the grade is scored: reasons, hazards and output of hidden cases become words that students
 * may read. Everything that is made of the grade afterwards holds no more than that. Where cases are
 * asked for by name nothing changes: that is the instructor, who has the file. */
void hidden_redact(struct grade *grade);

/* "case" or "hidden case". */
const char *hidden_case_word(const struct conf *conf, int index);
/* Are sizes of this case not to be told? */
bool hidden_keeps_quiet(const struct grade *grade, int index);

#endif
