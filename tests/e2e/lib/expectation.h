/* expectation.h: what the opening comment of a submission that the kit ships says of its grade
 * (verdicts.c explains its lines), and which submissions show all that there is to show. */
#ifndef KIT_EXPECTATION_H
#define KIT_EXPECTATION_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_LINES = 8 };
struct expectation {
  char verdict[16], loses[256], may_lose[256];
  char hazards[MAX_LINES][64], reasons[MAX_LINES][128];
  int hazard_count, reason_count;
  bool all_cases; /* it asks for the cases as they are */
};

/* Dies for a file that says no verdict. */
void expectation_read(const char *path, struct expectation *expect);
/* Copies text that must fit, or dies. */
void copy_text(char *to, size_t size, const char *from);
/* Is it one of the words of this list? */
bool expectation_has_word(const char *list, const char *word);

/* Chooses submissions for a test that has no time for all: few of them in which each kind of hazard
 * is said by one, each verdict of each lab (pass: of any lab), and most items that one loses. One
 * after another, the one that says most of what is still missing, until none says more than one
 * such item; of equals the first. labs: of each file. */
void expectation_choose(const char *const *paths, const char *const *labs, size_t count,
                        bool *chosen);

#endif
