/* measuring.h: the part of a grading that needs a real GPU. */
#ifndef KIT_MEASURING_H
#define KIT_MEASURING_H

#include "grading.h"

/* Builds the file for the device, runs every case there, too (what is wrong there is wrong), and
 * times the cases that performance items look at beside the reference and the baseline. The cases
 * have been run on the simulator. messages gets what the compiler said; false: it refused the file. */
bool measuring_run(const struct kit *kit, const struct grading_options *options,
                   struct grade *grade, struct text *messages);

#endif
