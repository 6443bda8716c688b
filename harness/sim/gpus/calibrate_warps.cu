// calibrate_warps.cu: which of an SM's schedulers a block's warps are on. "first warps": of so many
// blocks an SM only the first warp has work, that of a scheduler by itself; "two warps": the first
// and another one of a block. In ns: warps that share a scheduler take as much longer.
#include "calibrate.cuh"

enum { TURNS = 2000 };

__global__ void work_in(float *out, int turns, int one, int other) {
  int warp = threadIdx.x / 32;
  float a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  if (warp == one || warp == other)
    for (int i = 0; i < turns; i++) {
      a = a * a + a, b = b * b + b, c = c * c + c, d = d * d + d;
      e = e * e + e, f = f * f + f, g = g * g + g, h = h * h + h;
    }
  __syncthreads();
  if (a + b + c + d + e + f + g + h == 1234.5f) *out = a;
}

void measure_warps() {
  for (int warps : {1, 2, 3, 4, 6, 8, 12, 16})
    for (int blocks = 1; blocks <= 8 && blocks * warps <= 64; blocks++)
      row("first warps", text("%d blocks of %d warps", blocks, warps), queued_ns_of([=] {
            work_in<<<sms * blocks, warps * 32>>>((float *)buffer, TURNS, 0, 0);
          }),
          "ns");
  for (int other = 1; other < 16; other++)
    row("two warps", text("0 and %d", other),
        queued_ns_of([=] { work_in<<<sms, 512>>>((float *)buffer, TURNS, 0, other); }), "ns");
}
