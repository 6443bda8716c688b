/* affine_chain.h: executes the chains of the affine form (decode/affine.h): sums of products whose
 * factors are read from where loads would have found them. Part of exec.c.
 *
 * A warp's 32 lanes are four parts of 8. A factor is, for each part, one element for all of its
 * lanes or 8 successive elements: so four pointers and an offset are all that a product needs. */

#if defined __AVX2__ && defined __FMA__
typedef __m256 part_t;
static inline part_t part_row(const unsigned char *from) {
  return _mm256_loadu_ps((const float *)(const void *)from);
}
static inline part_t part_same(const unsigned char *from) {
  return _mm256_broadcast_ss((const float *)(const void *)from);
}
static inline part_t part_fma(part_t a, part_t b, part_t sum) { return _mm256_fmadd_ps(a, b, sum); }
static inline void part_store(float *to, part_t part) { _mm256_store_ps(to, part); }
static inline bool parts_any_nan(const part_t *part) { /* of the four parts of a warp */
  __m256 low = _mm256_cmp_ps(part[0], part[1], _CMP_UNORD_Q),
         high = _mm256_cmp_ps(part[2], part[3], _CMP_UNORD_Q);
  return _mm256_movemask_ps(_mm256_or_ps(low, high));
}
#elif VECTOR_FMA
typedef struct {
  __m128 low, high;
} part_t;
static inline part_t part_row(const unsigned char *from) {
  const float *x = (const float *)(const void *)from;
  return (part_t){_mm_loadu_ps(x), _mm_loadu_ps(x + 4)};
}
static inline part_t part_same(const unsigned char *from) {
  __m128 same = _mm_load1_ps((const float *)(const void *)from);
  return (part_t){same, same};
}
static inline part_t part_fma(part_t a, part_t b, part_t sum) {
  return (part_t){vector_fma4(a.low, b.low, sum.low), vector_fma4(a.high, b.high, sum.high)};
}
static inline void part_store(float *to, part_t part) {
  _mm_store_ps(to, part.low), _mm_store_ps(to + 4, part.high);
}
static inline bool parts_any_nan(const part_t *part) {
  __m128 any = _mm_setzero_ps();
  for (int p = 0; p < AFFINE_PARTS; p++)
    any = _mm_or_ps(any, _mm_cmpunord_ps(part[p].low, part[p].high));
  return _mm_movemask_ps(any);
}
#else
typedef struct {
  float lane[8];
} part_t;
static inline part_t part_row(const unsigned char *from) {
  part_t part;
  memcpy(&part, from, sizeof part);
  return part;
}
static inline part_t part_same(const unsigned char *from) {
  part_t part;
  float value;
  memcpy(&value, from, sizeof value);
  for (int i = 0; i < 8; i++) part.lane[i] = value;
  return part;
}
static inline part_t part_fma(part_t a, part_t b, part_t sum) {
  for (int i = 0; i < 8; i++) sum.lane[i] = __builtin_fmaf(a.lane[i], b.lane[i], sum.lane[i]);
  return sum;
}
static inline void part_store(float *to, part_t part) { memcpy(to, &part, sizeof part); }
static inline bool parts_any_nan(const part_t *part) {
  bool any = false;
  for (int i = 0; i < LANES; i++) any |= part[i / 8].lane[i % 8] != part[i / 8].lane[i % 8];
  return any;
}
#endif

struct sums {
  part_t part[AFFINE_PARTS];
};

static inline __attribute__((always_inline)) part_t part_of(const struct side *side,
                                                            enum side_kind kind, int p,
                                                            int64_t at) {
  return kind == SAMES ? part_same(side->part[p] + at)
                       : part_row(side->part[kind == REPEATED ? 0 : p] + at);
}

static inline __attribute__((always_inline)) void add_products(
    struct sums *sums, const struct affine_term *terms, int count, const struct side *a, int of_a,
    enum side_kind kind_a, const struct side *b, int of_b, enum side_kind kind_b) {
  struct sums s = *sums;
  for (const struct affine_term *t = terms, *end = terms + count; t < end; t++) {
    int64_t x = t->offset[of_a], y = t->offset[of_b];
    for (int p = 0; p < AFFINE_PARTS; p++)
      s.part[p] = part_fma(part_of(a, kind_a, p, x), part_of(b, kind_b, p, y), s.part[p]);
  }
  *sums = s;
}

/* The same, for one element times a row of 32. */
static inline void add_scaled_rows(struct sums *sums, const struct affine_term *terms, int count,
                                   const unsigned char *one, int one_offset,
                                   const unsigned char *row, int row_offset) {
  struct sums s = *sums;
  for (const struct affine_term *t = terms, *end = terms + count; t < end; t++) {
    part_t same = part_same(one + t->offset[one_offset]);
    const unsigned char *from = row + t->offset[row_offset];
    for (int p = 0; p < AFFINE_PARTS; p++)
      s.part[p] = part_fma(same, part_row(from + p * 32), s.part[p]);
  }
  *sums = s;
}

static inline int offset_of(const struct found *found, int group, int which) {
  return which + (found->gathered[group] ? 2 : 0);
}

/* Finds where the parts of the factors of all groups are. */
static void find_sides(struct found *found) {
  static const int64_t row[AFFINE_PARTS] = {0, 32, 64, 96}, one[AFFINE_PARTS] = {0};
  found->has_sides = true;
  for (int i = 0; i <= found->group_count; i++) {
    int g = i < found->group_count ? i : FROM_FRAME, layout = found->layout[g];
    const int64_t *part = layout == AFFINE_SAME || layout == AFFINE_REPEATED ? one
                          : layout == AFFINE_ROW                             ? row
                                                                             : found->memo[g]->part;
    struct side *side = &found->sides[g];
    side->kind = layout == AFFINE_SAME || layout == AFFINE_SAMES ? SAMES
                 : layout == AFFINE_REPEATED                     ? REPEATED
                                                                 : ROWS;
    for (int p = 0; p < AFFINE_PARTS; p++) side->part[p] = found->base[g] + part[p];
  }
}

static void add_parts(struct sums *sums, const struct affine_term *terms,
                      const struct affine_run *run, struct found *found) {
  if (!found->has_sides) find_sides(found);
  const struct side *a = &found->sides[run->a], *b = &found->sides[run->b];
  int of_a = offset_of(found, run->a, 0), of_b = offset_of(found, run->b, 1);
  if (a->kind != SAMES) { /* a product's factors may be exchanged */
    const struct side *swap = a;
    int of_swap = of_a;
    a = b, b = swap;
    of_a = of_b, of_b = of_swap;
  }
  if (a->kind != SAMES) /* what is repeated may be read for each part, too */
    add_products(sums, terms, run->count, a, of_a, ROWS, b, of_b, ROWS);
  else if (b->kind == REPEATED)
    add_products(sums, terms, run->count, a, of_a, SAMES, b, of_b, REPEATED);
  else if (b->kind == ROWS)
    add_products(sums, terms, run->count, a, of_a, SAMES, b, of_b, ROWS);
  else
    add_products(sums, terms, run->count, a, of_a, SAMES, b, of_b, SAMES);
}

static inline struct sums sums_at(const char *row) {
  struct sums sums;
  for (int p = 0; p < AFFINE_PARTS; p++)
    sums.part[p] = part_row((const unsigned char *)row + p * 32);
  return sums;
}

static inline void put_sums(char *row, const struct sums *sums) {
  float *to = __builtin_assume_aligned(row, FRAME_ALIGN);
  bool any_nan = parts_any_nan(sums->part);
  for (int p = 0; p < AFFINE_PARTS; p++) part_store(to + p * 8, sums->part[p]);
  if (__builtin_expect(any_nan, 0)) lanes_one_nan(to);
}

static void run_chain(char *frame, const struct affine_form *form, const struct affine_item *item,
                      struct found *found) {
  struct sums sums = sums_at(frame + item->from);
  const struct affine_run *run = form->runs + item->first, *end = run + item->count;
  for (; run < end; run++) {
    const struct affine_term *terms = form->terms + run->first;
    int a = found->layout[run->a], b = found->layout[run->b];
    if (a == AFFINE_SAME && b == AFFINE_ROW)
      add_scaled_rows(&sums, terms, run->count, found->base[run->a], offset_of(found, run->a, 0),
                      found->base[run->b], offset_of(found, run->b, 1));
    else if (a == AFFINE_ROW && b == AFFINE_SAME)
      add_scaled_rows(&sums, terms, run->count, found->base[run->b], offset_of(found, run->b, 1),
                      found->base[run->a], offset_of(found, run->a, 0));
    else
      add_parts(&sums, terms, run, found);
  }
  put_sums(frame + item->to, &sums);
}

/* Copies a load that chains read, but not from where it lies, to scratch rows: all lanes of each
 * part that has some. Those that do not exist have the first lane's element. */
static void gather(struct worker *worker, const struct affine_elided *elided,
                   const struct found *found) {
  const struct memo *memo = found->memo[elided->group];
  const unsigned char *from = found->data[elided->group] + elided->op->access.offset;
  float *to = (float *)(void *)(worker->scratch + elided->gathered);
  int lanes = memo->repeats ? PART : memo->lane_count;
  for (int e = 0; e < elided->op->count; e++, to += LANES, from += 4)
    for (int first = 0; first < lanes; first += PART)
      for (int i = first; i < first + PART; i++) memcpy(&to[i], from + memo->delta[i], 4);
}
