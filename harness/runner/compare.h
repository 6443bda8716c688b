/* compare.h: two device arrays, element by element. */
#ifndef KIT_COMPARE_H
#define KIT_COMPARE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* The largest |a[i] - b[i]| of count floats in device memory; infinity if either holds a NaN. */
cudaError_t compare_arrays(const void *a, const void *b, size_t count, float *largest);

#endif
