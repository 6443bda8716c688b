/* tensor_tile.h: a step of products of a tensor core (tensor_rule.h) for a whole tile. What
 * adds them up is in tensor_add.h, compiled for each instruction set. */
#ifndef KIT_TENSOR_TILE_H
#define KIT_TENSOR_TILE_H

#include <stdint.h>

enum { TILE_ROWS = 16, TILE_COLUMNS = 8, TILE_DEPTH = 16, TILE_NOTHING = -(1 << 20) };

/* Numbers are part * 2^(exponent - places of the format); a zero's exponent is TILE_NOTHING. */
struct tensor_tile {
  int rows, depth;
  int left, c_left; /* how far parts of products, and of C, move left at the largest exponent */
  int32_t a_part[TILE_ROWS][TILE_DEPTH], a_exponent[TILE_ROWS][TILE_DEPTH];
  int32_t b_part[TILE_DEPTH][TILE_COLUMNS], b_exponent[TILE_DEPTH][TILE_COLUMNS];
  int32_t c_part[TILE_ROWS][TILE_COLUMNS], c_exponent[TILE_ROWS][TILE_COLUMNS];
  /* results: the largest exponent, the products cut and summed up, and C cut */
  int32_t largest[TILE_ROWS][TILE_COLUMNS], sum[TILE_ROWS][TILE_COLUMNS],
      c_cut[TILE_ROWS][TILE_COLUMNS];
};

#endif
