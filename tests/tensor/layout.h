/* layout.h: which element of a matrix lies where in the registers of a warp, for mma.sync
 * (PTX ISA, "Matrix Fragments for mma.m16n8k16" and its like; all of them follow one rule).
 *
 * Lanes form 8 groups of 4. A group has a row of A, C and D, or a column of B; its four lanes share
 * the other dimension, each with as many neighbours as a 32-bit register holds. Further registers
 * go 8 rows on (A, C and D, if there are 16), then further along. Plain C, for C++ too.
 */
#ifndef KIT_TESTS_TENSOR_LAYOUT_H
#define KIT_TESTS_TENSOR_LAYOUT_H

struct tensor_place {
  int row, column;
};

/* A of m x k (m: 8 or 16): element `part` of register r, of which each holds `per_register`. */
static inline struct tensor_place tensor_place_a(int m, int per_register, int lane, int r,
                                                 int part) {
  int halves = m / 8, group = lane >> 2, member = lane & 3;
  struct tensor_place at = {group + 8 * (r % halves),
                            (member + 4 * (r / halves)) * per_register + part};
  return at;
}
/* B of k x 8: its column is the group's. */
static inline struct tensor_place tensor_place_b(int per_register, int lane, int r, int part) {
  struct tensor_place at = {((lane & 3) + 4 * r) * per_register + part, lane >> 2};
  return at;
}
/* C and D of m x 8: element i of a lane; registers hold one, or of half precision two. */
static inline struct tensor_place tensor_place_c(int lane, int i) {
  struct tensor_place at = {(lane >> 2) + 8 * (i >> 1), (lane & 3) * 2 + (i & 1)};
  return at;
}

#endif
