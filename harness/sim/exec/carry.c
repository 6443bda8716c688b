/* carry.c: integer arithmetic with a carry or borrow, which PTX keeps in a register of its own,
 * CC.CF (PTX ISA, "Extended-Precision Integer Arithmetic Instructions"). */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/lanes.h"

/* The high 64 bits of a product. */
static uint64_t high_product(uint64_t a, uint64_t b, bool is_signed) {
  if (is_signed) return (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64);
  return (uint64_t)(((unsigned __int128)a * b) >> 64);
}

static uint64_t product(const struct op *op, uint64_t a, uint64_t b) {
  bool high = op->carry.operation == CARRY_MAD_HI;
  if (op->wide) return high ? high_product(a, b, op->carry.is_signed) : a * b;
  if (op->carry.is_signed) return (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> (high ? 32 : 0);
  return a * b >> (high ? 32 : 0);
}

/* slots: d, carry out, a, b, c of mad, carry in */
void cold_carry(char *frame, const struct op *op, struct warp *warp) {
  size_t bytes = op->wide ? 8 : 4;
  uint64_t all = op->wide ? UINT64_MAX : UINT32_MAX;
  uint32_t in = op->carry.takes ? *(const uint32_t *)(frame + op->slot[5]) : 0, out = 0;
  EACH_ACTIVE (i, warp->mask) {
    uint64_t a = 0, b = 0, c = 0, carry = in >> i & 1;
    memcpy(&a, frame + op->slot[2] + (size_t)i * bytes, bytes);
    memcpy(&b, frame + op->slot[3] + (size_t)i * bytes, bytes);
    if (op->carry.operation >= CARRY_MAD_LO) {
      memcpy(&c, frame + op->slot[4] + (size_t)i * bytes, bytes);
      a = product(op, a, b) & all;
      b = c;
    }
    bool subtracts = op->carry.operation == CARRY_SUB;
    unsigned __int128 sum =
        subtracts ? (unsigned __int128)a - b - carry : (unsigned __int128)a + b + carry;
    uint64_t result = (uint64_t)sum;
    out |= (uint32_t)((sum & ~(unsigned __int128)all) != 0) << i;
    memcpy(frame + op->slot[0] + (size_t)i * bytes, &result, bytes);
  }
  if (!op->carry.gives) return;
  uint32_t *flags = (uint32_t *)(void *)(frame + op->slot[1]);
  *flags = (*flags & ~warp->mask) | out;
}
