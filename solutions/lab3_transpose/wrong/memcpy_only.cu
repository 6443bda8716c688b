// "A transpose only renames rows and columns": copies the array as it is, without a kernel.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// reason: no kernel was launched
void transpose(const float *in, float *out, int rows, int cols) {
  cudaMemcpy(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
}
