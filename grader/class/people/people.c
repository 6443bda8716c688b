/* people.c: a list of people, and an index of what they are known by. */
#include "grader/class/people/people.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/people/people_parts.h"

/* --- the list --- */

struct person *people_add(struct people *people, const char *id, const char *name) {
  struct person *person = array_add(people->list, people->count);
  *person = (struct person){.id = xstrdup(id), .name = name && *name ? xstrdup(name) : NULL};
  return person;
}

static bool same_name(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

void person_identify(struct person *person, const struct identity *identity) {
  char *clean = identity_clean(identity->value ? identity->value : "");
  bool known = !*clean;
  for (int i = 0; i < person->count; i++) {
    const struct identity *other = &person->identities[i];
    known |= other->kind == identity->kind && strcmp(other->value, clean) == 0 &&
             other->origin == identity->origin && same_name(other->name, identity->name);
  }
  if (known) {
    free(clean);
    return;
  }
  *array_add(person->identities, person->count) = (struct identity){
      identity->kind, clean, identity->origin, identity->name ? xstrdup(identity->name) : NULL};
}

static void add_entry(struct people_index *index, char *key, int kind,
                      const struct identity *identity, int person) {
  *array_add(index->entries, index->count) =
      (struct entry){key, (enum identity_kind)kind, identity, person};
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
      add_entry(index, folded, (int)identity->kind, identity, p);
    }
    index->names[p] = name_keys_make(person->name);
    for (int k = 0; k < index->names[p].count; k++)
      add_entry(index, xstrdup(index->names[p].keys[k]), k ? KIND_JOINED : KIND_NAME, NULL, p);
  }
  array_sort(index->entries, index->count, by_key);
}

void people_free(struct people *people) {
  for (int p = 0; p < people->count; p++) {
    struct person *person = &people->list[p];
    for (int i = 0; i < person->count; i++)
      free_all(person->identities[i].value, person->identities[i].name);
    free_all(person->identities, person->id, person->name);
    if (people->index) name_keys_free(&people->index->names[p]);
  }
  for (int i = 0; people->index && i < people->index->count; i++)
    free(people->index->entries[i].key);
  if (people->index) free_all(people->index->entries, people->index->names);
  free_all(people->index, people->list);
  *people = (struct people){0};
}

const struct entry *people_lookup(const struct people *people, const char *key, int *count) {
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

const struct entry *people_lookup_value(const struct people *people, const char *value,
                                        int *count) {
  autofree char *key = identity_fold(value);
  return people_lookup(people, key, count);
}

/* --- mentions --- */

void mention_identify(struct mention *mention, enum identity_kind kind, const char *value) {
  char *clean = identity_clean(value ? value : "");
  if (*clean && mention->count < (int)(sizeof mention->identities / sizeof *mention->identities))
    mention->identities[mention->count++] = (struct identity){.kind = kind, .value = clean};
  else
    free(clean);
}

void mention_free(struct mention *mention) {
  for (int i = 0; i < mention->count; i++) free(mention->identities[i].value);
  free(mention->why);
  mention->count = 0;
  mention->why = NULL;
}
