// Columns are moved by cudaMemcpy2D, an element a row.
// most: 0
// says: no kernel was launched
static void turn(const float *in, float *out, int rows, int cols) {
  for (int j = 0; j < cols; j++)
    cudaMemcpy2D(out + (size_t)j * rows, sizeof(float), in + j, cols * sizeof(float), sizeof(float), rows,
                 cudaMemcpyDeviceToDevice);
}

void transpose_tiled(const float *in, float *out, int rows, int cols) { turn(in, out, rows, cols); }
void transpose_padded(const float *in, float *out, int rows, int cols) { turn(in, out, rows, cols); }
