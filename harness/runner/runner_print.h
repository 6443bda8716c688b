/* runner_print.h: launches and hazards for people who run a solution by hand; on stdout. */
#ifndef KIT_RUNNER_PRINT_H
#define KIT_RUNNER_PRINT_H

#include <jansson.h>

/* A launch as in the grade's "launches": a heading line and a small table of its main counters. */
void print_launch(json_t *launch);
/* A hazard as in the grade's "hazards". */
void print_hazard(json_t *hazard);

#endif
