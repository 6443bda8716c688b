/* people.h: which person of a list is meant by a submission, a folder or a row of a table.
 *
 * All of them are matched at once, as it matters whether two mean the same person. In this order,
 * and a more certain answer is never overruled by a weaker one:
 *
 *   1. the platform's own number or account: one that somebody handed in under is theirs, whatever
 *      else is known of them; one that only a roster has is theirs if no other number contradicts.
 *      Moodle's may be a group's: the name has to agree
 *   2. other numbers, accounts and addresses, exactly; the platform's own must not contradict.
 *      Some families share an address: the names must have a word in common.
 *      A row whose numbers are several people's, or those of somebody who has not handed in, is
 *      that of the only one of them who has, if nothing contradicts: the roster need not know that
 *      they are the same. An address counts for this only if no other row has it.
 *      A number that a roster only calls "id" is Canvas's or Moodle's if the name agrees, too,
 *      more often than not; for namesakes, who may have it by chance, if it is for others
 *   3. the same except for case, or how accents are written, if only one is like it on either side
 *   4. the name, or the first part of an address, if only one on either side has it
 *
 * Nobody is the answer wherever two would do. */
#ifndef KIT_CLASS_PEOPLE_H
#define KIT_CLASS_PEOPLE_H

#include "grader/class/people/identity.h"

/* How it is known that somebody goes by something. */
enum identity_origin {
  ORIGIN_ROSTER,
  ORIGIN_PLATFORM,   /* says it of who handed in */
  ORIGIN_SUBMISSION, /* they handed in as that */
};

struct identity {
  enum identity_kind kind;
  char *value; /* identity_clean's */
  enum identity_origin origin;
  char *name; /* what they are called there; NULL: as the person is, if at all */
};

struct person {
  char *id;   /* in the gradebook */
  char *name; /* NULL: not known */
  struct identity *identities;
  int count;
};

struct people {
  struct person *list;
  int count;
  struct people_index *index;
};

/* name: NULL or "": not known. The person stays where it is until the next is added. */
struct person *people_add(struct people *people, const char *id, const char *name);
/* Copies it; the value need not be clean. One that is empty or there already adds nothing. */
void person_identify(struct person *person, const struct identity *identity);
/* To be called when all have been added. */
void people_index(struct people *people);
void people_free(struct people *people);

enum match {
  MATCH_NONE,
  MATCH_IDENTITY, /* steps 1 and 2 */
  MATCH_CASE,     /* 3 */
  MATCH_NAME,     /* 4 */
};

/* Something that means a person: a submission, a row of a table. */
struct mention {
  struct identity identities[8]; /* the first is what the platform itself goes by */
  int count;
  const char *name; /* NULL: not known */
  bool handed_in;   /* who handed in: where groups do, Moodle's number is the group's */
  bool clone;       /* a folder such as ASSIGNMENT-ACCOUNT, as GitHub Classroom makes them */
  /* Moodle's numbers are of one assignment; this is which (NULL: one for all). Of two numbers in
   * one assignment two people are the owners, of two in two one may be. */
  const char *scope;
  bool shares; /* another has its address, too; found out by people_match() */
  /* Found: */
  enum match match;
  int person; /* -1: nobody */
  char *why;  /* nobody: a half sentence that says why not, if there was somebody; or NULL */
};

/* Whose account, login or university's number this is, exactly. Needs the index. */
enum { ACCOUNT_UNKNOWN = -1, ACCOUNT_SHARED = -2 };
int people_account(const struct people *people, const char *account);

/* An identity for a mention; none if the value is empty. */
void mention_identify(struct mention *mention, enum identity_kind kind, const char *value);
void mention_free(struct mention *mention);
/* Needs the index. */
void people_match(const struct people *people, struct mention *mentions, int count);

#endif
