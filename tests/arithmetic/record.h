/* record.h: h100.tsv, what an H100 answered: a line for each instruction with its opcode, the
 * number of tuples, a hash of all answers, and where they are not those of instruction_expected().
 *
 * Exact instructions: `-`, or the answers that differ as TUPLE:ANSWER in hexadecimal, separated by
 * spaces. Approximations: for each tuple how many numbers of its type lie between the expected
 * answer and the GPU's: `.` none, a to z 1 to 26 more, A to Z less, anything else (N); a number in
 * front of a point repeats it. */
#ifndef KIT_TESTS_ARITHMETIC_RECORD_H
#define KIT_TESTS_ARITHMETIC_RECORD_H

#include <stdio.h>

#include "tests/arithmetic/arithmetic.h"

void record_write_heading(FILE *file, const char *device);
/* Returns how many answers of an exact instruction are not as expected; *first is the first. */
int record_write(FILE *file, const struct instruction *in, const uint64_t *operands, int count,
                 const uint64_t *answers, int *first);

/* Reads a whole file, or ends the program. */
struct record;
struct record *record_open(const char *path);
const char *record_device(const struct record *record);
void record_close(struct record *record);
/* An instruction's answers; NULL, or what is wrong: no line, other operands, another hash. */
const char *record_answers(struct record *record, const struct instruction *in,
                           const uint64_t *operands, int count, uint64_t *answers);
/* A line that record_answers() was not asked for; NULL: none. */
const char *record_left_over(const struct record *record);

#endif
