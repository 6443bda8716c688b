// The vectors of the host are pinned where they are: inputs, which are read only, as such.
// verdict: pass
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
  Pinned pinned = {const_cast<float *>(a), const_cast<float *>(b), nullptr};
  CHECK(cudaHostRegister(pinned.a, n * sizeof(float), cudaHostRegisterReadOnly));
  CHECK(cudaHostRegister(pinned.b, n * sizeof(float), cudaHostRegisterReadOnly));
  CHECK(cudaMallocHost(&pinned.out, n * sizeof(float)));
  return pinned;
}

static void pinned_delete(const Pinned &pinned) {
  CHECK(cudaHostUnregister(pinned.a));
  CHECK(cudaHostUnregister(pinned.b));
  CHECK(cudaFreeHost(pinned.out));
}
