/* conf.c: reads lab.conf with inih and refuses whatever it does not know; see conf.h. */
#include "conf.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "text.h"

const char *const item_class_names[ITEM_CLASSES] = {"correctness", "hazard", "technique",
                                                    "performance"};
const char *const item_of_names[ITEM_OFS] = {"value", "baseline", "reference"};

struct parser {
  struct conf *conf;
  FILE *file;
  char *line; /* the line being handed to inih, in pieces: inih takes at most 200 characters */
  size_t capacity, at, length;
  int number;         /* of that line in the file */
  int section_number; /* of the last [section] */
  bool continued;     /* the piece now with inih goes on from the one before */
  char *section;      /* of the key before */
  char *keys[32];     /* already seen in this section */
  int key_count;
  char *error;
};

__attribute__((format(printf, 3, 4))) static int fail(struct parser *parser, int line,
                                                      const char *format, ...) {
  if (parser->error) return 0;
  va_list args;
  va_start(args, format);
  char *message;
  if (vasprintf(&message, format, args) < 0) die("out of memory");
  va_end(args);
  parser->error = line > 0 ? xprintf("%s:%d: %s", parser->conf->path, line, message)
                           : xprintf("%s: %s", parser->conf->path, message);
  free(message);
  return 0;
}

/* fgets() for inih: a long line is cut at a blank and its rest handed over as inih's continuation
 * lines. */
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
    fail(parser, parser->number, "this is neither [section] nor 'key = value'");
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

/* --- values --- */

static int take_string(struct parser *parser, char **to, const char *value) {
  if (parser->continued && *to) {
    char *joined = xprintf("%s %s", *to, value);
    free(*to);
    *to = joined;
    return 1;
  }
  *to = xstrdup(value);
  return 1;
}

static int take_long(struct parser *parser, long *to, const char *value, long least, long most) {
  char *end;
  errno = 0;
  long number = strtol(value, &end, 10);
  if (end == value || *end || errno || number < least || number > most) {
    return fail(parser, parser->number, "'%s' is not a whole number from %ld to %ld", value, least,
                most);
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
  fail(parser, parser->number, "'%s' is none of: %s", value, text_get(&list));
  text_free(&list);
  return 0;
}

static int take_list(char ***list, int *count, const char *value) {
  char *copy = xstrdup(value), *rest = copy, *word;
  while ((word = strsep(&rest, " \t")) != NULL) {
    if (!*word) continue;
    *list = xrealloc(*list, sizeof **list * (size_t)(*count + 1));
    (*list)[(*count)++] = xstrdup(word);
  }
  free(copy);
  return 1;
}

static void free_list(char **list, int count) {
  for (int i = 0; i < count; i++) free(list[i]);
  free(list);
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
  return fail(parser, parser->number, "'%s' is not a threshold such as <= 4 or >= 0.5", value);
}

static int take_dims(struct parser *parser, struct case_conf *entry, const char *value) {
  const struct problem *problem = parser->conf->problem;
  if (!problem)
    return fail(parser, parser->number, "[lab] with its problem must come before the cases");
  char *copy = xstrdup(value), *rest = copy, *word;
  while ((word = strsep(&rest, " \t")) != NULL) {
    if (!*word) continue;
    char *number = strchr(word, '=');
    int dim = 0;
    if (number) *number++ = '\0';
    while (dim < problem->dim_count && strcmp(problem->dims[dim], word) != 0) dim++;
    if (!number || dim == problem->dim_count) {
      fail(parser, parser->number, "'%s' is not a dimension of %s, written as %s=17", word,
           problem->name, problem->dims[0]);
    } else {
      take_long(parser, &entry->dims[dim], number, 1, 1 << 20);
    }
  }
  free(copy);
  for (int i = 0; i < problem->dim_count && !parser->error; i++) {
    if (entry->dims[i] == 0) fail(parser, parser->number, "dims lacks %s", problem->dims[i]);
  }
  return !parser->error;
}

/* --- sections: the keys of each, and what they set --- */

static const char *const lab_keys[] = {
    "title",       "problem",      "baseline",         "entries",            "time_limit",
    "cpu_limit",   "memory_limit", "thread_limit",     "output_limit",       "build_time_limit",
    "build_cpu_limit", "build_memory_limit", "build_disk_limit"};
enum { FIRST_LIMIT = 4 }; /* in lab_keys; the others follow in this order */
static const struct {
  size_t field;
  long usual, least, most;
} limits[] = {{offsetof(struct conf, time_limit), 60, 1, 3600},
              {offsetof(struct conf, cpu_limit), 0, 1, 1 << 20},
              {offsetof(struct conf, memory_limit), 4096, 64, 1 << 20},
              {offsetof(struct conf, thread_limit), 256, 1, 1 << 16},
              {offsetof(struct conf, output_limit), 64, 1, 1 << 12},
              {offsetof(struct conf, build_time_limit), 60, 1, 3600},
              {offsetof(struct conf, build_cpu_limit), 12, 1, 3600},
              {offsetof(struct conf, build_memory_limit), 3072, 256, 1 << 20},
              {offsetof(struct conf, build_disk_limit), 512, 16, 1 << 16}};
enum { LIMITS = sizeof limits / sizeof *limits };

static long *limit_field(struct conf *conf, int i) {
  return (long *)(void *)((char *)conf + limits[i].field);
}

static const char *const case_keys[] = {"dims", "sets", "show", "entry"};
static const char *const sweep_keys[] = {"case", "parameters", "values", "most"};
static const char *const item_keys[] = {"class", "title",  "points", "hint", "cases", "kinds",
                                        "case",  "metric", "of",     "full", "zero",  "half"};

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
    fail(parser, parser->number, "unknown key '%s' in [%s]; did you mean '%s'?", key,
         parser->section, guess);
  } else {
    fail(parser, parser->number, "unknown key '%s' in [%s]; known are: %s", key, parser->section,
         text_get(&list));
  }
  text_free(&list);
  return 0;
}

static int take_lab(struct parser *parser, const char *key, const char *value) {
  struct conf *conf = parser->conf;
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
      conf->problem = problem_find(value);
      return conf->problem ? 1 : fail(parser, parser->number, "there is no problem '%s'", value);
    case 2:
      return take_string(parser, &conf->baseline, value);
    case 3:
      return take_list(&conf->entries, &conf->entry_count, value);
    default:
      return unknown_key(parser, key, lab_keys, sizeof lab_keys / sizeof *lab_keys);
  }
}

static int take_case(struct parser *parser, struct case_conf *entry, const char *key,
                     const char *value) {
  int show;
  switch (key_index(key, case_keys, sizeof case_keys / sizeof *case_keys)) {
    case 0:
      return take_dims(parser, entry, value);
    case 1:
      return take_long(parser, &entry->sets, value, 1, 100);
    case 2:
      if (!take_word(parser, &show, value, (const char *const[]){"no", "yes"}, 2)) return 0;
      entry->show = show;
      return 1;
    case 3:
      return take_string(parser, &entry->entry, value);
    default:
      return unknown_key(parser, key, case_keys, sizeof case_keys / sizeof *case_keys);
  }
}

static int take_item(struct parser *parser, struct item_conf *item, const char *key,
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
      return take_list(&item->cases, &item->case_count, value);
    case 5:
      return take_list(&item->kinds, &item->kind_count, value);
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
    default:
      return unknown_key(parser, key, item_keys, sizeof item_keys / sizeof *item_keys);
  }
}

static int take_sweep(struct parser *parser, struct sweep_conf *sweep, const char *key,
                      const char *value) {
  char **words = NULL;
  int count = 0;
  switch (key_index(key, sweep_keys, sizeof sweep_keys / sizeof *sweep_keys)) {
    case 0:
      return take_string(parser, &sweep->case_name, value);
    case 1:
      return take_list(&sweep->parameters, &sweep->parameter_count, value);
    case 2:
      take_list(&words, &count, value);
      if (sweep->value_count + count > (int)(sizeof sweep->values / sizeof *sweep->values))
        fail(parser, parser->number, "more values than %zu",
             sizeof sweep->values / sizeof *sweep->values);
      for (int i = 0; i < count && !parser->error; i++)
        take_long(parser, &sweep->values[sweep->value_count++], words[i], 1, 1024);
      free_list(words, count);
      return !parser->error;
    case 3:
      return take_long(parser, &sweep->most, value, 1, 1024);
    default:
      return unknown_key(parser, key, sweep_keys, sizeof sweep_keys / sizeof *sweep_keys);
  }
}

static void forget_section(struct parser *parser) {
  free(parser->section);
  parser->section = NULL;
  while (parser->key_count > 0) free(parser->keys[--parser->key_count]);
}

/* Starts a section: adds the case or the item. */
static int start_section(struct parser *parser, const char *section) {
  struct conf *conf = parser->conf;
  forget_section(parser);
  parser->section = xstrdup(section);
  if (strcmp(section, "lab") == 0) return 1;
  if (strcmp(section, "sweep") == 0) {
    conf->sweep.line = parser->section_number;
    return 1;
  }
  if (strncmp(section, "case ", 5) == 0 && section[5]) {
    if (conf_case(conf, section + 5) >= 0)
      return fail(parser, parser->section_number, "[%s] stands twice", section);
    conf->cases = xrealloc(conf->cases, sizeof *conf->cases * (size_t)(conf->case_count + 1));
    conf->cases[conf->case_count++] =
        (struct case_conf){.name = xstrdup(section + 5), .sets = 1, .line = parser->section_number};
    return 1;
  }
  if (strncmp(section, "item ", 5) == 0 && section[5]) {
    for (int i = 0; i < conf->item_count; i++) {
      if (strcmp(conf->items[i].id, section + 5) == 0)
        return fail(parser, parser->section_number, "[%s] stands twice", section);
    }
    conf->items = xrealloc(conf->items, sizeof *conf->items * (size_t)(conf->item_count + 1));
    conf->items[conf->item_count++] =
        (struct item_conf){.id = xstrdup(section + 5), .class = -1, .line = parser->section_number};
    return 1;
  }
  return fail(parser, parser->section_number,
              "unknown section [%s]; known are [lab], [case NAME], [item ID], [sweep]", section);
}

static int take_value(void *user, const char *section, const char *key, const char *value) {
  struct parser *parser = user;
  struct conf *conf = parser->conf;
  if (parser->error) return 0;
  if (!parser->section || strcmp(parser->section, section) != 0) {
    if (!start_section(parser, section)) return 0;
  }
  bool seen = false;
  for (int i = 0; i < parser->key_count; i++) seen |= strcmp(parser->keys[i], key) == 0;
  if (seen && !parser->continued)
    return fail(parser, parser->number, "'%s' is given twice in [%s]", key, section);
  if (!seen && parser->key_count < (int)(sizeof parser->keys / sizeof *parser->keys)) {
    parser->keys[parser->key_count++] = xstrdup(key);
  }
  if (!*value) return fail(parser, parser->number, "'%s' has no value", key);
  if (strcmp(section, "lab") == 0) return take_lab(parser, key, value);
  if (strcmp(section, "sweep") == 0) return take_sweep(parser, &conf->sweep, key, value);
  if (section[0] == 'c') return take_case(parser, &conf->cases[conf->case_count - 1], key, value);
  return take_item(parser, &conf->items[conf->item_count - 1], key, value);
}

/* --- the whole --- */

/* The second threshold of an item that is measured: which one there may be, and where it lies. */
static void check_second(struct parser *parser, const struct item_conf *item) {
  const struct threshold *full = &item->full, *zero = &item->zero, *half = &item->half;
  if (item->class == ITEM_PERFORMANCE && zero->given) {
    fail(parser, item->line,
         "[item %s]: 'zero' is for what is counted; a time earns all points, half of them or none: "
         "give 'half', up to which it is half",
         item->id);
  } else if (item->class == ITEM_TECHNIQUE && half->given) {
    fail(parser, item->line,
         "[item %s]: 'half' is for times; what is counted has 'zero', towards which points fall",
         item->id);
  } else if (zero->given &&
             (zero->at_least == full->at_least ||
              (full->at_least ? zero->value >= full->value : zero->value <= full->value))) {
    fail(parser, item->line,
         "[item %s]: full and zero must point away from each other, as <= 4 and >= 16", item->id);
  } else if (half->given &&
             (half->at_least != full->at_least ||
              (full->at_least ? half->value >= full->value : half->value <= full->value))) {
    fail(parser, item->line,
         "[item %s]: half must point as full does, and be easier: <= 1.5 and <= 3", item->id);
  }
}

static void check_item(struct parser *parser, const struct item_conf *item) {
  const struct conf *conf = parser->conf;
  const char *lacks = item->class < 0 ? "class"
                      : !item->title  ? "title"
                      : !item->points ? "points"
                                      : NULL;
  bool measured = item->class == ITEM_TECHNIQUE || item->class == ITEM_PERFORMANCE;
  if (!lacks && measured)
    lacks = !item->case_name    ? "case"
            : !item->metric     ? "metric"
            : !item->full.given ? "full"
                                : NULL;
  if (!lacks && item->class == ITEM_CORRECTNESS && item->case_count == 0) lacks = "cases";
  if (lacks) {
    fail(parser, item->line, "[item %s] lacks '%s'", item->id, lacks);
    return;
  }
  for (int i = 0; i < item->case_count; i++) {
    if (conf_case(conf, item->cases[i]) < 0)
      fail(parser, item->line, "[item %s]: there is no [case %s]", item->id, item->cases[i]);
  }
  if (!measured) {
    if (item->full.given || item->zero.given || item->half.given || item->metric) {
      fail(parser, item->line, "[item %s]: an item of class %s has no metric", item->id,
           item_class_names[item->class]);
    }
    return;
  }
  if (conf_case(conf, item->case_name) < 0)
    fail(parser, item->line, "[item %s]: there is no [case %s]", item->id, item->case_name);
  const struct metric *metric = metric_find(item->metric);
  if (!metric) {
    const char *guess = metric_guess(item->metric);
    fail(parser, item->line, "[item %s]: there is no metric '%s'%s%s%s", item->id, item->metric,
         guess ? "; did you mean '" : "", guess ? guess : "", guess ? "'?" : "");
  } else if (metric->relative_only && item->of == OF_VALUE) {
    fail(parser, item->line, "[item %s]: metric %s needs 'of = baseline' or 'of = reference'",
         item->id, item->metric);
  }
  if (item->of == OF_BASELINE && !conf->baseline) {
    fail(parser, item->line, "[item %s]: 'of = baseline', but [lab] names no baseline", item->id);
  }
  check_second(parser, item);
}

static void check_case(struct parser *parser, const struct case_conf *entry) {
  const struct conf *conf = parser->conf;
  if (entry->dims[0] == 0) fail(parser, entry->line, "[case %s] lacks 'dims'", entry->name);
  if (!entry->entry) return;
  bool known = conf->entry_count == 0 && strcmp(entry->entry, conf->problem->name) == 0;
  for (int i = 0; i < conf->entry_count; i++) known |= strcmp(conf->entries[i], entry->entry) == 0;
  if (!known)
    fail(parser, entry->line, "[case %s]: '%s' is none of [lab]'s entries", entry->name,
         entry->entry);
}

static void check_sweep(struct parser *parser, const struct sweep_conf *sweep) {
  if (!sweep->line) return;
  const char *lacks = !sweep->case_name         ? "case"
                      : !sweep->parameter_count ? "parameters"
                      : !sweep->value_count     ? "values"
                      : !sweep->most            ? "most"
                                                : NULL;
  if (lacks)
    fail(parser, sweep->line, "[sweep] lacks '%s'", lacks);
  else if (conf_case(parser->conf, sweep->case_name) < 0)
    fail(parser, sweep->line, "[sweep]: there is no [case %s]", sweep->case_name);
  else if (sweep->parameter_count != SWEEP_PARAMETERS)
    fail(parser, sweep->line, "[sweep] needs two parameters, the block's extent in x and in y");
}

static void check_conf(struct parser *parser) {
  struct conf *conf = parser->conf;
  if (!conf->title) fail(parser, 0, "[lab] lacks 'title'");
  if (!conf->problem) fail(parser, 0, "[lab] lacks 'problem'");
  if (conf->case_count == 0) fail(parser, 0, "there is no [case ...]");
  if (conf->item_count == 0) fail(parser, 0, "there is no [item ...]");
  int shown = 0;
  for (int i = 0; i < conf->case_count && !parser->error; i++) {
    check_case(parser, &conf->cases[i]);
    shown += conf->cases[i].show;
    if (shown > MAX_SHOWN)
      fail(parser, conf->cases[i].line, "at most %d cases can have 'show = yes'", MAX_SHOWN);
  }
  if (!parser->error) check_sweep(parser, &conf->sweep);
  for (int i = 0; i < conf->item_count && !parser->error; i++) {
    check_item(parser, &conf->items[i]);
    conf->max_points += conf->items[i].points;
  }
}

int conf_read(const char *path, const char *name, struct conf *conf, char **error) {
  *conf = (struct conf){.path = xstrdup(name)};
  for (int i = 0; i < LIMITS; i++) *limit_field(conf, i) = limits[i].usual;
  struct parser parser = {.conf = conf, .file = fopen(path, "re")};
  if (!parser.file) {
    *error = xprintf("%s: %s", name, strerror(errno));
    return -1;
  }
  int line = ini_parse_stream(next_piece, &parser, take_value, &parser);
  if (!parser.error && line == -2) die("out of memory");
  if (!parser.error && line != 0) {
    fail(&parser, 0, "cannot be read (line %d, counted by inih)", line);
  }
  if (!parser.error) check_conf(&parser);
  forget_section(&parser);
  free(parser.line);
  fclose(parser.file);
  *error = parser.error;
  return parser.error ? -1 : 0;
}

void conf_free(struct conf *conf) {
  for (int i = 0; i < conf->case_count; i++) {
    free(conf->cases[i].name);
    free(conf->cases[i].entry);
  }
  free_list(conf->entries, conf->entry_count);
  free_list(conf->sweep.parameters, conf->sweep.parameter_count);
  free(conf->sweep.case_name);
  for (int i = 0; i < conf->item_count; i++) {
    struct item_conf *item = &conf->items[i];
    free_list(item->cases, item->case_count);
    free_list(item->kinds, item->kind_count);
    free(item->id);
    free(item->title);
    free(item->hint);
    free(item->case_name);
    free(item->metric);
  }
  free(conf->cases);
  free(conf->items);
  free(conf->path);
  free(conf->title);
  free(conf->baseline);
  memset(conf, 0, sizeof *conf);
}

int conf_case(const struct conf *conf, const char *name) {
  for (int i = 0; i < conf->case_count; i++) {
    if (strcmp(conf->cases[i].name, name) == 0) return i;
  }
  return -1;
}
