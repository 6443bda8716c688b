/* conf.c: takes lab.conf and hidden.conf apart with inih, section by section; see conf.h. What the
 * keys mean is in conf_keys.c, whether the whole makes sense in conf_check.c. */
#include "grader/lab/conf.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/conf_parser.h"

int conf_fail(struct parser *parser, int line, const char *format, ...) {
  if (parser->error) return 0;
  va_list args;
  va_start(args, format);
  char *message;
  if (vasprintf(&message, format, args) < 0) die("out of memory");
  va_end(args);
  parser->error = line > 0 ? xprintf("%s:%d: %s", parser->name, line, message)
                           : xprintf("%s: %s", parser->name, message);
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
    conf_fail(parser, parser->number, "this is neither [section] nor 'key = value'");
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

static void forget_section(struct parser *parser) {
  free(parser->section);
  parser->section = NULL;
  while (parser->key_count > 0) free(parser->keys[--parser->key_count]);
}

static int start_case(struct parser *parser, const char *name) {
  struct conf *conf = parser->conf;
  int known = conf_case(conf, name);
  if (known >= 0 && parser->hidden && !conf->cases[known].hidden)
    return conf_fail(parser, parser->section_number,
                     "[case %s] is in lab.conf, which students know: give a hidden case another "
                     "name",
                     name);
  if (known >= 0) return conf_fail(parser, parser->section_number, "[case %s] stands twice", name);
  parser->entry = conf->case_count++;
  conf->cases = xrealloc(conf->cases, sizeof *conf->cases * (size_t)conf->case_count);
  conf->cases[parser->entry] = (struct case_conf){
      .name = xstrdup(name), .sets = 1, .hidden = parser->hidden, .line = parser->section_number};
  return 1;
}

/* hidden.conf may go on with an item of lab.conf, once. */
static int start_item(struct parser *parser, const char *id) {
  struct conf *conf = parser->conf;
  for (int i = 0; i < conf->item_count; i++) {
    struct item_conf *item = &conf->items[i];
    if (strcmp(item->id, id) != 0) continue;
    if (item->hidden || item->changed || !parser->hidden)
      return conf_fail(parser, parser->section_number, "[item %s] stands twice", id);
    item->changed = true;
    item->line = parser->section_number;
    parser->entry = i;
    return 1;
  }
  parser->entry = conf->item_count++;
  conf->items = xrealloc(conf->items, sizeof *conf->items * (size_t)conf->item_count);
  conf->items[parser->entry] = (struct item_conf){
      .id = xstrdup(id), .class = -1, .hidden = parser->hidden, .line = parser->section_number};
  return 1;
}

static int start_section(struct parser *parser, const char *section) {
  forget_section(parser);
  parser->section = xstrdup(section);
  if (strcmp(section, "lab") == 0) return 1;
  if (strcmp(section, "sweep") == 0) {
    parser->conf->sweep.line = parser->section_number;
    return 1;
  }
  if (strncmp(section, "case ", 5) == 0 && section[5]) return start_case(parser, section + 5);
  if (strncmp(section, "item ", 5) == 0 && section[5]) return start_item(parser, section + 5);
  return conf_fail(parser, parser->section_number,
                   "unknown section [%s]; known are [lab], [case NAME], [item ID], [sweep]",
                   section);
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
    return conf_fail(parser, parser->number, "'%s' is given twice in [%s]", key, section);
  if (!seen && parser->key_count < (int)(sizeof parser->keys / sizeof *parser->keys)) {
    parser->keys[parser->key_count++] = xstrdup(key);
  }
  if (!*value) return conf_fail(parser, parser->number, "'%s' has no value", key);
  if (strcmp(section, "lab") == 0) return conf_take_lab(parser, key, value);
  if (strcmp(section, "sweep") == 0) return conf_take_sweep(parser, &conf->sweep, key, value);
  if (section[0] == 'c') return conf_take_case(parser, &conf->cases[parser->entry], key, value);
  return conf_take_item(parser, &conf->items[parser->entry], key, value);
}

/* --- files --- */

static int read_file(const char *path, const char *name, bool hidden, struct conf *conf,
                     char **error) {
  struct parser parser = {.conf = conf, .name = name, .hidden = hidden, .file = fopen(path, "re")};
  if (!parser.file) {
    *error = xprintf("%s: %s", name, strerror(errno));
    return -1;
  }
  int line = ini_parse_stream(next_piece, &parser, take_value, &parser);
  if (!parser.error && line == -2) die("out of memory");
  if (!parser.error && line != 0) {
    conf_fail(&parser, 0, "cannot be read (line %d, counted by inih)", line);
  }
  if (!parser.error) conf_check(&parser);
  forget_section(&parser);
  free(parser.line);
  fclose(parser.file);
  *error = parser.error;
  return parser.error ? -1 : 0;
}

int conf_read(const char *path, const char *name, struct conf *conf, char **error) {
  *conf = (struct conf){0};
  conf_usual_limits(conf);
  return read_file(path, name, false, conf, error);
}

int conf_read_hidden(const char *path, const char *name, struct conf *conf, char **error) {
  conf->has_hidden = true;
  return read_file(path, name, true, conf, error);
}

void conf_free(struct conf *conf) {
  for (int i = 0; i < conf->case_count; i++) {
    free(conf->cases[i].name);
    free(conf->cases[i].entry);
  }
  conf_free_list(conf->entries, conf->entry_count);
  conf_free_list(conf->sweep.parameters, conf->sweep.parameter_count);
  free(conf->sweep.case_name);
  for (int i = 0; i < conf->item_count; i++) {
    struct item_conf *item = &conf->items[i];
    conf_free_list(item->cases, item->case_count);
    conf_free_list(item->kinds, item->kind_count);
    conf_free_list(item->needs, item->need_count);
    free(item->id);
    free(item->title);
    free(item->hint);
    free(item->case_name);
    free(item->metric);
  }
  free(conf->cases);
  free(conf->items);
  free(conf->title);
  free(conf->baseline);
  memset(conf, 0, sizeof *conf);
}

/* Up, to two digits: numbers that people read. */
static uint64_t round_up(double value) {
  double unit = 1;
  while (value / unit > 100) unit *= 10;
  return (uint64_t)(ceil(value / unit) * unit);
}

struct budget conf_budget(const struct conf *conf) {
  static const double per_operation = 10, per_element = 64, per_byte = 64, least = 1e9,
                      least_bytes = 30e9;
  double instructions = least, bytes = least_bytes;
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    double sets = (double)entry->sets, moved = family_bytes(conf->family, entry->dims);
    instructions += sets * per_operation * conf->family->operations(entry->dims) / 2;
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
  for (int i = 0; i < conf->case_count; i++) {
    if (strcmp(conf->cases[i].name, name) == 0) return i;
  }
  return -1;
}

int conf_item(const struct conf *conf, const char *id) {
  for (int i = 0; i < conf->item_count; i++) {
    if (strcmp(conf->items[i].id, id) == 0) return i;
  }
  return -1;
}
