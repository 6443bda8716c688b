/* clones.c: matches GitHub Classroom's clones, ASSIGNMENT-ACCOUNT, with people.
 *
 * Both parts may contain hyphens, and one account may end as another does: "lab1-x-ada" is x-ada's,
 * or is ada's at an assignment lab1-x. The assignment is what the clones have in common: the
 * beginning behind which most of them are somebody's account. */
#include "grader/class/people/people_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/text.h"

/* What clones begin with, up to a hyphen before somebody's account: one for each clone, sorted. */
struct beginnings {
  char **list;
  int count;
};

/* The next place where an account may begin. */
static const char *next_account(const char *at) {
  const char *mark = strpbrk(at, "-_");
  return mark && mark[1] ? mark + 1 : NULL;
}

static const char *name_of(const struct mention *mention) { return mention->identities[0].value; }

static bool is_open(const struct mention *mention) {
  return mention->clone && mention->person < 0 && !mention->why;
}

static struct beginnings list_beginnings(const struct people *people,
                                         const struct mention *mentions, int count) {
  struct beginnings all = {0};
  for (int i = 0; i < count; i++) {
    if (!is_open(&mentions[i])) continue;
    const char *whole = name_of(&mentions[i]);
    for (const char *at = next_account(whole); at; at = next_account(at)) {
      if (people_account(people, at) == ACCOUNT_UNKNOWN) continue;
      *array_add(all.list, all.count) = xprintf("%.*s", (int)(at - whole), whole);
    }
  }
  array_sort(all.list, all.count, compare_strings);
  return all;
}

/* The first place in the list that does not come before these letters; past: or is them. */
static int place_of(const struct beginnings *all, const char *text, size_t length, bool past) {
  int low = 0, high = all->count;
  while (low < high) {
    int middle = low + (high - low) / 2, order = strncmp(all->list[middle], text, length);
    if (order == 0) order = all->list[middle][length] != '\0';
    if (order < 0 || (past && order == 0))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int shared_by(const struct beginnings *all, const char *text, size_t length) {
  return place_of(all, text, length, true) - place_of(all, text, length, false);
}

/* Does it end in a lab's name, "hpc-lab1-"? */
static bool names_lab(const char *text, size_t length) {
  size_t end = length - 1, start = end;
  while (start > 0 && strchr("0123456789", text[start - 1])) start--;
  return start < end && start >= 3 && strncasecmp(text + start - 3, "lab", 3) == 0;
}

static void match_one(const struct people *people, const struct beginnings *all,
                      struct mention *mention) {
  const char *whole = name_of(mention), *first = next_account(whole);
  int max_shared = 0, person = ACCOUNT_UNKNOWN, ending = ACCOUNT_UNKNOWN;
  bool tie = false, natural = false;
  for (const char *at = first; at; at = next_account(at)) {
    size_t length = (size_t)(at - whole);
    int shared = shared_by(all, whole, length), whose = people_account(people, at);
    if (whose >= 0) ending = whose;
    if (shared == 0 || shared < max_shared) continue;
    tie = shared == max_shared && whose != person;
    if (shared > max_shared || whose >= 0) natural = at == first || names_lab(whole, length);
    person = shared > max_shared || person < 0 ? whose : person;
    max_shared = shared;
  }
  if (ending < 0) return;
  /* Alone it shows nothing of what clones have in common. */
  if (person >= 0 && !tie && (max_shared > 1 || natural)) {
    mention->match = MATCH_IDENTITY;
    mention->person = person;
  } else {
    mention->why = xprintf("it ends in an account of %s's, but may be another that ends the same",
                           people->list[ending].id);
  }
}

void clones_match(const struct people *people, struct mention *mentions, int count) {
  struct beginnings all = list_beginnings(people, mentions, count);
  for (int i = 0; i < count; i++)
    if (is_open(&mentions[i])) match_one(people, &all, &mentions[i]);
  for (int i = 0; i < all.count; i++) free(all.list[i]);
  free(all.list);
}
