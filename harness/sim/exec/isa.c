/* isa.c: the builds of exec.c that this library has (KIT_ISAS lists them, the fastest first: see
 * mk/sim.mk), and the best one for this processor. KIT_SIM_ISA=sse2 picks another of them.
 *
 * There is none for AVX-512: on an EPYC 9004 and a Xeon of the Sapphire Rapids generation it graded
 * labs 1 to 3 no faster than AVX2 did, and made every first build of the kit longer.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/exec/machine.h"

#ifndef KIT_ISAS
#define KIT_ISAS ISA(generic)
#endif

/* Does this processor run a build of that name? */
static bool runs(const char *name) {
#if defined __x86_64__
  if (strcmp(name, "avx2") == 0)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return strcmp(name, "sse2") == 0;
#else
  return strcmp(name, "generic") == 0;
#endif
}

#define ISA(name) extern const struct isa isa_##name;
KIT_ISAS
#undef ISA

static const struct isa *const built[] = {
#define ISA(name) &isa_##name,
    KIT_ISAS
#undef ISA
};

const struct isa *isa_best(void) {
  const char *wish = getenv("KIT_SIM_ISA");
  const struct isa *best = NULL;
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
    if (!runs(built[i]->name)) continue;
    if (!best || (wish && strcmp(wish, built[i]->name) == 0)) best = built[i];
  }
  return best;
}

const char *isa_name(int i) {
  for (size_t k = 0; k < sizeof built / sizeof *built; k++)
    if (runs(built[k]->name) && i-- == 0) return built[k]->name;
  return NULL;
}
