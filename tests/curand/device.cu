// device.cu: what cuRAND's device functions return, as digests of 1,000,000 numbers of each
// generator.
//
//   harness/kcc tests/curand/device.cu -o device && ./device | diff tests/curand/device.txt -
//   nvcc tests/curand/device.cu -o device && ./device                 on a GPU
//   nvcc -DON_HOST tests/curand/device.cu -o device && ./device       NVIDIA's functions on a CPU
//
// device.txt is from the last. Normal values are printed with two digits: functions differ in the
// last bits.
#ifdef ON_HOST
#define QUALIFIERS static inline __host__ __device__
#define SIDE __host__
#else
#define SIDE __device__
#endif
#include <curand_kernel.h>

#include <cstdio>

struct start {
  unsigned long long seed, subsequence, offset;
};
const int STARTS = 20, NUMBERS = 50000, VALUES = 8;
static const start starts[STARTS] = {{0, 0, 0},
                                     {1, 0, 0},
                                     {1234, 0, 0},
                                     {1234, 1, 0},
                                     {1234, 0, 1},
                                     {1234, 1, 1},
                                     {1234, 2, 3},
                                     {1234, 15, 15},
                                     {1234, 16, 16},
                                     {1234, 255, 4095},
                                     {1234, 1000000, 1000000},
                                     {1234, 0xffffffff, 0},
                                     {1234, 0, 0xffffffff},
                                     {1234, 0, 0x3ffffffff},
                                     {1234, 0x123456789abcdefull, 0xfedcba987654321ull},
                                     {1234, ~0ull, ~0ull},
                                     {0xffffffff, 77, 78},
                                     {0x100000000, 77, 78},
                                     {0x123456789abcdef0, 77, 78},
                                     {~0ull, 77, 78}};

struct digest {  // FNV-1a, by words
  unsigned long long value;
  SIDE digest() : value(0xcbf29ce484222325) {}
  SIDE void add(unsigned x) { value = (value ^ x) * 0x100000001b3; }
  SIDE void add(float x) {
    union {
      float f;
      unsigned u;
    } bits = {x};
    add(bits.u);
  }
  SIDE void add(double x) {
    union {
      double f;
      unsigned long long u;
    } bits = {x};
    add((unsigned)bits.u);
    add((unsigned)(bits.u >> 32));
  }
  SIDE void add(uint4 x) { add(x.x), add(x.y), add(x.z), add(x.w); }
};

struct results {
  unsigned long long numbers, skipped, uniform, fours, poisson;
  double normal[VALUES];
};

template <class State>
SIDE void fours(State *, digest *) {}
SIDE void fours(curandStatePhilox4_32_10_t *state, digest *d) {
  for (int i = 0; i < 300; i++) {
    d->add(curand4(state));
    float4 x = curand_uniform4(state);
    d->add(x.x), d->add(x.y), d->add(x.z), d->add(x.w);
    double2 y = curand_uniform2_double(state);
    d->add(y.x), d->add(y.y);
    if (i % 3 == 0) curand(state);
  }
}

template <class State>
SIDE void skip_far(unsigned long long n, State *state) {
  skipahead_sequence(n, state);
}
SIDE void skip_far(unsigned long long n, curandStateMRG32k3a_t *state) {
  skipahead_subsequence(n, state);
}

template <class State>
SIDE void draw(start at, results *r) {
  State state;
  curand_init(at.seed, at.subsequence, at.offset, &state);
  digest numbers, skipped, uniform, four, poisson;
  for (int i = 0; i < NUMBERS; i++) numbers.add(curand(&state));
  for (int i = 1; i < 40; i++) {
    skipahead(1ull << i, &state);
    skipped.add(curand(&state));
    skip_far(i, &state);
    skipped.add(curand(&state));
  }
  for (int i = 0; i < 1000; i++) {
    uniform.add(curand_uniform(&state));
    uniform.add(curand_uniform_double(&state));
  }
  fours(&state, &four);
  // Each keeps one for the next call, and the kinds do not mix.
  r->normal[0] = curand_normal(&state);
  r->normal[1] = curand_normal(&state);
  r->normal[2] = curand_normal_double(&state);
  r->normal[3] = curand_normal(&state);
  r->normal[4] = curand_log_normal(&state, 0.5f, 0.25f);
  r->normal[5] = curand_normal_double(&state);
  r->normal[6] = curand_log_normal(&state, 0.5f, 0.25f);
  r->normal[7] = curand_normal2(&state).y;
  for (int i = 0; i < 20; i++) {
    poisson.add(curand_poisson(&state, 5));
    poisson.add(curand_poisson(&state, 500));
    poisson.add(curand_poisson(&state, 50000));
  }
  r->numbers = numbers.value, r->skipped = skipped.value, r->uniform = uniform.value;
  r->fours = four.value, r->poisson = poisson.value;
}

#ifdef ON_HOST
template <class State>
void draw_all(const start *at, results *r) {
  for (int i = 0; i < STARTS; i++) draw<State>(at[i], &r[i]);
}
#else
template <class State>
__global__ void draw_kernel(const start *at, results *r) {
  draw<State>(at[threadIdx.x], &r[threadIdx.x]);
}
template <class State>
void draw_all(const start *at, results *r) {
  start *there;
  results *made;
  cudaMalloc(&there, STARTS * sizeof *at);
  cudaMalloc(&made, STARTS * sizeof *r);
  cudaMemcpy(there, at, STARTS * sizeof *at, cudaMemcpyHostToDevice);
  // clang-format off
  draw_kernel<State><<<1, STARTS>>>(there, made);
  // clang-format on
  cudaMemcpy(r, made, STARTS * sizeof *r, cudaMemcpyDeviceToHost);
  cudaFree(there);
  cudaFree(made);
}
#endif

// farthest: a mask for subsequences and offsets.
template <class State>
void print(const char *name, unsigned long long farthest) {
  start at[STARTS];
  results r[STARTS] = {};
  for (int i = 0; i < STARTS; i++)
    at[i] = {starts[i].seed, starts[i].subsequence & farthest, starts[i].offset & farthest};
  draw_all<State>(at, r);
  for (int i = 0; i < STARTS; i++) {
    printf("%s %llx %llx %llx: %016llx skips %016llx uniform %016llx fours %016llx poisson %016llx",
           name, at[i].seed, at[i].subsequence, at[i].offset, r[i].numbers, r[i].skipped,
           r[i].uniform, r[i].fours, r[i].poisson);
    for (int k = 0; k < VALUES; k++) printf(" %.2f", r[i].normal[k]);
    putchar('\n');
  }
}

int main() {
  print<curandStateXORWOW_t>("xorwow", ~0ull);
  print<curandStatePhilox4_32_10_t>("philox", ~0ull);
  print<curandStateMRG32k3a_t>("mrg32k3a", 0xffffffffffff); // NVIDIA's tables end somewhere behind
}
