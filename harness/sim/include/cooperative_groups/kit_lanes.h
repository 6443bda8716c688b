/* kit_lanes.h: values of any type among the lanes of a mask: shuffles word by word; what std::
 * has for types, which device code takes from here. */
#ifndef KIT_COOPERATIVE_GROUPS_LANES_H
#define KIT_COOPERATIVE_GROUPS_LANES_H

#pragma GCC system_header

namespace cooperative_groups {
namespace kit {

#define KIT_SHUFFLE(name, offset_type)                                                     \
  template <class T>                                                                       \
  __kit_device__ T name(unsigned int mask, const T &value, offset_type by, int width) {    \
    static_assert(sizeof(T) <= 32, "a group exchanges values of at most 32 bytes");        \
    unsigned int words[(sizeof(T) + 3) / 4] = {0};                                         \
    T result = value;                                                                      \
    __builtin_memcpy(words, &value, sizeof(T));                                            \
    for (unsigned int &word : words) word = __##name##_sync(mask, word, by, width);        \
    __builtin_memcpy((void *)&result, words, sizeof(T));                                   \
    return result;                                                                         \
  }
KIT_SHUFFLE(shfl, int)
KIT_SHUFFLE(shfl_up, unsigned int)
KIT_SHUFFLE(shfl_down, unsigned int)
KIT_SHUFFLE(shfl_xor, int)
#undef KIT_SHUFFLE

template <class T>
struct plain {
  typedef T type;
};
template <class T>
struct plain<T &> : plain<T> {};
template <class T>
struct plain<T &&> : plain<T> {};
template <class T>
struct plain<const T> : plain<T> {};
/* What op(value, value) returns, and T itself, without const and &. */
template <class T>
using value_of = typename plain<T>::type;

__kit_device__ unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
__kit_device__ unsigned int lanes_below() { return (1u << lane()) - 1; }
__kit_device__ unsigned int first_lane(unsigned int mask) { return (unsigned int)__ffs(mask) - 1; }

/* The lane of that rank in the mask; 32: none has. */
__kit_device__ unsigned int lane_of(unsigned int mask, unsigned int rank) {
  for (; rank > 0; rank--) mask &= mask - 1;
  return mask ? first_lane(mask) : 32;
}
/* The bits of the mask's lanes, by rank. */
__kit_device__ unsigned int by_rank(unsigned int mask, unsigned int bits) {
  unsigned int packed = 0;
  for (unsigned int rank = 0; mask; mask &= mask - 1, rank++)
    packed |= (bits >> first_lane(mask) & 1) << rank;
  return packed;
}

/* The lanes of the mask whose values have the same bits. */
template <class T>
__kit_device__ unsigned int match_any(unsigned int mask, T value) {
  static_assert(sizeof(T) <= 8, "match compares values of at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return sizeof(T) > 4 ? __match_any_sync(mask, bits) : __match_any_sync(mask, (unsigned int)bits);
}

}  // namespace kit
}  // namespace cooperative_groups

#endif
