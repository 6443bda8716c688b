/* streamed_add.h: a sum of vectors in pieces, each in a stream of its own.
 *
 * out = a + b, three vectors of n floats in the memory of the host. The function does all that
 * there is to do with so many streams, and writes to *milliseconds how long it took from the first
 * copy to the end of the last.
 */
#ifndef KIT_PROBLEM_STREAMED_ADD_H
#define KIT_PROBLEM_STREAMED_ADD_H

#define KIT_ENTRY(name) \
  void name(const float *a, const float *b, float *out, int n, int streams, float *milliseconds)

#endif
