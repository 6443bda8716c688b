/* vector_add.h: a whole program on the device in one function, which the student writes.
 *
 * out = a + b, three vectors of n floats in the memory of the host. The function allocates device
 * memory, copies, launches its kernel, times it between two events, copies back, and gives
 * everything back. It writes the kernel's time to *milliseconds.
 */
#ifndef KIT_PROBLEM_VECTOR_ADD_H
#define KIT_PROBLEM_VECTOR_ADD_H

#define KIT_ENTRY(name) \
  void name(const float *a, const float *b, float *out, int n, float *milliseconds)

#endif
