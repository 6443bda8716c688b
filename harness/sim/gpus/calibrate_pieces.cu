// calibrate_pieces.cu: accesses that are no whole rows of an array: pieces anywhere, columns,
// strides, parts of sectors; and as many at once as there are warps and loads of each.
#include "calibrate.cuh"

__device__ static unsigned load(const char *p) { return __ldcg((const unsigned *)p); }
__device__ static void store(char *p) { *(unsigned *)p = 0; }

__device__ static unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x45d9f3bu;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  return x ^ x >> 16;
}

// Each warp moves pieces of `piece` bytes (a power of two) that lie anywhere among so many.
template <bool STORES>
__global__ void pieces(char *base, unsigned piece, unsigned mask, int turns, unsigned first) {
  unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, x = 0;
  unsigned each = piece < 128 ? piece / 4 : 32;    // lanes of a piece
  unsigned again = piece < 128 ? 1 : piece / 128;  // requests for a piece
  for (int i = 0; i < turns; i += 4) {
    unsigned v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      unsigned request = first + warp * turns + i + k;
      unsigned which = hash(request / again * (32 / each) + lane / each) & mask;
      char *p = base + (size_t)which * piece + request % again * 128 + lane % each * 4;
      if (STORES)
        store(p);
      else
        v[k] = load(p);
    }
    if (!STORES)
#pragma unroll
      for (int k = 0; k < 4; k++) x += v[k];
  }
  if (x) base[0] = 1;
}

// A matrix of rows of `pitch` bytes, in bands of `piece` bytes: requests go down the rows of a
// band, then through the next.
template <bool STORES>
__global__ void bands(char *base, unsigned piece, unsigned pitch, unsigned rows_all) {
  enum { EACH = 8 };
  unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, x = 0;
  unsigned each = piece / 4, of_request = 32 / each, v[EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    unsigned down = (warp * EACH + k) * of_request + lane / each;
    char *p = base + (size_t)(down % rows_all) * pitch + (size_t)(down / rows_all) * piece +
              lane % each * 4;
    if (STORES)
      store(p);
    else
      v[k] = load(p);
  }
  if (!STORES)
#pragma unroll
    for (int k = 0; k < EACH; k++) x += v[k];
  if (x) base[0] = 1;
}

// Element i lies `apart` bytes from the last, all of them over and over in `mask` + 1 bytes.
template <bool STORES>
__global__ void strided(char *base, unsigned apart, size_t mask) {
  enum { EACH = 8 };
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x,
         threads = (size_t)gridDim.x * blockDim.x;
  unsigned v[EACH], x = 0;
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    char *p = base + ((thread + k * threads) * apart & mask);
    if (STORES)
      store(p);
    else
      v[k] = load(p);
  }
  if (!STORES)
#pragma unroll
    for (int k = 0; k < EACH; k++) x += v[k];
  if (x) base[0] = 1;
}

// As a warp of a transpose stores: `words` neighbours in each of 32 / words rows; the next warp of
// the block has the words beside them.
__global__ static void columns_of(char *base, unsigned words, unsigned pitch, unsigned across) {
  unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned height = 32 / words, column = warp % across, group = warp / across;
  store(base + (size_t)(group * height + lane / words) * pitch +
        (column * words + lane % words) * 4);
}

template <int IN_FLIGHT>
__global__ void flight(char *base, size_t mask, int turns, size_t from) {
  size_t at = from + ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4,
         all = (size_t)gridDim.x * blockDim.x * 4;
  unsigned x = 0;
  for (int i = 0; i < turns; i += IN_FLIGHT) {
    unsigned v[IN_FLIGHT];
#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++, at += all) v[k] = load(base + (at & mask) + x);
#pragma unroll
    for (int k = 0; k < IN_FLIGHT; k++) x += v[k];  // 0
  }
  if (x) base[0] = 1;
}

template <int IN_FLIGHT>
static void measure_flight() {
  enum { TURNS = 128 };
  for (int warps : {2, 4, 8, 16, 32, 64})
    for (bool dram : {false, true}) {
      int blocks = warps > 32 ? sms * 2 : sms, threads = std::min(32, warps) * 32;
      size_t mask = dram ? ((size_t)4 << 30) - 1 : (16 << 20) - 1, from = 0;
      row("loads in flight",
          text("%s, %d warps an SM, %d each", dram ? "DRAM" : "L2", warps, IN_FLIGHT),
          (double)blocks * threads / 32 * TURNS / queued_ns_of([&] {
            flight<IN_FLIGHT><<<blocks, threads>>>(buffer, mask, TURNS, from);
            if (dram) from += (size_t)blocks * threads * 4 * TURNS;  // not what lies in L2
          }),
          "line/ns");
    }
}

template <bool STORES>
static void measure_shapes() {
  const char *what = STORES ? "store" : "load";
  for (size_t mib : {16, 4096})
    for (unsigned piece = 32; piece <= 4096; piece *= 2) {
      int blocks = sms * 2, turns = 64;
      unsigned first = 0;  // another launch has other pieces
      auto mask = (unsigned)((mib << 20) / piece - 1);
      row("pieces anywhere", text("%s, %u bytes, %zu MiB", what, piece, mib),
          (double)blocks * 1024 * turns * 4 / queued_ns_of([&] {
            pieces<STORES><<<blocks, 1024>>>(buffer, piece, mask, turns, first);
            first += (unsigned)(blocks * 32 * turns);
          }),
          "byte/ns");
    }
  for (unsigned pitch : {4096u, 16384u, 16512u, 65536u})
    for (unsigned piece : {32u, 64u, 128u}) {
      size_t bytes = (size_t)512 << 20;
      unsigned rows_all = (unsigned)(bytes / pitch / 64 * 64), across = pitch / piece;
      auto blocks = (unsigned)((size_t)rows_all * across * piece / 4 / 8 / 256);
      row("bands", text("%s, %u bytes of rows of %u", what, piece, pitch),
          (double)blocks * 256 * 8 * 4 /
              queued_ns_of([=] { bands<STORES><<<blocks, 256>>>(buffer, piece, pitch, rows_all); }),
          "byte/ns");
    }
  for (size_t mib : {16, 4096})
    for (unsigned apart = 4; apart <= 512; apart *= 2) {
      unsigned blocks = std::max((unsigned)sms * 8, (unsigned)((mib << 20) / apart / 256 / 8));
      row("stride", text("%s, %u bytes, %zu MiB", what, apart, mib),
          (double)blocks * 256 * 8 / queued_ns_of([=] {
            strided<STORES><<<blocks, 256>>>(buffer, apart, (mib << 20) - 1);
          }),
          "element/ns");
    }
}

void measure_pieces() {
  measure_shapes<false>();
  measure_shapes<true>();
  for (unsigned n : {1024u, 2048u, 4096u, 4128u, 8192u, 16384u})
    for (unsigned words : {1, 2, 4, 8, 16, 32}) {
      unsigned across = n / words, blocks = n * n / 256;
      row("store columns", text("%u words, %u x %u", words, n, n),
          (double)blocks * 256 /
              queued_ns_of([=] { columns_of<<<blocks, 256>>>(buffer, words, n * 4, across); }),
          "element/ns");
    }
  measure_flight<1>();
  measure_flight<2>();
  measure_flight<4>();
  measure_flight<8>();
}
