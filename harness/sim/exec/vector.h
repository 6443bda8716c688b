/* vector.h: the few questions about 32 lanes that compilers do not turn into good vector code by
 * themselves. One version for each instruction set that exec.c is compiled for, and plain C that
 * says what they mean. */
#ifndef KIT_VECTOR_H
#define KIT_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __SSE2__
#include <immintrin.h>
#endif

/* Is address[i] - origin == delta[i] for all 32 lanes? */
static inline bool vector_same_deltas(const uint64_t *address, uint64_t origin,
                                      const int64_t *delta) {
#if defined __AVX2__
  __m256i from = _mm256_set1_epi64x((long long)origin), differ = _mm256_setzero_si256();
  for (int i = 0; i < 32; i += 4) {
    __m256i d = _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(address + i)), from);
    differ = _mm256_or_si256(differ,
                             _mm256_xor_si256(d, _mm256_loadu_si256((const __m256i *)(delta + i))));
  }
  return _mm256_testz_si256(differ, differ);
#else
  uint64_t differ = 0;
  for (int i = 0; i < 32; i++) differ |= (address[i] - origin) ^ (uint64_t)delta[i];
  return differ == 0;
#endif
}

/* Do 32 consecutive tags all lie in [low, low + span)? Tags and span are below 2^63. */
static inline bool vector_tags_within(const uint64_t *tags, uint64_t low, uint64_t span) {
#if defined __AVX2__
  __m256i from = _mm256_set1_epi64x((long long)low),
          to = _mm256_set1_epi64x((long long)(low + span)), outside = _mm256_setzero_si256();
  for (int i = 0; i < 32; i += 4) {
    __m256i t = _mm256_loadu_si256((const __m256i *)(tags + i));
    outside = _mm256_or_si256(outside, _mm256_cmpgt_epi64(from, t));
    outside = _mm256_or_si256(outside,
                              _mm256_cmpgt_epi64(_mm256_add_epi64(t, _mm256_set1_epi64x(1)), to));
  }
  return _mm256_testz_si256(outside, outside);
#else
  uint64_t outside = 0;
  for (int i = 0; i < 32; i++) outside |= tags[i] - low >= span;
  return !outside;
#endif
}

/* The same for so many. */
static inline bool vector_some_tags_within(const uint64_t *tags, int count, uint64_t low,
                                           uint64_t span) {
  uint64_t outside = 0;
  int i = 0;
#if defined __AVX2__
  __m256i from = _mm256_set1_epi64x((long long)low),
          last = _mm256_set1_epi64x((long long)(low + span - 1)), any = _mm256_setzero_si256();
  for (; i + 4 <= count; i += 4) {
    __m256i t = _mm256_loadu_si256((const __m256i *)(tags + i));
    any = _mm256_or_si256(
        any, _mm256_or_si256(_mm256_cmpgt_epi64(from, t), _mm256_cmpgt_epi64(t, last)));
  }
  outside = !_mm256_testz_si256(any, any);
#endif
  for (; i < count; i++) outside |= tags[i] - low >= span;
  return !outside;
}

/* Are so many tags, a multiple of 8, first, first + 1, ...? */
static inline bool vector_tags_ascend(const uint64_t *tags, int count, uint64_t first) {
#if defined __AVX2__
  __m256i low =
              _mm256_add_epi64(_mm256_set1_epi64x((long long)first), _mm256_set_epi64x(3, 2, 1, 0)),
          high = _mm256_add_epi64(low, _mm256_set1_epi64x(4)), differ = _mm256_setzero_si256();
  const __m256i eight = _mm256_set1_epi64x(8);
  for (int i = 0; i < count; i += 8) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(tags + i)),
            b = _mm256_loadu_si256((const __m256i *)(tags + i + 4));
    differ = _mm256_or_si256(differ,
                             _mm256_or_si256(_mm256_xor_si256(a, low), _mm256_xor_si256(b, high)));
    low = _mm256_add_epi64(low, eight), high = _mm256_add_epi64(high, eight);
  }
  return _mm256_testz_si256(differ, differ);
#else
  uint64_t differ = 0;
  for (int i = 0; i < count; i++) differ |= tags[i] ^ (first + (uint64_t)i);
  return !differ;
#endif
}

/* Is one of 32 aligned floats a NaN? Compilers vectorise the comparison, but not the mask. */
static inline bool vector_any_nan32(const void *floats) {
  const float *x = floats;
#if defined __AVX2__
  __m256 low = _mm256_cmp_ps(_mm256_load_ps(x), _mm256_load_ps(x + 8), _CMP_UNORD_Q),
         high = _mm256_cmp_ps(_mm256_load_ps(x + 16), _mm256_load_ps(x + 24), _CMP_UNORD_Q);
  return _mm256_movemask_ps(_mm256_or_ps(low, high));
#elif defined __SSE2__
  __m128 any = _mm_setzero_ps();
  for (int i = 0; i < 32; i += 8)
    any = _mm_or_ps(any, _mm_cmpunord_ps(_mm_load_ps(x + i), _mm_load_ps(x + i + 4)));
  return _mm_movemask_ps(any);
#else
  bool any = false;
  for (int i = 0; i < 32; i++) any |= x[i] != x[i];
  return any;
#endif
}

/* Multiply-adds of floats, rounded once, where there is no instruction for them and fmaf() is a
 * call.
 *
 * The product of two floats is a double, exactly. So the sum in double precision, rounded to a
 * float, is right, unless it was rounded onto the middle between two floats; its lower 29 bits are
 * then a one and zeros. Such sums, and those too small for a normal float, are left to fmaf(). */
#if defined __SSE2__ && !defined __FMA__
#define VECTOR_FMA 1
__attribute__((unused, noinline, cold)) static __m128 vector_fma4_by_lane(__m128 a, __m128 b,
                                                                          __m128 c) {
  float x[4], y[4], z[4];
  _mm_storeu_ps(x, a), _mm_storeu_ps(y, b), _mm_storeu_ps(z, c);
  for (int i = 0; i < 4; i++) z[i] = __builtin_fmaf(x[i], y[i], z[i]);
  return _mm_loadu_ps(z);
}

static inline __m128 vector_fma4(__m128 a, __m128 b, __m128 c) {
  __m128d low = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c)),
          high = _mm_add_pd(
              _mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(a, a)), _mm_cvtps_pd(_mm_movehl_ps(b, b))),
              _mm_cvtps_pd(_mm_movehl_ps(c, c)));
  __m128 l = _mm_castpd_ps(low), h = _mm_castpd_ps(high);
  __m128i lower = _mm_castps_si128(_mm_shuffle_ps(l, h, _MM_SHUFFLE(2, 0, 2, 0))),
          upper = _mm_castps_si128(_mm_shuffle_ps(l, h, _MM_SHUFFLE(3, 1, 3, 1)));
  upper = _mm_and_si128(upper, _mm_set1_epi32(0x7fffffff));
  __m128i middle = _mm_cmpeq_epi32(_mm_and_si128(lower, _mm_set1_epi32(0x1fffffff)),
                                   _mm_set1_epi32(0x10000000)),
          tiny = _mm_and_si128(_mm_cmpgt_epi32(upper, _mm_setzero_si128()),
                               _mm_cmpgt_epi32(_mm_set1_epi32(0x38100000), upper)); /* 2^-126 */
  if (__builtin_expect(_mm_movemask_epi8(_mm_or_si128(middle, tiny)), 0))
    return vector_fma4_by_lane(a, b, c);
  return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

/* 32 floats each, aligned; any may be the same. */
static inline void vector_fma32(void *to, const void *a, const void *b, const void *c) {
  const float *x = a, *y = b, *z = c;
  float *d = to;
  for (int i = 0; i < 32; i += 4)
    _mm_store_ps(d + i, vector_fma4(_mm_load_ps(x + i), _mm_load_ps(y + i), _mm_load_ps(z + i)));
}
#else
#define VECTOR_FMA 0
#endif

/* Stores 32 aligned doubles unless one of them is a NaN: then it returns false. A local array of
 * them stays in registers. */
static inline bool vector_store_numbers64(void *to, const void *doubles) {
  const double *x = doubles;
  double *d = to;
#if defined __AVX2__
  __m256d a = _mm256_load_pd(x), b = _mm256_load_pd(x + 4), c = _mm256_load_pd(x + 8),
          e = _mm256_load_pd(x + 12), f = _mm256_load_pd(x + 16), g = _mm256_load_pd(x + 20),
          h = _mm256_load_pd(x + 24), k = _mm256_load_pd(x + 28);
  __m256d low = _mm256_or_pd(_mm256_cmp_pd(a, b, _CMP_UNORD_Q), _mm256_cmp_pd(c, e, _CMP_UNORD_Q)),
          high = _mm256_or_pd(_mm256_cmp_pd(f, g, _CMP_UNORD_Q), _mm256_cmp_pd(h, k, _CMP_UNORD_Q));
  if (_mm256_movemask_pd(_mm256_or_pd(low, high))) return false;
  _mm256_store_pd(d, a), _mm256_store_pd(d + 4, b);
  _mm256_store_pd(d + 8, c), _mm256_store_pd(d + 12, e);
  _mm256_store_pd(d + 16, f), _mm256_store_pd(d + 20, g);
  _mm256_store_pd(d + 24, h), _mm256_store_pd(d + 28, k);
#elif defined __SSE2__
  __m128d any = _mm_setzero_pd();
  for (int i = 0; i < 32; i += 4)
    any = _mm_or_pd(any, _mm_cmpunord_pd(_mm_load_pd(x + i), _mm_load_pd(x + i + 2)));
  if (_mm_movemask_pd(any)) return false;
  memcpy(d, x, 32 * sizeof *d);
#else
  bool any = false;
  for (int i = 0; i < 32; i++) any |= x[i] != x[i];
  if (any) return false;
  memcpy(d, x, 32 * sizeof *d);
#endif
  return true;
}

/* Do 32 consecutive tags all have the flag, and is none below low (which is below 2^63)? */
static inline bool vector_tags_have(const uint64_t *tags, uint64_t flag, uint64_t low) {
#if defined __AVX2__
  __m256i from = _mm256_set1_epi64x((long long)low), all = _mm256_set1_epi64x(-1),
          below = _mm256_setzero_si256();
  for (int i = 0; i < 32; i += 4) {
    __m256i t = _mm256_loadu_si256((const __m256i *)(tags + i));
    all = _mm256_and_si256(all, t);
    below = _mm256_or_si256(below, _mm256_cmpgt_epi64(from, t));
  }
  return _mm256_testz_si256(below, below) &&
         _mm256_testc_si256(all, _mm256_set1_epi64x((long long)flag));
#else
  uint64_t missing = 0;
  for (int i = 0; i < 32; i++) missing |= (~tags[i] & flag) | (tags[i] < low);
  return !missing;
#endif
}

#endif
