/* cuda_pipeline.h: cuda_pipeline_primitives.h's functions as nvcuda::experimental::pipeline. */
#ifndef KIT_CUDA_PIPELINE_H
#define KIT_CUDA_PIPELINE_H

#pragma GCC system_header

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
  size_t stage = 0;

 public:
  pipeline() = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __device__ size_t commit() {
    __pipeline_commit();
    return stage++;
  }
  __device__ void commit_and_wait() { wait(commit()); }
  __device__ void wait(size_t number) {
    if (stage > number) __pipeline_wait_prior(stage - number - 1);
  }
  template <unsigned prior>
  __device__ void wait_prior() {
    __pipeline_wait_prior(prior);
  }
  __device__ void arrive_on(awbarrier &barrier) { __pipeline_arrive_on(&barrier.kit_barrier); }
};

template <class T>
__device__ inline void memcpy_async(T &to, const T &from, pipeline &) {
  if ((sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && __isShared(&to) && __isGlobal(&from))
    __pipeline_memcpy_async(&to, &from, sizeof(T));
  else
    to = from;
}
template <class T>
__device__ inline void memcpy_async(T *to, const T *from, size_t count, pipeline &p) {
  for (size_t i = 0; i < count; i++) memcpy_async(to[i], from[i], p);
}

}  // namespace experimental
}  // namespace nvcuda

#endif
