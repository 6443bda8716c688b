// Times are given in seconds.
// verdict: partial
// loses: pageable pinned streams breadth mapped managed prefetched
// may-lose: frompinned bothways hidden breadthways nocopies nofaults
// reason: it is in seconds
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
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  return milliseconds / 1000;
}
