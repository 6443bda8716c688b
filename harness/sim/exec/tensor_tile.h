/* tensor_tile.h: a step of products of a tensor core (tensor_rule.h) for a whole tile. What
 * multiplies it is in tensor_multiply.h, compiled for each instruction set. */
#ifndef KIT_TENSOR_TILE_H
#define KIT_TENSOR_TILE_H

#include "harness/sim/exec/tensor_rule.h"

enum { TILE_ROWS = 16, TILE_COLUMNS = 8, TILE_DEPTH = 16 };

struct tensor_tile {
  const struct tensor_rule *rule;
  struct tensor_format format; /* of A and B: tensor_f16, tensor_bf16 or tensor_tf32 */
  int rows, depth;
  bool half; /* C and D are of half precision; else of single */
  /* bits; of A row by row, of B column by column: 32 bytes each */
  const void *a, *b;
  uint32_t c[TILE_ROWS][TILE_COLUMNS], d[TILE_ROWS][TILE_COLUMNS];
};

#endif
