/* shortage.h: has memory run out for the device's process?
 *
 * Race tags, origins of words, hazards and much else take memory as a submission uses its arrays.
 * What could not be noted for lack of it would go unseen, so that a job ends in place of going on
 * without. In build/device every allocation that fails is noted (allocations.c), wherever it is
 * made.
 */
#ifndef KIT_SHORTAGE_H
#define KIT_SHORTAGE_H

#include <stdbool.h>

void shortage_note(void);
bool shortage_is_noted(void);
/* Resets the flag: what failed was an array that the submission requested, which gets an error
 * code. */
void shortage_forgive(void);

#endif
