/* answers.c: see answers.h. */
#include "grader/score/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The name in front of = in a line of a comment, and what stands behind it. */
static bool take_apart(const char *line, const char **name, size_t *length, const char **value) {
  line += strspn(line, " \t");
  size_t comment = strspn(line, "/*");
  if (!comment) return false;
  line += comment + strspn(line + comment, " \t");
  *name = line;
  *length = strspn(line, letters);
  line += *length + strspn(line + *length, " \t");
  *value = line + 1 + strspn(line + (*line == '='), " \t");
  return *length && *line == '=';
}

char **answers_read(const struct conf *conf, const struct source *source) {
  char **answers = xcalloc((size_t)conf->answer_count + 1, sizeof *answers);
  for (int l = 0; l < source->line_count && conf->answer_count; l++) {
    const char *name, *value;
    size_t length;
    if (!take_apart(source->lines[l], &name, &length, &value)) continue;
    autofree char *id = xprintf("%.*s", (int)length, name);
    int answer = conf_answer(conf, id);
    if (answer < 0 || !*value || *value == '?' || *value == '\r') continue;
    free(answers[answer]);
    answers[answer] = xprintf("%.*s", (int)strcspn(value, "\r\n"), value);
  }
  return answers;
}

void answers_free(const struct conf *conf, char **answers) {
  for (int i = 0; i < conf->answer_count && answers; i++) free(answers[i]);
  free(answers);
}

bool answer_known(const struct grade *grade, int answer, double *value) {
  const struct conf *conf = &grade->lab->conf;
  const struct answer_conf *asked = &conf->answers[answer];
  const struct reference *reference = &grade->references[OF_REFERENCE];
  *value = (double)asked->value;
  if (asked->value) return true;
  int index = conf_case(conf, asked->case_name);
  if (!reference->measured || !reference->measured[index]) return false;
  *value = metric_value(metric_find(asked->metric), &reference->totals[index]);
  return !isnan(*value);
}

bool answer_number(const char *text, double *number) {
  static const char digits[] = "0123456789";
  char *unit;
  *number = strtod(text, &unit);
  if (unit == text || !isfinite(*number)) return false;
  const char *remark = unit + strcspn(unit, ",;(/"), *digit = strpbrk(unit, digits);
  bool one_more = *remark && strchr(digits, remark[1]);
  return !digit || (digit > remark && !one_more);
}

bool answer_right(const struct grade *grade, int answer, double value) {
  const char *text = grade->answers ? grade->answers[answer] : NULL;
  double given;
  if (!text || !answer_number(text, &given)) return false;
  return fabs(given - value) <= (double)grade->lab->conf.answers[answer].within / 100 * fabs(value);
}

bool answer_lacks_percent(const struct grade *grade, int answer) {
  const struct answer_conf *asked = &grade->lab->conf.answers[answer];
  const char *text = grade->answers ? grade->answers[answer] : NULL;
  double given;
  return asked->metric && metric_find(asked->metric)->unit[0] == '%' && text &&
         answer_number(text, &given) && given <= 1 && !strchr(text, '%');
}
