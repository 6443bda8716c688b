// Lets the runtime copy each row of in into a column of out: right, but no kernel did it.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// reason: no kernel was launched
void transpose(const float *in, float *out, int rows, int cols) {
  for (int row = 0; row < rows; row++)
    cudaMemcpy2D(out + row, rows * sizeof(float), in + row * cols, sizeof(float), sizeof(float),
                 cols, cudaMemcpyDeviceToDevice);
}
