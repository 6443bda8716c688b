/* cooperative_groups/memcpy_async.h: copies by a whole group; wait(group) and wait_prior<N>(group)
 * for their ends. The simulator copies at once: others may read what was copied behind the wait. */
#ifndef KIT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define KIT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#pragma GCC system_header

namespace cooperative_groups {

namespace kit {

template <class Unit, class Group>
__kit_device__ void copy_units(const Group &group, void *to, const void *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(Unit); i += group.size())
    ((Unit *)to)[i] = ((const Unit *)from)[i];
}
template <class Group>
__kit_device__ void copy(const Group &group, void *to, const void *from, size_t bytes) {
  size_t odd = (size_t)to | (size_t)from | bytes;
  if (odd % 16 == 0)
    copy_units<uint4>(group, to, from, bytes);
  else if (odd % 4 == 0)
    copy_units<unsigned int>(group, to, from, bytes);
  else
    copy_units<unsigned char>(group, to, from, bytes);
}

}  // namespace kit

/* Bytes, also as a cuda::aligned_size_t; elements of both layouts, the smaller of which counts. */
template <class Group, class T, class Bytes>
__kit_device__ void memcpy_async(const Group &group, T *to, const T *from, const Bytes &bytes) {
  kit::copy(group, to, from, (size_t)bytes);
}
template <class Group, class Bytes>
__kit_device__ void memcpy_async(const Group &group, void *to, const void *from,
                                 const Bytes &bytes) {
  kit::copy(group, to, from, (size_t)bytes);
}
template <class Group, class T, class To, class From>
__kit_device__ void memcpy_async(const Group &group, T *to, const To &to_count, const T *from,
                                 const From &from_count) {
  size_t n = (size_t)to_count, m = (size_t)from_count;
  kit::copy(group, to, from, (n < m ? n : m) * sizeof(T));
}

template <unsigned int Stages, class Group>
__kit_device__ void wait_prior(const Group &group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
