// Half precision: on the device and on the host the results that are worked out here by hand.
#include <cuda_fp16.h>

#include "results.h"

#define HAS(pair, low, high) IS(__low2float(pair), low), IS(__high2float(pair), high)

__host__ __device__ void arithmetic(results *r) {
  const half one = 1.0f, tiny = __ushort_as_half(1), big = 65504.0f;  // 2^-24, the largest
  const half inf = __ushort_as_half(0x7c00), nan = __ushort_as_half(0x7e01);
  IS(__float2half(1.00048828125f), 1);        // 1 + 2^-11, a tie: to even
  IS(__float2half_ru(1.0001f), 1.0009765625);
  IS(__float2half_rd(1.0009f), 1);
  IS(__float2half_rz(-1.0009f), -1);
  IS(__float2half(65520.0f), INFINITY);
  IS(__float2half_rz(1e9f), 65504);
  IS(__float2half(2.98023224e-8f), 0);        // half of the smallest: to even
  IS(__float2half_ru(1e-20f), 5.9604644775390625e-8);
  IS(__double2half(1.00048828125000022), 1.0009765625);  // as a float it would be a tie
  IS(__int2half_rn(2049), 2048);
  IS(__int2half_ru(2049), 2050);
  IS(__ull2half_rn(~0ull), INFINITY);
  r->add(__half2int_rn(half(2.5f)), 2, __LINE__);
  r->add(__half2int_ru(half(2.5f)), 3, __LINE__);
  r->add(__half2short_rz(half(-40000.0f)), -32768, __LINE__);
  r->add(__half2uint_rn(half(-1.0f)), 0, __LINE__);
  r->add((double)__half2ll_rz(inf), 9223372036854775807.0, __LINE__);
  r->add(__half2int_rn(nan), 0, __LINE__);
  r->add(__half_as_ushort(nan + one), 0x7fff, __LINE__);
  IS(one + half(0.00048828125f), 1);
  IS(big + big, INFINITY);
  IS(tiny + tiny, 1.1920928955078125e-7);
  IS(one - tiny, 1);
  IS(half(3.0f) * half(0.333251953125f), 1);  // 0.99976, a tie
  IS(one / half(3.0f), 0.333251953125);
  IS(__hfma(half(3.0f), half(0.333251953125f), tiny), 1);
  IS(__hfma(half(3.0f), half(0.333251953125f), half(-1.0f)), -0.000244140625);  // no rounding between
  IS(__hadd_sat(one, one), 1);
  IS(__hsub_sat(one, half(2.0f)), 0);
  IS(__hfma_relu(one, half(-2.0f), one), 0);
  IS(__habs(half(-2.0f)), 2);
  IS(-one, -1);
  IS(__hmax(nan, one), 1);
  HOLDS(__hisnan(__hmax_nan(nan, one)));
  IS(__hmin(half(-0.0f), half(0.0f)), 0);
  HOLDS(__heq(half(-0.0f), half(0.0f)));
  HOLDS(one < big && big > one && one <= one && one >= one && one == one && one != big);
  HOLDS(!(nan == nan) && nan != nan && !(nan < one) && __hltu(nan, one) && !__hne(nan, one));
  HOLDS(__hisinf(inf) == 1 && __hisinf(-inf) == -1 && !__hisinf(big));
  half counter = 1;
  counter++, ++counter, counter += one, counter *= half(2);
  IS(counter, 8);
  HOLDS(counter ? true : false);
  r->add((int)half(-7.9f), -7, __LINE__);

  const half2 a = __floats2half2_rn(1, 2), b = make_half2(half(3), half(4));
  HAS(a + b, 4, 6);
  half2 cleared = a;
  cleared = {};
  HAS(cleared, 0, 0);
  cleared = static_cast<__half2_raw>(b);
  HAS(cleared, 3, 4);
  HAS(__hfma2(a, b, a), 4, 10);
  HAS(b / a, 3, 2);
  HAS(__lowhigh2highlow(a), 2, 1);
  HAS(__lows2half2(a, b), 1, 3);
  HAS(__highs2half2(a, b), 2, 4);
  HAS(__low2half2(b), 3, 3);
  HAS(__half2half2(__high2half(b)), 4, 4);
  HAS(__hgt2(b, __float2half2_rn(3)), 0, 1);
  r->add(__hgt2_mask(b, __float2half2_rn(3)), 0xffff0000, __LINE__);
  HOLDS(__hblt2(a, b) && !__hbeq2(a, b) && a == a);
  HAS(__hcmadd(a, b, a), 1 + 3 - 8, 2 + 4 + 6);
  float2 f = __half22float2(__hneg2(a));
  r->add(f.x + 10 * f.y, -21, __LINE__);
}

__global__ void on_device(results *r) { arithmetic(r); }

__global__ void in_warps(results *r, half *sum, half2 *sums) {
  int lane = threadIdx.x;
  half mine = lane, next = __shfl_down_sync(0xffffffff, mine, 1);
  half2 swapped = __shfl_xor_sync(0xffffffff, __halves2half2(mine, -mine), 1);
  atomicAdd(sum, half(0.5f));
  atomicAdd(sum + 1, mine);
  atomicAdd(sums, __halves2half2(mine, half(1)));
  __shared__ half row[32];
  row[31 - lane] = mine;
  __syncthreads();
  if (lane != 4) return;
  IS(next, 5);
  HAS(swapped, 5, -5);
  IS(row[0], 31);
  IS(__ldg(sum), 16);
  IS(__ldg(sum + 1), 496);
  HAS(__ldg(sums), 496, 32);
  IS(hsqrt(half(2.0f)), 1.4140625);
  IS(hrsqrt(half(4.0f)), 0.5);
  IS(hrcp(half(3.0f)), 0.333251953125);
  IS(hexp(half(1.0f)), 2.71875);
  IS(hexp2(half(-14.0f)), 0.00006103515625);
  IS(hlog(half(10.0f)), 2.302734375);
  IS(hsin(half(1.0f)), 0.84130859375);
  IS(htanh(half(0.5f)), 0.462158203125);
  IS(hrint(half(2.5f)), 2);
  IS(hfloor(half(-2.5f)), -3);
  IS(hceil(half(2.25f)), 3);
  IS(htrunc(half(-2.75f)), -2);
  HAS(h2sqrt(__floats2half2_rn(4, 9)), 2, 3);
}

int main() {
  results *r;
  half *sum;
  cudaMallocManaged(&r, sizeof *r);
  cudaMallocManaged(&sum, 4 * sizeof *sum);
  cudaMemset(sum, 0, 4 * sizeof *sum);
  static results host;
  arithmetic(&host);
  int wrong = check("host", &host);
  r->count = 0;
  on_device<<<1, 1>>>(r);
  cudaDeviceSynchronize();
  wrong += check("device", r);
  r->count = 0;
  in_warps<<<1, 32>>>(r, sum, (half2 *)(sum + 2));
  cudaDeviceSynchronize();
  wrong += check("warps", r);
  return wrong != 0;
}
