// A stream of its own that is waited for, not blocking the others.
// least: 82
#include "good.h"

void transpose(const float *in, float *out, int rows, int cols) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  good(in, out, rows, cols, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
