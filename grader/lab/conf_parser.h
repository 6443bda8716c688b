/* conf_parser.h: what the parts of the reader of lab.conf and hidden.conf share: conf.c takes a
 * file apart, conf_keys.c knows the keys, conf_check.c looks at the whole. */
#ifndef KIT_CONF_PARSER_H
#define KIT_CONF_PARSER_H

#include <stdio.h>

#include "grader/lab/conf.h"

struct parser {
  struct conf *conf;
  const char *name; /* of the file, for messages */
  bool hidden;      /* it is hidden.conf: adds to what lab.conf has, and replaces keys */
  FILE *file;
  char *line; /* the line being handed to inih, in pieces: inih takes at most 200 characters */
  size_t capacity, at, length;
  int number;         /* of that line in the file */
  int section_number; /* of the last [section] */
  bool continued;     /* the piece now with inih goes on from the one before */
  char *section;      /* of the key before */
  int entry;          /* of that section: the case's or the item's index */
  char *keys[32];     /* already seen in this section */
  int key_count;
  char *error;
};

/* Notes the first error, "NAME:LINE: words" (line 0: none); returns 0, as inih's handlers do. */
int conf_fail(struct parser *parser, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Each takes a key of its section: 1, or 0 and an error. */
int conf_take_lab(struct parser *parser, const char *key, const char *value);
int conf_take_case(struct parser *parser, struct case_conf *entry, const char *key,
                   const char *value);
int conf_take_item(struct parser *parser, struct item_conf *item, const char *key,
                   const char *value);
int conf_take_sweep(struct parser *parser, struct sweep_conf *sweep, const char *key,
                    const char *value);
void conf_free_list(char **list, int count);
/* What limits are where no key says otherwise. */
void conf_usual_limits(struct conf *conf);

/* The whole, after its file has been read: sets max_points, or notes an error. */
void conf_check(struct parser *parser);

#endif
