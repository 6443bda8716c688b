/* shortage.c: the flag that says whether an allocation has failed. */
#include "harness/sim/remote/shortage.h"

#include <stdatomic.h>

static atomic_bool noted; /* threads of launches allocate, too */

void shortage_note(void) { noted = true; }
bool shortage_is_noted(void) { return noted; }
void shortage_forgive(void) { noted = false; }
