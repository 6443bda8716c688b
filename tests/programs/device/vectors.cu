// vectors.cu: accesses to neighbours that become one, as nvcc 13 has them for sm_90: the comment in
// front of each kernel says which it has then, of so many bits (language.sh compares them with the
// PTX). The program checks what the kernels compute.
#include <cstdio>
#include <cstdlib>

struct alignas(16) Cell {
  float weight;
  int count;
  float x, y;
};
struct Plain {
  float a, b, c, d;
};

// ld.global.v4.b32 st.global.b32
__global__ void all_four(const float4 *in, float *out) {
  float4 v = in[threadIdx.x];
  out[threadIdx.x] = v.x * v.y + v.z * v.w;
}

// ld.global.v4.b32 st.global.b32
__global__ void three_of_four(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y * in[threadIdx.x].z;
}

// ld.global.v2.b32 st.global.b32
__global__ void first_two(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].x - in[threadIdx.x].y;
}

// ld.global.b32 ld.global.b32 st.global.b32
__global__ void middle_two(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].y - in[threadIdx.x].z;
}

// ld.global.b32 ld.global.v2.b32 st.global.b32
__global__ void last_three(const float4 *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].y - in[threadIdx.x].z * in[threadIdx.x].w;
}

// Four bytes, together. ld.global.b32 st.global.b32
__global__ void colours(const uchar4 *in, uchar4 *out) {
  uchar4 c = in[threadIdx.x];
  out[threadIdx.x] = make_uchar4(c.z, c.y, c.x, 7);
}

// ld.global.v4.b32 st.global.b32
__global__ void kinds(const Cell *in, float *out) {
  const Cell &c = in[threadIdx.x];
  out[threadIdx.x] = c.weight * c.count + c.x - c.y;
}

// ld.global.b32 ld.global.b32 ld.global.b32 ld.global.b32 st.global.b32
__global__ void not_aligned(const Plain *in, float *out) {
  Plain v = in[threadIdx.x];
  out[threadIdx.x] = v.a * v.b + v.c * v.d;
}

// ld.global.b32 st.global.b32 ld.global.b32 st.global.b32
__global__ void store_between(float4 *in, float *out) {
  float x = in[threadIdx.x].x;
  out[threadIdx.x] = x;
  out[threadIdx.x + 32] = in[threadIdx.x].y + x;
}

// ld.global.v4.b32 st.shared.v4.b32 ld.shared.v4.b32 st.global.b32
__global__ void through_shared(const float4 *in, float *out) {
  __shared__ float4 tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float4 v = tile[31 - threadIdx.x];
  out[threadIdx.x] = v.x + v.y * v.z;
}

__device__ float4 read(const float *from) { return *reinterpret_cast<const float4 *>(from); }

// Their addresses are long sums. ld.global.v4.b32 ld.global.v4.b32 ld.global.v4.b32 ld.global.v4.b32 st.global.b32
__global__ void far_apart(const float *in, float *out, int n, int row) {
  float4 v[4];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 4) {
    for (int u = 0; u < 4; u++) v[u] = read(in + u * row + k);
    for (int u = 0; u < 4; u++) sum += v[u].x * v[u].y + v[u].z * v[u].w;
  }
  out[threadIdx.x] = sum;
}

// What the others write is none of what these read. ld.global.v4.b32 st.global.b32 st.global.b32
__global__ void beside_writers(float4 *data, float *out) {
  int i = threadIdx.x;
  if (i % 2)
    data[i - 1].w = 5;
  else
    out[i] = data[i].x + data[i].y * data[i].z;
}

// Which of two stores to one place comes last is seen. st.global.v2.b32 st.global.b32 st.global.v2.b32
__global__ void others_between(float4 *data, float *where) {
  data[threadIdx.x].x = 1;
  data[threadIdx.x].y = 2;
  where[4 * threadIdx.x] = 3;
  data[threadIdx.x].z = 4;
  data[threadIdx.x].w = 5;
}

static float *out;
static void check(const char *what, int i, float right) {
  if (out[i] == right) return;
  printf("%s: element %d is %g, not %g\n", what, i, out[i], right);
  exit(1);
}

int main() {
  float4 *in;
  uchar4 *pixels, *swapped;
  cudaMallocManaged(&in, 32 * sizeof *in);
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&pixels, 32 * sizeof *pixels);
  cudaMallocManaged(&swapped, 32 * sizeof *swapped);
  for (int i = 0; i < 32; i++) {
    in[i] = make_float4(i, 2 * i + 1, i - 5, 3);
    pixels[i] = make_uchar4(i, i + 1, i + 2, i + 3);
  }
#define EACH(call, right)                                         \
  call;                                                           \
  cudaDeviceSynchronize();                                        \
  for (int i = 0; i < 32; i++) {                                  \
    float4 v = in[i], other = in[31 - i];                         \
    (void)v, (void)other;                                         \
    check(#call, i, right);                                       \
  }
  EACH((all_four<<<1, 32>>>(in, out)), v.x * v.y + v.z * v.w)
  EACH((three_of_four<<<1, 32>>>(in, out)), v.x + v.y * v.z)
  EACH((first_two<<<1, 32>>>(in, out)), v.x - v.y)
  EACH((middle_two<<<1, 32>>>(in, out)), v.y - v.z)
  EACH((last_three<<<1, 32>>>(in, out)), v.y - v.z * v.w)
  EACH((not_aligned<<<1, 32>>>((Plain *)in, out)), v.x * v.y + v.z * v.w)
  EACH((store_between<<<1, 32>>>(in, out)), v.x)
  EACH((through_shared<<<1, 32>>>(in, out)), other.x + other.y * other.z)
  EACH((far_apart<<<1, 32>>>((float *)in, out, 4, 8)),
       0 * 1 + -5 * 3 + 2 * 5 + -3 * 3 + 4 * 9 + -1 * 3 + 6 * 13 + 1 * 3)
  for (int i = 0; i < 32; i++) ((Cell *)in)[i].count = i;
  kinds<<<1, 32>>>((Cell *)in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) check("kinds", i, i * i + i - 5 - 3);
  for (int i = 0; i < 32; i++) in[i].y = 2;
  beside_writers<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 2) check("beside_writers", i, i + 2 * (i - 5));
  others_between<<<1, 32>>>(in, (float *)in);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++) out[i] = in[i].x + 10 * in[i].y + 100 * in[i].z + 1000 * in[i].w;
  for (int i = 0; i < 32; i++) check("others_between", i, 5423);
  colours<<<1, 32>>>(pixels, swapped);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i++)
    if (swapped[i].x != i + 2 || swapped[i].y != i + 1 || swapped[i].z != i || swapped[i].w != 7)
      return printf("colours: pixel %d\n", i), 1;
}
