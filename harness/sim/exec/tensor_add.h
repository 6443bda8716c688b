/* tensor_add.h: adds up the products of a tile (tensor_tile.h). Part of exec.c. */

typedef int32_t tile_row __attribute__((vector_size(TILE_COLUMNS * 4)));

/* part << left >> by, towards zero, where by may be large. */
#define TILE_CUT(part, left, by)                                  \
  ({                                                              \
    tile_row sign_ = (part) >> 31, by_ = (by), far_ = by_ > 31;   \
    tile_row size_ = (((part) ^ sign_) - sign_) << (left);        \
    (((size_ >> ((by_ & ~far_) | (far_ & 31))) ^ sign_) - sign_); \
  })

static void tile_add(struct tensor_tile *t) {
  for (int i = 0; i < t->rows; i++) {
    tile_row part[TILE_DEPTH], exponent[TILE_DEPTH], b, c, sum = {0}, largest;
    memcpy(&largest, t->c_exponent[i], sizeof largest);
    for (int k = 0; k < t->depth; k++) {
      memcpy(&b, t->b_part[k], sizeof b);
      part[k] = b * t->a_part[i][k];
      memcpy(&b, t->b_exponent[k], sizeof b);
      exponent[k] = b + t->a_exponent[i][k];
      tile_row more = exponent[k] > largest;
      largest = (exponent[k] & more) | (largest & ~more);
    }
    for (int k = 0; k < t->depth; k++) sum += TILE_CUT(part[k], t->left, largest - exponent[k]);
    memcpy(&c, t->c_part[i], sizeof c);
    memcpy(&b, t->c_exponent[i], sizeof b);
    c = TILE_CUT(c, t->c_left, largest - b);
    memcpy(t->c_cut[i], &c, sizeof c);
    memcpy(t->sum[i], &sum, sizeof sum);
    memcpy(t->largest[i], &largest, sizeof largest);
  }
}
