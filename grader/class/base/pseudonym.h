/* pseudonym.h: names for what a class may see: pronounceable, and always the same for a student.
 *
 * A pseudonym is chosen by a keyed hash (SipHash-2-4) of the student's id. The key is drawn at
 * random once for each gradebook and stays in it: who has the list of pseudonyms and the list of
 * ids, but not the gradebook, cannot find out which belongs to whom. */
#ifndef KIT_PSEUDONYM_H
#define KIT_PSEUDONYM_H

#include <stdint.h>

#include "grader/class/base/digest.h"
#include "grader/class/base/gradebook.h"

/* Gives every student of the gradebook who has none a pseudonym of their own, all or nothing.
 * Those that are there stay. */
void pseudonym_assign(struct gradebook *book);

/* The student's pseudonym, such as "Amber Heron", if `taken` earlier choices belonged to others
 * already; the caller's. */
char *pseudonym_make(const uint8_t key[SIPHASH_KEY], const char *student, unsigned taken);

#endif
