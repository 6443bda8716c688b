/* xorwow.h: the matrices by which XORWOW skips ahead (include/kit_curand_xorwow.h). */
#ifndef KIT_XORWOW_H
#define KIT_XORWOW_H

#include <stdbool.h>
#include <stddef.h>

/* Is this variable of a module, in the names of PTX, the one that holds them? */
bool xorwow_is_matrices(const char *name, size_t bytes);
/* Fills it: 205 kB, in some 10 ms. */
void xorwow_fill(void *matrices);

#endif
