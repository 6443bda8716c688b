/* stored.h: which parameters of a kernel its loads, stores and atomics go by. */
#ifndef KIT_STORED_H
#define KIT_STORED_H

#include "harness/sim/decode/affine.h"

/* A guess: addresses that are loaded as numbers of 32 bits, or that run from one array into
 * another, are not seen (launch.c). form: has the numbers of registers. PARAM_UNKNOWN also if
 * memory runs out. */
struct accessed_params accessed_params(const struct program *program,
                                       const struct affine_form *form);

#endif
