/* people_search.c: looks up people by an identity or a name. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/people/people_parts.h"

/* --- identities --- */

const struct found found_nobody = {-1, -1, -1, NULL};

void found_add(struct found *found, int person) {
  if (found->first < 0)
    found->first = person;
  else if (found->first != person)
    found->second = person;
  struct persons *all = found->all;
  if (!all) return;
  *array_add(all->list, all->count) = person;
}

bool is_platform(enum identity_kind kind) { return kind <= IDENTITY_GITHUB; }

bool is_address(enum identity_kind kind) {
  return kind == IDENTITY_EMAIL || kind == IDENTITY_GRADESCOPE;
}

bool same_value(enum identity_kind kind, const char *a, const char *b) {
  if (!is_address(kind) && kind != IDENTITY_GITHUB) return strcmp(a, b) == 0;
  autofree char *x = identity_fold(a), *y = identity_fold(b);
  return strcmp(x, y) == 0;
}

bool has_handed_in(const struct person *person) {
  for (int i = 0; i < person->count; i++)
    if (person->identities[i].origin == ORIGIN_SUBMISSION) return true;
  return false;
}

static bool has_kind(const struct identity *identities, int count, enum identity_kind kind) {
  for (int i = 0; i < count; i++)
    if (identities[i].kind == kind) return true;
  return false;
}

/* --- names --- */

bool names_agree(const char *a, const char *b) {
  struct name_keys x = name_keys_make(a), y = name_keys_make(b);
  bool agree = x.count == 0 || y.count == 0 || name_keys_match(&x, &y);
  name_keys_free(&x);
  name_keys_free(&y);
  return agree;
}

/* --- a search --- */

/* A platform's number on one side, and on the other what somebody calls "id": it may be that
 * number, too, unless it is known to be the university's: there is a platform's beside it, or the
 * platform itself has it. */
static bool is_doubtful(enum identity_kind a, enum identity_kind b) {
  return (a <= IDENTITY_MOODLE && b == IDENTITY_ID) || (a == IDENTITY_ID && b <= IDENTITY_MOODLE);
}

static bool may_be_that_number(const struct mention *mention, const struct person *person,
                               const struct identity *own) {
  if (own->kind == IDENTITY_ID)
    return own->origin == ORIGIN_ROSTER &&
           !has_kind(person->identities, person->count, IDENTITY_CANVAS) &&
           !has_kind(person->identities, person->count, IDENTITY_MOODLE);
  return mention && !mention->handed_in &&
         !has_kind(mention->identities, mention->count, own->kind);
}

static bool fits(const struct people *people, const struct search *search,
                 const struct entry *entry) {
  const struct identity *identity = search->identity, *own = entry->identity;
  const struct person *person = &people->list[entry->person];
  const char *name = search->mention ? search->mention->name : NULL,
             *own_name = own && own->name ? own->name : person->name;
  if (!own || !identity_comparable(identity->kind, own->kind) ||
      (search->same_kind && identity->kind != own->kind))
    return false;
  const struct who *who = &search->who;
  if (who->only >= 0 ? entry->person != who->only : who->handed_in && !has_handed_in(person))
    return false;
  if (is_address(identity->kind) || is_address(own->kind)) {
    if (who->handed_in ? !names_agree(name, own_name) : !names_related(name, own_name))
      return false;
  }
  if (search->nearly) return own->kind > IDENTITY_MOODLE && identity->kind > IDENTITY_MOODLE;
  if (is_doubtful(identity->kind, own->kind) && !may_be_that_number(search->mention, person, own))
    return false;
  return same_value(own->kind, own->value, identity->value);
}

void find_identity(const struct people *people, const struct search *search, struct found *found) {
  int count;
  const struct entry *entries = people_lookup_value(people, search->identity->value, &count);
  for (int i = 0; i < count; i++) {
    if (!fits(people, search, &entries[i])) continue;
    if (!search->nearly && is_doubtful(search->identity->kind, entries[i].kind))
      found->number = entries[i].person;
    else
      found_add(found, entries[i].person);
  }
}

void find_platform(const struct people *people, const struct mention *mention,
                   struct found *found) {
  const struct search search = {&mention->identities[0], mention, .same_kind = true,
                                .who = anybody};
  find_identity(people, &search, found);
}

struct found find_any(const struct people *people, const struct mention *mention, bool addresses,
                      struct who who) {
  struct found found = found_nobody;
  for (int i = 0; i < mention->count; i++)
    if (is_address(mention->identities[i].kind) == addresses)
      find_identity(
          people,
          &(struct search){.identity = &mention->identities[i], .mention = mention, .who = who},
          &found);
  return found;
}

/* --- by name --- */

static void find_key(const struct people *people, const char *key, int kind, struct found *found) {
  int count;
  const struct entry *entries = people_lookup(people, key, &count);
  for (int i = 0; i < count; i++)
    if ((int)entries[i].kind == kind) found_add(found, entries[i].person);
}

void find_name(const struct people *people, const struct mention *mention, struct found *found) {
  bool folder = mention->count && mention->identities[0].kind == IDENTITY_FOLDER;
  const char *name = mention->name || !folder ? mention->name : mention->identities[0].value;
  struct name_keys keys = name_keys_make(name);
  for (int k = 0; k < keys.count; k++) find_key(people, keys.keys[k], KIND_NAME, found);
  if (keys.count == 1) find_key(people, keys.keys[0], KIND_JOINED, found);
  name_keys_free(&keys);
  if (folder) {
    autofree char *key = identity_fold(mention->identities[0].value);
    find_key(people, key, KIND_MAILBOX, found);
  }
}

const char *find_contradiction(const struct person *person, const struct mention *mention,
                               bool moodle) {
  for (int s = 0; s < mention->count; s++) {
    const struct identity *own = &mention->identities[s];
    if (!is_platform(own->kind) && own->kind != IDENTITY_ID) continue;
    if (own->kind == IDENTITY_MOODLE && !moodle) continue;
    const char *other = NULL;
    bool same = false;
    for (int i = 0; i < person->count; i++) {
      if (person->identities[i].kind != own->kind) continue;
      other = person->identities[i].value;
      same |= same_value(own->kind, other, own->value);
    }
    if (other && !same) return other;
  }
  return NULL;
}

/* --- answers --- */

void mention_refuse(struct mention *mention, char *why) {
  mention->match = MATCH_NONE;
  mention->person = -1;
  free(mention->why);
  mention->why = why;
}

void mention_accept(struct mention *mention, enum match match, int person) {
  mention->match = match;
  mention->person = person;
}
