/* cuda_awbarrier.h: a barrier in shared memory as nvcuda::experimental::awbarrier. */
#ifndef KIT_CUDA_AWBARRIER_H
#define KIT_CUDA_AWBARRIER_H

#pragma GCC system_header

#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {

class awbarrier {
 public:
  typedef __mbarrier_token_t arrival_token;
  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;
  __device__ arrival_token arrive() { return __mbarrier_arrive(&kit_barrier); }
  __device__ arrival_token arrive_and_drop() { return __mbarrier_arrive_and_drop(&kit_barrier); }
  __device__ bool timed_wait(arrival_token token, unsigned = 0) {
    return __mbarrier_test_wait(&kit_barrier, token);
  }
  __device__ void wait(arrival_token token) {
    while (!timed_wait(token)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __host__ __device__ static constexpr unsigned max() { return (1 << 20) - 1; }
  __mbarrier_t kit_barrier; /* for pipeline */
};

__device__ inline void init(awbarrier *barrier, unsigned count) {
  __mbarrier_init(&barrier->kit_barrier, count);
}

}  // namespace experimental
}  // namespace nvcuda

#endif
