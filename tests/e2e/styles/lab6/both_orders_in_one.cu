// Depth first and breadth first are the same function, which gets what is in its inner loop.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_STREAMS
#define OWN_ADD_BREADTH_FIRST
#include "rest.h"

// Depth first: all of a piece, then all of the next.
enum Part { COPY_IN = 1, ADD = 2, COPY_OUT = 4 };

// Issues these parts of a piece into its stream.
static void issue(const Device &device, const Pinned &pinned, Piece piece, int parts,
                  cudaStream_t stream) {
  auto [first, count] = piece;
  size_t bytes = count * sizeof(float);
  if (count == 0) return;
  if (parts & COPY_IN) {
    CHECK(
        cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(
        cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice, stream));
  }
  if (parts & ADD) {
    add_kernel<<<blocks_for(count), BLOCK, 0, stream>>>(device.a + first, device.b + first,
                                                        device.out + first, count);
    CHECK(cudaGetLastError());
  }
  if (parts & COPY_OUT)
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream));
}

// One loop over the pieces for each of these.
static void add_in_pieces(const float *a, const float *b, float *out, int n, int streams,
                          float *milliseconds, const std::vector<int> &loops) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  CHECK(cudaEventRecord(device.start));
  for (int parts : loops)
    for (int i = 0; i < streams; i++)
      issue(device, pinned, piece_of(n, streams, i), parts, stream[i]);
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  add_in_pieces(a, b, out, n, streams, milliseconds, {COPY_IN | ADD | COPY_OUT});
}

// Breadth first: all copies to the device, then all kernels, then all copies to the host.
void add_breadth_first(const float *a, const float *b, float *out, int n, int streams,
                       float *milliseconds) {
  add_in_pieces(a, b, out, n, streams, milliseconds, {COPY_IN, ADD, COPY_OUT});
}
