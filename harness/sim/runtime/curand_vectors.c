/* curand_vectors.c: direction vectors and scramble constants of cuRAND's Sobol sequences, and the
 * calls that return them (cuRAND, "Host API", "Quasirandom").
 *
 * The vectors follow from Joe's and Kuo's numbers (joe_kuo.txt) as in P. Bratley, B. L. Fox:
 * Algorithm 659 (ACM TOMS 14, 1988). cuRAND's scrambled ones are these, multiplied over bits by a
 * lower triangular matrix for each dimension (J. Matousek: On the L2-discrepancy for anchored
 * boxes, J. Complexity 14, 1998). Its matrices and constants are numbers of its own XORWOW with
 * seed 0, from the second on: the 64 rows of each dimension's matrix, 64 bits each, then the
 * constants. That they are is checked against NVIDIA's library (tests/curand/README.md). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/curand_sobol.h"

/* What tests/curand/direction_numbers.c has packed, which says how. */
__asm__(
    ".pushsection .rodata\n"
    "kit_joe_kuo: .incbin \"harness/sim/runtime/joe_kuo.txt\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_joe_kuo[];

enum { BITS = 64 };

struct reader {
  const char *at;
  unsigned bit; /* of *at, which has six */
};

static struct reader open_numbers(void) {
  struct reader reader = {.at = kit_joe_kuo};
  while (*reader.at == '#') reader.at = strchr(reader.at, '\n') + 1;
  return reader;
}

static unsigned take(struct reader *reader, unsigned bits) {
  unsigned value = 0;
  for (unsigned i = 0; i < bits; i++) {
    if (*reader->at == '\n') reader->at++;
    value |= (unsigned)((*reader->at - '0') >> reader->bit & 1) << i;
    if (++reader->bit == 6) reader->at++, reader->bit = 0;
  }
  return value;
}

/* m_i, of i + 1 bits: the first ones are given, the others follow by the primitive polynomial. */
static void make_dimension(struct reader *reader, unsigned degree, uint64_t vectors[BITS]) {
  unsigned polynomial = take(reader, degree - 1);
  uint64_t m[BITS];
  for (unsigned i = 0; i < degree; i++) m[i] = (uint64_t)take(reader, i) << 1 | 1;
  for (unsigned i = degree; i < BITS; i++) {
    m[i] = m[i - degree] ^ m[i - degree] << degree;
    for (unsigned k = 1; k < degree; k++)
      if (polynomial >> (degree - 1 - k) & 1) m[i] ^= m[i - k] << k;
  }
  for (unsigned i = 0; i < BITS; i++) vectors[i] = m[i] << (BITS - 1 - i);
}

/* n numbers of 64 bits, the first of which is number `first` of them. */
static bool draw(uint64_t first, size_t n, uint64_t *out) {
  struct curand_sequence xorwow = {.method = curand_find_method(CURAND_RNG_PSEUDO_XORWOW),
                                   .offset = 1 + 2 * first};
  bool done = curand_sequence_start(&xorwow);
  for (size_t i = 0; done && i < n; i++) {
    unsigned half[2];
    curand_sequence_fill(&xorwow, CURAND_INTEGER, half, 2);
    out[i] = half[0] | (uint64_t)half[1] << 32;
  }
  curand_sequence_close(&xorwow);
  return done;
}

/* The matrix has ones on its diagonal. Its columns, made of the rows, are added by a vector's bits.
 */
static void scramble(const uint64_t rows[BITS], uint64_t vectors[BITS]) {
  uint64_t columns[BITS] = {0};
  for (int r = 0; r < BITS; r++) {
    uint64_t bit = 1ull << (BITS - 1 - r);
    for (int c = 0; c < r; c++)
      if (rows[r] >> (BITS - 1 - c) & 1) columns[c] |= bit;
    columns[r] |= bit;
  }
  for (int i = 0; i < BITS; i++) {
    uint64_t sum = 0;
    for (uint64_t left = vectors[i]; left; left &= left - 1)
      sum ^= columns[BITS - 1 - __builtin_ctzll(left)];
    vectors[i] = sum;
  }
}

bool curand_make_vectors(unsigned dimensions, bool scrambled, uint64_t (*vectors)[64]) {
  struct reader reader = open_numbers();
  unsigned degree = 1;
  for (unsigned i = 0; i < BITS; i++) vectors[0][i] = 1ull << (BITS - 1 - i);
  for (unsigned d = 1; d < dimensions; d++) {
    degree += take(&reader, 1);
    make_dimension(&reader, degree, vectors[d]);
  }
  if (!scrambled) return true;
  uint64_t(*rows)[BITS] = malloc(dimensions * sizeof *rows);
  bool made = rows && draw(0, (size_t)dimensions * BITS, rows[0]);
  for (unsigned d = 0; made && d < dimensions; d++) scramble(rows[d], vectors[d]);
  free(rows);
  return made;
}

bool curand_make_constants(unsigned dimensions, uint64_t *constants) {
  return draw((uint64_t)CURAND_MAX_DIMENSIONS * BITS, dimensions, constants);
}

/* What the calls return stays: all dimensions, made when first asked for. */
struct kept {
  uint64_t (*vectors)[64];
  unsigned (*halves)[32];
};
static struct kept kept[2]; /* plain, scrambled */
static uint64_t *kept_constants;
static unsigned *kept_half_constants;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static bool keep_vectors(struct kept *to, bool scrambled) {
  uint64_t(*vectors)[64] = malloc(CURAND_MAX_DIMENSIONS * sizeof *vectors);
  unsigned(*halves)[32] = malloc(CURAND_MAX_DIMENSIONS * sizeof *halves);
  if (!vectors || !halves || !curand_make_vectors(CURAND_MAX_DIMENSIONS, scrambled, vectors)) {
    free(vectors);
    free(halves);
    return false;
  }
  for (unsigned d = 0; d < CURAND_MAX_DIMENSIONS; d++)
    for (int i = 0; i < 32; i++) halves[d][i] = (unsigned)(vectors[d][i] >> 32);
  *to = (struct kept){vectors, halves};
  return true;
}
static bool keep_constants(void) {
  uint64_t *constants = malloc(CURAND_MAX_DIMENSIONS * sizeof *constants);
  unsigned *halves = malloc(CURAND_MAX_DIMENSIONS * sizeof *halves);
  if (!constants || !halves || !curand_make_constants(CURAND_MAX_DIMENSIONS, constants)) {
    free(constants);
    free(halves);
    return false;
  }
  for (unsigned d = 0; d < CURAND_MAX_DIMENSIONS; d++) halves[d] = (unsigned)(constants[d] >> 32);
  kept_constants = constants;
  kept_half_constants = halves;
  return true;
}

static const struct kept *vectors_of(bool scrambled) {
  pthread_mutex_lock(&kept_lock);
  bool made = kept[scrambled].vectors || keep_vectors(&kept[scrambled], scrambled);
  pthread_mutex_unlock(&kept_lock);
  return made ? &kept[scrambled] : NULL;
}
static bool has_constants(void) {
  pthread_mutex_lock(&kept_lock);
  bool made = kept_constants || keep_constants();
  pthread_mutex_unlock(&kept_lock);
  return made;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
  if (!scrambled && set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  const struct kept *found = vectors_of(scrambled);
  if (!found) return CURAND_STATUS_ALLOCATION_FAILED;
  *vectors = found->halves;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
  if (!scrambled && set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  const struct kept *found = vectors_of(scrambled);
  if (!found) return CURAND_STATUS_ALLOCATION_FAILED;
  *vectors = (curandDirectionVectors64_t *)found->vectors;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  if (!has_constants()) return CURAND_STATUS_ALLOCATION_FAILED;
  *constants = kept_half_constants;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!has_constants()) return CURAND_STATUS_ALLOCATION_FAILED;
  *constants = (unsigned long long *)kept_constants;
  return CURAND_STATUS_SUCCESS;
}
