/* plan_reads.c: which instructions take longer because of the registers that they read.
 *
 * A scheduler's register file has two banks, each of which gives one register of a warp a cycle; an
 * operand that the instruction before has read as well comes from the reuse cache (Jia et al.,
 * "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", arXiv 1804.06826, section
 * 3.3: two banks, the reuse cache). So an instruction with three operands, of which two or three
 * must be read, often meets a bank twice. How much longer it takes then is measured by
 * gpus/calibrate_reads.cu; which register lies in which bank is ptxas's choice, and not known here.
 */
#include <stdlib.h>

#include "harness/sim/model/planner.h"

/* The registers of 32 bits that an instruction reads, as inputs of its plan (struct plan_op). */
struct reads {
  int of[3];
  int count; /* MANY: more, or of 64 bits */
};
enum { MANY = 4 };

static void add_read(struct reads *reads, int register_) {
  for (int k = 0; k < reads->count && k < 3; k++)
    if (reads->of[k] == register_) return;
  if (reads->count < 3) reads->of[reads->count] = register_;
  if (reads->count < MANY) reads->count++;
}

/* Those of operation i; what costs nothing is part of the instruction that uses it. */
static void add_reads_of(const struct planner *b, int i, int depth, struct reads *reads) {
  const struct operands *operands = &b->operands[i];
  if (operands->count > 3) reads->count = MANY;
  for (int k = 0; k < operands->count && k < 3; k++) {
    int from = operands->of[k];
    if (from >= 0 && b->to->ops[from].cost.unit == UNIT_CONSTANT) continue;
    if (from >= 0 && b->to->ops[from].cost.unit == UNIT_NONE && depth > 0)
      add_reads_of(b, from, depth - 1, reads);
    else
      add_read(reads, from);
  }
}

static bool has_read(const struct reads *reads, int register_) {
  for (int k = 0; k < reads->count && k < 3; k++)
    if (reads->of[k] == register_) return true;
  return false;
}

void count_reads(struct planner *b) {
  struct plan_block *to = b->to;
  struct reads before = {.count = 0};
  for (int i = 0; i < to->count; i++) {
    struct plan_op *op = &to->ops[to->order[i]];
    if (op->cost.unit == UNIT_NONE) continue;
    struct reads reads = {.count = 0};
    add_reads_of(b, to->order[i], 8, &reads);
    if (reads.count == 3)
      for (int k = 0; k < 3; k++) op->fresh += !has_read(&before, reads.of[k]);
    before = reads;
  }
}
