// Pinned memory is write-combined where the host only writes it, and portable where it reads.
// verdict: pass
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
  CHECK(cudaHostAlloc(&pinned.a, n * sizeof(float), cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&pinned.b, n * sizeof(float), cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&pinned.out, n * sizeof(float), cudaHostAllocPortable));
  memcpy(pinned.a, a, n * sizeof(float));
  memcpy(pinned.b, b, n * sizeof(float));
  return pinned;
}
