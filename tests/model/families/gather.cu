// gather.cu: loads and stores through an array of indices.
#include "../suite.h"

namespace {

__global__ void gather(const float *in, const int *from, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[from[i]];
}

__global__ void scatter(const float *in, const int *to, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[to[i]] = in[i];
}

// Four indices a thread, so four loads at a time.
__global__ void gather_four(const float *in, const int4 *from, float4 *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count / 4) return;
  int4 at = from[i];
  out[i] = make_float4(in[at.x], in[at.y], in[at.z], in[at.w]);
}

// Whole records of 32 bytes, eight lanes each.
__global__ void gather_records(const float *in, const int *from, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[from[i / 8] * 8 + i % 8];
}

// Binary search: each load depends on the last one.
__global__ void search(const float *sorted, const float *wanted, int *place, int size, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float value = wanted[i];
  int low = 0, high = size;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  place[i] = low;
}

// Interpolates in a table that all threads share.
__global__ void look_up(const float *at, const float *table, float *out, int size, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = at[i] * (size - 1);
  int k = min((int)x, size - 2);
  out[i] = table[k] + (x - k) * (table[k + 1] - table[k]);
}

// ---- launches ----

// Any order within windows of `window` elements.
std::vector<int> within(int count, int window) {
  std::vector<int> order = permutation(window), all(count);
  for (int i = 0; i < count; i++) all[i] = i / window * window + order[i % window];
  return all;
}

void run(int count, int window, bool loads, bool four) {
  const char *name = four ? "gather_four" : loads ? "gather" : "scatter";
  int threads = four ? count / 4 : count;
  if (!next_launch(name, dim3(cover(threads, 256)), dim3(256), "%d floats, any of %d", count,
                   window))
    return;
  std::vector<int> order = within(count, window);
  const float *in = input(count);
  const int *index = upload(order);
  float *out = output(count);
  if (four)
    launch(gather_four, in, (const int4 *)index, (float4 *)out, count);
  else
    launch(loads ? gather : scatter, in, index, out, count);
  if (loads)
    expect(
        out, count, [&](size_t i) { return value(order[i]); }, 0);
  else
    for (size_t i = 0; i < 100; i++)
      expect(
          out + order[i], 1, [=](size_t) { return value(i); }, 0);
}

void run_search(int size, int count) {
  if (!next_launch("search", dim3(cover(count, 128)), dim3(128), "%d in %d floats", count, size))
    return;
  std::vector<float> sorted(size);
  for (int i = 0; i < size; i++) sorted[i] = (float)i / size;
  const float *table = upload(sorted), *wanted = input(count);
  int *place = output<int>(count);
  launch(search, table, wanted, place, size, count);
  expect(
      place, count,
      [&](size_t i) {
        return std::lower_bound(sorted.begin(), sorted.end(), value(i)) - sorted.begin();
      },
      0);
}

void run_records(int count) {
  if (!next_launch("gather_records", dim3(count / 256), dim3(256), "%d floats", count)) return;
  std::vector<int> order = permutation(count / 8);
  const float *in = input(count);
  const int *from = upload(order);
  float *out = output(count);
  launch(gather_records, in, from, out, count);
  expect(
      out, count, [&](size_t i) { return value((size_t)order[i / 8] * 8 + i % 8); }, 0);
}

void run_look_up(int size, int count) {
  if (!next_launch("look_up", dim3(cover(count, 256)), dim3(256), "%d in a table of %d", count,
                   size))
    return;
  const float *at = input(count), *table = input(size, 11);
  float *out = output(count);
  launch(look_up, at, table, out, size, count);
  expect(out, count, [=](size_t i) {
    float x = value(i) * (size - 1);
    int k = std::min((int)x, size - 2);
    return value(11 + k) + (x - k) * (value(12 + k) - value(11 + k));
  });
}

}  // namespace

void family_gather() {
  for (int count : {1 << 17, 1 << 20, 1 << 25}) {
    run(count, count, true, false);
    run(count, count, false, false);
  }
  for (int window : {32, 1024}) {
    run(1 << 22, window, true, false);
    run(1 << 22, window, false, false);
  }
  run(1 << 22, 1 << 22, true, true);
  run_records(1 << 22);
  run_records(1 << 25);
  run_search(1 << 12, 1 << 18);
  run_search(1 << 24, 1 << 20);
  for (int size : {1000, 1000000}) run_look_up(size, 1 << 22);
}
