// The host adds up short vectors; long ones are left to kernels.
// most: 70
// says: host
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#include <vector>
#define OWN_SUM_DIVERGENT
#define OWN_SUM_CONFLICTS
#define OWN_SUM_SEQUENTIAL
#define OWN_SUM_FIRST_ADD
#define OWN_SUM_SHUFFLES
#define OWN_SUM_MANY
#define OWN_SUM_ATOMIC
#include "rest.h"

// Copies the vector to the host and adds it up there.
static float on_host(const float *in, int n) {
  std::vector<float> values(n);
  CHECK(cudaMemcpy(values.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0.0;
  for (float value : values) sum += value;
  return (float)sum;
}

template <typename Kernel>
static void summed(Kernel kernel, int each, const float *in, float *out, int n) {
  if (n > 2000) return passes(kernel, each, in, out, n);
  float sum = on_host(in, n);
  CHECK(cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice));
}

void sum_divergent(const float *in, float *out, int n) {
  summed(divergent_kernel, BLOCK, in, out, n);
}
void sum_conflicts(const float *in, float *out, int n) {
  summed(conflicts_kernel, BLOCK, in, out, n);
}
void sum_sequential(const float *in, float *out, int n) {
  summed(sequential_kernel, BLOCK, in, out, n);
}
void sum_first_add(const float *in, float *out, int n) {
  summed(first_add_kernel, 2 * BLOCK, in, out, n);
}
void sum_shuffles(const float *in, float *out, int n) {
  summed(shuffles_kernel, 2 * BLOCK, in, out, n);
}
void sum_many(const float *in, float *out, int n) { summed(many_kernel, 8 * BLOCK, in, out, n); }
void sum_atomic(const float *in, float *out, int n) { summed(many_kernel, 8 * BLOCK, in, out, n); }
