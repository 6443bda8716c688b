/* cuda_awbarrier_primitives.h: barriers in shared memory at which threads arrive and wait apart
 * (CUDA C++ Programming Guide, "Memory Barrier Primitives Interface"). */
#ifndef KIT_CUDA_AWBARRIER_PRIMITIVES_H
#define KIT_CUDA_AWBARRIER_PRIMITIVES_H

#pragma GCC system_header

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t, __mbarrier_token_t;

#define KIT_AT(barrier) "r"((unsigned)__cvta_generic_to_shared(barrier))
__kit_device__ unsigned __mbarrier_maximum_count() { return (1 << 20) - 1; }
__kit_device__ void __mbarrier_init(__mbarrier_t *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : KIT_AT(barrier), "r"(count) : "memory");
}
__kit_device__ void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : KIT_AT(barrier) : "memory");
}
__kit_device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : KIT_AT(barrier) : "memory");
  return token;
}
__kit_device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : KIT_AT(barrier)
               : "memory");
  return token;
}
__kit_device__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  int over;
  asm volatile(
      "{ .reg .pred %%p; mbarrier.test_wait.shared.b64 %%p, [%1], %2; selp.s32 %0, 1, 0, %%p; }"
      : "=r"(over)
      : KIT_AT(barrier), "l"(token)
      : "memory");
  return over != 0;
}
__kit_device__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  int over;
  asm volatile(
      "{ .reg .pred %%p; mbarrier.test_wait.parity.shared.b64 %%p, [%1], %2; "
      "selp.s32 %0, 1, 0, %%p; }"
      : "=r"(over)
      : KIT_AT(barrier), "r"((unsigned)parity)
      : "memory");
  return over != 0;
}
__kit_device__ unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
#undef KIT_AT

#endif
