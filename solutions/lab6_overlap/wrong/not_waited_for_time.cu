// The time is asked for before the second event has happened.
// verdict: partial
// loses: pageable pinned streams breadth mapped managed prefetched hazards
// may-lose: halves checked leaks frompinned bothways hidden breadthways sidebyside nocopies nofaults concurrency shares
// hazard: call 19
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_MILLISECONDS_BETWEEN
#include "rest.h"

// Waits for the second event; the time between the two.
static float milliseconds_between(cudaEvent_t start, cudaEvent_t stop) {
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  return milliseconds;
}
