// times.cu: how long the kernels of the labs' solutions take on a GPU, in the cases that labs show:
// ns of a launch among many like it, back to back on the same arrays, the median of 11 batches.
//
//     nvcc -std=c++17 -O3 -arch=native -lineinfo -o times tests/roofline/times.cu && ./times
//
// Prints a name as the roofline has it (plots/data/sim/roofline.tsv), a tab, and ns. With the
// argument `once` each kernel is launched once, and nothing printed: for a profiler.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace lab0 {
#include "../../solutions/lab0_first/lab0.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab1 {
#include "../../solutions/lab1_global/lab1.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab2 {
#include "../../solutions/lab2_tiled/lab2.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab3 {
#include "../../solutions/lab3_transpose/lab3.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab4 {
#include "../../solutions/lab4_padding/lab4.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab5 {
#include "../../solutions/lab5_panels/lab5.cu"
}
#undef CHECK
#undef BLOCK_X
#undef BLOCK_Y
namespace lab6 {
#include "../../solutions/lab6_overlap/lab6.cu"
}

enum { BATCHES = 11, MIN_LAUNCHES = 20 };
static const double batch_ns = 2e6;

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "times: %s: %s\n", what, cudaGetErrorString(error));
  exit(2);
}

static float *array_of(size_t elements) {
  float *array;
  check(cudaMalloc(&array, elements * sizeof *array), "cudaMalloc");
  std::vector<float> values(elements);
  for (size_t i = 0; i < elements; i++) values[i] = (float)(i % 61) / 61 - 0.5f;
  check(cudaMemcpy(array, values.data(), elements * sizeof *array, cudaMemcpyHostToDevice), "copy");
  return array;
}

static double batch(const std::function<void()> &launch, int launches, cudaEvent_t begin,
                    cudaEvent_t end) {
  float ms;
  check(cudaEventRecord(begin), "cudaEventRecord");
  for (int i = 0; i < launches; i++) launch();
  check(cudaEventRecord(end), "cudaEventRecord");
  check(cudaEventSynchronize(end), "cudaEventSynchronize");
  check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
  return ms * 1e6 / launches;
}

static bool once;

static void measure(const char *name, const std::function<void()> &launch) {
  launch();
  check(cudaDeviceSynchronize(), name);
  if (once) return;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  int launches = std::max((int)MIN_LAUNCHES,
                          (int)(batch_ns / batch(launch, MIN_LAUNCHES, begin, end)));
  std::vector<double> times;
  for (int i = 0; i < BATCHES; i++) times.push_back(batch(launch, launches, begin, end));
  std::sort(times.begin(), times.end());
  printf("%s\t%.0f\n", name, times[BATCHES / 2]);
  check(cudaEventDestroy(begin), "cudaEventDestroy");
  check(cudaEventDestroy(end), "cudaEventDestroy");
}

int main(int argc, char **argv) {
  once = argc > 1 && strcmp(argv[1], "once") == 0;
  const int million = 1 << 20;
  float *a = array_of(2 * million + 64), *b = array_of(2 * million + 64),
        *c = array_of(2 * million + 64);
  const int few = 200000, blocks = (few - 1) / lab0::BLOCK + 1;
  measure("lab0 add-timed add_kernel",
          [=] { lab0::add_kernel<<<blocks, lab0::BLOCK>>>(a, b, c, few); });
  measure("lab0 offset-1 offset_kernel", [=] { lab0::offset_copy(a, c, million, 1); });
  measure("lab0 stride-2 stride_kernel", [=] { lab0::stride_copy(a, c, million, 2); });
  measure("lab1 n512 matmul_global", [=] { lab1::matmul(a, b, c, 512, 512, 512); });
  measure("lab2 n512 matmul_tiled", [=] { lab2::matmul(a, b, c, 512, 512, 512); });
  measure("lab3 n1024 transpose_global", [=] { lab3::transpose(a, c, 1024, 1024); });
  measure("lab4 tiled-1024 tiled_kernel", [=] { lab4::transpose_tiled(a, c, 1024, 1024); });
  measure("lab4 pad-1024 padded_kernel", [=] { lab4::transpose_padded(a, c, 1024, 1024); });
  measure("lab5 global-1024 global_kernel", [=] { lab5::panel_global(a, b, c, 1024, 1024, 32); });
  measure("lab5 a-1024 shared_a_kernel", [=] { lab5::panel_shared_a(a, b, c, 1024, 1024, 32); });
  measure("lab5 ab-1024 shared_ab_kernel",
          [=] { lab5::panel_shared_ab(a, b, c, 1024, 1024, 32); });
  measure("lab5 gram-1024 gram_global_kernel", [=] { lab5::gram_global(a, c, 1024, 32); });
  measure("lab5 tiles-1024 gram_shared_kernel", [=] { lab5::gram_shared(a, c, 1024, 32); });
  const dim3 all(lab6::blocks_for(million));
  measure("lab6 pinned-1M add_kernel",
          [=] { lab6::add_kernel<<<all, lab6::BLOCK>>>(a, b, c, million); });
  return 0;
}
