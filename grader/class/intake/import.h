/* import.h: what was handed in, into the gradebook and the state folder. */
#ifndef KIT_CLASS_IMPORT_H
#define KIT_CLASS_IMPORT_H

#include "grader/class/base/class.h"

/* Reads the roster and the submissions; what is new becomes attempts, pending or refused, with
 * their files under STATE/files/. All of it or nothing, if the program is killed. Notes what it
 * found. */
void import_run(struct class *class);

/* Sets what holds for all of a class: seed, policy, due. Ends the program if the seed is another
 * than that of before. */
void import_settings(struct class *class);

#endif
