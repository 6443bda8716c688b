/* people_match.c: the order of people.h's steps, and the last two: near matches, and names. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/people/people_parts.h"

/* --- groups of sources --- */

/* Sources that go by the same thing, so that each is another person: of one kind, and of Moodle's
 * of one assignment. */
struct groups {
  int *of;       /* each mention's */
  bool *numbers; /* does a group hold somebody who is known by a Moodle number? */
};

enum { FIRST_SCOPE = IDENTITY_KINDS + 1 };

/* Is the person known by the mention's own Moodle number? */
static bool by_number(const struct people *people, const struct mention *mention) {
  if (mention->match != MATCH_IDENTITY) return false;
  const struct person *person = &people->list[mention->person];
  for (int i = 0; i < person->count; i++)
    if (person->identities[i].kind == IDENTITY_MOODLE &&
        strcmp(person->identities[i].value, mention->identities[0].value) == 0)
      return true;
  return false;
}

static struct groups group_mentions(const struct people *people, const struct mention *mentions,
                                    int count) {
  struct groups groups = {xcalloc((size_t)count + 1, sizeof *groups.of),
                          xcalloc((size_t)(FIRST_SCOPE + count), sizeof *groups.numbers)};
  autofree const char **scopes = xcalloc((size_t)count + 1, sizeof *scopes);
  int known = 0;
  for (int i = 0; i < count; i++) {
    const struct mention *mention = &mentions[i];
    int kind = mention->count ? (int)mention->identities[0].kind : IDENTITY_KINDS, scope = 0;
    if (kind == IDENTITY_MOODLE && mention->scope) {
      while (scope < known && strcmp(scopes[scope], mention->scope) != 0) scope++;
      if (scope == known) scopes[known++] = mention->scope;
      groups.of[i] = FIRST_SCOPE + scope;
    } else {
      /* Gradescope knows people by their number where it has no address. */
      groups.of[i] = kind == IDENTITY_ID ? IDENTITY_GRADESCOPE : kind;
    }
    if (kind == IDENTITY_MOODLE && by_number(people, mention)) groups.numbers[groups.of[i]] = true;
  }
  return groups;
}

/* A mention of a group means a person, or may. */
struct claim {
  int person, group, mention;
};

struct claims {
  struct claim *list; /* sorted once all are there */
  int count;
};

static void add_claim(struct claims *claims, const struct groups *groups, int mention, int person) {
  *array_add(claims->list, claims->count) = (struct claim){person, groups->of[mention], mention};
}

static int by_claim(const void *a, const void *b) {
  const struct claim *x = a, *y = b;
  if (x->person != y->person) return x->person < y->person ? -1 : 1;
  return x->group != y->group ? x->group - y->group : x->mention - y->mention;
}

static void sort_claims(struct claims *claims) {
  array_sort(claims->list, claims->count, by_claim);
}

/* Does another mention of the group claim the person, too? */
static bool has_rival(const struct claims *claims, const struct groups *groups, int mention,
                      int person) {
  struct claim first = {person, groups->of[mention], -1};
  int low = 0, high = claims->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (by_claim(&claims->list[middle], &first) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < claims->count; low++) {
    const struct claim *claim = &claims->list[low];
    if (claim->person != person || claim->group != first.group) return false;
    if (claim->mention != mention) return true;
  }
  return false;
}

/* --- between the steps --- */

/* The number by which the person has handed in, if the mention's own is not among those; NULL. */
static const char *other_submission(const struct person *person, const struct mention *mention) {
  const char *other = NULL;
  for (int i = 0; i < person->count; i++) {
    const struct identity *own = &person->identities[i];
    if (own->origin != ORIGIN_SUBMISSION || own->kind != IDENTITY_MOODLE) continue;
    if (strcmp(own->value, mention->identities[0].value) == 0) return NULL;
    other = own->value;
  }
  return other;
}

/* Who has the address, or the roster's number, of one with another number in the assignment. */
static void refuse_others(const struct people *people, struct mention *mentions, int count,
                          const struct groups *groups) {
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (mention->match != MATCH_IDENTITY || !groups->numbers[groups->of[i]]) continue;
    if (mention->identities[0].kind != IDENTITY_MOODLE) continue;
    const struct person *person = &people->list[mention->person];
    const char *other = find_contradiction(person, mention, true);
    if (!other) other = other_submission(person, mention);
    if (other)
      mention_refuse(mention, xprintf("it has an address or number of %s, who has another "
                                      "number, %s",
                                      person->id, other));
  }
}

/* Two accounts of a platform that claim to be one person. */
static void refuse_shared(const struct people *people, struct mention *mentions, int count,
                          const struct groups *groups) {
  struct claims claims = {0};
  for (int i = 0; i < count; i++) {
    const struct mention *mention = &mentions[i];
    if (mention->person >= 0 && mention->count && is_platform(mention->identities[0].kind))
      add_claim(&claims, groups, i, mention->person);
  }
  sort_claims(&claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    int person = mention->person;
    if (person < 0 || !mention->count || !is_platform(mention->identities[0].kind) ||
        !has_rival(&claims, groups, i, person))
      continue;
    struct found own = found_nobody;
    find_platform(people, mention, &own);
    if (own.first < 0)
      mention_refuse(mention,
                     xprintf("it has an id of %s, and so does another", shown(people, person)));
  }
  free(claims.list);
}

/* --- steps 3 and 4 --- */

/* Weak matches are looked for before any is accepted: the person each mention would be. */
static void find_case(const struct people *people, const struct mention *mention,
                      struct found *found) {
  for (int i = 0; i < mention->count; i++)
    find_identity(people,
                  &(struct search){.identity = &mention->identities[i],
                                   .mention = mention,
                                   .nearly = true,
                                   .who = anybody},
                  found);
}

/* Whom the mention nearly means, or has the name of, is claimed; returns the only one, or -1. Who
 * is known to be another may still have the name. */
static int find_weakly(const struct people *people, struct mention *mentions, int i,
                       const struct groups *groups, enum match match, struct claims *claims) {
  struct mention *mention = &mentions[i];
  struct persons all = {0};
  struct found found = found_nobody;
  found.all = &all;
  (match == MATCH_CASE ? find_case : find_name)(people, mention, &found);
  if (mention->person >= 0) add_claim(claims, groups, i, mention->person);
  for (int p = 0; p < all.count; p++) add_claim(claims, groups, i, all.list[p]);
  free(all.list);
  if (mention->person < 0 && !mention->why && found.second >= 0)
    mention_refuse(mention,
                   xprintf("%s of %s, and of %s",
                           match == MATCH_CASE ? "it is nearly the account" : "it has the name",
                           shown(people, found.first), shown(people, found.second)));
  return found.second < 0 ? found.first : -1;
}

static void match_weakly(const struct people *people, struct mention *mentions, int count,
                         const struct groups *groups, enum match match) {
  autofree int *only = xcalloc((size_t)count + 1, sizeof *only);
  struct claims claims = {0};
  for (int i = 0; i < count; i++)
    only[i] = find_weakly(people, mentions, i, groups, match, &claims);
  sort_claims(&claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (mention->person >= 0 || mention->why || only[i] < 0) continue;
    const char *like = match == MATCH_CASE ? "it is nearly the account" : "it has the name",
               *other = find_contradiction(&people->list[only[i]], mention,
                                           groups->numbers[groups->of[i]]),
               *id = shown(people, only[i]);
    if (other)
      mention_refuse(mention, xprintf("%s of %s, who has another number, %s", like, id, other));
    else if (has_rival(&claims, groups, i, only[i]))
      mention_refuse(mention, xprintf("%s of %s, and another %s, too", like, id,
                                      match == MATCH_CASE ? "is" : "has"));
    else
      mention_accept(mention, match, only[i]);
  }
  free(claims.list);
}

void people_match(const struct people *people, struct mention *mentions, int count) {
  for (int i = 0; i < count; i++) {
    mentions[i].match = MATCH_NONE;
    mentions[i].person = -1;
  }
  match_exactly(people, mentions, count);
  clones_match(people, mentions, count);
  struct groups groups = group_mentions(people, mentions, count);
  refuse_others(people, mentions, count, &groups);
  refuse_shared(people, mentions, count, &groups);
  match_weakly(people, mentions, count, &groups, MATCH_CASE);
  match_weakly(people, mentions, count, &groups, MATCH_NAME);
  free_all(groups.of, groups.numbers);
}
