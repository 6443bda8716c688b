// The streams do not wait for the default stream, nor it for them: its event happens too early.
// verdict: partial
// loses: streams breadth hazards
// may-lose: halves bothways hidden breadthways
// hazard: race
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_STREAMS_NEW
#include "rest.h"

// --- Step 3: streams. What is in one stream runs in order; streams run beside one another. ---

static std::vector<cudaStream_t> streams_new(int count) {
  std::vector<cudaStream_t> streams(count);
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return streams;
}
