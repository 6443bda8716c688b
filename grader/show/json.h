/* json.h: a grade as JSON, the same bytes for the same file and seed. */
#ifndef KIT_JSON_H
#define KIT_JSON_H

#include "score.h"

/* Writes to path, "-" being stdout; ends the program if it cannot. The schema is in json.c. */
void json_write_grade(const struct grade *grade, const char *path);

#endif
