/* people_match.c: the order of people.h's steps, and the last two of them: what is nearly the
 * same, and names. */
#include <stdlib.h>
#include <string.h>

#include "clones.h"
#include "people_parts.h"
#include "text.h"

static const char *shown(const struct people *people, int person) {
  return people->list[person].id;
}

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
  const char **scopes = xcalloc((size_t)count + 1, sizeof *scopes);
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
  free(scopes);
  return groups;
}

/* How many mentions of one group have, or would have, a person. */
struct claim {
  int person, group, mentions;
};

static int by_claim(const void *a, const void *b) {
  const struct claim *x = a, *y = b;
  return x->person != y->person ? (x->person > y->person) - (x->person < y->person)
                                : x->group - y->group;
}

/* wanted: the person that each mention has or would have, -1: none; of `count` mentions, then of
 * all of them again. */
static struct claim *count_claims(const struct groups *groups, const int *wanted, int count,
                                  int *claims) {
  struct claim *list = xcalloc(2 * (size_t)count + 1, sizeof *list);
  int made = 0, kept = 0;
  for (int i = 0; i < 2 * count; i++)
    if (wanted[i] >= 0) list[made++] = (struct claim){wanted[i], groups->of[i % count], 1};
  if (made) qsort(list, (size_t)made, sizeof *list, by_claim);
  for (int i = 0; i < made; i++) {
    if (kept && by_claim(&list[kept - 1], &list[i]) == 0)
      list[kept - 1].mentions++;
    else
      list[kept++] = list[i];
  }
  *claims = kept;
  return list;
}

static int claims_of(const struct claim *claims, int count, int person, int group) {
  struct claim key = {person, group, 0};
  const struct claim *found =
      count ? bsearch(&key, claims, (size_t)count, sizeof *claims, by_claim) : NULL;
  return found ? found->mentions : 0;
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

/* Who has an address, or in the roster the number, of somebody who goes by another number in the
 * same assignment. */
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
  int *wanted = xcalloc(2 * (size_t)count + 1, sizeof *wanted), claims;
  for (int i = 0; i < count; i++) {
    const struct mention *mention = &mentions[i];
    wanted[count + i] = -1;
    bool platform = mention->count && is_platform(mention->identities[0].kind);
    wanted[i] = platform ? mention->person : -1;
  }
  struct claim *list = count_claims(groups, wanted, count, &claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (wanted[i] < 0 || claims_of(list, claims, wanted[i], groups->of[i]) < 2) continue;
    struct found own = found_nobody;
    find_identity(people,
                  &(struct search){.identity = &mention->identities[0],
                                   .mention = mention,
                                   .same_kind = true,
                                   .who.only = -1},
                  &own);
    if (own.first < 0)
      mention_refuse(mention,
                     xprintf("it has an id of %s, and so does another", shown(people, wanted[i])));
  }
  free(list);
  free(wanted);
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
                                   .who.only = -1},
                  found);
}

static void match_weakly(const struct people *people, struct mention *mentions, int count,
                         const struct groups *groups, enum match match) {
  int *wanted = xcalloc(2 * (size_t)count + 1, sizeof *wanted), *alike = wanted + count, claims;
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    struct found found = found_nobody;
    wanted[i] = mention->person;
    (match == MATCH_CASE ? find_case : find_name)(people, mention, &found);
    /* Who is known to be another may still have the name. */
    alike[i] = mention->person >= 0 && found.first != mention->person ? found.first : -1;
    if (mention->person >= 0) continue;
    const char *like = match == MATCH_CASE ? "it is nearly the account" : "it has the name";
    if (found.second >= 0 && !mention->why)
      mention_refuse(mention, xprintf("%s of %s, and of %s", like, shown(people, found.first),
                                      shown(people, found.second)));
    else if (found.second < 0)
      wanted[i] = found.first; /* refused before or not: it may be them */
  }
  struct claim *list = count_claims(groups, wanted, count, &claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (mention->person >= 0 || mention->why || wanted[i] < 0) continue;
    const char *like = match == MATCH_CASE ? "it is nearly the account" : "it has the name",
               *other = find_contradiction(&people->list[wanted[i]], mention,
                                           groups->numbers[groups->of[i]]),
               *id = shown(people, wanted[i]);
    if (other)
      mention_refuse(mention, xprintf("%s of %s, who has another number, %s", like, id, other));
    else if (claims_of(list, claims, wanted[i], groups->of[i]) > 1)
      mention_refuse(mention, xprintf("%s of %s, and another %s, too", like, id,
                                      match == MATCH_CASE ? "is" : "has"));
    else
      mention_accept(mention, match, wanted[i]);
  }
  free(list);
  free(wanted);
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
  free(groups.of);
  free(groups.numbers);
}
