/* conf_keys.h: the keys of lab.conf and hidden.conf, a row each: section, type, range, default, and
 * one sentence. `./grade conf --keys` prints the table, conf.c reads files by it, conf_check.c
 * looks whether what is required is there. */
#ifndef KIT_CONF_KEYS_H
#define KIT_CONF_KEYS_H

#include "grader/base/text.h"
#include "grader/lab/conf.h"

enum conf_section {
  SECTION_LAB,
  SECTION_CASE,
  SECTION_ITEM,
  SECTION_ANSWER,
  SECTION_QUESTION,
  SECTION_SWEEP,
  SECTION_SERIES,
  SECTION_SIZES,
  SECTIONS
};
/* "[case NAME]" */
extern const char *const conf_section_titles[SECTIONS];

enum conf_type {
  CONF_TEXT,      /* char * */
  CONF_WORDS,     /* char **, and an int */
  CONF_WHOLE,     /* long */
  CONF_WHOLES,    /* long[], and an int */
  CONF_CHOICE,    /* int: which of the row's words */
  CONF_YES_NO,    /* bool */
  CONF_THRESHOLD, /* struct threshold */
  CONF_DIMS,      /* long[PROBLEM_MAX_DIMS] */
  CONF_FAMILY,    /* const struct family * */
  CONF_ENTRIES    /* struct entry_conf *, and an int */
};

struct conf_key {
  enum conf_section section;
  const char *name;
  size_t at; /* where the value is in the section's struct */
  enum conf_type type;
  size_t count_at;          /* of a list: where the number of its values is */
  long min, max, normal;    /* of whole numbers; normal: the default, 0 for none */
  size_t room;              /* of CONF_WHOLES: how many there may be */
  const char *const *words; /* of CONF_CHOICE, NULL ends them */
  bool required, only_in_lab_conf;
  unsigned classes;         /* of an item: bits of the classes that have it; 0: all */
  const char *other_class;  /* what is wrong with it in an item of another class */
  const char *if_not_given; /* where that is no value: "all kinds" */
  const char *former;       /* a name that it had, which is still read */
  const char *sentence;
};

/* A row without a name ends them. */
extern const struct conf_key conf_keys[];

/* section: the struct of conf.h that has the value: conf, case_conf, item_conf, ... */
bool conf_key_given(const struct conf_key *key, const void *section);
/* Is it a key of items of this class? */
bool conf_key_applies(const struct conf_key *key, int item_class);
/* Sets the value, or goes on with one that the line before began. Returns NULL, or why it cannot be
 * set; the caller's. problem: of the lab or the case; NULL: not known yet. */
char *conf_key_set(const struct conf_key *key, void *section, const char *value, bool continued,
                   const struct problem *problem);
void conf_set_defaults(enum conf_section section, void *values);
void conf_free_values(enum conf_section section, void *values);

/* A file being read, and what is wrong with it. */
struct conf_file {
  const char *name; /* for messages */
  bool hidden;      /* it is hidden.conf: adds to what lab.conf has, and replaces keys */
  char *error;      /* NULL: nothing yet */
};

/* Keeps the first error, "NAME:LINE: words" (line 0: without); returns 0, as inih's handlers do. */
int conf_fail(struct conf_file *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The whole, after its file has been read: sets max_points, or fails. */
void conf_check(struct conf_file *file, struct conf *conf);

#endif
