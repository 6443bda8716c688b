/* texel.h: what a fetch from a texture, or an access to a surface, looks like to those who watch
 * accesses: an access to its first texels. */
#ifndef KIT_TEXEL_H
#define KIT_TEXEL_H

#include "harness/sim/exec/machine.h"

/* Fills in the access, addresses of lanes in mask included; returns the lanes that have one. */
uint32_t texture_first_access(const struct warp *warp, const char *frame, const struct op *op,
                              uint32_t mask, struct op *access, uint64_t address[LANES]);

#endif
