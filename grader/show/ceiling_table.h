/* ceiling_table.h: `./grade ceiling`: what the device can do at most. */
#ifndef KIT_CEILING_TABLE_H
#define KIT_CEILING_TABLE_H

#include "grader/lab/lab.h"

/* Prints the ceilings of all labs' problems, unless quiet: measured on the GPU, at the sizes that
 * labs time, at the largest that they have and at one far larger than L2; or, for the simulator,
 * those of its GPU's description. json: a file to write them to, or NULL. Returns 0, or 2 if one
 * could not be measured, which it says. */
int ceiling_show(const struct kit *kit, const char *backend, const char *json, bool quiet);

#endif
