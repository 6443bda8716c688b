/* people.c: see people.h. */
#include "people.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* --- the list --- */

struct entry {
  char *key; /* folded value, or a key of a name */
  enum identity_kind kind;
  const char *value;
  int person;
};

enum { KIND_MAILBOX = IDENTITY_KINDS, KIND_NAME, KIND_JOINED };

struct people_index {
  struct entry *entries; /* by key */
  int count;
  struct name_keys *names; /* of each person */
};

struct person *people_add(struct people *people, const char *id, const char *name) {
  people->list = xrealloc(people->list, sizeof *people->list * (size_t)(people->count + 1));
  struct person *person = &people->list[people->count++];
  *person = (struct person){.id = xstrdup(id), .name = name && *name ? xstrdup(name) : NULL};
  return person;
}

void person_identify(struct person *person, enum identity_kind kind, const char *value) {
  char *clean = identity_clean(value ? value : "");
  bool known = !*clean;
  for (int i = 0; i < person->count; i++)
    known |= person->identities[i].kind == kind && strcmp(person->identities[i].value, clean) == 0;
  if (known) {
    free(clean);
    return;
  }
  person->identities =
      xrealloc(person->identities, sizeof *person->identities * (size_t)(person->count + 1));
  person->identities[person->count++] = (struct identity){kind, clean};
}

static void add_entry(struct people_index *index, char *key, int kind, const char *value,
                      int person) {
  /* Room for a power of two of them. */
  if ((index->count & (index->count - 1)) == 0)
    index->entries = xrealloc(
        index->entries, sizeof *index->entries * (size_t)(index->count ? 2 * index->count : 1));
  index->entries[index->count++] = (struct entry){key, (enum identity_kind)kind, value, person};
}

static int by_key(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  int difference = strcmp(x->key, y->key);
  return difference ? difference : x->person - y->person;
}

void people_index(struct people *people) {
  struct people_index *index = xcalloc(1, sizeof *index);
  people->index = index;
  index->names = xcalloc((size_t)people->count + 1, sizeof *index->names);
  for (int p = 0; p < people->count; p++) {
    const struct person *person = &people->list[p];
    for (int i = 0; i < person->count; i++) {
      const struct identity *identity = &person->identities[i];
      char *folded = identity_fold(identity->value);
      if (identity->kind == IDENTITY_EMAIL && strchr(folded, '@'))
        add_entry(index, xprintf("%.*s", (int)strcspn(folded, "@"), folded), KIND_MAILBOX, NULL, p);
      add_entry(index, folded, (int)identity->kind, identity->value, p);
    }
    index->names[p] = name_keys_make(person->name);
    for (int k = 0; k < index->names[p].count; k++)
      add_entry(index, xstrdup(index->names[p].keys[k]), k ? KIND_JOINED : KIND_NAME, NULL, p);
  }
  if (index->count) qsort(index->entries, (size_t)index->count, sizeof *index->entries, by_key);
}

void people_free(struct people *people) {
  for (int p = 0; p < people->count; p++) {
    struct person *person = &people->list[p];
    for (int i = 0; i < person->count; i++) free(person->identities[i].value);
    free(person->identities);
    free(person->id);
    free(person->name);
    if (people->index) name_keys_free(&people->index->names[p]);
  }
  for (int i = 0; people->index && i < people->index->count; i++)
    free(people->index->entries[i].key);
  if (people->index) {
    free(people->index->entries);
    free(people->index->names);
  }
  free(people->index);
  free(people->list);
  *people = (struct people){0};
}

/* The entries of a key: *count of them. */
static const struct entry *lookup(const struct people *people, const char *key, int *count) {
  const struct people_index *index = people->index;
  int low = 0, high = index->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(index->entries[middle].key, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *count = 0;
  while (low + *count < index->count && strcmp(index->entries[low + *count].key, key) == 0)
    ++*count;
  return index->entries + low;
}

/* --- mentions --- */

void mention_identify(struct mention *mention, enum identity_kind kind, const char *value) {
  char *clean = identity_clean(value ? value : "");
  if (*clean && mention->count < (int)(sizeof mention->identities / sizeof *mention->identities))
    mention->identities[mention->count++] = (struct identity){kind, clean};
  else
    free(clean);
}

void mention_free(struct mention *mention) {
  for (int i = 0; i < mention->count; i++) free(mention->identities[i].value);
  free(mention->why);
  mention->count = 0;
  mention->why = NULL;
}

/* --- who it may be --- */

/* People that something fits: two are enough to know. */
struct found {
  int first, second; /* -1: none */
  int number;        /* somebody with that number, of which it is not known whose it is; -1 */
};
static const struct found nobody = {-1, -1, -1};

static void add_found(struct found *found, int person) {
  if (found->first < 0)
    found->first = person;
  else if (found->first != person)
    found->second = person;
}

/* Numbers of one platform, and what others call "id". */
static bool is_doubtful(enum identity_kind a, enum identity_kind b) {
  return a != b && a != IDENTITY_FOLDER && b != IDENTITY_FOLDER &&
         (a <= IDENTITY_MOODLE || b <= IDENTITY_MOODLE);
}

/* Is it the same whatever the case? */
static bool is_caseless(enum identity_kind kind) {
  return kind == IDENTITY_EMAIL || kind == IDENTITY_GRADESCOPE || kind == IDENTITY_GITHUB;
}

static bool is_platform(enum identity_kind kind) { return kind <= IDENTITY_GITHUB; }

/* exactly: by the same bytes; else by what differs in case only, which means nothing for numbers. */
static void find_identity(const struct people *people, const struct identity *identity,
                          bool same_kind, bool exactly, struct found *found) {
  char *key = identity_fold(identity->value);
  int count;
  const struct entry *entries = lookup(people, key, &count);
  for (int i = 0; i < count; i++) {
    const struct entry *entry = &entries[i];
    if ((int)entry->kind >= IDENTITY_KINDS || !identity_comparable(identity->kind, entry->kind) ||
        (same_kind && identity->kind != entry->kind))
      continue;
    if (exactly ? strcmp(entry->value, identity->value) == 0 || is_caseless(entry->kind)
                : entry->kind > IDENTITY_MOODLE && identity->kind > IDENTITY_MOODLE) {
      if (is_doubtful(identity->kind, entry->kind))
        found->number = entry->person;
      else
        add_found(found, entry->person);
    }
  }
  free(key);
}

/* Does the person have another number or account of this platform, or another id? moodle: do
 * people's Moodle numbers come from the mention's assignment? */
static const char *contradiction(const struct person *person, const struct mention *mention,
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
      same |= strcmp(other, own->value) == 0;
    }
    if (other && !same) return other;
  }
  return NULL;
}

static const char *shown(const struct people *people, int person) {
  return people->list[person].id;
}

static void refuse(struct mention *mention, char *why) {
  mention->match = MATCH_NONE;
  mention->person = -1;
  free(mention->why);
  mention->why = why;
}

static void accept(struct mention *mention, enum match match, int person) {
  mention->match = match;
  mention->person = person;
}

/* By a number that a roster only calls "id". */
static void match_number(const struct people *people, struct mention *mention, int number) {
  const struct person *person = &people->list[number];
  struct name_keys name = name_keys_make(mention->name);
  if (name_keys_match(&name, &people->index->names[number]) &&
      !contradiction(person, mention, true))
    accept(mention, MATCH_IDENTITY, number);
  else
    refuse(mention,
           xprintf("it has the number of %s%s%s, but not the name; the roster does not say "
                   "whose numbers it has",
                   person->id, person->name ? ", " : "", person->name ? person->name : ""));
  name_keys_free(&name);
}

/* By a participant's number: where groups hand in, Moodle writes the group's in its place. */
static void match_participant(const struct people *people, struct mention *mention, int person) {
  struct name_keys name = name_keys_make(mention->name);
  const struct name_keys *own = &people->index->names[person];
  if (name.count && own->count && !name_keys_match(&name, own))
    refuse(mention, xprintf("it has the number of %s, %s, but not the name (is it a group's?)",
                            shown(people, person), people->list[person].name));
  else
    accept(mention, MATCH_IDENTITY, person);
  name_keys_free(&name);
}

/* Steps 1 and 2. */
static void match_exactly(const struct people *people, struct mention *mention) {
  struct found found = nobody;
  if (mention->count && is_platform(mention->identities[0].kind))
    find_identity(people, &mention->identities[0], true, true, &found);
  if (found.first >= 0 && found.second < 0 && mention->identities[0].kind == IDENTITY_MOODLE) {
    match_participant(people, mention, found.first);
    return;
  }
  if (found.first < 0)
    for (int i = 0; i < mention->count; i++)
      find_identity(people, &mention->identities[i], false, true, &found);
  if (found.first < 0) {
    if (found.number >= 0) match_number(people, mention, found.number);
    return;
  }
  const char *id = shown(people, found.first),
             *other = contradiction(&people->list[found.first], mention, false);
  if (found.second >= 0)
    refuse(mention, xprintf("it may be %s or %s", id, shown(people, found.second)));
  else if (other)
    refuse(mention,
           xprintf("it has an address or account of %s, who has another number, %s", id, other));
  else
    accept(mention, MATCH_IDENTITY, found.first);
}

/* --- clones: ASSIGNMENT-ACCOUNT --- */

/* How many clones begin with these letters? */
static int clones_with(const struct mention *mentions, int count, const char *prefix,
                       size_t length) {
  int with = 0;
  for (int i = 0; i < count; i++)
    with += mentions[i].clone && strncmp(mentions[i].identities[0].value, prefix, length) == 0;
  return with;
}

/* Of all endings that are somebody's account the longest, if the part before it is the
 * assignment's, which many have in common, rather than that before a shorter one. */
static void match_clone(const struct people *people, struct mention *mentions, int count,
                        struct mention *mention) {
  const char *whole = mention->identities[0].value;
  int person = -1, with = 0;
  for (const char *at = strpbrk(whole, "-_"); at; at = strpbrk(at + 1, "-_")) {
    struct found found = nobody;
    for (int kind = IDENTITY_GITHUB; kind <= IDENTITY_LOGIN; kind++) {
      struct identity account = {(enum identity_kind)kind, (char *)(at + 1)};
      find_identity(people, &account, true, kind == IDENTITY_ID, &found);
    }
    if (found.first < 0) continue;
    int sharing = clones_with(mentions, count, whole, (size_t)(at + 1 - whole));
    if (found.second >= 0 || (person >= 0 && found.first != person && sharing == with)) {
      refuse(mention, xprintf("it may be %s or %s", shown(people, found.first),
                              shown(people, found.second >= 0 ? found.second : person)));
      return;
    }
    if (person >= 0) continue;
    person = found.first;
    with = sharing;
  }
  if (person >= 0) accept(mention, MATCH_IDENTITY, person);
}

/* --- steps 3 and 4 --- */

/* Weak matches are looked for before any is accepted: the person each mention would be. */
static void find_case(const struct people *people, const struct mention *mention,
                      struct found *found) {
  for (int i = 0; i < mention->count; i++)
    find_identity(people, &mention->identities[i], false, false, found);
}

static void find_key(const struct people *people, const char *key, int kind, struct found *found) {
  int count;
  const struct entry *entries = lookup(people, key, &count);
  for (int i = 0; i < count; i++)
    if ((int)entries[i].kind == kind) add_found(found, entries[i].person);
}

static void find_name(const struct people *people, const struct mention *mention,
                      struct found *found) {
  bool folder = mention->count && mention->identities[0].kind == IDENTITY_FOLDER;
  const char *name = mention->name || !folder ? mention->name : mention->identities[0].value;
  struct name_keys keys = name_keys_make(name);
  for (int k = 0; k < keys.count; k++) find_key(people, keys.keys[k], KIND_NAME, found);
  if (keys.count == 1) find_key(people, keys.keys[0], KIND_JOINED, found);
  name_keys_free(&keys);
  if (folder) {
    char *key = identity_fold(mention->identities[0].value);
    find_key(people, key, KIND_MAILBOX, found);
    free(key);
  }
}

/* Sources that go by the same thing, so that each is another person: of one kind, and of Moodle's
 * of one assignment. */
struct groups {
  int *of;       /* each mention's */
  bool *numbers; /* does a group hold somebody who is known by a Moodle number? */
};

enum { FIRST_SCOPE = IDENTITY_KINDS + 1 };

static struct groups group_mentions(const struct mention *mentions, int count) {
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
      groups.of[i] = kind;
    }
    if (kind == IDENTITY_MOODLE && mention->match == MATCH_IDENTITY)
      groups.numbers[groups.of[i]] = true;
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

/* wanted: the person that each mention has or would have, -1: none. */
static struct claim *count_claims(const struct groups *groups, const int *wanted, int count,
                                  int *claims) {
  struct claim *list = xcalloc((size_t)count + 1, sizeof *list);
  int made = 0, kept = 0;
  for (int i = 0; i < count; i++)
    if (wanted[i] >= 0) list[made++] = (struct claim){wanted[i], groups->of[i], 1};
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

static void match_weakly(const struct people *people, struct mention *mentions, int count,
                         const struct groups *groups, enum match match) {
  int *wanted = xcalloc((size_t)count + 1, sizeof *wanted), claims;
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    wanted[i] = mention->person;
    if (mention->person >= 0 || mention->why) continue;
    struct found found = nobody;
    (match == MATCH_CASE ? find_case : find_name)(people, mention, &found);
    const char *like = match == MATCH_CASE ? "it is nearly the account" : "it has the name";
    if (found.second >= 0)
      refuse(mention, xprintf("%s of %s, and of %s", like, shown(people, found.first),
                              shown(people, found.second)));
    else
      wanted[i] = found.first;
  }
  struct claim *list = count_claims(groups, wanted, count, &claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (mention->person >= 0 || wanted[i] < 0) continue;
    const char *like = match == MATCH_CASE ? "it is nearly the account" : "it has the name",
               *other =
                   contradiction(&people->list[wanted[i]], mention, groups->numbers[groups->of[i]]),
               *id = shown(people, wanted[i]);
    if (other)
      refuse(mention, xprintf("%s of %s, who has another number, %s", like, id, other));
    else if (claims_of(list, claims, wanted[i], groups->of[i]) > 1)
      refuse(mention, xprintf("%s of %s, and another %s, too", like, id,
                              match == MATCH_CASE ? "is" : "has"));
    else
      accept(mention, match, wanted[i]);
  }
  free(list);
  free(wanted);
}

/* Two accounts of a platform that claim to be one person. */
static void refuse_shared(const struct people *people, struct mention *mentions, int count,
                          const struct groups *groups) {
  int *wanted = xcalloc((size_t)count + 1, sizeof *wanted), claims;
  for (int i = 0; i < count; i++) {
    const struct mention *mention = &mentions[i];
    bool platform = mention->count && is_platform(mention->identities[0].kind);
    wanted[i] = platform ? mention->person : -1;
  }
  struct claim *list = count_claims(groups, wanted, count, &claims);
  for (int i = 0; i < count; i++) {
    struct mention *mention = &mentions[i];
    if (wanted[i] < 0 || claims_of(list, claims, wanted[i], groups->of[i]) < 2) continue;
    struct found own = nobody;
    find_identity(people, &mention->identities[0], true, true, &own);
    if (own.first < 0)
      refuse(mention, xprintf("it has an id of %s, and so does another", shown(people, wanted[i])));
  }
  free(list);
  free(wanted);
}

void people_match(const struct people *people, struct mention *mentions, int count) {
  for (int i = 0; i < count; i++) {
    mentions[i].match = MATCH_NONE;
    mentions[i].person = -1;
    match_exactly(people, &mentions[i]);
    if (mentions[i].clone && mentions[i].person < 0 && !mentions[i].why)
      match_clone(people, mentions, count, &mentions[i]);
  }
  struct groups groups = group_mentions(mentions, count);
  refuse_shared(people, mentions, count, &groups);
  match_weakly(people, mentions, count, &groups, MATCH_CASE);
  match_weakly(people, mentions, count, &groups, MATCH_NAME);
  free(groups.of);
  free(groups.numbers);
}
