/* kit_builtins.h: threadIdx, blockIdx, blockDim, gridDim, warpSize: PTX's special registers. */
#ifndef KIT_BUILTINS_H
#define KIT_BUILTINS_H

#include "vector_types.h"

#define KIT_COMPONENT(c, sreg)                                                 \
  __declspec(property(get = kit_get_##c)) unsigned int c;                      \
  static __device__ __inline__                                                 \
      __attribute__((always_inline, nodebug)) unsigned int kit_get_##c(void) { \
    return __nvvm_read_ptx_sreg_##sreg##_##c();                                \
  }

#define KIT_INDEX(name, sreg, result)                                           \
  struct kit_##name {                                                           \
    KIT_COMPONENT(x, sreg)                                                      \
    KIT_COMPONENT(y, sreg)                                                      \
    KIT_COMPONENT(z, sreg)                                                      \
    __device__ __attribute__((always_inline, nodebug)) operator dim3() const {  \
      return dim3(kit_get_x(), kit_get_y(), kit_get_z());                       \
    }                                                                           \
    __device__ __attribute__((always_inline, nodebug)) operator uint3() const { \
      return uint3{kit_get_x(), kit_get_y(), kit_get_z()};                      \
    }                                                                           \
    void operator=(const kit_##name &) const = delete;                          \
    kit_##name *operator&() const = delete;                                     \
  };                                                                            \
  extern const __device__ __attribute__((weak)) kit_##name name;

KIT_INDEX(threadIdx, tid, uint3)
KIT_INDEX(blockIdx, ctaid, uint3)
KIT_INDEX(blockDim, ntid, dim3)
KIT_INDEX(gridDim, nctaid, dim3)
#undef KIT_INDEX
#undef KIT_COMPONENT

__attribute__((device)) const int warpSize = 32;

#endif
