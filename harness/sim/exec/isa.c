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

/* Does this processor run it? */
#if defined __x86_64__
static inline bool runs_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif
static inline bool runs_sse2(void) { return true; }
static inline bool runs_generic(void) { return true; }

#define ISA(name) extern const struct isa isa_##name;
KIT_ISAS
#undef ISA

static const struct {
  const struct isa *isa;
  bool (*runs)(void);
} built[] = {
#define ISA(name) {&isa_##name, runs_##name},
    KIT_ISAS
#undef ISA
};

const struct isa *isa_best(void) {
  const char *wish = getenv("KIT_SIM_ISA");
  const struct isa *best = NULL;
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
    if (!built[i].runs()) continue;
    if (!best || (wish && strcmp(wish, built[i].isa->name) == 0)) best = built[i].isa;
  }
  return best;
}
