// copies.cu: structures and arrays that are copied and set, as nvcc 13 has them for sm_90: the
// comment in front of each kernel says which accesses it has then (see vectors.cu; "40 x": so many
// times). What stands once is in a loop. The program checks what the kernels compute.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Words {
  int at[50];
};
struct Numbers {
  double at[26];
};
struct Halves {
  short at[102];
};
struct Bytes {
  char at[201];
};

// 40 x st.global.b32
__global__ void own_row(int *out) {
  for (int k = 0; k < 40; k++) out[threadIdx.x * 40 + k] = 0;
}

// ld.global.b32 st.global.b32
__global__ void words(const Words *in, Words *out) { out[threadIdx.x] = in[threadIdx.x]; }

// ld.global.v2.b32 st.global.v2.b32
__global__ void numbers(const Numbers *in, Numbers *out) { out[threadIdx.x] = in[threadIdx.x]; }

// ld.global.b16 st.global.b16
__global__ void halves(const Halves *in, Halves *out) { out[threadIdx.x] = in[threadIdx.x]; }

// ld.global.b8 st.global.b8
__global__ void bytes(const Bytes *in, Bytes *out) { out[threadIdx.x] = in[threadIdx.x]; }

// Of memcpy nothing is known but bytes. ld.global.b8 st.global.b8
__global__ void called(const int *in, int *out) {
  memcpy(out + threadIdx.x * 50, in + threadIdx.x * 50, 200);
}

// st.local.b32 st.local.b32 ld.local.b32 st.global.b32
__global__ void zeros(int *out, int i) {
  int counts[64] = {0};
  counts[i] = i;
  out[threadIdx.x] = counts[threadIdx.x];
}

// st.local.v2.b32 st.local.b64 ld.local.b64 st.global.b64
__global__ void zeros_of_doubles(double *out, int i) {
  double sums[32] = {0};
  sums[i] = i;
  out[threadIdx.x] = sums[threadIdx.x];
}

// 6 x st.local.v4.b32 st.local.b32 ld.local.b32 st.global.b32
__global__ void few_zeros(int *out, int i) {
  int counts[24] = {0};
  counts[i] = i;
  out[threadIdx.x] = counts[threadIdx.x & 15];
}

// 8 x st.local.v4.b32 st.local.b32 ld.local.b32 st.global.b32
__global__ void ones(int *out, int i) {
  int counts[32];
  for (int k = 0; k < 32; k++) counts[k] = 1;
  counts[i] = i;
  out[threadIdx.x] = counts[threadIdx.x];
}

// A loop in a loop, of which a value is left. st.local.b32 st.local.b32 ld.local.b32 st.global.b32
__global__ void again(int *out, int turns) {
  int sum = 0;
#pragma unroll 1
  for (int t = 0; t < turns; t++) {
    int counts[64] = {0};
    counts[t & 63] = t + 1;
    sum += counts[sum & 63];
  }
  out[threadIdx.x] = sum;
}

template <typename T>
T *filled(int count, int step) {
  T *to;
  cudaMallocManaged(&to, count * sizeof *to);
  for (int i = 0; i < count; i++) to[i] = (T)(i * step % 101);
  return to;
}

template <typename T>
void check(const char *kernel, T *out, int count, const T *right) {
  cudaError_t error = cudaDeviceSynchronize();
  if (error) printf("%s: %s\n", kernel, cudaGetErrorString(error)), exit(1);
  for (int i = 0; i < count; i++)
    if (out[i] != right[i])
      printf("%s: %d is %g, not %g\n", kernel, i, (double)out[i], (double)right[i]), exit(1);
}

// Copies 32 structures, of so many elements each.
template <typename T, typename S>
void copies(const char *name, void (*kernel)(const S *, S *)) {
  const int count = 32 * sizeof(S) / sizeof(T);
  T *in = filled<T>(count, 7), *out = filled<T>(count, 0);
  kernel<<<1, 32>>>((S *)in, (S *)out);
  check(name, out, count, in);
}

// What a kernel of 32 threads writes is `rest`, but `special` in thread i.
template <typename T>
void sets(const char *name, void (*kernel)(T *, int), int i, T rest, T special) {
  T *out = filled<T>(32, 3), right[32];
  for (int k = 0; k < 32; k++) right[k] = k == i ? special : rest;
  kernel<<<1, 32>>>(out, i);
  check(name, out, 32, right);
}

int main() {
  int *row = filled<int>(32 * 40, 3), *none = filled<int>(32 * 50, 0);
  own_row<<<1, 32>>>(row);
  check("own_row", row, 32 * 40, none);
  copies<int>("words", words);
  copies<double>("numbers", numbers);
  copies<short>("halves", halves);
  copies<char>("bytes", bytes);
  int *in = filled<int>(32 * 50, 7);
  called<<<1, 32>>>(in, none);
  check("called", none, 32 * 50, in);
  sets("zeros", zeros, 9, 0, 9);
  sets("zeros_of_doubles", zeros_of_doubles, 9, 0., 9.);
  sets("ones", ones, 9, 1, 9);
  int *out = filled<int>(32, 3), right[32];
  few_zeros<<<1, 32>>>(out, 9);
  for (int k = 0; k < 32; k++) right[k] = k % 16 == 9 ? 9 : 0;
  check("few_zeros", out, 32, right);
  again<<<1, 32>>>(out, 10);
  for (int k = 0; k < 32; k++) right[k] = 15;
  check("again", out, 32, right);
}
