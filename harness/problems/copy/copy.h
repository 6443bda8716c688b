/* copy.h: copies of a vector by different accesses, which the student writes.
 *
 * in and out are vectors of floats in device memory, out of n elements; PATTERN says what goes
 * where, and step is its number (copy_place in places.h). The function launches its kernel; when it
 * returns it need not have finished.
 */
#ifndef KIT_PROBLEM_COPY_H
#define KIT_PROBLEM_COPY_H

#define KIT_ENTRY(name) void name(const float *in, float *out, int n, int step)

#endif
