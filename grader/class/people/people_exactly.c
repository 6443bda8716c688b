/* people_exactly.c: the first two steps of people.h: numbers, accounts and addresses. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/people/people_parts.h"

/* --- the platform's own number or account --- */

/* Who handed in as this. Moodle writes a group's number where groups hand in: it means the
 * participant of that number only if the name does. */
static void find_submitted(const struct people *people, const struct mention *mention,
                           struct found *found) {
  const struct identity *identity = &mention->identities[0];
  int count;
  const struct entry *entries = people_lookup_value(people, identity->value, &count);
  for (int i = 0; i < count; i++) {
    const struct identity *own = entries[i].identity;
    if (!own || own->origin != ORIGIN_SUBMISSION || own->kind != identity->kind) continue;
    if (!same_value(own->kind, own->value, identity->value)) continue;
    if (own->kind == IDENTITY_MOODLE && !names_agree(own->name, mention->name)) continue;
    found_add(found, entries[i].person);
  }
}

/* Has the person handed in by that number as somebody else, as a group? */
static bool was_another(const struct person *person, const struct mention *mention) {
  for (int i = 0; i < person->count; i++) {
    const struct identity *own = &person->identities[i];
    if (own->origin == ORIGIN_SUBMISSION && own->kind == IDENTITY_MOODLE &&
        strcmp(own->value, mention->identities[0].value) == 0 &&
        !names_agree(own->name, mention->name))
      return true;
  }
  return false;
}

/* Who goes by this participant's number, of those whose name agrees, if one may be a group's;
 * *other: of the rest. */
static void find_participant(const struct people *people, const struct mention *mention,
                             struct found *found, int *other) {
  const char *number = mention->identities[0].value;
  int count;
  const struct entry *entries = people_lookup_value(people, number, &count);
  for (int i = 0; i < count; i++) {
    if (entries[i].kind != IDENTITY_MOODLE) continue;
    if (strcmp(entries[i].identity->value, number) != 0) continue;
    const struct person *person = &people->list[entries[i].person];
    bool participants = !mention->handed_in && entries[i].identity->origin != ORIGIN_SUBMISSION;
    if (!was_another(person, mention) && (participants || names_agree(person->name, mention->name)))
      found_add(found, entries[i].person);
    else
      *other = entries[i].person;
  }
}

static void refuse_two(const struct people *people, struct mention *mention, int one, int other) {
  mention_refuse(mention, xprintf("it may be %s or %s", shown(people, one), shown(people, other)));
}

/* As whom they handed in. False: as nobody. */
static bool match_submitted(const struct people *people, struct mention *mention) {
  struct found found = found_nobody;
  find_submitted(people, mention, &found);
  if (found.second >= 0)
    refuse_two(people, mention, found.first, found.second);
  else if (found.first >= 0)
    mention_accept(mention, MATCH_IDENTITY, found.first);
  return found.first >= 0;
}

/* --- other identities --- */

/* An address may be several people's, one of whom a number identifies. */
static struct found find_exactly(const struct people *people, const struct mention *mention) {
  struct found numbers = find_any(people, mention, false, anybody),
               addresses = find_any(people, mention, true, anybody);
  if (numbers.first < 0) {
    addresses.number = numbers.number;
    return addresses;
  }
  if (addresses.first < 0 || numbers.second >= 0) return numbers;
  struct found both = find_any(people, mention, true, (struct who){.only = numbers.first});
  if (both.first < 0) numbers.second = addresses.first;
  return numbers;
}

/* Are two people known by different numbers or accounts of one kind? */
static bool are_different(const struct person *a, const struct person *b) {
  for (int i = 0; i < a->count; i++) {
    enum identity_kind kind = a->identities[i].kind;
    if (is_address(kind) || kind == IDENTITY_MOODLE || kind == IDENTITY_FOLDER) continue;
    bool other = false, same = false;
    for (int k = 0; k < b->count; k++) {
      if (b->identities[k].kind != kind) continue;
      other = true;
      same |= same_value(kind, a->identities[i].value, b->identities[k].value);
    }
    if (other && !same) return true;
  }
  return false;
}

/* Of a row whose numbers are several people's, or somebody's who has not handed in and may be the
 * same: the only one who has handed in, or -1. An address that two rows have does not count, unless
 * nothing but the number is known of somebody. */
static int only_submitted(const struct people *people, const struct mention *mention,
                          const struct found *found) {
  const struct person *first = &people->list[found->first];
  if (mention->handed_in || (found->second < 0 && has_handed_in(first))) return -1;
  struct who who = {.only = -1, .handed_in = true};
  struct found numbers = find_any(people, mention, false, who),
               addresses = find_any(people, mention, true, who);
  struct found submitted = numbers.first >= 0 ? numbers : addresses;
  if (submitted.first < 0 || submitted.second >= 0) return -1;
  const struct person *person = &people->list[submitted.first];
  bool bare = !first->name && first->count == 1, address = numbers.first < 0 && !bare;
  if (found->second < 0 && (are_different(first, person) || (address && mention->shares)))
    return -1;
  return names_agree(person->name, mention->name) && !find_contradiction(person, mention, false)
             ? submitted.first
             : -1;
}

/* Has a person whose name is not known handed in through Moodle, by names that have nothing of the
 * mention's, as a group's? */
static bool is_group(const struct person *person, const struct mention *mention) {
  bool any = false;
  for (int i = 0; i < person->count; i++) {
    const struct identity *own = &person->identities[i];
    if (own->origin != ORIGIN_SUBMISSION) continue;
    if (own->kind != IDENTITY_MOODLE || names_related(own->name, mention->name)) return false;
    any = true;
  }
  return any && !person->name;
}

static void settle(const struct people *people, struct mention *mention,
                   const struct found *found) {
  int only = only_submitted(people, mention, found);
  const char *other = find_contradiction(&people->list[found->first], mention, false);
  if (only >= 0)
    mention_accept(mention, MATCH_IDENTITY, only);
  else if (found->second >= 0)
    refuse_two(people, mention, found->first, found->second);
  else if (other)
    mention_refuse(mention,
                   xprintf("it has an address or account of %s, who has another number, %s",
                           shown(people, found->first), other));
  else if (is_group(&people->list[found->first], mention))
    mention_refuse(
        mention,
        xprintf("it has a number of %s, who handed in under another name (is it a group's?)",
                shown(people, found->first)));
  else
    mention_accept(mention, MATCH_IDENTITY, found->first);
}

/* *number: whose number it may be, if it is; -1. */
static void match_one(const struct people *people, struct mention *mention, int *number) {
  enum identity_kind kind = mention->count ? mention->identities[0].kind : IDENTITY_KINDS;
  struct found found = found_nobody;
  int other = -1;
  if (is_platform(kind) && match_submitted(people, mention)) return;
  if (kind == IDENTITY_MOODLE)
    find_participant(people, mention, &found, &other);
  else if (is_platform(kind))
    find_platform(people, mention, &found);
  if (found.first < 0 && other >= 0) {
    const char *name = people->list[other].name;
    mention_refuse(mention, xprintf("it has the number of %s%s%s, but not the name (is it a "
                                    "group's?)",
                                    shown(people, other), name ? ", " : "", name ? name : ""));
    return;
  }
  if (found.first < 0) found = find_exactly(people, mention);
  if (found.first >= 0)
    settle(people, mention, &found);
  else
    *number = found.number;
}

/* --- numbers that a roster only calls "id" --- */

enum agreement { DISAGREES, NAMESAKE, AGREES };

/* How many mentions have each person's name. The caller's. */
static int *count_names(const struct people *people, const struct mention *mentions, int count) {
  int *named = xcalloc((size_t)people->count + 1, sizeof *named),
      *last = xcalloc((size_t)people->count + 1, sizeof *last); /* mention, from 1 */
  for (int i = 0; i < count; i++) {
    struct persons all = {0};
    struct found found = found_nobody;
    found.all = &all;
    find_name(people, &mentions[i], &found);
    for (int p = 0; p < all.count; p++) {
      named[all.list[p]] += last[all.list[p]] != i + 1;
      last[all.list[p]] = i + 1;
    }
    free(all.list);
  }
  free(last);
  return named;
}

/* Does the name agree, too? Of several of one name somebody may have such a number by chance. */
static enum agreement agreement_of(const struct people *people, const struct mention *mention,
                                   int person, const int *named) {
  struct name_keys name = name_keys_make(mention->name);
  bool same = name_keys_match(&name, &people->index->names[person]) &&
              !find_contradiction(&people->list[person], mention, true);
  name_keys_free(&name);
  if (!same) return DISAGREES;
  struct found found = found_nobody;
  find_name(people, mention, &found);
  return found.second < 0 && named[person] == 1 ? AGREES : NAMESAKE;
}

/* They are the platform's if people's names show it: of more than disagree; and of namesakes, if
 * those of several others do. */
static void match_numbers(const struct people *people, struct mention *mentions, int count,
                          const int *numbers) {
  int found[] = {[DISAGREES] = 0, [NAMESAKE] = 0, [AGREES] = 0},
      *named = count_names(people, mentions, count);
  autofree enum agreement *agree = xcalloc((size_t)count + 1, sizeof *agree);
  autofree bool *taken = xcalloc((size_t)people->count + 1, sizeof *taken);
  for (int i = 0; i < count; i++)
    if (mentions[i].person >= 0) taken[mentions[i].person] = true;
  for (int i = 0; i < count; i++) {
    if (numbers[i] < 0) continue;
    agree[i] = agreement_of(people, &mentions[i], numbers[i], named);
    found[agree[i]]++;
  }
  bool theirs = found[AGREES] > found[DISAGREES], namesakes = theirs && found[AGREES] > 1;
  for (int i = 0; i < count && theirs; i++) {
    if (numbers[i] < 0 || taken[numbers[i]]) continue;
    const struct person *person = &people->list[numbers[i]];
    if (agree[i] == AGREES || (agree[i] == NAMESAKE && namesakes))
      mention_accept(&mentions[i], MATCH_IDENTITY, numbers[i]);
    else if (agree[i] == DISAGREES)
      mention_refuse(&mentions[i], xprintf("it has the number of %s%s%s, but not the name; the "
                                           "roster does not show whose numbers they are",
                                           person->id, person->name ? ", " : "",
                                           person->name ? person->name : ""));
  }
  free(named);
}

/* --- addresses of several mentions --- */

struct address {
  char *folded;
  int mention;
};

static int by_address(const void *a, const void *b) {
  const struct address *x = a, *y = b;
  int difference = strcmp(x->folded, y->folded);
  return difference ? difference : x->mention - y->mention;
}

static void find_shared(struct mention *mentions, int count) {
  int made = 0, room = 0;
  for (int i = 0; i < count; i++) room += mentions[i].count;
  autofree struct address *list = xcalloc((size_t)room + 1, sizeof *list);
  for (int i = 0; i < count; i++) {
    mentions[i].shares = false;
    for (int k = 0; k < mentions[i].count; k++)
      if (is_address(mentions[i].identities[k].kind))
        list[made++] = (struct address){identity_fold(mentions[i].identities[k].value), i};
  }
  array_sort(list, made, by_address);
  for (int i = 1; i < made; i++)
    if (list[i].mention != list[i - 1].mention && strcmp(list[i].folded, list[i - 1].folded) == 0)
      mentions[list[i].mention].shares = mentions[list[i - 1].mention].shares = true;
  for (int i = 0; i < made; i++) free(list[i].folded);
}

void match_exactly(const struct people *people, struct mention *mentions, int count) {
  int *numbers = xcalloc((size_t)count + 1, sizeof *numbers);
  find_shared(mentions, count);
  for (int i = 0; i < count; i++) {
    numbers[i] = -1;
    match_one(people, &mentions[i], &numbers[i]);
  }
  match_numbers(people, mentions, count, numbers);
  free(numbers);
}

int people_account(const struct people *people, const char *account) {
  struct found found = found_nobody;
  for (int kind = IDENTITY_GITHUB; kind <= IDENTITY_LOGIN; kind++) {
    struct identity identity = {.kind = (enum identity_kind)kind, .value = (char *)account};
    find_identity(people,
                  &(struct search){.identity = &identity,
                                   .same_kind = true,
                                   .nearly = kind != IDENTITY_ID,
                                   .who = anybody},
                  &found);
  }
  return found.second >= 0 ? ACCOUNT_SHARED : found.first;
}
