// sort.cu: bitonic and odd-even sorting, merging.
#include "../suite.h"

namespace {

// Each block sorts its own 2 x 512 elements in shared memory.
__global__ void bitonic_block(const float *in, float *out) {
  enum { COUNT = 1024 };
  __shared__ float all[COUNT];  // thread x writes [x] and [x + 512], then the two that it compares
  int x = threadIdx.x, first = blockIdx.x * COUNT;
  all[x] = in[first + x];
  all[x + COUNT / 2] = in[first + x + COUNT / 2];
  for (int size = 2; size <= COUNT; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();  // read after write: what the last step left
      int low = 2 * x - (x & (step - 1)), high = low + step;
      bool rising = (low & size) == 0;
      float a = all[low], b = all[high];
      if ((a > b) == rising) all[low] = b, all[high] = a;
    }
  __syncthreads();  // read after write: what the last step left
  out[first + x] = all[x];
  out[first + x + COUNT / 2] = all[x + COUNT / 2];
}

// One step over all of an array: each thread compares two elements `step` apart.
__global__ void bitonic_step(const float *in, float *out, int size, int step, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count / 2) return;
  int low = 2 * i - (i & (step - 1)), high = low + step;
  bool rising = (low & size) == 0;
  float a = in[low], b = in[high];
  out[low] = rising ? fminf(a, b) : fmaxf(a, b);
  out[high] = rising ? fmaxf(a, b) : fminf(a, b);
}

// Each thread finds by binary search where its element goes between those of the other half of its pair of sorted runs.
__global__ void merge_runs(const float *in, float *out, int run, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int own = i / run, other = own ^ 1, low = 0, high = run;
  float value = in[i];
  while (low < high) {
    int middle = (low + high) / 2;
    float there = in[other * run + middle];
    if (there < value || (there == value && own % 2 == 1))
      low = middle + 1;
    else
      high = middle;
  }
  out[own / 2 * 2 * run + i % run + low] = value;
}

// ---- launches ----

// Parts of `part` values, each sorted.
std::vector<float> sorted(size_t count, size_t part) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; i++) all[i] = value(i);
  for (size_t i = 0; i < count; i += part) std::sort(all.begin() + i, all.begin() + i + part);
  return all;
}

void run_block(int count) {
  if (!next_launch("bitonic_block", dim3(count / 1024), dim3(512), "%d floats", count)) return;
  const float *in = input(count);
  float *out = output(count);
  launch(bitonic_block, in, out);
  if (!program_checks()) return;
  std::vector<float> want = sorted(count, 1024);
  expect(
      out, count, [&](size_t i) { return want[i]; }, 0);
}

void run_step(int size, int step, int count) {
  if (!next_launch("bitonic_step", dim3(count / 512), dim3(256), "%d floats, step %d", count, step))
    return;
  const float *in = input(count);
  float *out = output(count);
  launch(bitonic_step, in, out, size, step, count);
  expect(
      out, count,
      [=](size_t i) {
        bool low = (i & step) == 0, rising = ((i & ~(size_t)step) & size) == 0;
        float here = value(i), there = value(i ^ step);
        return low == rising ? std::min(here, there) : std::max(here, there);
      },
      0);
}

void run_merge(int run, int count) {
  if (!next_launch("merge_runs", dim3(cover(count, 256)), dim3(256), "%d floats, runs of %d", count,
                   run))
    return;
  const float *in = upload(sorted(count, run));
  float *out = output(count);
  launch(merge_runs, in, out, run, count);
  if (!program_checks()) return;
  std::vector<float> want = sorted(count, 2 * run);
  expect(
      out, count, [&](size_t i) { return want[i]; }, 0);
}

}  // namespace

void family_sort() {
  for (int count : {1 << 14, 1 << 22}) run_block(count);
  run_step(1 << 12, 1, 1 << 24);
  run_step(1 << 24, 1 << 23, 1 << 24);
  run_merge(1024, 1 << 16);
  run_merge(1 << 15, 1 << 22);
}
