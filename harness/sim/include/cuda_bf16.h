/* cuda_bf16.h: bfloat16, __nv_bfloat16 and __nv_bfloat162 (CUDA Math API, "Bfloat16 Precision
 * Intrinsics"). What it has in common with half precision is in kit_half_type.h. */
#ifndef KIT_CUDA_BF16_H
#define KIT_CUDA_BF16_H

#pragma GCC system_header

#include "cuda_fp16.h"

#define KIT_T __nv_bfloat16
#define KIT_T2 __nv_bfloat162
#define KIT_OTHER __half
#define KIT_RAW __nv_bfloat16_raw
#define KIT_RAW2 __nv_bfloat162_raw
#define KIT_PTX "bf16"
#define KIT_FROM(to, how) __bfloat162##to##how
#define KIT_FROM2(to) __bfloat1622##to
#define KIT_TO(from, how) __##from##2bfloat16##how
#define KIT_TO2(from, how) __##from##2bfloat162##how
#define KIT_OF(what, how) __##what##2bfloat16##how
#define KIT_AS(type) __##type##_as_bfloat16
#define KIT_AS_FROM(type) __bfloat16_as_##type
#define KIT_NAME(word) kit_bfloat_##word
#define KIT_VALUE kit_bfloat_value
#define KIT_ROUND kit_bfloat_bits
#define KIT_FUSED kit_bfloat_fma
#define KIT_ROUND_ONE 0x3f80
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define KIT_CONVERSIONS 0
#else
#define KIT_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define KIT_OPERATORS 0
#else
#define KIT_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define KIT_OPERATORS2 0
#else
#define KIT_OPERATORS2 1
#endif

#include "kit_half_type.h"

#ifdef __cplusplus
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__kit_both__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
__kit_both__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}

__kit_member__ inline __half::__half(const __nv_bfloat16 &x)
    : __x(((__half_raw)__float2half(__bfloat162float(x))).x) {}
__kit_member__ inline __nv_bfloat16::__nv_bfloat16(const __half &x)
    : __x(((__nv_bfloat16_raw)__float2bfloat16(__half2float(x))).x) {}

/* Results from 0 to 1; NaN becomes 0. PTX has no instruction for it. */
__kit_both__ __nv_bfloat16 kit_saturated(__nv_bfloat16 x) {
  return __hmin(__hmax(x, kit_bfloat_make(0)), kit_bfloat_make(0x3f80));
}
__kit_both__ __nv_bfloat162 kit_saturated(__nv_bfloat162 x) {
  return __hmin2(__hmax2(x, kit_bfloat_make2(0)), kit_bfloat_make2(0x3f803f80));
}
__kit_both__ __nv_bfloat16 __hadd_sat(__nv_bfloat16 x, __nv_bfloat16 y) {
  return kit_saturated(__hadd(x, y));
}
__kit_both__ __nv_bfloat16 __hsub_sat(__nv_bfloat16 x, __nv_bfloat16 y) {
  return kit_saturated(__hsub(x, y));
}
__kit_both__ __nv_bfloat16 __hmul_sat(__nv_bfloat16 x, __nv_bfloat16 y) {
  return kit_saturated(__hmul(x, y));
}
__kit_both__ __nv_bfloat16 __hfma_sat(__nv_bfloat16 x, __nv_bfloat16 y, __nv_bfloat16 z) {
  return kit_saturated(__hfma(x, y, z));
}
__kit_both__ __nv_bfloat162 __hadd2_sat(__nv_bfloat162 x, __nv_bfloat162 y) {
  return kit_saturated(__hadd2(x, y));
}
__kit_both__ __nv_bfloat162 __hsub2_sat(__nv_bfloat162 x, __nv_bfloat162 y) {
  return kit_saturated(__hsub2(x, y));
}
__kit_both__ __nv_bfloat162 __hmul2_sat(__nv_bfloat162 x, __nv_bfloat162 y) {
  return kit_saturated(__hmul2(x, y));
}
__kit_both__ __nv_bfloat162 __hfma2_sat(__nv_bfloat162 x, __nv_bfloat162 y, __nv_bfloat162 z) {
  return kit_saturated(__hfma2(x, y, z));
}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)
#endif

#include "kit_half_end.h"

#endif
