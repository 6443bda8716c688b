// nbody.cu: every body pulls at every other one: much arithmetic, little memory.
#include "../suite.h"

namespace {

// Adds to `sum` what a body at `other` of mass other.w does to one at `here`.
__device__ void pull(float4 here, float4 other, float3 *sum) {
  float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
  float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
  float force = other.w * inverse * inverse * inverse;
  sum->x += x * force;
  sum->y += y * force;
  sum->z += z * force;
}

__global__ void nbody_global(const float4 *body, float4 *acceleration, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 here = body[i];
  float3 sum = make_float3(0, 0, 0);
  for (int k = 0; k < n; k++) pull(here, body[k], &sum);
  acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// Tiles of as many bodies as a block has threads; n is a multiple of it.
template <int THREADS>
__global__ void nbody_shared(const float4 *body, float4 *acceleration, int n) {
  __shared__ float4 tile[THREADS];  // thread x writes [x]
  int i = blockIdx.x * THREADS + threadIdx.x;
  float4 here = body[i];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += THREADS) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();  // read after write: the others' bodies
    for (int k = 0; k < THREADS; k++) pull(here, tile[k], &sum);
    __syncthreads();  // write after read: before the next tile
  }
  acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// The least distance to any of the centres: the step of k-means that assigns points.
__global__ void nearest(const float *x, const float *y, const float *centre, int *own,
                        float *distance, int n, int centres) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float here_x = x[i], here_y = y[i], least = 1e30f;
  int best = 0;
  for (int k = 0; k < centres; k++) {
    float dx = here_x - centre[2 * k], dy = here_y - centre[2 * k + 1], square = dx * dx + dy * dy;
    if (square < least) least = square, best = k;
  }
  own[i] = best;
  distance[i] = sqrtf(least);
}

// ---- launches ----

void run(const char *name, void (*kernel)(const float4 *, float4 *, int), int n, int threads) {
  if (!next_launch(name, dim3(cover(n, threads)), dim3(threads), "%d bodies, block %d", n, threads))
    return;
  const float *body = input((size_t)4 * n);
  float *acceleration = output((size_t)4 * n);
  launch(kernel, (const float4 *)body, (float4 *)acceleration, n);
  expect(
      acceleration, std::min(4 * n, 64),
      [=](size_t i) {
        double sum = 0;
        for (int k = 0; k < n && i % 4 < 3; k++) {
          double square = 0.01;
          for (int d = 0; d < 3; d++) {
            double difference = (double)value(4 * k + d) - value(i / 4 * 4 + d);
            square += difference * difference;
          }
          sum += value(4 * k + 3) * ((double)value(4 * k + i % 4) - value(i)) /
                 (square * sqrt(square));
        }
        return sum;
      },
      1e-2);
}

void run_nearest(int n, int centres) {
  if (!next_launch("nearest", dim3(cover(n, 256)), dim3(256), "%d points, %d centres", n, centres))
    return;
  const float *x = input(n), *y = input(n, 3), *centre = input(2 * centres, 17);
  int *own = output<int>(n);
  float *distance = output(n);
  launch(nearest, x, y, centre, own, distance, n, centres);
  expect(distance, n, [=](size_t i) {
    double least = 1e30;
    for (int k = 0; k < centres; k++) {
      double dx = (double)value(i) - value(17 + 2 * k),
             dy = (double)value(3 + i) - value(18 + 2 * k);
      least = std::min(least, sqrt(dx * dx + dy * dy));
    }
    return least;
  });
}

}  // namespace

void family_nbody() {
  for (int n : {1000, 16384}) run("nbody_global", nbody_global, n, 128);
  for (int n : {4096, 65536}) run("nbody_shared<256>", nbody_shared<256>, n, 256);
  run("nbody_shared<64>", nbody_shared<64>, 8192, 64);
  run_nearest(100000, 16);
  run_nearest(1 << 22, 64);
}
