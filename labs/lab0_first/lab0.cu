// Lab 0: first kernels: a sum of vectors from allocation to free, and copies whose traffic you
// predict.
//
//   make lab0 && ./grade lab0              build and grade labs/lab0_first/lab0.cu
//   ./grade lab0 --explain                 the counters of every line of it
//   ./grade lab0 --sweep                   your two copies over all offsets and strides
//
// ANSWERS: predict first, then run. Write a number behind each =. A request is one load of a warp,
// of one float for each of its 32 lanes; memory moves in sectors of 32 bytes, which begin at
// multiples of 32, and four of them are a line of 128 bytes.
//
// What multiple of bytes do the addresses that cudaMalloc returns have at least?
//   alignment =
// offset_copy, out[i] = in[i + offset]: how many sectors does a request move
// at offset 0, 1, 8, 31 and 32, and how many lines does it touch at offset 1?
//   offset_0 =
//   offset_1 =
//   offset_8 =
//   offset_31 =
//   offset_32 =
//   offset_1_lines =
// stride_copy, out[i] = in[i * stride]: how many sectors at stride 2, 4, 8 and 32?
//   stride_2 =
//   stride_4 =
//   stride_8 =
//   stride_32 =
// Of the bytes that these loads move, how many percent does the copy use?
//   used_offset_1 =
//   used_stride_2 =
//   used_stride_8 =
// The three copies at the end of this file: how many sectors does a request of permuted_copy with
// mask 5, of repeated_copy with 32 and with 4, of partial_copy with 20 lanes and with 8?
//   permuted_5 =
//   repeated_32 =
//   repeated_4 =
//   partial_20 =
//   partial_8 =
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

constexpr int BLOCK = 256;  // threads of a block: 8 warps

// out[i] = a[i] + b[i], one thread an element.
__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  // TODO(1) Which element is this thread's? The last block may reach past n: a thread without an
  // element does nothing.
  (void)a, (void)b, (void)out, (void)n;
}

// Called by the harness with pointers into the memory of the HOST, where no kernel can go. Adds a
// and b on the device, and writes how long the kernel took, in milliseconds, to *milliseconds.
void vector_add(const float *a, const float *b, float *out, int n, float *milliseconds) {
  // TODO(2) Allocate three vectors on the device, and copy a and b there.
  //
  // TODO(3) Create two events. Record one, launch add_kernel, record the other: nothing else
  // stands between them. A launch that fails says so only if you ask: CHECK(cudaGetLastError()).
  //
  // TODO(4) A launch returns before its kernel has run. Wait for the second event, then ask for
  // the time between the two.
  //
  // TODO(5) Copy the result to out. Destroy the events, free the three vectors.
  (void)a, (void)b, (void)out, (void)n, (void)milliseconds;
}

__global__ void offset_kernel(const float *in, float *out, int n, int offset) {
  // TODO(6) out[i] = in[i + offset] for every i below n; in has n + offset elements.
  (void)in, (void)out, (void)n, (void)offset;
}

__global__ void stride_kernel(const float *in, float *out, int n, int stride) {
  // TODO(7) out[i] = in[i * stride] for every i below n; in has (n - 1) * stride + 1 elements.
  (void)in, (void)out, (void)n, (void)stride;
}

// Called by the harness, as all that follow, with pointers into the memory of the device.
// TODO(8) In both: as many blocks as it takes to have a thread for each of n elements; round up.
void offset_copy(const float *in, float *out, int n, int offset) {
  offset_kernel<<<1, BLOCK>>>(in, out, n, offset);
  CHECK(cudaGetLastError());
}

void stride_copy(const float *in, float *out, int n, int stride) {
  stride_kernel<<<1, BLOCK>>>(in, out, n, stride);
  CHECK(cudaGetLastError());
}

// --- What follows is to be looked at, and stays as it is. ---

// Neighbours within a line change places.
__global__ void permuted_kernel(const float *in, float *out, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i ^ mask];
}

void permuted_copy(const float *in, float *out, int n, int mask) {
  permuted_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, mask);
  CHECK(cudaGetLastError());
}

// Several lanes read the same word.
__global__ void repeated_kernel(const float *in, float *out, int n, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i / times];
}

void repeated_copy(const float *in, float *out, int n, int times) {
  repeated_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, times);
  CHECK(cudaGetLastError());
}

// Only the first lanes of each warp read; the others write 0.
__global__ void partial_kernel(const float *in, float *out, int n, int lanes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 32 < lanes ? in[i] : 0.0f;
}

void partial_copy(const float *in, float *out, int n, int lanes) {
  partial_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, lanes);
  CHECK(cudaGetLastError());
}
