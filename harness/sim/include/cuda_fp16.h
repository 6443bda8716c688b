/* cuda_fp16.h: half precision, __half and __half2 (CUDA Math API, "Half Precision Intrinsics").
 * What it has in common with bfloat16 is in kit_half_type.h. */
#ifndef KIT_CUDA_FP16_H
#define KIT_CUDA_FP16_H

#pragma GCC system_header

#include "cuda_runtime.h"

#define KIT_T __half
#define KIT_T2 __half2
#define KIT_OTHER __nv_bfloat16
#define KIT_RAW __half_raw
#define KIT_RAW2 __half2_raw
#define KIT_PTX "f16"
#define KIT_FROM(to, how) __half2##to##how
#define KIT_FROM2(to) __half22##to
#define KIT_TO(from, how) __##from##2half##how
#define KIT_TO2(from, how) __##from##2half2##how
#define KIT_OF(what, how) __##what##2half##how
#define KIT_AS(type) __##type##_as_half
#define KIT_AS_FROM(type) __half_as_##type
#define KIT_NAME(word) kit_half_##word
#define KIT_VALUE kit_half_value
#define KIT_ROUND kit_half_bits
#define KIT_FUSED kit_half_fma
#define KIT_ROUND_ONE 0x3c00
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define KIT_CONVERSIONS 0
#else
#define KIT_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define KIT_OPERATORS 0
#else
#define KIT_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define KIT_OPERATORS2 0
#else
#define KIT_OPERATORS2 1
#endif

#include "kit_half_type.h"

#ifdef __cplusplus
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw nv_half_raw;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

__kit_both__ __half2 __half2half2(__half x) { return __half2(x, x); }
__kit_both__ __half2 make_half2(__half x, __half y) { return __half2(x, y); }

/* Results from 0 to 1; NaN becomes 0. */
KIT_BINARY(__hadd_sat, __hadd2_sat, "add.sat", kit_saturated(a + b))
KIT_BINARY(__hsub_sat, __hsub2_sat, "sub.sat", kit_saturated(a - b))
KIT_BINARY(__hmul_sat, __hmul2_sat, "mul.sat", kit_saturated(a *b))
KIT_TERNARY(__hfma_sat, __hfma2_sat, "fma.rn.sat", kit_saturated(kit_half_fma(a, b, c)))

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)
#endif

#include "kit_half_end.h"

#endif
