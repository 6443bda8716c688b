/* vector_functions.h: make_char1 .. make_double4. */
#ifndef KIT_VECTOR_FUNCTIONS_H
#define KIT_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define KIT_MAKE(base, type)                                            \
  __kit_both__ base##1 make_##base##1(type x) {                         \
    base##1 v = {x};                                                    \
    return v;                                                           \
  }                                                                     \
  __kit_both__ base##2 make_##base##2(type x, type y) {                 \
    base##2 v = {x, y};                                                 \
    return v;                                                           \
  }                                                                     \
  __kit_both__ base##3 make_##base##3(type x, type y, type z) {         \
    base##3 v = {x, y, z};                                              \
    return v;                                                           \
  }                                                                     \
  __kit_both__ base##4 make_##base##4(type x, type y, type z, type w) { \
    base##4 v = {x, y, z, w};                                           \
    return v;                                                           \
  }

KIT_MAKE(char, signed char)
KIT_MAKE(uchar, unsigned char)
KIT_MAKE(short, short)
KIT_MAKE(ushort, unsigned short)
KIT_MAKE(int, int)
KIT_MAKE(uint, unsigned int)
KIT_MAKE(long, long)
KIT_MAKE(ulong, unsigned long)
KIT_MAKE(longlong, long long)
KIT_MAKE(ulonglong, unsigned long long)
KIT_MAKE(float, float)
KIT_MAKE(double, double)
#undef KIT_MAKE

#endif
