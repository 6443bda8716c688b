/* cuda_pipeline_primitives.h: copies from global to shared memory for which a thread waits later
 * (CUDA C++ Programming Guide, "Pipeline Primitives Interface"). */
#ifndef KIT_CUDA_PIPELINE_PRIMITIVES_H
#define KIT_CUDA_PIPELINE_PRIMITIVES_H

#pragma GCC system_header

#include <stddef.h>

#include "cuda_awbarrier_primitives.h"

/* 4, 8 or 16 bytes, of which the last `zeros` are not read but set to 0. */
__kit_device__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                            size_t zeros = 0) {
  unsigned at = (unsigned)__cvta_generic_to_shared(to), read = (unsigned)(bytes - zeros);
#define KIT_COPY(how, n)                                                                   \
  if (zeros)                                                                               \
    asm volatile("cp.async." how ".shared.global [%0], [%1], " n ", %2;"                   \
                 :                                                                         \
                 : "r"(at), "l"(from), "r"(read)                                           \
                 : "memory");                                                              \
  else                                                                                     \
    asm volatile("cp.async." how ".shared.global [%0], [%1], " n ";" : : "r"(at), "l"(from) \
                 : "memory");
  if (bytes == 16) {
    KIT_COPY("cg", "16")
  } else if (bytes == 8) {
    KIT_COPY("ca", "8")
  } else if (bytes == 4) {
    KIT_COPY("ca", "4")
  } else {
    __trap(); /* no such copy */
  }
#undef KIT_COPY
}
__kit_device__ void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" : : : "memory");
}
/* All but the last `prior` groups are there. */
__kit_device__ void __pipeline_wait_prior(size_t prior) {
#define KIT_WAIT(n)                                                     \
  case n:                                                               \
    asm volatile("cp.async.wait_group " #n ";" : : : "memory");         \
    break;
  switch (prior) {
    KIT_WAIT(0)
    KIT_WAIT(1)
    KIT_WAIT(2)
    KIT_WAIT(3)
    KIT_WAIT(4)
    KIT_WAIT(5)
    KIT_WAIT(6)
    KIT_WAIT(7)
    default:
      asm volatile("cp.async.wait_group 8;" : : : "memory");
  }
#undef KIT_WAIT
}
__kit_device__ void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
               :
               : "r"((unsigned)__cvta_generic_to_shared(barrier))
               : "memory");
}

#endif
