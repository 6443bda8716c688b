// A checksum of what each SIMD and DPX intrinsic returns for edge and random words. What a GPU
// prints, with `nvcc -arch=sm_90 simd.cu && ./a.out`, must be the same.
#include <cstdio>

enum { WORDS = 64 };
__constant__ unsigned int edges[] = {0,          ~0u,        0x80008000, 0x7fff7fff,
                                     0x80808080, 0x7f7f7f7f, 0x00010001, 0x01010101,
                                     0x8000ffff, 0x0000ffff, 0xff00ff00, 0x7fff8000};
__device__ __noinline__ unsigned int word(int i) {
  return i < 12 ? edges[i] : (i * 2654435761u) ^ (i * 40503u << 7);
}
__device__ unsigned int sums[256];

#define EACH_TWO                                                    \
  _Pragma("unroll 1") for (int i = threadIdx.x; i < WORDS; i += 32) \
      _Pragma("unroll 1") for (int j = 0; j < WORDS; j++)
#define ADD(value) atomicAdd(&sums[n], (unsigned int)(value) * (2 * (i * 4099 + j) + 1))
#define TWO(name)                         \
  {                                       \
    EACH_TWO ADD(name(word(i), word(j))); \
    n++;                                  \
  }
#define ONE(name)                            \
  {                                          \
    EACH_TWO if (j == 0) ADD(name(word(i))); \
    n++;                                     \
  }
#define THREE(name)                                                      \
  {                                                                      \
    EACH_TWO ADD(name(word(i), word(j), word((i * 7 + j * 3) % WORDS))); \
    n++;                                                                 \
  }
#define WHICH(name)                                \
  {                                                \
    EACH_TWO {                                     \
      bool p;                                      \
      unsigned int v = name(word(i), word(j), &p); \
      ADD(v + p);                                  \
    }                                              \
    n++;                                           \
  }
#define WHICH_2(name)                                  \
  {                                                    \
    EACH_TWO {                                         \
      bool p, q;                                       \
      unsigned int v = name(word(i), word(j), &p, &q); \
      ADD(v + p + 2 * q);                              \
    }                                                  \
    n++;                                               \
  }

/* clang-format off */
#define FUNCTIONS \
  ONE(__vabs2) ONE(__vabs4) ONE(__vabsss2) ONE(__vabsss4) ONE(__vneg2) ONE(__vneg4) \
  ONE(__vnegss2) ONE(__vnegss4) TWO(__vabsdiffs2) TWO(__vabsdiffs4) TWO(__vabsdiffu2) \
  TWO(__vabsdiffu4) TWO(__vadd2) TWO(__vadd4) TWO(__vaddss2) TWO(__vaddss4) TWO(__vaddus2) \
  TWO(__vaddus4) TWO(__vavgs2) TWO(__vavgs4) TWO(__vavgu2) TWO(__vavgu4) TWO(__vcmpeq2) \
  TWO(__vcmpeq4) TWO(__vcmpges2) TWO(__vcmpges4) TWO(__vcmpgeu2) TWO(__vcmpgeu4) TWO(__vcmpgts2) \
  TWO(__vcmpgts4) TWO(__vcmpgtu2) TWO(__vcmpgtu4) TWO(__vcmples2) TWO(__vcmples4) \
  TWO(__vcmpleu2) TWO(__vcmpleu4) TWO(__vcmplts2) TWO(__vcmplts4) TWO(__vcmpltu2) \
  TWO(__vcmpltu4) TWO(__vcmpne2) TWO(__vcmpne4) TWO(__vhaddu2) TWO(__vhaddu4) TWO(__vmaxs2) \
  TWO(__vmaxs4) TWO(__vmaxu2) TWO(__vmaxu4) TWO(__vmins2) TWO(__vmins4) TWO(__vminu2) \
  TWO(__vminu4) TWO(__vsads2) TWO(__vsads4) TWO(__vsadu2) TWO(__vsadu4) TWO(__vseteq2) \
  TWO(__vseteq4) TWO(__vsetges2) TWO(__vsetges4) TWO(__vsetgeu2) TWO(__vsetgeu4) TWO(__vsetgts2) \
  TWO(__vsetgts4) TWO(__vsetgtu2) TWO(__vsetgtu4) TWO(__vsetles2) TWO(__vsetles4) \
  TWO(__vsetleu2) TWO(__vsetleu4) TWO(__vsetlts2) TWO(__vsetlts4) TWO(__vsetltu2) \
  TWO(__vsetltu4) TWO(__vsetne2) TWO(__vsetne4) TWO(__vsub2) TWO(__vsub4) TWO(__vsubss2) \
  TWO(__vsubss4) TWO(__vsubus2) TWO(__vsubus4) THREE(__viaddmax_s32) THREE(__viaddmax_u32) \
  THREE(__viaddmax_s32_relu) THREE(__viaddmax_s16x2) THREE(__viaddmax_u16x2) \
  THREE(__viaddmax_s16x2_relu) THREE(__viaddmin_s32) THREE(__viaddmin_u32) \
  THREE(__viaddmin_s32_relu) THREE(__viaddmin_s16x2) THREE(__viaddmin_u16x2) \
  THREE(__viaddmin_s16x2_relu) THREE(__vimax3_s32) THREE(__vimax3_u32) THREE(__vimax3_s32_relu) \
  THREE(__vimax3_s16x2) THREE(__vimax3_u16x2) THREE(__vimax3_s16x2_relu) THREE(__vimin3_s32) \
  THREE(__vimin3_u32) THREE(__vimin3_s32_relu) THREE(__vimin3_s16x2) THREE(__vimin3_u16x2) \
  THREE(__vimin3_s16x2_relu) TWO(__vimax_s32_relu) TWO(__vimax_s16x2_relu) TWO(__vimin_s32_relu) \
  TWO(__vimin_s16x2_relu) WHICH(__vibmax_s32) WHICH(__vibmax_u32) WHICH_2(__vibmax_s16x2) \
  WHICH_2(__vibmax_u16x2) WHICH(__vibmin_s32) WHICH(__vibmin_u32) WHICH_2(__vibmin_s16x2) \
  WHICH_2(__vibmin_u16x2) THREE(dp2a_lo) THREE(dp2a_hi) THREE(dp2a_lo_u) THREE(dp2a_hi_u) \
  THREE(fns) TWO(__byte_perm_) TWO(sad)
/* clang-format on */

__device__ unsigned int dp2a_lo(int a, int b, int c) { return __dp2a_lo(a, b, c); }
__device__ unsigned int dp2a_hi(int a, int b, int c) { return __dp2a_hi(a, b, c); }
__device__ unsigned int dp2a_lo_u(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b, c); }
__device__ unsigned int dp2a_hi_u(unsigned a, unsigned b, unsigned c) { return __dp2a_hi(a, b, c); }
__device__ unsigned int fns(unsigned a, unsigned b, unsigned c) {
  return __fns(a, b % 32, (int)(c % 9) - 4);
}
__device__ unsigned int __byte_perm_(unsigned a, unsigned b) { return __byte_perm(a, b, a ^ b); }
__device__ unsigned int sad(unsigned a, unsigned b) { return __sad(a, b, 3) + __usad(a, b, 5); }

__global__ void all() {
  int n = 0;
  FUNCTIONS
}

int main() {
#undef ONE
#define ONE(name) #name,
#undef TWO
#define TWO(name) #name,
#undef THREE
#define THREE(name) #name,
#undef WHICH
#define WHICH(name) #name,
#undef WHICH_2
#define WHICH_2(name) #name,
  const char *names[] = {FUNCTIONS};
  unsigned int host[256];
  all<<<1, 32>>>();
  if (cudaMemcpyFromSymbol(host, sums, sizeof host)) return 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) printf("%s %08x\n", names[i], host[i]);
}
