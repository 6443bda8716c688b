// The streams are never destroyed.
// verdict: partial
// loses: leaks
// hazard: leak 20
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_STREAMS_NEW
#define OWN_STREAMS_DELETE
#include "rest.h"

// --- Step 3: streams. What is in one stream runs in order; streams run beside one another. ---

static std::vector<cudaStream_t> streams_new(int count) {
  std::vector<cudaStream_t> streams(count);
  for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
  return streams;
}

static void streams_delete(const std::vector<cudaStream_t> &streams) { (void)streams; }
