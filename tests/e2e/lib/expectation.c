/* expectation.c: reads what submissions say of their grades, and chooses among them. */
#include "tests/e2e/lib/expectation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* --- what a file expects --- */

void copy_text(char *to, size_t size, const char *from) {
  if ((size_t)snprintf(to, size, "%s", from) >= size)
    die("%s: longer than %zu bytes", from, size - 1);
}

/* The text after "// key: " if line begins so, else NULL. */
static const char *value_of(const char *line, const char *key) {
  size_t length = strlen(key);
  if (strncmp(line, "// ", 3) != 0 || strncmp(line + 3, key, length) != 0 ||
      line[3 + length] != ':')
    return NULL;
  line += 3 + length + 1;
  return line + strspn(line, " ");
}

void expectation_read(const char *path, struct expectation *expect) {
  memset(expect, 0, sizeof *expect);
  FILE *file = fopen(path, "r");
  if (!file) die("%s: %s", path, strerror(errno));
  char line[512];
  while (fgets(line, sizeof line, file) && strncmp(line, "//", 2) == 0) {
    line[strcspn(line, "\n")] = 0;
    const char *value;
    if ((value = value_of(line, "verdict")))
      copy_text(expect->verdict, sizeof expect->verdict, value);
    if ((value = value_of(line, "loses"))) copy_text(expect->loses, sizeof expect->loses, value);
    if ((value = value_of(line, "may-lose")))
      copy_text(expect->may_lose, sizeof expect->may_lose, value);
    if ((value = value_of(line, "hazard"))) {
      if (expect->hazard_count == MAX_LINES) die("%s: more than %d hazards", path, MAX_LINES);
      copy_text(expect->hazards[expect->hazard_count++], sizeof expect->hazards[0], value);
    }
    if ((value = value_of(line, "reason"))) {
      if (expect->reason_count == MAX_LINES) die("%s: more than %d reasons", path, MAX_LINES);
      copy_text(expect->reasons[expect->reason_count++], sizeof expect->reasons[0], value);
    }
    if ((value = value_of(line, "cases"))) expect->all_cases = strcmp(value, "all") == 0;
  }
  fclose(file);
  if (!expect->verdict[0]) die("%s: no `// verdict:` in its opening comment", path);
}

bool expectation_has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; *at; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    if (strcspn(at, " ") == length && strncmp(at, word, length) == 0) return length > 0;
  }
  return false;
}

/* --- choosing --- */

/* What is said of nothing but one item of one lab is no reason for a grading of its own. */
enum { ITEM = 1, ENOUGH = 2 };

struct facts {
  char **list;
  size_t count;
};

static bool has_fact(const struct facts *facts, const char *fact) {
  for (size_t i = 0; i < facts->count; i++)
    if (strcmp(facts->list[i], fact) == 0) return true;
  return false;
}

/* fact: becomes the facts' own. */
static void add_fact(struct facts *facts, char *fact) {
  if (has_fact(facts, fact))
    free(fact);
  else
    *array_add(facts->list, facts->count) = fact;
}

static void facts_free(struct facts *facts) {
  for (size_t i = 0; i < facts->count; i++) free(facts->list[i]);
  free(facts->list);
}

static struct facts facts_of(const char *path, const char *lab) {
  struct facts facts = {0};
  struct expectation expect;
  expectation_read(path, &expect);
  /* model solutions pass, too, in each lab */
  bool passes = strcmp(expect.verdict, "pass") == 0;
  add_fact(&facts, xprintf("%s: %s", passes ? "any" : lab, expect.verdict));
  for (char *rest, *item = strtok_r(expect.loses, " ", &rest); item;
       item = strtok_r(NULL, " ", &rest))
    add_fact(&facts, xprintf("%s loses %s", lab, item));
  for (int i = 0; i < expect.hazard_count; i++)
    add_fact(&facts, xprintf("%.*s", (int)strcspn(expect.hazards[i], " "), expect.hazards[i]));
  return facts;
}

/* How much the facts have that is not among those shown. */
static size_t weigh_new(const struct facts *facts, const struct facts *shown) {
  size_t weight = 0;
  for (size_t i = 0; i < facts->count; i++)
    if (!has_fact(shown, facts->list[i]))
      weight += strstr(facts->list[i], " loses ") ? ITEM : ENOUGH;
  return weight;
}

void expectation_choose(const char *const *paths, const char *const *labs, size_t count,
                        bool *chosen) {
  struct facts *facts = xcalloc(count, sizeof *facts), shown = {0};
  for (size_t i = 0; i < count; i++) {
    facts[i] = facts_of(paths[i], labs[i]);
    chosen[i] = false;
  }
  for (size_t best, most = ENOUGH; most >= ENOUGH;) {
    most = 0;
    for (size_t i = 0; i < count; i++) {
      size_t new = weigh_new(&facts[i], &shown);
      if (new > most) {
        most = new;
        best = i;
      }
    }
    if (most < ENOUGH) break;
    chosen[best] = true;
    for (size_t i = 0; i < facts[best].count; i++) add_fact(&shown, xstrdup(facts[best].list[i]));
  }
  for (size_t i = 0; i < count; i++) facts_free(&facts[i]);
  facts_free(&shown);
  free(facts);
}
