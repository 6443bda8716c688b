// Integer intrinsics, one by one, with results worked out by hand.
#include <cstdio>
struct results {
  unsigned long long got[128], want[128];
  int lines[128], count;
};
__device__ results all;
#define IS(expression, value)                              \
  if (threadIdx.x == 0) {                                  \
    all.got[all.count] = (unsigned long long)(expression); \
    all.want[all.count] = (unsigned long long)(value);     \
    all.lines[all.count++] = __LINE__;                     \
  }

__device__ unsigned short narrow;
__device__ float4 four;
__global__ void compute(unsigned int zero) {
  unsigned int t = threadIdx.x, full = 0xffffffff + zero, all_lanes;
  int same;
  __shared__ int shared;
  IS(__vadd2(0xffff0001 + zero, 0x00010002), 0x00000003u)
  IS(__vadd4(0xff01ff01 + zero, 0x01010101), 0x00020002u)
  IS(__vaddss2(0x7fff8000 + zero, 0x0001ffff), 0x7fff8000u)
  IS(__vaddus4(0xf0f00102 + zero, 0x20010203), 0xfff10305u)
  IS(__vsubss4(0x807f0000 + zero, 0x01ff7f80), 0x807f817fu)
  IS(__vsubus2(0x00050003 + zero, 0x00030005), 0x00020000u)
  IS(__vabsdiffu4(0x00ff1020 + zero, 0xff002010), 0xffff1010u)
  IS(__vabsdiffs2(0x8000ffff + zero, 0x7fff0001), 0xffff0002u)
  IS(__vmaxs2(0x8000ffff + zero, 0x7fff0001), 0x7fff0001u)
  IS(__vminu4(0x01ff0280 + zero, 0xff01017f), 0x0101017fu)
  IS(__vavgs2(0xfffd0003 + zero, 0x00000000), 0xfffe0002u)
  IS(__vavgu4(0x01020304 + zero, 0x02020202), 0x02020303u)
  IS(__vhaddu4(0x01020304 + zero, 0x02020202), 0x01020203u)
  IS(__vabs4(0x8001ff7f + zero), 0x8001017fu)
  IS(__vabsss4(0x8001ff7f + zero), 0x7f01017fu)
  IS(__vneg2(0x80000001 + zero), 0x8000ffffu)
  IS(__vnegss2(0x80000001 + zero), 0x7fffffffu)
  IS(__vcmpgts4(0x01ff7f80 + zero, 0x00007f7f), 0xff000000u)
  IS(__vcmpgtu4(0x01ff7f80 + zero, 0x00007f7f), 0xffff00ffu)
  IS(__vseteq2(0x00010002 + zero, 0x00010003), 0x00010000u)
  IS(__vsads4(0x80010203 + zero, 0x7f030201), 0xffu + 2 + 0 + 2)
  IS(__viaddmax_s32(5 + (int)zero, -9, -3), -3ull)
  IS(__viaddmin_s16x2_relu(0x00050005 + zero, 0x0001fff0, 0x00040004), 0x00040000u)
  IS(__vimax3_u32(1 + zero, 7, 3), 7)
  IS(__dp2a_lo(0x0002ffff, 0x00000305 + (int)zero, 10), 10 - 5 + 6)
  IS(__dp2a_hi(0x0002ffffu, 0x03050000u + zero, 10u), 10 + 65535 * 5 + 6)
  IS(__fns(0xf0 + zero, 0, 2), 5)
  IS(__fns(0xf0 + zero, 31, -1), 7)
  IS(__fns(0xf0 + zero, 0, 9), full)
  all_lanes = __match_any_sync(full, t / 4);
  IS(all_lanes, 0xf)
  all_lanes = __match_any_sync(full, t % 2 ? 1.5 : 2.5);
  IS(all_lanes, 0x55555555)
  all_lanes = __match_all_sync(full, 7ll, &same);
  IS((all_lanes == full) + 2 * same, 3)
  all_lanes = __match_all_sync(full, t == 31, &same);
  IS(all_lanes + same, 0)
  if (t < 8) all_lanes = __shfl_down_sync(0xff, all_lanes + 1, 16);
  IS(all_lanes, 0x7fffffff) /* of a lane that takes no part */
  all_lanes = __reduce_add_sync(full, t);
  IS(all_lanes, 496)
  all_lanes = __reduce_min_sync(full, 3 - (int)t);
  IS(all_lanes, -28 & full)
  all_lanes = __reduce_max_sync(full, 3 - t);
  IS(all_lanes, full)
  all_lanes = __reduce_xor_sync(full, 1u << t);
  IS(all_lanes, full)
  IS(__isShared(&shared) + 2 * __isGlobal(&all) + 4 * __isLocal(&same), 7)
  IS(atomicCAS(&narrow, (unsigned short)0, (unsigned short)9), 0)
  IS(narrow, 9)
  if (t == 0) atomicAdd(&four, make_float4(1, 2, 3, 4));
  IS(four.x + 10 * four.y + 100 * four.z + 1000 * four.w, 4321)
}
int main() {
  static results host;
  compute<<<1, 32>>>(0);
  if (cudaMemcpyFromSymbol(&host, all, sizeof host)) return 2;
  int wrong = 0;
  for (int i = 0; i < host.count; i++)
    if (host.got[i] != host.want[i])
      wrong++, printf("line %d: %llx, not %llx\n", host.lines[i], host.got[i], host.want[i]);
  printf("%d of %d wrong\n", wrong, host.count);
  return wrong > 0;
}
