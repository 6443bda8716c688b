/* vector.h: the few questions about 32 lanes that compilers do not turn into good vector code by
 * themselves. One version for each instruction set that exec.c is compiled for, and plain C that
 * says what they mean.
 */
#ifndef KIT_VECTOR_H
#define KIT_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

#if defined __AVX512F__ || defined __AVX2__
#include <immintrin.h>
#endif

/* Is address[i] - origin == delta[i] for all 32 lanes? */
static inline bool vector_same_deltas(const uint64_t *address, uint64_t origin,
                                      const int64_t *delta) {
#if defined __AVX512F__
  __m512i from = _mm512_set1_epi64((long long)origin), differ = _mm512_setzero_si512();
  for (int i = 0; i < 32; i += 8) {
    __m512i d = _mm512_sub_epi64(_mm512_loadu_si512(address + i), from);
    differ = _mm512_or_si512(differ, _mm512_xor_si512(d, _mm512_loadu_si512(delta + i)));
  }
  return _mm512_test_epi64_mask(differ, differ) == 0;
#elif defined __AVX2__
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

/* Do 32 tags in a row all lie in [low, low + span)? Tags and span are below 2^63. */
static inline bool vector_tags_within(const uint64_t *tags, uint64_t low, uint64_t span) {
#if defined __AVX512F__
  __m512i from = _mm512_set1_epi64((long long)low), most = _mm512_set1_epi64((long long)span);
  __mmask8 outside = 0;
  for (int i = 0; i < 32; i += 8)
    outside |= _mm512_cmpge_epu64_mask(_mm512_sub_epi64(_mm512_loadu_si512(tags + i), from), most);
  return outside == 0;
#elif defined __AVX2__
  __m256i from = _mm256_set1_epi64x((long long)low), to = _mm256_set1_epi64x((long long)(low + span)),
          outside = _mm256_setzero_si256();
  for (int i = 0; i < 32; i += 4) {
    __m256i t = _mm256_loadu_si256((const __m256i *)(tags + i));
    outside = _mm256_or_si256(outside, _mm256_cmpgt_epi64(from, t));
    outside = _mm256_or_si256(outside, _mm256_cmpgt_epi64(_mm256_add_epi64(t, _mm256_set1_epi64x(1)), to));
  }
  return _mm256_testz_si256(outside, outside);
#else
  uint64_t outside = 0;
  for (int i = 0; i < 32; i++) outside |= tags[i] - low >= span;
  return !outside;
#endif
}

/* Do 32 tags in a row all have the flag, and none is below low (below 2^63)? */
static inline bool vector_tags_have(const uint64_t *tags, uint64_t flag, uint64_t low) {
#if defined __AVX512F__
  __m512i bit = _mm512_set1_epi64((long long)flag), from = _mm512_set1_epi64((long long)low);
  __mmask8 fine = 0xff;
  for (int i = 0; i < 32; i += 8) {
    __m512i t = _mm512_loadu_si512(tags + i);
    fine &= _mm512_test_epi64_mask(t, bit) & _mm512_cmpge_epu64_mask(t, from);
  }
  return fine == 0xff;
#elif defined __AVX2__
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
