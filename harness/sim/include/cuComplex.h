/* cuComplex.h: complex numbers as pairs of floats or doubles, and their arithmetic (CUDA's
 * cuComplex.h). Quotients and absolute values are scaled, so that nothing overflows on the way. */
#ifndef KIT_CUCOMPLEX_H
#define KIT_CUCOMPLEX_H
#define CU_COMPLEX_H_

#pragma GCC system_header

#include <math.h>
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* f: the suffix of C's functions of the type, too. */
#define KIT_COMPLEX(complex, real, f)                                                     \
  __kit_both__ real cuCreal##f(complex x) { return x.x; }                                 \
  __kit_both__ real cuCimag##f(complex x) { return x.y; }                                 \
  __kit_both__ complex cuConj##f(complex x) { return make_##complex(x.x, -x.y); }         \
  __kit_both__ complex cuCadd##f(complex x, complex y) {                                  \
    return make_##complex(x.x + y.x, x.y + y.y);                                          \
  }                                                                                       \
  __kit_both__ complex cuCsub##f(complex x, complex y) {                                  \
    return make_##complex(x.x - y.x, x.y - y.y);                                          \
  }                                                                                       \
  __kit_both__ complex cuCmul##f(complex x, complex y) {                                  \
    return make_##complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                  \
  }                                                                                       \
  __kit_both__ complex cuCdiv##f(complex x, complex y) {                                  \
    real scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                       \
    real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;              \
    real inverse = 1 / (c * c + d * d);                                                   \
    return make_##complex((a * c + b * d) * inverse, (b * c - a * d) * inverse);          \
  }                                                                                       \
  __kit_both__ real cuCabs##f(complex x) {                                                \
    real a = fabs##f(x.x), b = fabs##f(x.y), most = a > b ? a : b, least = a > b ? b : a; \
    real ratio = least / most, length = most * sqrt##f(1 + ratio * ratio);                \
    return most == 0 || isinf(most) || isinf(least) ? most + least : length;              \
  }                                                                                       \
  __kit_both__ complex cuCfma##f(complex x, complex y, complex z) {                       \
    real re = x.x * y.x + z.x, im = x.x * y.y + z.y;                                      \
    return make_##complex(-(x.y * y.y) + re, x.y * y.x + im);                             \
  }

__kit_both__ cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
__kit_both__ cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
__kit_both__ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
KIT_COMPLEX(cuFloatComplex, float, f)
KIT_COMPLEX(cuDoubleComplex, double, )
#undef KIT_COMPLEX

__kit_both__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_double2(x.x, x.y);
}
__kit_both__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_float2((float)x.x, (float)x.y);
}

#endif
