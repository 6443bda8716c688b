// leaving.cu: loops that are left in the middle, from inside others, by lanes at different times:
// each lane computes what the host computes with the same function.
#include <stdio.h>

typedef unsigned u32;

__host__ __device__ __forceinline__ u32 mix(u32 h) { return h * 1664525u + 1013904223u; }

// Past the loop around it, and to the end of the function.
__host__ __device__ __forceinline__ u32 search(u32 t) {
  u32 h = mix(t), x = t % 7;
  for (u32 i = 0; i < 6; i++) {
    for (u32 j = 0; j < h % 5; j++) {
      h = mix(h);
      x += h >> 27;
      if (x > 200) goto found;
      if (x % 31 == 30) return x * 3 + i;
      if (x % 17 == 3) break;
    }
    while (h % 3 == 1) {
      h = mix(h + i);
      if (h % 64 == 5) goto found;
      x ^= h >> 29;
    }
    x += i;
  }
  x = mix(x);
found:
  return x * 2 + 1;
}

// In the arm of a branch, inside a loop; a tail of different length.
__host__ __device__ __forceinline__ u32 arms(u32 t) {
  u32 h = mix(t ^ 0x5bd1e995u), x = 1;
  for (u32 turn = 0; turn < 4; turn++) {
    if (h >> 30 & 1) {
      for (u32 i = 0; i < 8; i++) {
        h = mix(h);
        if (h % 11 == 2) goto next;
        for (u32 k = 0; k < h % 4; k++) {
          x += k ^ h >> 20;
          if (x % 23 == 7) goto next;
          if (x % 101 == 50) return x;
        }
      }
      x ^= 99;
    } else {
      do {
        h = mix(h);
        if (h % 13 == 0) return x + turn;
      } while (h % 3);
      x += 5;
    }
  next:
    x += turn * 17;
  }
  for (u32 i = 0; i < (h >> 28); i++) x = mix(x);
  return x;
}

template <u32 (*F)(u32)>
__global__ void all(u32 *out) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = F(t);
}

template <u32 (*F)(u32)>
static int wrong(const char *what) {
  enum { BLOCKS = 16, THREADS = 128, ALL = BLOCKS * THREADS };
  u32 *out;
  cudaMallocManaged((void **)&out, ALL * sizeof *out);
  all<F><<<BLOCKS, THREADS>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return printf("%s: it does not run\n", what);
  for (u32 t = 0; t < ALL; t++)
    if (out[t] != F(t)) return printf("%s: thread %u: %u, not %u\n", what, t, out[t], F(t));
  cudaFree(out);
  return 0;
}

int main() { return wrong<search>("search") + wrong<arms>("arms") != 0; }
