/* stored.h: which parameters of a kernel its stores and atomics go by. */
#ifndef KIT_STORED_H
#define KIT_STORED_H

#include "harness/sim/decode/affine.h"

/* Bit i: an address of a store may come from the 8 bytes at 8 * i of the parameters.
 * STORED_UNKNOWN: from elsewhere, too. A guess: addresses that are loaded as numbers of 32 bits, or
 * that run from one array into another, are not seen (launch.c). */
#define STORED_UNKNOWN (UINT64_C(1) << 63)

/* form: has the numbers of registers. STORED_UNKNOWN also if memory runs out. */
uint64_t stored_params(const struct program *program, const struct affine_form *form);

#endif
