/* subject.h: the file that ./grade works on, and what the commands that do so share. */
#ifndef KIT_SUBJECT_H
#define KIT_SUBJECT_H

#include "grader/commands/request.h"
#include "grader/grading/grading.h"

struct subject {
  struct lab lab;
  struct source source;
  uint64_t seed;
};

/* Opens the lab and the file that are asked for. Ends the program with status 2, saying so, if one
 * of them, or a case, does not exist. */
void subject_open(const struct kit *kit, const struct request *request, struct subject *subject);
void subject_close(struct subject *subject);

/* Says that the kit or the machine has failed, not the file. */
void print_our_fault(const char *error);

/* Says why the file could not be measured, and that its grade explains it. */
void print_refusal(const struct subject *subject, const char *error);

#endif
