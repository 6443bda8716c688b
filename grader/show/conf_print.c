/* conf_print.c: lab.conf's keys for people, its values as JSON, both by conf_keys.c's table. */
#include "grader/show/show.h"

#include <stdlib.h>

#include "grader/lab/conf_keys.h"
#include "grader/run/report.h"

/* --- keys --- */

static void add_words(struct text *text, const char *const *words, const char *between) {
  for (int i = 0; words[i]; i++) text_add(text, "%s%s", i ? between : "", words[i]);
}

static void add_type(struct text *text, const struct conf_key *key) {
  static const char *const names[] = {
      [CONF_TEXT] = "text",
      [CONF_WORDS] = "words",
      [CONF_WHOLE] = "whole number",
      [CONF_WHOLES] = "whole numbers",
      [CONF_YES_NO] = "yes or no",
      [CONF_THRESHOLD] = "<= NUMBER or >= NUMBER",
      [CONF_DIMS] = "NAME=N ..., each",
      [CONF_FAMILY] = "name of a problem family",
      [CONF_ENTRIES] = "names of functions",
  };
  if (key->type == CONF_CHOICE)
    add_words(text, key->words, " | ");
  else
    text_add(text, "%s", names[key->type]);
  if (key->max) text_add(text, " from %ld to %ld", key->min, key->max);
  if (!key->classes) return;
  text_add(text, ", of class");
  for (int i = 0; i < ITEM_CLASSES; i++)
    if (conf_key_applies(key, i)) text_add(text, " %s", item_class_names[i]);
}

static void add_default(struct text *text, const struct conf_key *key) {
  if (key->required)
    text_add(text, "required");
  else if (key->if_not_given)
    text_add(text, "default: %s", key->if_not_given);
  else if (key->type == CONF_CHOICE)
    text_add(text, "default: %s", key->words[key->normal]);
  else if (key->type == CONF_YES_NO)
    text_add(text, "default: no");
  else if (key->normal)
    text_add(text, "default: %ld", key->normal);
  else
    text_add(text, "optional");
}

void conf_print_keys(const struct screen *screen) {
  for (int section = 0; section < SECTIONS; section++) {
    if (section) screen_newline(screen);
    screen_line(screen, BOLD, "%s", conf_section_titles[section]);
    for (const struct conf_key *key = conf_keys; key->name; key++) {
      if ((int)key->section != section) continue;
      freed_by(text_free) struct text words = {0};
      add_type(&words, key);
      text_add(&words, "; ");
      add_default(&words, key);
      autofree char *label = xprintf("  %-19s", key->name);
      screen_wrap(screen, PLAIN, 21, label, key->sentence);
      screen_wrap(screen, DIM, 21, "                     ", text_get(&words));
    }
  }
}

/* --- values --- */

static json_t *words_to_json(char *const *words, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, json_string(words[i]));
  return list;
}

static json_t *numbers_to_json(const long *numbers, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, json_integer(numbers[i]));
  return list;
}

/* With the problem, where that is not the lab's. */
static json_t *entries_to_json(const struct entry_conf *entries, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(list, entries[i].family ? json_sprintf("%s:%s", entries[i].name,
                                                                 entries[i].family->problem->name)
                                                  : json_string(entries[i].name));
  return list;
}

static json_t *value_to_json(const struct conf_key *key, const void *section,
                             const struct problem *problem) {
  const void *value = (const char *)section + key->at;
  const int *count = (const void *)((const char *)section + key->count_at);
  const struct threshold *threshold = value;
  switch (key->type) {
    case CONF_TEXT:
      return json_string(*(char *const *)value);
    case CONF_WORDS:
      return words_to_json(*(char *const *const *)value, *count);
    case CONF_WHOLE:
      return json_integer(*(const long *)value);
    case CONF_WHOLES:
      return numbers_to_json(value, *count);
    case CONF_CHOICE:
      return json_string(key->words[*(const int *)value]);
    case CONF_YES_NO:
      return json_boolean(*(const bool *)value);
    case CONF_THRESHOLD:
      return json_pack("{s:b, s:f}", "at_least", threshold->at_least, "value", threshold->value);
    case CONF_DIMS:
      return dims_to_json(problem, value);
    case CONF_FAMILY:
      return json_string(problem->name);
    case CONF_ENTRIES:
      return entries_to_json(*(struct entry_conf *const *)value, *count);
  }
  return NULL;
}

/* Is there a value to show: one that was given, or a default? */
static bool has_value(const struct conf_key *key, const void *section) {
  return conf_key_given(key, section) || key->type == CONF_YES_NO ||
         (key->type == CONF_CHOICE && !key->required) || key->normal > 0;
}

static json_t *section_to_json(enum conf_section section, const void *values, int item_class,
                               const struct conf *conf) {
  json_t *object = json_object();
  const struct family *family = section == SECTION_CASE ? conf_family(conf, values) : conf->family;
  for (const struct conf_key *key = conf_keys; key->name; key++) {
    if (key->section != section || (section == SECTION_ITEM && !conf_key_applies(key, item_class)))
      continue;
    json_object_set_new(
        object, key->name,
        has_value(key, values) ? value_to_json(key, values, family->problem) : json_null());
  }
  return object;
}

json_t *conf_to_json(const struct lab *lab) {
  const struct conf *conf = &lab->conf;
  json_t *cases = json_array(), *items = json_array(), *files = json_array(),
         *values = section_to_json(SECTION_LAB, conf, 0, conf);
  json_array_append_new(files, json_string(short_path(lab->conf_path)));
  if (lab->hidden_path) json_array_append_new(files, json_string(short_path(lab->hidden_path)));
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    json_t *json = section_to_json(SECTION_CASE, entry, 0, conf);
    json_object_set_new(json, "entry", json_string(conf_function(conf, entry)));
    json_object_set_new(json, "name", json_string(entry->name));
    json_object_set_new(json, "hidden", json_boolean(entry->hidden));
    json_array_append_new(cases, json);
  }
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    json_t *json = section_to_json(SECTION_ITEM, item, item->class, conf);
    json_object_set_new(json, "id", json_string(item->id));
    json_object_set_new(json, "hidden", json_boolean(item->hidden));
    json_array_append_new(items, json);
  }
  json_t *answers = json_array();
  for (int i = 0; i < conf->answer_count; i++) {
    json_t *json = section_to_json(SECTION_ANSWER, &conf->answers[i], 0, conf);
    json_object_set_new(json, "id", json_string(conf->answers[i].id));
    json_array_append_new(answers, json);
  }
  json_t *questions = json_array();
  for (int i = 0; i < conf->question_count; i++)
    json_array_append_new(questions, json_pack("{s:s, s:s}", "id", conf->questions[i].id, "ask",
                                               conf->questions[i].ask));
  json_t *series = json_array();
  for (int i = 0; i < conf->series_count; i++) {
    json_t *json = section_to_json(SECTION_SERIES, &conf->series[i], 0, conf);
    json_object_set_new(json, "name", json_string(conf->series[i].name));
    json_array_append_new(series, json);
  }
  struct budget budget = conf_budget(conf);
  return json_pack(
      "{s:i, s:s, s:o, s:I, s:{s:I, s:I, s:I}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
      1, "lab", lab->id, "files", files, "max_points", (json_int_t)conf->max_points, "budget",
      "instructions", (json_int_t)budget.instructions, "bytes", (json_int_t)budget.bytes, "calls",
      (json_int_t)budget.calls, "conf", values, "cases", cases, "items", items, "answers", answers,
      "questions", questions, "sweep",
      conf->sweep.line ? section_to_json(SECTION_SWEEP, &conf->sweep, 0, conf) : json_null(),
      "series", series, "sizes",
      conf->sizes.line ? section_to_json(SECTION_SIZES, &conf->sizes, 0, conf) : json_null());
}
