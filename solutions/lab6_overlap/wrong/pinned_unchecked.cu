// Nobody asks whether there is pinned memory.
// verdict: partial
// loses: checked
// may-lose: leaks
// reason: this cudaMallocHost (or cudaHostAlloc) was made to fail
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_PINNED_NEW
#include "rest.h"

// Pinned vectors with what is in a and b.
static Pinned pinned_new(const float *a, const float *b, int n) {
  Pinned pinned;
  cudaMallocHost(&pinned.a, n * sizeof(float));
  cudaMallocHost(&pinned.b, n * sizeof(float));
  cudaMallocHost(&pinned.out, n * sizeof(float));
  memcpy(pinned.a, a, n * sizeof(float));
  memcpy(pinned.b, b, n * sizeof(float));
  return pinned;
}
