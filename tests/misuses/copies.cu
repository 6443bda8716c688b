// copies.cu: copies and fills with wrong pointers, sizes, pitches, directions.
#include <cstring>

#include "misuse.h"

static int plain[64], other[64];

MISUSE(copy_to_null) { TRY(cudaMemcpy(NULL, plain, 64, cudaMemcpyHostToDevice)); }
MISUSE(copy_from_null) { TRY(cudaMemcpy(device_memory(16), NULL, 64, cudaMemcpyHostToDevice)); }
MISUSE(copy_null_to_host) { TRY(cudaMemcpy(plain, NULL, 64, cudaMemcpyDeviceToHost)); }
MISUSE(copy_nothing_to_null) { TRY(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice)); }
MISUSE(copy_unknown_direction) { TRY(cudaMemcpy(device_memory(16), plain, 64, (cudaMemcpyKind)9)); }
MISUSE(copy_in_wrong_direction) {
  TRY(cudaMemcpy(device_memory(16), plain, 64, cudaMemcpyDeviceToHost));
}
MISUSE(copy_out_wrong_direction) {
  TRY(cudaMemcpy(plain, device_memory(16), 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_host_as_device) { TRY(cudaMemcpy(plain, other, 64, cudaMemcpyDeviceToDevice)); }
MISUSE(copy_host_to_itself_as_device) { TRY(cudaMemcpy(plain, other, 64, cudaMemcpyHostToDevice)); }
MISUSE(copy_device_as_host) {
  int *p = device_memory(16), *q = device_memory(16);
  TRY(cudaMemcpy(p, q, 64, cudaMemcpyHostToHost));
}
MISUSE(copy_device_to_device_as_in) {
  int *p = device_memory(16), *q = device_memory(16);
  NEED(cudaMemset(q, 0, 64));
  TRY(cudaMemcpy(p, q, 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_in_as_device_to_device) {
  TRY(cudaMemcpy(device_memory(16), plain, 64, cudaMemcpyDeviceToDevice));
}
static int *pinned() {
  int *pointer = NULL;
  NEED(cudaMallocHost(&pointer, 64));
  return pointer;
}
static int *managed() {
  int *pointer = NULL;
  NEED(cudaMallocManaged(&pointer, 64));
  return pointer;
}
MISUSE(copy_to_pinned_as_in) { TRY(cudaMemcpy(pinned(), plain, 64, cudaMemcpyHostToDevice)); }
MISUSE(copy_from_pinned_as_out) { TRY(cudaMemcpy(plain, pinned(), 64, cudaMemcpyDeviceToHost)); }
MISUSE(copy_between_pinned_as_device) {
  TRY(cudaMemcpy(pinned(), pinned(), 64, cudaMemcpyDeviceToDevice));
}
MISUSE(copy_between_pinned_as_in) {
  TRY(cudaMemcpy(pinned(), pinned(), 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_device_to_pinned_as_in) {
  int *p = device_memory(16);
  NEED(cudaMemset(p, 0, 64));
  TRY(cudaMemcpy(pinned(), p, 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_pinned_to_device_as_out) {
  TRY(cudaMemcpy(device_memory(16), pinned(), 64, cudaMemcpyDeviceToHost));
}
MISUSE(copy_to_pinned_as_in_async) {
  TRY(cudaMemcpyAsync(pinned(), plain, 64, cudaMemcpyHostToDevice, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(copy_rows_to_pinned_as_in) {
  TRY(cudaMemcpy2D(pinned(), 16, plain, 16, 16, 4, cudaMemcpyHostToDevice));
}
MISUSE(copy_to_managed_as_out) { TRY(cudaMemcpy(managed(), plain, 64, cudaMemcpyDeviceToHost)); }
MISUSE(copy_between_managed_as_host) {
  int *p = managed(), *q = managed();
  NEED(cudaMemset(q, 0, 64));
  TRY(cudaMemcpy(p, q, 64, cudaMemcpyHostToHost));
}
MISUSE(fill_pinned) { TRY(cudaMemset(pinned(), 0, 64)); }
MISUSE(copy_swapped_arguments) { TRY(cudaMemcpy(plain, device_memory(16), 64, cudaMemcpyDefault)); }
MISUSE(copy_beyond_the_end) {
  static char large[1 << 20];
  TRY(cudaMemcpy(device_memory(256), large, sizeof large, cudaMemcpyHostToDevice));
}
MISUSE(copy_4_bytes_beyond_the_end) {
  static char large[4096];
  TRY(cudaMemcpy(device_memory(256), large, 1028, cudaMemcpyHostToDevice));
}
MISUSE(copy_from_before_the_start) {
  TRY(cudaMemcpy(plain, device_memory(256) - (8 << 20), 64, cudaMemcpyDeviceToHost));
}
MISUSE(copy_negative_size) {
  int count = -4;
  TRY(cudaMemcpy(device_memory(16), plain, count * sizeof(int), cudaMemcpyHostToDevice));
}
MISUSE(copy_after_free) {
  int *p = device_memory(64 << 20);
  TRY(cudaFree(p));
  TRY(cudaMemcpy(p, plain, 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_overlapping) {
  int *p = device_memory(64);
  NEED(cudaMemset(p, 0, 256));
  TRY(cudaMemcpy(p + 4, p, 128, cudaMemcpyDeviceToDevice));
}
MISUSE(copy_to_pointer_in_device_memory) {
  int **table;  // p[0] would have to be read by the host
  NEED(cudaMalloc(&table, 64));
  NEED(cudaMemset(table, 0, 64));
  TRY(cudaMemcpy(table[0], plain, 64, cudaMemcpyHostToDevice));
}
MISUSE(copy_async_unknown_direction) {
  TRY(cudaMemcpyAsync(device_memory(16), plain, 64, (cudaMemcpyKind)9, 0));
}
MISUSE(copy_async_destroyed_stream) {
  cudaStream_t stream = new_stream();
  int *p = device_memory(16);
  NEED(cudaStreamDestroy(stream));
  TRY(cudaMemcpyAsync(p, plain, 64, cudaMemcpyHostToDevice, stream));
}
MISUSE(copy_async_after_free) {
  int *p = device_memory(64 << 20);
  TRY(cudaFree(p));
  TRY(cudaMemcpyAsync(p, plain, 64, cudaMemcpyHostToDevice, 0));
  TRY(cudaDeviceSynchronize());
}
MISUSE(copy_2d_width_over_pitch) {
  TRY(cudaMemcpy2D(device_memory(16), 8, plain, 32, 16, 2, cudaMemcpyHostToDevice));
}
MISUSE(copy_2d_width_over_host_pitch) {
  TRY(cudaMemcpy2D(device_memory(16), 32, plain, 8, 16, 2, cudaMemcpyHostToDevice));
}
MISUSE(copy_2d_pitch_too_large) {
  TRY(cudaMemcpy2D(device_memory(16), (size_t)1 << 40, plain, 16, 16, 2, cudaMemcpyHostToDevice));
}
MISUSE(copy_2d_beyond_the_end) {
  TRY(cudaMemcpy2D(device_memory(16), 16, plain, 16, 16, 5, cudaMemcpyHostToDevice));
}
MISUSE(copy_2d_far_beyond_the_end) {
  static char large[1 << 20];
  TRY(cudaMemcpy2D(device_memory(16), 1024, large, 1024, 1024, 1000, cudaMemcpyHostToDevice));
}
MISUSE(copy_2d_no_rows) {
  TRY(cudaMemcpy2D(device_memory(16), 16, plain, 16, 16, 0, cudaMemcpyHostToDevice));
}
MISUSE(copy_3d_null) { TRY(cudaMemcpy3D(NULL)); }
MISUSE(copy_3d_from_nowhere) {
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.dstPtr = make_cudaPitchedPtr(plain, 16, 16, 1);
  copy.extent = make_cudaExtent(16, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  TRY(cudaMemcpy3D(&copy));
}
MISUSE(copy_3d_beyond_the_box) {
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(plain, 16, 16, 2);
  copy.dstPtr = make_cudaPitchedPtr(device_memory(64), 16, 16, 2);
  copy.extent = make_cudaExtent(20, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  TRY(cudaMemcpy3D(&copy));
}
MISUSE(copy_peer_no_such_device) {
  int count;
  NEED(cudaGetDeviceCount(&count));
  int *p = device_memory(16), *q = device_memory(16);
  TRY(cudaMemcpyPeer(p, count, q, 0, 64));
}
MISUSE(copy_peer_from_host) { TRY(cudaMemcpyPeer(device_memory(16), 0, plain, 0, 64)); }

MISUSE(fill_null) { TRY(cudaMemset(NULL, 0, 4)); }
MISUSE(fill_host) { TRY(cudaMemset(plain, 0, 4)); }
MISUSE(fill_beyond_the_end) { TRY(cudaMemset(device_memory(16), 0, 8 << 20)); }
MISUSE(fill_4_bytes_beyond_the_end) { TRY(cudaMemset(device_memory(16), 0, 68)); }
MISUSE(fill_after_free) {
  int *p = device_memory(64 << 20);
  TRY(cudaFree(p));
  TRY(cudaMemset(p, 0, 64));
}
MISUSE(fill_2d_width_over_pitch) { TRY(cudaMemset2D(device_memory(16), 8, 0, 16, 2)); }
MISUSE(fill_async_host) {
  TRY(cudaMemsetAsync(plain, 0, 64, 0));
  TRY(cudaDeviceSynchronize());
}
