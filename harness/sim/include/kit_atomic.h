/* kit_atomic.h: atomic functions; each has the forms _block and _system as well. */
#ifndef KIT_ATOMIC_H
#define KIT_ATOMIC_H

#include "host_defines.h"

/* type function(type *p, type v): the builtin works on the type as. */
#define KIT_ATOMIC(function, type, op, suffix, as)                    \
  __kit_device__ type function(type *p, type v) {                     \
    return (type)__nvvm_atom_##op##_gen_##suffix((as *)p, (as)v);     \
  }                                                                   \
  __kit_device__ type function##_block(type *p, type v) {             \
    return (type)__nvvm_atom_cta_##op##_gen_##suffix((as *)p, (as)v); \
  }                                                                   \
  __kit_device__ type function##_system(type *p, type v) {            \
    return (type)__nvvm_atom_sys_##op##_gen_##suffix((as *)p, (as)v); \
  }

KIT_ATOMIC(atomicAdd, int, add, i, int)
KIT_ATOMIC(atomicAdd, unsigned int, add, i, int)
KIT_ATOMIC(atomicAdd, unsigned long long, add, ll, long long)
KIT_ATOMIC(atomicAdd, float, add, f, float)
KIT_ATOMIC(atomicAdd, double, add, d, double)
KIT_ATOMIC(atomicExch, int, xchg, i, int)
KIT_ATOMIC(atomicExch, unsigned int, xchg, i, int)
KIT_ATOMIC(atomicExch, unsigned long long, xchg, ll, long long)
KIT_ATOMIC(atomicMin, int, min, i, int)
KIT_ATOMIC(atomicMin, unsigned int, min, ui, unsigned int)
KIT_ATOMIC(atomicMin, long long, min, ll, long long)
KIT_ATOMIC(atomicMin, unsigned long long, min, ull, unsigned long long)
KIT_ATOMIC(atomicMax, int, max, i, int)
KIT_ATOMIC(atomicMax, unsigned int, max, ui, unsigned int)
KIT_ATOMIC(atomicMax, long long, max, ll, long long)
KIT_ATOMIC(atomicMax, unsigned long long, max, ull, unsigned long long)
KIT_ATOMIC(atomicInc, unsigned int, inc, ui, unsigned int)
KIT_ATOMIC(atomicDec, unsigned int, dec, ui, unsigned int)
KIT_ATOMIC(atomicAnd, int, and, i, int)
KIT_ATOMIC(atomicAnd, unsigned int, and, i, int)
KIT_ATOMIC(atomicAnd, unsigned long long, and, ll, long long)
KIT_ATOMIC(atomicOr, int, or, i, int)
KIT_ATOMIC(atomicOr, unsigned int, or, i, int)
KIT_ATOMIC(atomicOr, unsigned long long, or, ll, long long)
KIT_ATOMIC(atomicXor, int, xor, i, int)
KIT_ATOMIC(atomicXor, unsigned int, xor, i, int)
KIT_ATOMIC(atomicXor, unsigned long long, xor, ll, long long)
#undef KIT_ATOMIC

#define KIT_SCOPED(scope)                                                                      \
  __kit_device__ int atomicSub##scope(int *p, int v) { return atomicAdd##scope(p, -v); }       \
  __kit_device__ unsigned int atomicSub##scope(unsigned int *p, unsigned int v) {              \
    return atomicAdd##scope(p, -v);                                                            \
  }                                                                                            \
  __kit_device__ float atomicExch##scope(float *p, float v) {                                  \
    return __builtin_bit_cast(float, atomicExch##scope((int *)p, __builtin_bit_cast(int, v))); \
  }
KIT_SCOPED()
KIT_SCOPED(_block)
KIT_SCOPED(_system)
#undef KIT_SCOPED

#define KIT_CAS(type, suffix, as)                                               \
  __kit_device__ type atomicCAS(type *p, type compare, type v) {                \
    return (type)__nvvm_atom_cas_gen_##suffix((as *)p, (as)compare, (as)v);     \
  }                                                                             \
  __kit_device__ type atomicCAS_block(type *p, type compare, type v) {          \
    return (type)__nvvm_atom_cta_cas_gen_##suffix((as *)p, (as)compare, (as)v); \
  }                                                                             \
  __kit_device__ type atomicCAS_system(type *p, type compare, type v) {         \
    return (type)__nvvm_atom_sys_cas_gen_##suffix((as *)p, (as)compare, (as)v); \
  }
KIT_CAS(int, i, int)
KIT_CAS(unsigned int, i, int)
KIT_CAS(unsigned long long, ll, long long)
#undef KIT_CAS

#define KIT_CAS_16(function, scope)                                                           \
  __kit_device__ unsigned short function(unsigned short *p, unsigned short compare,           \
                                         unsigned short v) {                                  \
    unsigned short old;                                                                       \
    asm volatile("atom" scope ".cas.b16 %0, [%1], %2, %3;"                                    \
                 : "=h"(old)                                                                  \
                 : "l"(p), "h"(compare), "h"(v)                                               \
                 : "memory");                                                                 \
    return old;                                                                               \
  }
KIT_CAS_16(atomicCAS, "")
KIT_CAS_16(atomicCAS_block, ".cta")
KIT_CAS_16(atomicCAS_system, ".sys")
#undef KIT_CAS_16

/* Each component by itself, as on a GPU. */
#define KIT_ADD_VECTOR(function)                                                          \
  __kit_device__ float2 function(float2 *p, float2 v) {                                   \
    return float2{function(&p->x, v.x), function(&p->y, v.y)};                            \
  }                                                                                       \
  __kit_device__ float4 function(float4 *p, float4 v) {                                   \
    return float4{function(&p->x, v.x), function(&p->y, v.y), function(&p->z, v.z),       \
                  function(&p->w, v.w)};                                                  \
  }
KIT_ADD_VECTOR(atomicAdd)
KIT_ADD_VECTOR(atomicAdd_block)
KIT_ADD_VECTOR(atomicAdd_system)
#undef KIT_ADD_VECTOR

#endif
