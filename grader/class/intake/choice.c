/* choice.c: which .cu file of a submission is the one to grade for a lab.
 *
 * In a plain folder a lab may have several files that names or folders tell apart as attempts
 * (lab2.cu, lab2-1.cu; first/lab2.cu, second/lab2.cu). Otherwise the one named as the lab is to be
 * graded, and if there is none, or there are two, nobody can tell which. */
#include "grader/class/intake/submission.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/class/people/names.h"

/* Of "lab2.cu": 2. Of "lab2-1.cu" and of "Lab2 (3).cu": 1. Else 0. */
static int is_named(const char *path, const char *lab) {
  const char *name = basename(path);
  size_t length = strlen(lab);
  if (strncasecmp(name, lab, length) != 0) return 0;
  const char *rest = name + length;
  if (strcasecmp(rest, ".cu") == 0) return 2;
  if (names_resubmission(name) == 0) return 0;
  rest += strspn(rest, " -(");
  rest += strspn(rest, "0123456789");
  rest += *rest == ')';
  return strcasecmp(rest, ".cu") == 0;
}

static int depth_of(const char *path) {
  int depth = 0;
  for (; *path; path++) depth += *path == '/';
  return depth;
}

/* Which of two in one submission is to be graded: > 0: a, 0: it cannot be told. Canvas numbers
 * files as they come, and changes the name of one that came before. */
static int prefer(const struct part *a, const struct part *b, const char *lab) {
  int x = is_named(a->path, lab), y = is_named(b->path, lab);
  if (a->upload && b->upload && x && y) return a->upload > b->upload ? 1 : -1;
  if (x != y) return x - y;
  if (!x) return 0;
  int orders = names_resubmission(a->path) - names_resubmission(b->path);
  return orders ? orders : depth_of(b->path) - depth_of(a->path);
}

static int by_order(const void *a, const void *b) {
  const struct part *x = *(const struct part *const *)a, *y = *(const struct part *const *)b;
  int orders = names_resubmission(x->path) - names_resubmission(y->path);
  if (orders) return orders;
  if (x->modified != y->modified) return x->modified < y->modified ? -1 : 1;
  return strcmp(x->shown, y->shown);
}

/* Are they attempts, one after another? All named as the lab, and none beside another of the same
 * name in one archive. */
static bool are_attempts(const struct choice *choice, const char *lab) {
  for (int i = 0; i < choice->count; i++) {
    const struct part *part = choice->parts[i];
    int named = is_named(part->path, lab);
    if (!named) return false;
    for (int j = 0; j < i; j++)
      if (part->container >= 0 && part->container == choice->parts[j]->container &&
          named == is_named(choice->parts[j]->path, lab))
        return false;
  }
  return choice->count > 1;
}

struct choice choice_make(const struct submission *submission, const char *lab, bool folder) {
  struct choice choice = {0};
  for (int i = 0; i < submission->part_count; i++) {
    const struct part *part = &submission->parts[i];
    if (part->header || !part->lab || strcmp(part->lab, lab) != 0) continue;
    int better = choice.best ? prefer(part, choice.best, lab) : 1;
    if (better >= 0) choice.rival = better ? NULL : part;
    if (better > 0) choice.best = part;
    *array_add(choice.parts, choice.count) = part;
  }
  choice.attempts = folder && are_attempts(&choice, lab);
  if (choice.attempts) qsort(choice.parts, (size_t)choice.count, sizeof *choice.parts, by_order);
  return choice;
}

void choice_free(struct choice *choice) { free(choice->parts); }
