/* option.h: values of options that ./grade and ./grade class both take.
 *
 * Each function reads the argument of an option, which it is given as the user writes it
 * ("--seed"). If the argument is wrong it does not return: it prints what would be right, and ends
 * the program with argp_err_exit_status, which both programs set to 2. */
#ifndef KIT_OPTION_H
#define KIT_OPTION_H

#include <argp.h>
#include <stdint.h>

/* A whole number from min to max, in decimal. */
long option_whole(struct argp_state *state, const char *option, const char *argument, long min,
                  long max);
/* The argument itself, which is one of the words; NULL ends them. */
const char *option_word(struct argp_state *state, const char *option, const char *argument,
                        const char *const *words);

/* --seed: what inputs are made of, from 0 to INT64_MAX, so that JSON and SQLite can hold it. */
uint64_t option_seed(struct argp_state *state, const char *argument);
/* --backend: where times are measured, "sim" or "gpu". */
const char *option_backend(struct argp_state *state, const char *argument);

#endif
