/* similar.h: submissions that a person should compare. It is never part of a score: the kernels of
 * a lab are short, everybody was taught the same, and so they are similar.
 *
 * Dick Grune's similarity tester (sim_c++ of Debian's similarity-tester) compares sequences of
 * tokens, in which all names are equal: other names and another layout hide nothing. */
#ifndef KIT_CLASS_SIMILAR_H
#define KIT_CLASS_SIMILAR_H

#include "grader/class/base/class.h"

struct similar_file {
  char *student, *name, *attempt; /* name: may be NULL */
  char *text;                     /* what is compared: see similar_strip() */
};

struct similar_pair {
  int a, b;   /* a < b */
  int a_in_b; /* percent of a's tokens that b has, too */
  int b_in_a;
};

struct similar {
  int *same_as; /* by file: the first that differs in nothing but layout and comments, or itself */
  bool *too_short; /* by file: hardly more than what was given out */
  int compared;    /* files that were: no too short ones, and one of those that are the same */
  struct similar_pair *pairs; /* of those; the most alike first */
  int pair_count;
  int typical; /* percent: half of all pairs are less alike than this, by the smaller figure */
};

/* Compares all with all. Returns 0, or -1 with *error (the caller's): the tester is not there, or
 * prints something unexpected. */
int similar_compare(const struct similar_file *files, int count, struct similar *similar,
                    char **error);
void similar_free(struct similar *similar);
/* How alike: the smaller of the pair's figures. */
int similar_percent(const struct similar_pair *pair);

/* Reads what sim_c++ -p printed about files named 0 to count - 1 into percent[count * count]:
 * percent[a * count + b] of a is in b. False, with a message in *error, if a line is otherwise. */
bool similar_parse(const char *output, int count, int *percent, char **error);

/* Compares the attempts that count, lab by lab; writes STATE/report/similar.tsv and similar.html
 * and prints the most similar pairs; those from min_percent on are listed. */
void similar_write(struct class *class, int min_percent);

/* --- what is compared (similar_strip.c): kernels, without comments and without the lines that
 * everybody was given --- */

/* The lines of text that belong to functions marked __global__ or __device__ (all lines, if no
 * function is), without comments and blank lines, and without those that skeleton has, too (blanks
 * do not count; NULL: there is none). What is in strings stays. The caller's. */
char *similar_strip(const char *text, const char *skeleton);

/* The text without any blank: equal where files differ in layout alone. The caller's. */
char *similar_bare(const char *text);

#endif
