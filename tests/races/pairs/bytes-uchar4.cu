// The components of a uchar4 are bytes of their own; storing the whole overlaps them.
// rule: bytes
// race: A B pixels
#include "pair.h"

__global__ void colour(uchar4 *pixels) {
  if (threadIdx.x < 32)
    pixels[threadIdx.x].x = 1; // [A]
  else
    pixels[threadIdx.x - 32].y = 2; // racy: pixels[threadIdx.x - 32] = make_uchar4(0, 2, 0, 0); // [B]
}

int main() {
  unsigned char *pixels = make<unsigned char>("pixels", 128);
  colour<<<1, 64>>>((uchar4 *)pixels);
  return differs(pixels, 128, [](int i) { return i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : 0; });
}
