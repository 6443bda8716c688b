/* capability.h: what an SM of each compute capability is like, a row each. What differs between
 * GPUs of one capability (clock, SMs, bandwidths) is in their descriptions, gpus/NAME.ini. */
#ifndef KIT_CAPABILITY_H
#define KIT_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_CARVE_OUTS = 10 };

struct capability {
  int version; /* 75: compute capability 7.5 */

  /* Memory of an SM. */
  int unified_kib;                                /* L1 and shared memory together */
  int carve_outs_kib[MAX_CARVE_OUTS], carve_outs; /* what shared memory may take of it, ascending */
  int shared_reserved, shared_unit; /* bytes: more for each block; in units of so many */
  int shared_bytes;                 /* that shared memory moves in a cycle */
  bool loads_params; /* kernels' parameters are loaded, and no operands of other instructions */
  bool l2_halves;    /* L2 has two, and what SMs of both ask for, both hold */

  /* Results in a cycle. fp16: of instructions that make two each. */
  int fp32, fp16, fp64, convert64; /* convert64: to and from types of 64 bits */
  int fp64_latency;                /* cycles of an addition or multiplication */

  /* Tensor cores: dense multiply-adds in a cycle; fp16 with sums in fp16 and in fp32. 0: there is
   * no such instruction. percent: how much of it mma.sync reaches. */
  int tensor_fp16, tensor_fp16_fp32, tensor_tf32, tensor_int8, tensor_fp64, tensor_percent;
};

/* NULL: the table has no such row. */
const struct capability *capability_of(int major, int minor);

/* "7.0, 7.5, ...": the rows there are. */
void capability_list(char *text, size_t size);

#endif
