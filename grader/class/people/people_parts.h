/* people_parts.h: what people*.c share: the index of a list, and how somebody is looked for. */
#ifndef KIT_CLASS_PEOPLE_PARTS_H
#define KIT_CLASS_PEOPLE_PARTS_H

#include "grader/class/people/people.h"

/* --- the index (people.c) --- */

struct entry {
  char *key; /* folded value, or a key of a name */
  enum identity_kind kind;
  const struct identity *identity; /* NULL: of a name, or of an address's first part */
  int person;
};

enum { KIND_MAILBOX = IDENTITY_KINDS, KIND_NAME, KIND_JOINED };

struct people_index {
  struct entry *entries; /* by key */
  int count;
  struct name_keys *names; /* of each person */
};

/* The entries of a key, *count of them, by person; and those of a value, which is folded first. */
const struct entry *people_lookup(const struct people *people, const char *key, int *count);
const struct entry *people_lookup_value(const struct people *people, const char *value, int *count);

/* What a message calls a person. */
static inline const char *shown(const struct people *people, int person) {
  return people->list[person].id;
}

/* --- a search (people_search.c) --- */

struct persons {
  int *list;
  int count;
};

/* People that something fits: two are mostly enough to know. */
struct found {
  int first, second;   /* -1: none */
  int number;          /* somebody with that number, of which it is not known whose it is; -1 */
  struct persons *all; /* gets everybody, some of them twice; NULL: not wanted */
};
extern const struct found found_nobody;
void found_add(struct found *found, int person);

/* Among whom. */
struct who {
  int only;       /* this person; -1: all */
  bool handed_in; /* people who have; by an address only if the whole name agrees */
};

static const struct who anybody = {.only = -1};

/* How an identity is looked for. */
struct search {
  const struct identity *identity;
  const struct mention *mention; /* whose it is; NULL: nobody's in particular */
  bool same_kind;                /* only among identities of its kind */
  bool nearly;                   /* by what differs in case only, which means nothing for numbers */
  struct who who;
};
/* Adds who fits. */
void find_identity(const struct people *people, const struct search *search, struct found *found);
/* By what the platform itself goes by. */
void find_platform(const struct people *people, const struct mention *mention, struct found *found);
/* By any identity of a mention; addresses: by those, or by the others. */
struct found find_any(const struct people *people, const struct mention *mention, bool addresses,
                      struct who who);

bool is_platform(enum identity_kind kind);
bool is_address(enum identity_kind kind);
/* Are two values of a kind the same? */
bool same_value(enum identity_kind kind, const char *a, const char *b);
bool has_handed_in(const struct person *person);
/* May these be one person's names, as far as they are known? */
bool names_agree(const char *a, const char *b);
/* People of the mention's name; of a folder also those whose address begins so. */
void find_name(const struct people *people, const struct mention *mention, struct found *found);
/* A number or account of this platform, or an id, that the person has in place of the mention's;
 * NULL: there is none. moodle: do people's Moodle numbers come from the mention's assignment? */
const char *find_contradiction(const struct person *person, const struct mention *mention,
                               bool moodle);

/* --- answers (people_search.c) --- */

void mention_accept(struct mention *mention, enum match match, int person);
/* why becomes the mention's. */
void mention_refuse(struct mention *mention, char *why);

/* --- the steps --- */

/* Steps 1 and 2 (people_exactly.c), for mentions that have no answer yet. */
void match_exactly(const struct people *people, struct mention *mentions, int count);

/* --- clones (clones.c) --- */

/* Sets match and person, or why not, of those mentions that are clones and have none yet. */
void clones_match(const struct people *people, struct mention *mentions, int count);

#endif
