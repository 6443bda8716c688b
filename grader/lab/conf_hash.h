/* conf_hash.h: names for what a grade was made with, to tell it from a later one. */
#ifndef KIT_CONF_HASH_H
#define KIT_CONF_HASH_H

#include "grader/lab/lab.h"

/* 16 hex digits over the lab's lab.conf, and a hidden.conf beside it where there is one. The
 * caller's. */
char *conf_hash(const struct lab *lab);

/* 16 hex digits over all of lab.conf that what is measured in a case depends on: the problem,
 * the case's name (of which its inputs are made), dimensions, sets and function, and the limits.
 * Points, thresholds, titles and hints are not in it. The caller's. */
char *conf_case_hash(const struct conf *conf, int case_index);

#endif
