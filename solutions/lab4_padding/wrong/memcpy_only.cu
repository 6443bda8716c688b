// Copies the array as it is and calls no kernel.
// verdict: fail
// loses: tiled_small tiled_any pad_small pad_any barrier memory tiled_global tiled_banks pad_global pad_banks pad_time
// reason: no kernel was launched
void transpose_tiled(const float *in, float *out, int rows, int cols) {
  cudaMemcpy(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  transpose_tiled(in, out, rows, cols);
}
