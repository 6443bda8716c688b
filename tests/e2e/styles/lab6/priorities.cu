// Streams of the highest and the lowest priority in turns.
// verdict: pass
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
  int lowest, highest, i = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, i++ % 2 ? lowest : highest));
  return streams;
}
