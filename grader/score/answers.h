/* answers.h: what students predict, in comments of their file: lines such as
 *
 *   //   offset_1 = 5
 *
 * with the ID of an [answer] of lab.conf. The last of several counts. A number may have a unit
 * behind it ("5 sectors", "80 %"); nothing behind the =, or a question mark, is no answer. */
#ifndef KIT_ANSWERS_H
#define KIT_ANSWERS_H

#include "grader/score/score.h"

/* What the file says: conf.answer_count texts, in their order; NULL: no answer. Free with
 * answers_free. */
char **answers_read(const struct conf *conf, const struct source *source);
void answers_free(const struct conf *conf, char **answers);

/* Has the answer's value been counted, by the model solution? Then *value is right. */
bool answer_known(const struct grade *grade, int answer, double *value);
/* Is what the file says right? The value is known. */
bool answer_right(const struct grade *grade, int answer, double value);

#endif
