/* conf.c: takes lab.conf and hidden.conf apart with inih, section by section. What the keys mean is
 * in conf_keys.c, whether the whole makes sense in conf_check.c. */
#include "grader/lab/conf.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/conf_keys.h"
#include "grader/lab/metric.h"

enum { MAX_KEYS = 128 };

struct parser {
  struct conf_file *out;
  struct conf *conf;
  FILE *file;
  char *line; /* the line being handed to inih, in pieces: inih takes at most 200 characters */
  size_t capacity, at, length;
  int number;         /* of that line in the file */
  int section_number; /* of the last [section] */
  bool continued;     /* the piece now with inih goes on from the one before */
  char *title;        /* of the section that the last key was in: "item loads" */
  enum conf_section section;
  void *values;        /* that section's struct */
  bool seen[MAX_KEYS]; /* the rows of conf_keys that were read in this section */
};

int conf_fail(struct conf_file *file, int line, const char *format, ...) {
  if (file->error) return 0;
  va_list args;
  va_start(args, format);
  autofree char *message = xvprintf(format, args);
  va_end(args);
  file->error = line > 0 ? xprintf("%s:%d: %s", file->name, line, message)
                         : xprintf("%s: %s", file->name, message);
  return 0;
}

/* fgets() for inih: a long line is cut at a blank, and goes on as inih's continuation lines. */
static char *next_piece(char *out, int size, void *stream) {
  struct parser *parser = stream;
  bool rest = parser->at < parser->length;
  if (!rest) {
    ssize_t got = getline(&parser->line, &parser->capacity, parser->file);
    if (got < 0) return NULL;
    parser->number++;
    parser->length = (size_t)got;
    while (parser->length > 0 && strchr("\r\n", parser->line[parser->length - 1])) parser->length--;
    parser->at = 0;
  }
  char first = parser->length > 0 ? parser->line[0] : '\0';
  parser->continued = rest || first == ' ' || first == '\t';
  if (!parser->continued && first == '[') parser->section_number = parser->number;
  if (!parser->continued && first && !strchr(";#", first) &&
      !strchr(parser->line, first == '[' ? ']' : '=')) {
    conf_fail(parser->out, parser->number, "this is neither [section] nor 'key = value'");
  }
  size_t take = parser->length - parser->at, room = (size_t)size - 3;
  if (take > room) {
    take = room;
    while (take > 1 && parser->line[parser->at + take] != ' ') take--;
    if (take == 1) take = room;
  }
  snprintf(out, (size_t)size, "%s%.*s\n", rest ? " " : "", (int)take, parser->line + parser->at);
  parser->at += take;
  if (parser->at < parser->length && parser->line[parser->at] == ' ') parser->at++;
  return out;
}

/* --- sections --- */

static int start_case(struct parser *parser, const char *name) {
  struct conf *conf = parser->conf;
  int known = conf_case(conf, name);
  if (known >= 0 && parser->out->hidden && !conf->cases[known].hidden)
    return conf_fail(parser->out, parser->section_number,
                     "[case %s] is in lab.conf, which students know: give a hidden case another "
                     "name",
                     name);
  if (known >= 0)
    return conf_fail(parser->out, parser->section_number, "[case %s] is given twice", name);
  struct case_conf *entry = parser->values = array_add(conf->cases, conf->case_count);
  conf_set_defaults(SECTION_CASE, entry);
  entry->name = xstrdup(name);
  entry->hidden = parser->out->hidden;
  entry->line = parser->section_number;
  return 1;
}

/* hidden.conf may go on with an item of lab.conf, once. */
static int start_item(struct parser *parser, const char *id) {
  struct conf *conf = parser->conf;
  int known = conf_item(conf, id);
  struct item_conf *item =
      known < 0 ? array_add(conf->items, conf->item_count) : &conf->items[known];
  if (known >= 0 && (item->hidden || item->changed || !parser->out->hidden))
    return conf_fail(parser->out, parser->section_number, "[item %s] is given twice", id);
  if (known < 0) {
    conf_set_defaults(SECTION_ITEM, item);
    item->id = xstrdup(id);
  }
  item->hidden = known < 0 && parser->out->hidden;
  item->changed = known >= 0;
  item->line = parser->section_number;
  parser->values = item;
  return 1;
}

static int start_answer(struct parser *parser, const char *id) {
  struct conf *conf = parser->conf;
  if (parser->out->hidden)
    return conf_fail(parser->out, parser->section_number, "[answer %s] is for lab.conf alone", id);
  if (conf_answer(conf, id) >= 0)
    return conf_fail(parser->out, parser->section_number, "[answer %s] is given twice", id);
  struct answer_conf *answer = parser->values = array_add(conf->answers, conf->answer_count);
  conf_set_defaults(SECTION_ANSWER, answer);
  answer->id = xstrdup(id);
  answer->line = parser->section_number;
  return 1;
}

static int start_question(struct parser *parser, const char *id) {
  struct conf *conf = parser->conf;
  if (parser->out->hidden)
    return conf_fail(parser->out, parser->section_number, "[question %s] is for lab.conf alone",
                     id);
  for (int i = 0; i < conf->question_count; i++)
    if (strcmp(conf->questions[i].id, id) == 0)
      return conf_fail(parser->out, parser->section_number, "[question %s] is given twice", id);
  struct question_conf *question = parser->values =
      array_add(conf->questions, conf->question_count);
  question->id = xstrdup(id);
  question->line = parser->section_number;
  return 1;
}

static int start_series(struct parser *parser, const char *name) {
  struct conf *conf = parser->conf;
  if (parser->out->hidden)
    return conf_fail(parser->out, parser->section_number, "[series %s] is for lab.conf alone",
                     name);
  if (conf_series(conf, name) >= 0)
    return conf_fail(parser->out, parser->section_number, "[series %s] is given twice", name);
  struct series_conf *series = parser->values = array_add(conf->series, conf->series_count);
  conf_set_defaults(SECTION_SERIES, series);
  series->name = xstrdup(name);
  series->line = parser->section_number;
  return 1;
}

static const struct {
  const char *word;
  enum conf_section section;
  int (*start)(struct parser *parser, const char *name);
} named_sections[] = {
    {"case ", SECTION_CASE, start_case},       {"item ", SECTION_ITEM, start_item},
    {"answer ", SECTION_ANSWER, start_answer}, {"question ", SECTION_QUESTION, start_question},
    {"series ", SECTION_SERIES, start_series},
};

static int start_section(struct parser *parser, const char *title) {
  free(parser->title);
  parser->title = xstrdup(title);
  memset(parser->seen, 0, sizeof parser->seen);
  parser->values = parser->conf;
  parser->section = SECTION_LAB;
  if (strcmp(title, "lab") == 0) return 1;
  if (strcmp(title, "sweep") == 0) {
    parser->values = &parser->conf->sweep;
    parser->section = SECTION_SWEEP;
    parser->conf->sweep.line = parser->section_number;
    return 1;
  }
  if (strcmp(title, "sizes") == 0) {
    parser->values = &parser->conf->sizes;
    parser->section = SECTION_SIZES;
    parser->conf->sizes.line = parser->section_number;
    return 1;
  }
  for (size_t i = 0; i < sizeof named_sections / sizeof *named_sections; i++) {
    size_t length = strlen(named_sections[i].word);
    if (strncmp(title, named_sections[i].word, length) != 0 || !title[length]) continue;
    parser->section = named_sections[i].section;
    return named_sections[i].start(parser, title + length);
  }
  freed_by(text_free) struct text known = {0};
  for (int i = 0; i < SECTIONS; i++)
    text_add(&known, "%s%s", i ? ", " : "", conf_section_titles[i]);
  return conf_fail(parser->out, parser->section_number, "unknown section [%s]; known are %s", title,
                   text_get(&known));
}

/* --- keys --- */

static const struct conf_key *find_key(struct parser *parser, const char *name) {
  for (const struct conf_key *key = conf_keys; key->name; key++) {
    if (key->section != parser->section) continue;
    if (strcmp(key->name, name) == 0) return key;
    if (!key->former || strcmp(key->former, name) != 0) continue;
    note("%s:%d: '%s' is called '%s' now; the old name still works in this version",
         parser->out->name, parser->number, name, key->name);
    return key;
  }
  return NULL;
}

static int unknown_key(struct parser *parser, const char *name) {
  const char *known[64];
  size_t count = 0;
  freed_by(text_free) struct text list = {0};
  for (const struct conf_key *key = conf_keys; key->name; key++) {
    if (key->section != parser->section) continue;
    text_add(&list, "%s%s", count ? ", " : "", key->name);
    known[count++] = key->name;
  }
  const char *guess = closest_word(name, known, count);
  if (guess)
    conf_fail(parser->out, parser->number, "unknown key '%s' in [%s]; did you mean '%s'?", name,
              parser->title, guess);
  else
    conf_fail(parser->out, parser->number, "unknown key '%s' in [%s]; known are: %s", name,
              parser->title, text_get(&list));
  return 0;
}

/* Why the value cannot be set, or NULL. What dimensions there are is up to the case's function. */
static char *set_value(struct parser *parser, const struct conf_key *key, const char *value) {
  const struct conf *conf = parser->conf;
  const struct case_conf *entry = parser->section == SECTION_CASE ? parser->values : NULL;
  const struct family *family = entry ? conf_family(conf, entry) : conf->family;
  bool has_dims = entry && entry->dims[0] > 0;
  char *error =
      conf_key_set(key, parser->values, value, parser->continued, family ? family->problem : NULL);
  if (!error && has_dims && conf_family(conf, entry) != family)
    error = xprintf("'%s' must stand above 'dims', whose names it changes", key->name);
  return error;
}

/* inih's handler: 1, or 0 and an error. */
static int take_value(void *user, const char *section, const char *name, const char *value) {
  struct parser *parser = user;
  if (parser->out->error) return 0;
  if (!parser->title || strcmp(parser->title, section) != 0)
    if (!start_section(parser, section)) return 0;
  const struct conf_key *key = find_key(parser, name);
  if (!key) return unknown_key(parser, name);
  bool *seen = &parser->seen[key - conf_keys];
  if (*seen && !parser->continued)
    return conf_fail(parser->out, parser->number, "'%s' is given twice in [%s]", name, section);
  *seen = true;
  if (!*value) return conf_fail(parser->out, parser->number, "'%s' has no value", name);
  if (parser->out->hidden && key->only_in_lab_conf)
    return conf_fail(parser->out, parser->number, "'%s' is for lab.conf alone", name);
  char *error = set_value(parser, key, value);
  if (error) conf_fail(parser->out, parser->number, "%s", error);
  free(error);
  return !parser->out->error;
}

/* --- files --- */

static int read_file(const char *path, const char *name, bool hidden, struct conf *conf,
                     char **error) {
  struct conf_file out = {.name = name, .hidden = hidden};
  struct parser parser = {.out = &out, .conf = conf, .file = fopen(path, "re")};
  if (!parser.file) {
    *error = xprintf("%s: %s", name, strerror(errno));
    return -1;
  }
  int line = ini_parse_stream(next_piece, &parser, take_value, &parser);
  if (!out.error && line == -2) die("out of memory");
  if (!out.error && line != 0)
    conf_fail(&out, 0, "cannot be read (line %d, counted by inih)", line);
  if (!out.error) conf_check(&out, conf);
  free_all(parser.title, parser.line);
  fclose(parser.file);
  *error = out.error;
  return out.error ? -1 : 0;
}

int conf_read(const char *path, const char *name, struct conf *conf, char **error) {
  *conf = (struct conf){0};
  conf_set_defaults(SECTION_LAB, conf);
  return read_file(path, name, false, conf, error);
}

int conf_read_hidden(const char *path, const char *name, struct conf *conf, char **error) {
  conf->has_hidden = true;
  return read_file(path, name, true, conf, error);
}

void conf_free(struct conf *conf) {
  for (int i = 0; i < conf->case_count; i++) {
    conf_free_values(SECTION_CASE, &conf->cases[i]);
    free(conf->cases[i].name);
  }
  for (int i = 0; i < conf->item_count; i++) {
    conf_free_values(SECTION_ITEM, &conf->items[i]);
    free(conf->items[i].id);
  }
  for (int i = 0; i < conf->answer_count; i++) {
    conf_free_values(SECTION_ANSWER, &conf->answers[i]);
    free(conf->answers[i].id);
  }
  for (int i = 0; i < conf->question_count; i++) {
    conf_free_values(SECTION_QUESTION, &conf->questions[i]);
    free(conf->questions[i].id);
  }
  for (int i = 0; i < conf->series_count; i++) {
    conf_free_values(SECTION_SERIES, &conf->series[i]);
    free(conf->series[i].name);
  }
  conf_free_values(SECTION_SWEEP, &conf->sweep);
  conf_free_values(SECTION_SIZES, &conf->sizes);
  conf_free_values(SECTION_LAB, conf);
  free_all(conf->cases, conf->items, conf->answers, conf->questions, conf->series);
  memset(conf, 0, sizeof *conf);
}

/* Up, to two digits: numbers that people read. */
static uint64_t round_up(double value) {
  double unit = 1;
  while (value / unit > 100) unit *= 10;
  return (uint64_t)(ceil(value / unit) * unit);
}

struct budget conf_budget(const struct conf *conf) {
  static const double per_operation = 10, per_element = 64, per_byte = 64, min = 1e9,
                      min_bytes = 30e9;
  double instructions = min, bytes = min_bytes;
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    const struct family *family = conf_family(conf, entry);
    double sets = (double)entry->sets, moved = family_bytes(family, entry->dims);
    instructions += sets * per_operation * family_operations(family, entry->dims) / 2;
    instructions += sets * per_element * moved / sizeof(float);
    bytes += sets * per_byte * moved;
  }
  return (struct budget){
      .instructions = conf->instruction_budget ? (uint64_t)conf->instruction_budget * 1000000
                                               : round_up(instructions),
      .bytes = conf->copy_budget ? (uint64_t)conf->copy_budget << 20 : round_up(bytes),
      .calls = (uint64_t)conf->call_budget};
}

int conf_case(const struct conf *conf, const char *name) {
  for (int i = 0; i < conf->case_count; i++)
    if (strcmp(conf->cases[i].name, name) == 0) return i;
  return -1;
}

const char *conf_function(const struct conf *conf, const struct case_conf *entry) {
  if (entry->entry) return entry->entry;
  return conf->entry_count ? conf->entries[0].name : conf->family->problem->name;
}

const struct family *conf_family(const struct conf *conf, const struct case_conf *entry) {
  for (int i = 0; i < conf->entry_count; i++) {
    const struct entry_conf *one = &conf->entries[i];
    if (entry->entry && strcmp(one->name, entry->entry) != 0) continue;
    return one->family ? one->family : conf->family;
  }
  return conf->family;
}

int conf_answer(const struct conf *conf, const char *id) {
  for (int i = 0; i < conf->answer_count; i++)
    if (strcmp(conf->answers[i].id, id) == 0) return i;
  return -1;
}

bool conf_case_is_checked(const struct conf *conf, const struct case_conf *entry) {
  for (int i = 0; i < conf->item_count; i++)
    for (int k = 0; k < conf->items[i].case_count; k++)
      if (strcmp(conf->items[i].cases[k], entry->name) == 0) return true;
  return false;
}

bool conf_lists_kind(const struct conf *conf, const char *kind) {
  for (int i = 0; i < conf->item_count; i++)
    for (int k = 0; k < conf->items[i].kind_count; k++)
      if (strcmp(conf->items[i].kinds[k], kind) == 0) return true;
  return false;
}

static bool is_by_time(const char *case_name, const char *metric, const struct case_conf *entry) {
  return case_name && metric && strcmp(case_name, entry->name) == 0 &&
         metric_is_time(metric_find(metric));
}

static bool is_on_timeline(const char *case_name, const char *metric,
                           const struct case_conf *entry) {
  return case_name && metric && strcmp(case_name, entry->name) == 0 &&
         metric_is_of_timeline(metric_find(metric));
}

bool conf_wants_timeline(const struct conf *conf, const struct case_conf *entry) {
  bool wants = entry->elapsed == ELAPSED_WORK;
  for (int i = 0; i < conf->item_count; i++)
    wants |= is_on_timeline(conf->items[i].case_name, conf->items[i].metric, entry);
  for (int i = 0; i < conf->answer_count; i++)
    wants |= is_on_timeline(conf->answers[i].case_name, conf->answers[i].metric, entry);
  for (int i = 0; i < conf->series_count; i++)
    wants |= is_on_timeline(conf->series[i].case_name, conf->series[i].metric, entry);
  return wants;
}

static bool is_case(const char *case_name, const struct case_conf *entry) {
  return case_name && strcmp(case_name, entry->name) == 0;
}

long conf_timed_sets(const struct conf *conf, const struct case_conf *entry) {
  bool timed =
      entry->show || is_case(conf->sweep.case_name, entry) || conf_wants_timeline(conf, entry);
  for (int i = 0; i < conf->item_count; i++)
    timed |= is_by_time(conf->items[i].case_name, conf->items[i].metric, entry);
  for (int i = 0; i < conf->answer_count; i++)
    timed |= is_by_time(conf->answers[i].case_name, conf->answers[i].metric, entry);
  return entry->elapsed ? entry->sets : timed;
}

int series_conf_count(const struct series_conf *series) {
  return series->value_count ? series->value_count : (int)(series->to - series->from + 1);
}

long series_conf_value(const struct series_conf *series, int i) {
  return series->value_count ? series->values[i] : series->from + i;
}

int conf_series(const struct conf *conf, const char *name) {
  for (int i = 0; i < conf->series_count; i++)
    if (strcmp(conf->series[i].name, name) == 0) return i;
  return -1;
}

int conf_item(const struct conf *conf, const char *id) {
  for (int i = 0; i < conf->item_count; i++)
    if (strcmp(conf->items[i].id, id) == 0) return i;
  return -1;
}
