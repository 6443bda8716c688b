/* kit_warp.h: barriers, fences, votes, shuffles and clocks. */
#ifndef KIT_WARP_H
#define KIT_WARP_H

#include "host_defines.h"

/* The compiler must move no access to memory across these. clang's own barriers do not see to that:
 * clang 14 reads a shared variable that only thread 0 writes before the barrier, not after it. */
#define KIT_ORDERED(call)          \
  asm volatile("" : : : "memory"); \
  call;                            \
  asm volatile("" : : : "memory")

#define KIT_VOTE_OF_BLOCK(name, builtin) \
  __kit_device__ int name(int p) {       \
    int result;                          \
    KIT_ORDERED(result = builtin(p));    \
    return result;                       \
  }
KIT_VOTE_OF_BLOCK(__syncthreads_count, __nvvm_bar0_popc)
KIT_VOTE_OF_BLOCK(__syncthreads_and, __nvvm_bar0_and)
KIT_VOTE_OF_BLOCK(__syncthreads_or, __nvvm_bar0_or)
#undef KIT_VOTE_OF_BLOCK

/* __syncthreads is a builtin of clang, which cannot be declared anew. */
__kit_device__ void kit_syncthreads() { KIT_ORDERED(__syncthreads()); }
#define __syncthreads() kit_syncthreads()
__kit_device__ void __syncwarp(unsigned int mask = 0xffffffffu) {
  KIT_ORDERED(__nvvm_bar_warp_sync(mask));
}
__kit_device__ void __threadfence() { KIT_ORDERED(__nvvm_membar_gl()); }
__kit_device__ void __threadfence_block() { KIT_ORDERED(__nvvm_membar_cta()); }
__kit_device__ void __threadfence_system() { KIT_ORDERED(__nvvm_membar_sys()); }
#undef KIT_ORDERED

__kit_device__ unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
__kit_device__ unsigned int __ballot_sync(unsigned int mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}
__kit_device__ int __any_sync(unsigned int mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__kit_device__ int __all_sync(unsigned int mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__kit_device__ int __uni_sync(unsigned int mask, int p) { return __nvvm_vote_uni_sync(mask, p); }

/* The last operand of shfl.sync: the segment mask (32 - width, in bits 8 to 12) and the clamp. */
#define KIT_SHUFFLE(name, instruction, clamp, offset_type)                                       \
  __kit_device__ int name(unsigned int mask, int v, offset_type o, int width = 32) {             \
    return __nvvm_shfl_sync_##instruction##_i32(mask, v, o, ((32 - width) << 8) | clamp);        \
  }                                                                                              \
  __kit_device__ float name(unsigned int mask, float v, offset_type o, int width = 32) {         \
    return __nvvm_shfl_sync_##instruction##_f32(mask, v, o, ((32 - width) << 8) | clamp);        \
  }                                                                                              \
  __kit_device__ unsigned int name(unsigned int mask, unsigned int v, offset_type o,             \
                                   int width = 32) {                                             \
    return (unsigned int)name(mask, (int)v, o, width);                                           \
  }                                                                                              \
  __kit_device__ unsigned long long name(unsigned int mask, unsigned long long v, offset_type o, \
                                         int width = 32) {                                       \
    unsigned int low = name(mask, (unsigned int)v, o, width);                                    \
    unsigned int high = name(mask, (unsigned int)(v >> 32), o, width);                           \
    return (unsigned long long)high << 32 | low;                                                 \
  }                                                                                              \
  __kit_device__ long long name(unsigned int mask, long long v, offset_type o, int width = 32) { \
    return (long long)name(mask, (unsigned long long)v, o, width);                               \
  }                                                                                              \
  __kit_device__ unsigned long name(unsigned int mask, unsigned long v, offset_type o,           \
                                    int width = 32) {                                            \
    return (unsigned long)name(mask, (unsigned long long)v, o, width);                           \
  }                                                                                              \
  __kit_device__ long name(unsigned int mask, long v, offset_type o, int width = 32) {           \
    return (long)name(mask, (unsigned long long)v, o, width);                                    \
  }                                                                                              \
  __kit_device__ double name(unsigned int mask, double v, offset_type o, int width = 32) {       \
    return __builtin_bit_cast(double,                                                            \
                              name(mask, __builtin_bit_cast(unsigned long long, v), o, width));  \
  }
KIT_SHUFFLE(__shfl_sync, idx, 0x1f, int)
KIT_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
KIT_SHUFFLE(__shfl_down_sync, down, 0x1f, unsigned int)
KIT_SHUFFLE(__shfl_xor_sync, bfly, 0x1f, int)
#undef KIT_SHUFFLE

/* The lanes that have this lane's value; __match_all_sync: the mask if all have it, else 0. */
__kit_device__ unsigned int kit_match_any(unsigned int mask, unsigned int v) {
  unsigned int found;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(found) : "r"(v), "r"(mask));
  return found;
}
__kit_device__ unsigned int kit_match_any(unsigned int mask, unsigned long long v) {
  unsigned int found;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(found) : "l"(v), "r"(mask));
  return found;
}
#define KIT_MATCH_ALL(type, bits, r)                                                        \
  __kit_device__ unsigned int kit_match_all(unsigned int mask, type v, int *same) {         \
    unsigned int found;                                                                     \
    asm volatile(                                                                           \
        "{ .reg .pred p; match.all.sync." bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"     \
        : "=r"(found), "=r"(*same)                                                          \
        : r(v), "r"(mask));                                                                 \
    return found;                                                                           \
  }
KIT_MATCH_ALL(unsigned int, "b32", "r")
KIT_MATCH_ALL(unsigned long long, "b64", "l")
#undef KIT_MATCH_ALL
#define KIT_MATCH(type, as)                                                               \
  __kit_device__ unsigned int __match_any_sync(unsigned int mask, type v) {               \
    return kit_match_any(mask, __builtin_bit_cast(as, v));                                \
  }                                                                                       \
  __kit_device__ unsigned int __match_all_sync(unsigned int mask, type v, int *same) {    \
    return kit_match_all(mask, __builtin_bit_cast(as, v), same);                          \
  }
KIT_MATCH(int, unsigned int)
KIT_MATCH(unsigned int, unsigned int)
KIT_MATCH(float, unsigned int)
KIT_MATCH(long, unsigned long long)
KIT_MATCH(unsigned long, unsigned long long)
KIT_MATCH(long long, unsigned long long)
KIT_MATCH(unsigned long long, unsigned long long)
KIT_MATCH(double, unsigned long long)
#undef KIT_MATCH

#define KIT_REDUCE(name, type, ptx)                                                            \
  __kit_device__ type __reduce_##name##_sync(unsigned int mask, type v) {                      \
    type result;                                                                               \
    asm volatile("redux.sync." #name "." ptx " %0, %1, %2;" : "=r"(result) : "r"(v), "r"(mask)); \
    return result;                                                                             \
  }
KIT_REDUCE(add, int, "s32")
KIT_REDUCE(add, unsigned int, "u32")
KIT_REDUCE(min, int, "s32")
KIT_REDUCE(min, unsigned int, "u32")
KIT_REDUCE(max, int, "s32")
KIT_REDUCE(max, unsigned int, "u32")
KIT_REDUCE(and, unsigned int, "b32")
KIT_REDUCE(or, unsigned int, "b32")
KIT_REDUCE(xor, unsigned int, "b32")
#undef KIT_REDUCE

/* Before there were masks: all lanes that are there. */
#define KIT_ACTIVE(name, offset_type)                                 \
  template <class T>                                                  \
  __kit_device__ T name(T v, offset_type o, int width = 32) {         \
    return name##_sync(__activemask(), v, o, width);                  \
  }
KIT_ACTIVE(__shfl, int)
KIT_ACTIVE(__shfl_up, unsigned int)
KIT_ACTIVE(__shfl_down, unsigned int)
KIT_ACTIVE(__shfl_xor, int)
#undef KIT_ACTIVE
__kit_device__ int __all(int p) { return __all_sync(__activemask(), p); }
__kit_device__ int __any(int p) { return __any_sync(__activemask(), p); }
__kit_device__ unsigned int __ballot(int p) { return __ballot_sync(__activemask(), p); }

__kit_device__ int clock() { return __nvvm_read_ptx_sreg_clock(); }
__kit_device__ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
__kit_device__ void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
__kit_device__ void __trap() { __builtin_trap(); }
__kit_device__ void __brkpt() { asm volatile("brkpt;"); }
__kit_device__ void __prof_trigger(int) {}

#endif
