// bfloat16: on the device and on the host the results that are worked out here by hand.
#include <cuda_bf16.h>

#include "results.h"

#define HAS(pair, low, high) IS(__low2float(pair), low), IS(__high2float(pair), high)
typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf162;

__host__ __device__ void arithmetic(results *r) {
  const bf16 one = 1.0f, big = __ushort_as_bfloat16(0x7f7f), tiny = __ushort_as_bfloat16(1);
  const bf16 inf = CUDART_INF_BF16, nan = __ushort_as_bfloat16(0xff81);
  IS(__float2bfloat16(1.00390625f), 1);     // 1 + 2^-8, a tie: to even
  IS(__float2bfloat16_rn(1.01171875f), 1.015625);
  IS(__float2bfloat16_ru(1.0001f), 1.0078125);
  IS(__float2bfloat16_rz(-1.0077f), -1);
  IS(__float2bfloat16_rd(3.4e38f), (float)big);
  IS(__float2bfloat16(3.4e38f), INFINITY);
  IS(__double2bfloat16(1.00390625000000022), 1.0078125);  // as a float it would be a tie
  IS(__int2bfloat16_rn(257), 256);
  IS(__int2bfloat16_ru(257), 258);
  IS(__ll2bfloat16_rn(0x101000000000001), 72620543991349248.0);
  r->add(__bfloat162int_rn(bf16(3.5f)), 4, __LINE__);
  r->add(__bfloat162int_rd(bf16(-3.5f)), -4, __LINE__);
  r->add(__bfloat162uint_rz(inf), 4294967295.0, __LINE__);
  r->add(__bfloat162ushort_rz(nan), 0, __LINE__);
  r->add(__bfloat16_as_ushort(nan * one), 0x7fff, __LINE__);
  r->add(__bfloat16_as_ushort(tiny + tiny), 2, __LINE__);
  IS(one + bf16(0.00390625f), 1);
  IS(bf16(1.0078125f) * bf16(1.0078125f), 1.015625);
  IS(one / bf16(3.0f), 0.333984375);
  // 1 + 2^-8 + 2^-100: beside a tie, further away than a double reaches
  IS(__hfma(bf16(1.0625f), bf16(0.94140625f), __ushort_as_bfloat16(0x0d80)), 1);
  IS(__hfma(bf16(1.0625f), bf16(1.0625f), __ushort_as_bfloat16(0x0d80)), 1.1328125);
  IS(__hfma(bf16(1.0625f), bf16(1.0625f), __ushort_as_bfloat16(0x8d80)), 1.125);
  IS(__hadd_sat(one, one), 1);
  IS(__hfma_sat(one, -one, nan), 0);
  IS(__hfma_relu(one, -one, tiny), 0);
  IS(__habs(bf16(-2.0f)), 2);
  IS(__hmax(nan, one), 1);
  HOLDS(__hisnan(__hmin_nan(nan, one)));
  HOLDS(one < big && big > one && one <= one && one >= one && one == one && one != big);
  HOLDS(!(nan == nan) && nan != nan && __hgeu(nan, one) && !__hne(nan, one));
  HOLDS(__hisinf(inf) == 1 && __hisinf(big + big) == 1 && __hisinf(-inf) == -1);
  bf16 counter = 1;
  counter++, --counter, counter += one, counter /= bf16(4);
  IS(counter, 0.5);
  const bf162 a = __floats2bfloat162_rn(1, 2), b = make_bfloat162(bf16(3), bf16(4));
  HAS(a * b, 3, 8);
  HAS(__hfma2(a, b, a), 4, 10);
  HAS(__hmax2(a, __lowhigh2highlow(a)), 2, 2);
  HAS(__halves2bfloat162(__high2bfloat16(a), __low2bfloat16(b)), 2, 3);
  HAS(__highs2bfloat162(a, b), 2, 4);
  HAS(__bfloat162bfloat162(bf16(5)), 5, 5);
  HAS(__heq2(a, __float2bfloat162_rn(2)), 0, 1);
  r->add(__hneu2_mask(a, __float2bfloat162_rn(2)), 0xffff, __LINE__);
  HOLDS(__hble2(a, b) && a != b);
  float2 f = __bfloat1622float2(-a);
  r->add(f.x + 10 * f.y, -21, __LINE__);
}

__global__ void on_device(results *r) { arithmetic(r); }

__global__ void in_warps(results *r, bf16 *sum, bf162 *sums) {
  int lane = threadIdx.x;
  bf16 mine = lane, first = __shfl_sync(0xffffffff, mine, 7);
  bf162 up = __shfl_up_sync(0xffffffff, __halves2bfloat162(mine, -mine), 3);
  atomicAdd(sum, bf16(0.5f));
  atomicAdd(sums, __halves2bfloat162(bf16(2), bf16(1)));
  __syncthreads();
  if (lane != 4) return;
  IS(first, 7);
  HAS(up, 1, -1);
  IS(__ldg(sum), 16);
  HAS(__ldg(sums), 64, 32);
  IS(hsqrt(bf16(2.0f)), 1.4140625);
  IS(hexp(bf16(1.0f)), 2.71875);
  IS(hlog2(bf16(10.0f)), 3.328125);
  IS(hcos(bf16(1.0f)), 0.5390625);
  IS(hrint(bf16(-2.5f)), -2);
  IS(hceil(bf16(2.25f)), 3);
  HAS(h2rcp(__floats2bfloat162_rn(4, 8)), 0.25, 0.125);
}

int main() {
  results *r;
  bf16 *sum;
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
  in_warps<<<1, 32>>>(r, sum, (bf162 *)(sum + 2));
  cudaDeviceSynchronize();
  wrong += check("warps", r);
  return wrong != 0;
}
