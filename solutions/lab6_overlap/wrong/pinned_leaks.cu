// Two of the three pinned vectors are freed.
// verdict: partial
// loses: leaks
// hazard: leak 21
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_PINNED_NEW
#define OWN_PINNED_DELETE
#include "rest.h"

// Pinned vectors with what is in a and b.
static Pinned pinned_new(const float *a, const float *b, int n) {
  Pinned pinned;
  CHECK(cudaMallocHost(&pinned.a, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned.b, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned.out, n * sizeof(float)));
  memcpy(pinned.a, a, n * sizeof(float));
  memcpy(pinned.b, b, n * sizeof(float));
  return pinned;
}

static void pinned_delete(const Pinned &pinned) {
  CHECK(cudaFreeHost(pinned.a));
  CHECK(cudaFreeHost(pinned.b));
}
