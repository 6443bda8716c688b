/* answers.h: what students predict, in comments of their file: lines such as
 *
 *   //   offset_1 = 5
 *
 * with the ID of an [answer] of lab.conf. The last of several counts. Behind the number a unit may
 * stand, and a remark behind a comma or in brackets ("5 sectors, as it sticks out"), but no second
 * number; nothing behind the =, or a question mark, is no answer. */
#ifndef KIT_ANSWERS_H
#define KIT_ANSWERS_H

#include "grader/score/score.h"

/* What the file says: conf.answer_count texts, in their order; NULL: no answer. Free with
 * answers_free. */
char **answers_read(const struct conf *conf, const struct source *source);
void answers_free(const struct conf *conf, char **answers);

/* Has the answer's value been counted, by the model solution? Then *value is right. */
bool answer_known(const struct grade *grade, int answer, double *value);
/* The number that an answer begins with; false: it is none, or more than one ("16 or 17"). */
bool answer_number(const char *text, double *number);
/* Was it asked in percent, and the answer is a fraction? */
bool answer_lacks_percent(const struct grade *grade, int answer);
/* Is what the file says right? The value is known. */
bool answer_right(const struct grade *grade, int answer, double value);

#endif
