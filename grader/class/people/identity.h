/* identity.h: what identifies a person: numbers of platforms, of the university, addresses, names.
 *
 * Two values of a kind are equal only byte by byte, without blanks at the ends. Folded (Unicode's
 * NFKC_Casefold) they may be nearly equal: "Alice" and "alice", an accent as one character or as
 * two; for numbers of platforms that counts for nothing. */
#ifndef KIT_CLASS_IDENTITY_H
#define KIT_CLASS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

/* In order of certainty. Written in the gradebook by their names. */
enum identity_kind {
  IDENTITY_CANVAS,     /* Canvas's user number */
  IDENTITY_MOODLE,     /* the number of a participant in one Moodle assignment */
  IDENTITY_GRADESCOPE, /* the address of a Gradescope account; or what else it knows a person by */
  IDENTITY_GITHUB,     /* name of an account */
  IDENTITY_ID,         /* of the university: student number, SIS id */
  IDENTITY_LOGIN,
  IDENTITY_EMAIL,
  IDENTITY_FOLDER, /* what a folder or file is called: any of these, or a name */
  IDENTITY_KINDS
};
extern const char *const identity_names[];
/* IDENTITY_KINDS: there is none of that name. */
enum identity_kind identity_find(const char *name);

/* Can two kinds be one thing? Anything may name a folder, a login may be the student number. */
bool identity_comparable(enum identity_kind a, enum identity_kind b);

/* As the gradebook keeps it: without blanks at the ends; bytes that are not UTF-8, control
 * characters and % as %XX, so that two names never become one. The caller's. */
char *identity_clean(const char *value);
/* For comparing without regard to case and to how accents are written. The caller's. */
char *identity_fold(const char *value);

/* --- names of people --- */

enum { NAME_KEYS = 17 };

/* What a name is compared by. keys[0]: its words in order of the alphabet, folded, of letters and
 * digits only, so that "Lovelace, Ada" and "ada lovelace" are the same. Of several words, behind
 * it: these without blanks, beginning with each in turn, as in Canvas's files: "lovelaceada". */
struct name_keys {
  char *keys[NAME_KEYS];
  int count; /* 0: there is no letter in it */
};
struct name_keys name_keys_make(const char *name); /* NULL: as "" */
void name_keys_free(struct name_keys *name);
/* Can these be one person's? Names of several words by their words, one of a single word by how the
 * other is written without blanks: "Ann Alee" is not "Anna Lee", but "annalee" may be both. */
bool name_keys_match(const struct name_keys *a, const struct name_keys *b);
/* Could they be names of one person who is called differently in two places, as "Bob Smith" and
 * "Robert Smith"? Unless they have no word in common, not even one's beginning ("Rob"); names in
 * two scripts cannot be compared. */
bool names_related(const char *a, const char *b);

#endif
