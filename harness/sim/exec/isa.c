/* isa.c: the builds of exec.c that this library has, and the best one for this processor.
 * KIT_SIM_ISA=avx2 picks another. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/exec/machine.h"

#if defined __x86_64__
extern const struct isa isa_avx512, isa_avx2, isa_sse2;

static bool runs_here(const struct isa *isa) {
  if (isa == &isa_avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
  if (isa == &isa_avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return true;
}

static const struct isa *const all[] = {&isa_avx512, &isa_avx2, &isa_sse2};
#else
extern const struct isa isa_generic;
static bool runs_here(const struct isa *isa) { return isa == &isa_generic; }
static const struct isa *const all[] = {&isa_generic};
#endif

const struct isa *isa_best(void) {
  const char *wish = getenv("KIT_SIM_ISA");
  size_t count = sizeof all / sizeof all[0];
  for (size_t i = 0; i < count; i++)
    if (wish && strcmp(all[i]->name, wish) == 0 && runs_here(all[i])) return all[i];
  for (size_t i = 0; i < count; i++)
    if (runs_here(all[i])) return all[i];
  return all[count - 1];
}
