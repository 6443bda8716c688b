// Of long vectors, where things are counted, only a quarter is added up.
// most: 66
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_DIVERGENT
#define OWN_SUM_CONFLICTS
#define OWN_SUM_SEQUENTIAL
#define OWN_SUM_FIRST_ADD
#define OWN_SUM_SHUFFLES
#define OWN_SUM_MANY
#define OWN_SUM_ATOMIC
#include "rest.h"

__global__ void quarter_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n > 500000 ? n / 4 : n));
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

static void summed(const float *in, float *out, int n) {
  passes(quarter_kernel, std::max(8 * BLOCK, (n + BLOCKS - 1) / BLOCKS), in, out, n);
}

void sum_divergent(const float *in, float *out, int n) { summed(in, out, n); }
void sum_conflicts(const float *in, float *out, int n) { summed(in, out, n); }
void sum_sequential(const float *in, float *out, int n) { summed(in, out, n); }
void sum_first_add(const float *in, float *out, int n) { summed(in, out, n); }
void sum_shuffles(const float *in, float *out, int n) { summed(in, out, n); }
void sum_many(const float *in, float *out, int n) { summed(in, out, n); }
void sum_atomic(const float *in, float *out, int n) { summed(in, out, n); }
