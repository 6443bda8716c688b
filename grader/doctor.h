/* doctor.h: says what is installed, what is missing, and the command that installs it. */
#ifndef KIT_DOCTOR_H
#define KIT_DOCTOR_H

#include "grader/lab/lab.h"

/* Prints the findings. Returns 0, or 2 if something that is needed is missing. */
int doctor(const struct kit *kit);

#endif
