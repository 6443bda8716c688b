// Pinned memory is freed with cudaFree, which knows only the device's: the program ends there.
// verdict: partial
// loses: pinned streams breadth halves hazards
// may-lose: leaks checked frompinned bothways hidden breadthways sidebyside shares
// hazard: call 17
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_PINNED_DELETE
#include "rest.h"

static void pinned_delete(const Pinned &pinned) {
  CHECK(cudaFree(pinned.a));
  CHECK(cudaFree(pinned.b));
  CHECK(cudaFree(pinned.out));
}
