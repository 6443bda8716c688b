// sparse.cu: a sparse matrix times a vector, and steps over a graph: rows of different lengths, columns anywhere.
#include "../suite.h"

namespace {

__global__ void spmv_thread(const int *start, const int *column, const float *element,
                            const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++) sum += element[k] * x[column[k]];
  y[row] = sum;
}

__global__ void spmv_warp(const int *start, const int *column, const float *element, const float *x,
                          float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += element[k] * x[column[k]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

// ELLPACK: every row has `width` elements, stored column by column.
__global__ void spmv_ellpack(const int *column, const float *element, const float *x, float *y,
                             int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) sum += element[k * rows + row] * x[column[k * rows + row]];
  y[row] = sum;
}

// The least distance over all edges into a node: one step of Bellman and Ford.
__global__ void relax(const int *start, const int *column, const float *length,
                      const float *distance, float *next, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float least = distance[node];
  for (int k = start[node]; k < start[node + 1]; k++)
    least = fminf(least, distance[column[k]] + length[k]);
  next[node] = least;
}

// ---- launches ----

struct matrix {
  std::vector<int> start, column;
};

// Rows have 0 to 2 `mean` elements; columns are near the diagonal (`band`) or, if it is 0, anywhere.
matrix make_matrix(int rows, int mean, int band) {
  matrix m;
  m.start.push_back(0);
  for (int row = 0; row < rows; row++) {
    int length = (int)(bits(row) % (2 * mean + 1));
    for (int k = 0; k < length; k++) {
      unsigned any = bits(m.column.size() + 12345);
      m.column.push_back(band ? std::min(rows - 1, std::max(0, row - band / 2 + (int)(any % band)))
                              : (int)(any % rows));
    }
    m.start.push_back((int)m.column.size());
  }
  return m;
}

using sparse = void (*)(const int *, const int *, const float *, const float *, float *, int);

void run(const char *name, sparse kernel, int rows, int mean, int band) {
  int threads = kernel == spmv_warp ? rows * 32 : rows;
  if (!next_launch(name, dim3(cover(threads, 128)), dim3(128), "%d rows of %d, band %d", rows, mean,
                   band))
    return;
  matrix m = make_matrix(rows, mean, band);
  const int *start = upload(m.start), *column = upload(m.column);
  const float *element = input(m.column.size()), *x = input(rows, 3);
  float *y = output(rows);
  launch(kernel, start, column, element, x, y, rows);
  expect(y, rows, [&](size_t row) {
    double sum = 0, least = value(3 + row);
    for (int k = m.start[row]; k < m.start[row + 1]; k++) {
      sum += (double)value(k) * value(3 + m.column[k]);
      least = std::min(least, (double)value(3 + m.column[k]) + value(k));
    }
    return kernel == relax ? least : sum;
  });
}

void run_ellpack(int rows, int width) {
  if (!next_launch("spmv_ellpack", dim3(cover(rows, 128)), dim3(128), "%d rows of %d", rows, width))
    return;
  std::vector<int> columns((size_t)rows * width);
  for (size_t i = 0; i < columns.size(); i++) columns[i] = (int)(bits(i) % rows);
  const int *column = upload(columns);
  const float *element = input(columns.size()), *x = input(rows, 3);
  float *y = output(rows);
  launch(spmv_ellpack, column, element, x, y, rows, width);
  expect(y, rows, [&](size_t row) {
    double sum = 0;
    for (int k = 0; k < width; k++)
      sum += (double)value((size_t)k * rows + row) * value(3 + columns[(size_t)k * rows + row]);
    return sum;
  });
}

}  // namespace

void family_sparse() {
  run("spmv_thread", spmv_thread, 20000, 10, 0);
  run("spmv_thread", spmv_thread, 1000000, 10, 0);
  run("spmv_thread", spmv_thread, 1000000, 10, 100);
  run("spmv_warp", spmv_warp, 20000, 50, 0);
  run("spmv_warp", spmv_warp, 200000, 50, 1000);
  run_ellpack(500000, 16);
  run("relax", relax, 300000, 8, 0);
}
