// layout.cu: the same records as an array of structures and as a structure of arrays.
#include "../suite.h"

namespace {

struct particle {
  float x, y, z, u, v, w, mass, charge;
};

// Everything that a particle has.
__global__ void move_structures(const particle *from, particle *to, float time, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particle p = from[i];
  p.x += p.u * time;
  p.y += p.v * time;
  p.z += p.w * time;
  to[i] = p;
}

__global__ void move_arrays(const float *from, float *to, float time, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 3; k++) to[k * n + i] = from[k * n + i] + from[(3 + k) * n + i] * time;
  for (int k = 3; k < 8; k++) to[k * n + i] = from[k * n + i];
}

// One of its eight floats.
__global__ void masses_of_structures(const particle *from, float *mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mass[i] = from[i].mass;
}

__global__ void masses_of_arrays(const float *from, float *mass, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mass[i] = from[6 * n + i];
}

// Three floats a record: a length that is no power of two.
__global__ void lengths_of_structures(const float3 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 v = in[i];
  out[i] = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

__global__ void lengths_of_arrays(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], y = in[n + i], z = in[2 * n + i];
  out[i] = sqrtf(x * x + y * y + z * z);
}

// ---- launches ----

void run_moves(int n) {
  for (int arrays = 0; arrays < 2; arrays++) {
    if (!next_launch(arrays ? "move_arrays" : "move_structures", dim3(cover(n, 256)), dim3(256),
                     "%d", n))
      continue;
    const float *from = input((size_t)8 * n);
    float *to = output((size_t)8 * n);
    if (arrays)
      launch(move_arrays, from, to, 0.5f, n);
    else
      launch(move_structures, (const particle *)from, (particle *)to, 0.5f, n);
    expect(to, (size_t)8 * n, [=](size_t i) {
      bool place = arrays ? i / n < 3 : i % 8 < 3;
      return value(i) + (place ? 0.5f * value(i + (arrays ? 3 * (size_t)n : 3)) : 0);
    });
  }
}

void run_masses(int n) {
  for (int arrays = 0; arrays < 2; arrays++) {
    if (!next_launch(arrays ? "masses_of_arrays" : "masses_of_structures", dim3(cover(n, 256)),
                     dim3(256), "%d", n))
      continue;
    const float *from = input((size_t)8 * n);
    float *mass = output(n);
    if (arrays)
      launch(masses_of_arrays, from, mass, n);
    else
      launch(masses_of_structures, (const particle *)from, mass, n);
    expect(
        mass, n, [=](size_t i) { return value(arrays ? 6 * (size_t)n + i : 8 * i + 6); }, 0);
  }
}

void run_lengths(int n) {
  for (int arrays = 0; arrays < 2; arrays++) {
    if (!next_launch(arrays ? "lengths_of_arrays" : "lengths_of_structures", dim3(cover(n, 256)),
                     dim3(256), "%d", n))
      continue;
    const float *in = input((size_t)3 * n);
    float *out = output(n);
    if (arrays)
      launch(lengths_of_arrays, in, out, n);
    else
      launch(lengths_of_structures, (const float3 *)in, out, n);
    expect(out, n, [=](size_t i) {
      double sum = 0;
      for (size_t k = 0; k < 3; k++) {
        double x = value(arrays ? k * n + i : 3 * i + k);
        sum += x * x;
      }
      return sqrt(sum);
    });
  }
}

}  // namespace

void family_layout() {
  for (int n : {100000, 1 << 22}) {
    run_moves(n);
    run_masses(n);
    run_lengths(n);
  }
}
