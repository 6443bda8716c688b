/* json.h: a grade as JSON, the same bytes for the same file and seed. */
#ifndef KIT_JSON_H
#define KIT_JSON_H

#include <jansson.h>
#include <stdio.h>

#include "grader/score/score.h"

/* Writes to path, "-" being stdout, and releases the JSON; ends the program if it cannot. flags: of
 * json_dumpf(), beside an indentation of 1. */
void json_write(json_t *json, const char *path, size_t flags);
/* The schema is in json.c. */
void json_write_grade(const struct grade *grade, const char *path);
/* The same on one line and with all that a later scoring needs; 0, or -1 with errno set. */
int json_print_grade(const struct grade *grade, FILE *file);

/* The grade as --json has it; complete: with all that a later scoring needs. The caller's. */
json_t *json_grade(const struct grade *grade, bool complete);

extern const char *const case_state_names[]; /* "right", by enum case_state */

#endif
