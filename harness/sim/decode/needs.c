/* needs.c: instructions that GPUs have only from some compute capability on (PTX ISA, "Target ISA
 * Notes" of each). What headers of CUDA do in another way on older GPUs (arithmetic of bfloat16,
 * products of halves in other shapes) is left out: there code that compiles runs. */
#include <fnmatch.h>
#include <stdio.h>

#include "harness/sim/decode/draft.h"

static const struct {
  const char *opcode; /* as a pattern of file names */
  int version;        /* 80: 8.0 */
} needs[] = {
    {"cp.async.*", 80}, {"mbarrier.*", 80}, {"redux.*", 80},     {"mma.*bf16*", 80},
    {"mma.*tf32*", 80}, {"mma.*f64*", 80},  {"wmma.*bf16*", 80}, {"wmma.*tf32*", 80},
    {"wmma.*f64*", 80}, {"ldmatrix.*", 75}, {"movmatrix.*", 75}, {"elect.*", 90},
    {"stmatrix.*", 90},
};

void note_needs(struct kernel *kernel, const struct ptx_instruction *in) {
  for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
    if (needs[i].version <= kernel->needs || fnmatch(needs[i].opcode, in->opcode, 0) != 0) continue;
    kernel->needs = needs[i].version;
    kernel->needs_line = in->line;
    snprintf(kernel->needs_what, sizeof kernel->needs_what, "%s", in->opcode);
  }
}
