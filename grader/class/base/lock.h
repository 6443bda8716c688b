/* lock.h: one collector at a time for a state folder. */
#ifndef KIT_CLASS_LOCK_H
#define KIT_CLASS_LOCK_H

/* Takes STATE/lock until the program ends, however it ends; if somebody has it, says who and
 * ends the program. */
void lock_take(const char *state);

#endif
