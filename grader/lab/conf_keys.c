/* conf_keys.c: the keys of each section of lab.conf, and what they set; see conf_parser.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/conf_parser.h"

const char *const item_class_names[ITEM_CLASSES] = {"correctness", "hazard", "technique",
                                                    "performance"};
const char *const item_of_names[ITEM_OFS] = {"value", "baseline", "reference"};

/* --- values --- */

static int take_string(struct parser *parser, char **to, const char *value) {
  if (parser->continued && *to) {
    char *joined = xprintf("%s %s", *to, value);
    free(*to);
    *to = joined;
    return 1;
  }
  free(*to);
  *to = xstrdup(value);
  return 1;
}

static int take_long(struct parser *parser, long *to, const char *value, long least, long most) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  if (end == value || *end || errno || number < least || number > most) {
    return conf_fail(parser, parser->number, "'%s' is not a whole number from %ld to %ld", value,
                     least, most);
  }
  *to = number;
  return 1;
}

static int take_word(struct parser *parser, int *to, const char *value, const char *const *words,
                     int count) {
  struct text list = {0};
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], value) == 0) {
      *to = i;
      text_free(&list);
      return 1;
    }
    text_add(&list, "%s%s", i ? ", " : "", words[i]);
  }
  conf_fail(parser, parser->number, "'%s' is none of: %s", value, text_get(&list));
  text_free(&list);
  return 0;
}

void conf_free_list(char **list, int count) {
  for (int i = 0; i < count; i++) free(list[i]);
  free(list);
}

/* A list that a later file gives anew replaces the one before. */
static int take_list(struct parser *parser, char ***list, int *count, const char *value) {
  if (!parser->continued) {
    conf_free_list(*list, *count);
    *list = NULL;
    *count = 0;
  }
  char *copy = xstrdup(value), *rest = copy, *word;
  while ((word = strsep(&rest, " \t")) != NULL) {
    if (!*word) continue;
    *list = xrealloc(*list, sizeof **list * (size_t)(*count + 1));
    (*list)[(*count)++] = xstrdup(word);
  }
  free(copy);
  return 1;
}

static int take_threshold(struct parser *parser, struct threshold *to, const char *value) {
  if (strncmp(value, "<=", 2) == 0 || strncmp(value, ">=", 2) == 0) {
    char *end;
    double number = strtod(value + 2, &end);
    if (end != value + 2 && !*end && number >= 0 && number < 1e300) {
      *to = (struct threshold){true, value[0] == '>', number};
      return 1;
    }
  }
  return conf_fail(parser, parser->number, "'%s' is not a threshold such as <= 4 or >= 0.5", value);
}

static int take_dims(struct parser *parser, struct case_conf *entry, const char *value) {
  if (!parser->conf->family)
    return conf_fail(parser, parser->number, "[lab] with its problem must come before the cases");
  const struct problem *problem = parser->conf->family->problem;
  char *copy = xstrdup(value), *rest = copy, *word;
  while ((word = strsep(&rest, " \t")) != NULL) {
    if (!*word) continue;
    char *number = strchr(word, '=');
    int dim = 0;
    if (number) *number++ = '\0';
    while (dim < problem->dim_count && strcmp(problem->dims[dim], word) != 0) dim++;
    if (!number || dim == problem->dim_count) {
      conf_fail(parser, parser->number, "'%s' is not a dimension of %s, written as %s=17", word,
                problem->name, problem->dims[0]);
    } else {
      take_long(parser, &entry->dims[dim], number, 1, 1 << 20);
    }
  }
  free(copy);
  for (int i = 0; i < problem->dim_count && !parser->error; i++) {
    if (entry->dims[i] == 0) conf_fail(parser, parser->number, "dims lacks %s", problem->dims[i]);
  }
  return !parser->error;
}

/* --- sections: the keys of each, and what they set --- */

static const char *const lab_keys[] = {"title",
                                       "problem",
                                       "baseline",
                                       "entries",
                                       "instruction_budget",
                                       "copy_budget",
                                       "call_budget",
                                       "cpu_limit",
                                       "sleep_limit",
                                       "memory_limit",
                                       "thread_limit",
                                       "output_limit",
                                       "build_cpu_limit",
                                       "build_memory_limit",
                                       "build_disk_limit"};
enum { FIRST_LIMIT = 4 }; /* in lab_keys; the others follow in this order */
static const struct {
  size_t field;
  long usual, least, most;
} limits[] = {{offsetof(struct conf, instruction_budget), 0, 1, 1 << 30},
              {offsetof(struct conf, copy_budget), 0, 1, 1 << 30},
              {offsetof(struct conf, call_budget), 100000, 1, 1 << 30},
              {offsetof(struct conf, cpu_limit), 60, 1, 1 << 20},
              {offsetof(struct conf, sleep_limit), 20, 1, 3600},
              {offsetof(struct conf, memory_limit), 4096, 64, 1 << 20},
              {offsetof(struct conf, thread_limit), 256, 1, 1 << 16},
              {offsetof(struct conf, output_limit), 64, 1, 1 << 12},
              {offsetof(struct conf, build_cpu_limit), 60, 1, 3600},
              {offsetof(struct conf, build_memory_limit), 3072, 256, 1 << 20},
              {offsetof(struct conf, build_disk_limit), 512, 16, 1 << 16}};
enum { LIMITS = sizeof limits / sizeof *limits };

static long *limit_field(struct conf *conf, int i) {
  return (long *)(void *)((char *)conf + limits[i].field);
}

void conf_usual_limits(struct conf *conf) {
  for (int i = 0; i < LIMITS; i++) *limit_field(conf, i) = limits[i].usual;
}

static const char *const case_keys[] = {"dims", "sets", "show", "entry"};
static const char *const sweep_keys[] = {"case", "parameters", "values", "most"};
static const char *const item_keys[] = {"class", "title", "points", "hint", "cases",
                                        "kinds", "case",  "metric", "of",   "full",
                                        "zero",  "half",  "needs"};

static int key_index(const char *key, const char *const *keys, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(keys[i], key) == 0) return (int)i;
  }
  return -1;
}

static int unknown_key(struct parser *parser, const char *key, const char *const *keys,
                       size_t count) {
  const char *guess = closest_word(key, keys, count);
  struct text list = {0};
  for (size_t i = 0; i < count; i++) text_add(&list, "%s%s", i ? ", " : "", keys[i]);
  if (guess) {
    conf_fail(parser, parser->number, "unknown key '%s' in [%s]; did you mean '%s'?", key,
              parser->section, guess);
  } else {
    conf_fail(parser, parser->number, "unknown key '%s' in [%s]; known are: %s", key,
              parser->section, text_get(&list));
  }
  text_free(&list);
  return 0;
}

int conf_take_lab(struct parser *parser, const char *key, const char *value) {
  struct conf *conf = parser->conf;
  /* Cases are read by the problem, and harness/compile takes both from lab.conf. */
  if (parser->hidden && (strcmp(key, "problem") == 0 || strcmp(key, "entries") == 0))
    return conf_fail(parser, parser->number, "'%s' is for lab.conf alone", key);
  int index = key_index(key, lab_keys, sizeof lab_keys / sizeof *lab_keys);
  if (index >= FIRST_LIMIT) {
    int which = index - FIRST_LIMIT;
    return take_long(parser, limit_field(conf, which), value, limits[which].least,
                     limits[which].most);
  }
  switch (index) {
    case 0:
      return take_string(parser, &conf->title, value);
    case 1:
      conf->family = family_find(value);
      return conf->family ? 1
                          : conf_fail(parser, parser->number, "there is no problem '%s'", value);
    case 2:
      return take_string(parser, &conf->baseline, value);
    case 3:
      return take_list(parser, &conf->entries, &conf->entry_count, value);
    default:
      return unknown_key(parser, key, lab_keys, sizeof lab_keys / sizeof *lab_keys);
  }
}

int conf_take_case(struct parser *parser, struct case_conf *entry, const char *key,
                   const char *value) {
  int show;
  switch (key_index(key, case_keys, sizeof case_keys / sizeof *case_keys)) {
    case 0:
      return take_dims(parser, entry, value);
    case 1:
      return take_long(parser, &entry->sets, value, 1, 100);
    case 2:
      if (!take_word(parser, &show, value, (const char *const[]){"no", "yes"}, 2)) return 0;
      if (show && parser->hidden)
        return conf_fail(parser, parser->number,
                         "a hidden case is not shown: its launch would tell its size");
      entry->show = show;
      return 1;
    case 3:
      return take_string(parser, &entry->entry, value);
    default:
      return unknown_key(parser, key, case_keys, sizeof case_keys / sizeof *case_keys);
  }
}

int conf_take_item(struct parser *parser, struct item_conf *item, const char *key,
                   const char *value) {
  int of;
  switch (key_index(key, item_keys, sizeof item_keys / sizeof *item_keys)) {
    case 0:
      return take_word(parser, &item->class, value, item_class_names, ITEM_CLASSES);
    case 1:
      return take_string(parser, &item->title, value);
    case 2:
      return take_long(parser, &item->points, value, 1, 10000);
    case 3:
      return take_string(parser, &item->hint, value);
    case 4:
      return take_list(parser, &item->cases, &item->case_count, value);
    case 5:
      return take_list(parser, &item->kinds, &item->kind_count, value);
    case 6:
      return take_string(parser, &item->case_name, value);
    case 7:
      return take_string(parser, &item->metric, value);
    case 8:
      if (!take_word(parser, &of, value, item_of_names, ITEM_OFS)) return 0;
      item->of = (enum item_of)of;
      return 1;
    case 9:
      return take_threshold(parser, &item->full, value);
    case 10:
      return take_threshold(parser, &item->zero, value);
    case 11:
      return take_threshold(parser, &item->half, value);
    case 12:
      return take_list(parser, &item->needs, &item->need_count, value);
    default:
      return unknown_key(parser, key, item_keys, sizeof item_keys / sizeof *item_keys);
  }
}

int conf_take_sweep(struct parser *parser, struct sweep_conf *sweep, const char *key,
                    const char *value) {
  char **words = NULL;
  int count = 0;
  switch (key_index(key, sweep_keys, sizeof sweep_keys / sizeof *sweep_keys)) {
    case 0:
      return take_string(parser, &sweep->case_name, value);
    case 1:
      return take_list(parser, &sweep->parameters, &sweep->parameter_count, value);
    case 2:
      take_list(parser, &words, &count, value);
      if (!parser->continued) sweep->value_count = 0;
      if (sweep->value_count + count > (int)(sizeof sweep->values / sizeof *sweep->values))
        conf_fail(parser, parser->number, "more values than %zu",
                  sizeof sweep->values / sizeof *sweep->values);
      for (int i = 0; i < count && !parser->error; i++)
        take_long(parser, &sweep->values[sweep->value_count++], words[i], 1, 1024);
      conf_free_list(words, count);
      return !parser->error;
    case 3:
      return take_long(parser, &sweep->most, value, 1, 1024);
    default:
      return unknown_key(parser, key, sweep_keys, sizeof sweep_keys / sizeof *sweep_keys);
  }
}
