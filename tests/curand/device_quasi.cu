// device_quasi.cu: what cuRAND's device functions return of Sobol's sequences, as digests.
//
//   harness/kcc tests/curand/device_quasi.cu -o quasi -lcurand && ./quasi
//   nvcc tests/curand/device_quasi.cu -o quasi -lcurand && ./quasi             on a GPU
//   nvcc -DON_HOST tests/curand/device_quasi.cu -o quasi -lcurand && ./quasi   NVIDIA's functions on
//   a CPU
//
// device_quasi.txt is from the last. Normal values are printed with two digits: functions differ in
// the last bits.
#ifdef ON_HOST
#define QUALIFIERS static inline __host__ __device__
#define HOST_HAVE_ERFCINVF
#define SIDE __host__
#include <cuda_runtime.h>
#else
#define SIDE __device__
#endif
#include <curand_kernel.h>

#include <cstdio>
#include <cstdlib>

const int DIMENSIONS = 4, OFFSETS = 6, NUMBERS = 20000, VALUES = 8;
const int dimensions[DIMENSIONS] = {0, 1, 777, 19999};
const unsigned long long offsets[OFFSETS] = {0, 1, 4097, 0x7ffffff0, 0xfffff000, 0x123456789abcdef0};

struct digest {  // FNV-1a, by words
  unsigned long long value;
  SIDE digest() : value(0xcbf29ce484222325) {}
  SIDE void add(unsigned x) { value = (value ^ x) * 0x100000001b3; }
  SIDE void add(unsigned long long x) { add((unsigned)x), add((unsigned)(x >> 32)); }
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
    add(bits.u);
  }
};

struct results {
  unsigned long long numbers, skipped, uniform, poisson;
  double normal[VALUES];
};
template <class Word>
struct source {  // of a dimension
  Word vectors[8 * sizeof(Word)], constant;
};

template <class Word, class State>
SIDE void init(source<Word> *from, unsigned long long offset, State *state) {
  curand_init(from->vectors, (Word)offset, state);
}
template <class Word>
SIDE void init(source<Word> *from, unsigned long long offset, curandStateScrambledSobol32_t *state) {
  curand_init(from->vectors, from->constant, (Word)offset, state);
}
template <class Word>
SIDE void init(source<Word> *from, unsigned long long offset, curandStateScrambledSobol64_t *state) {
  curand_init(from->vectors, from->constant, (Word)offset, state);
}

template <class State, class Word>
SIDE void draw(source<Word> *from, unsigned long long offset, results *r) {
  State state;
  init(from, offset, &state);
  digest numbers, skipped, uniform, poisson;
  for (int i = 0; i < NUMBERS; i++) numbers.add(curand(&state));
  for (int i = 1; i < 32; i++) {
    skipahead((Word)1 << i, &state);
    skipped.add(curand(&state));
  }
  for (int i = 0; i < 1000; i++) {
    uniform.add(curand_uniform(&state));
    uniform.add(curand_uniform_double(&state));
  }
  r->normal[0] = curand_normal(&state);
  r->normal[1] = curand_normal(&state);
  r->normal[2] = curand_normal_double(&state);
  r->normal[3] = curand_normal_double(&state);
  r->normal[4] = curand_log_normal(&state, 0.5f, 0.25f);
  r->normal[5] = curand_log_normal_double(&state, 0.5, 0.25);
  r->normal[6] = curand_normal(&state);
  r->normal[7] = curand_normal_double(&state);
  for (int i = 0; i < 20; i++) {
    poisson.add(curand_poisson(&state, 0.5));
    poisson.add(curand_poisson(&state, 500));
    poisson.add(curand_poisson(&state, 700.25));
    poisson.add(curand_poisson(&state, 50000));
  }
  r->numbers = numbers.value, r->skipped = skipped.value, r->uniform = uniform.value;
  r->poisson = poisson.value;
}

#ifdef ON_HOST
template <class State, class Word>
void draw_all(source<Word> *from, results *r) {
  for (int i = 0; i < DIMENSIONS * OFFSETS; i++)
    draw<State>(&from[i / OFFSETS], offsets[i % OFFSETS], &r[i]);
}
#else
__constant__ unsigned long long starts[OFFSETS];
template <class State, class Word>
__global__ void draw_kernel(source<Word> *from, results *r) {
  draw<State>(&from[threadIdx.y], starts[threadIdx.x], &r[threadIdx.y * OFFSETS + threadIdx.x]);
}
template <class State, class Word>
void draw_all(source<Word> *from, results *r) {
  source<Word> *there;
  results *made;
  size_t bytes = DIMENSIONS * OFFSETS * sizeof *r;
  cudaMalloc(&there, DIMENSIONS * sizeof *from);
  cudaMalloc(&made, bytes);
  cudaMemcpy(there, from, DIMENSIONS * sizeof *from, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(starts, offsets, sizeof starts);
  // clang-format off
  draw_kernel<State, Word><<<1, dim3(OFFSETS, DIMENSIONS)>>>(there, made);
  // clang-format on
  cudaMemcpy(r, made, bytes, cudaMemcpyDeviceToHost);
  cudaFree(there);
  cudaFree(made);
}
#endif

template <class State, class Word>
void print(const char *name, Word (*vectors)[8 * sizeof(Word)], Word *constants) {
  source<Word> from[DIMENSIONS];
  results r[DIMENSIONS * OFFSETS] = {};
  for (int d = 0; d < DIMENSIONS; d++) {
    for (unsigned i = 0; i < 8 * sizeof(Word); i++) from[d].vectors[i] = vectors[dimensions[d]][i];
    from[d].constant = constants[dimensions[d]];
  }
  draw_all<State>(from, r);
  for (int i = 0; i < DIMENSIONS * OFFSETS; i++) {
    printf("%s %d %llx: %016llx skips %016llx uniform %016llx poisson %016llx", name,
           dimensions[i / OFFSETS], offsets[i % OFFSETS], r[i].numbers, r[i].skipped, r[i].uniform,
           r[i].poisson);
    for (int k = 0; k < VALUES; k++) printf(" %.2f", r[i].normal[k]);
    putchar('\n');
  }
}

int main() {
  curandDirectionVectors32_t *short_vectors, *short_scrambled;
  curandDirectionVectors64_t *long_vectors, *long_scrambled;
  unsigned *short_constants;
  unsigned long long *long_constants;
  curandGetDirectionVectors32(&short_vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors32(&short_scrambled, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&long_vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  curandGetDirectionVectors64(&long_scrambled, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
  curandGetScrambleConstants32(&short_constants);
  curandGetScrambleConstants64(&long_constants);
  print<curandStateSobol32_t>("sobol32", short_vectors, short_constants);
  print<curandStateScrambledSobol32_t>("scrambled32", short_scrambled, short_constants);
  print<curandStateSobol64_t>("sobol64", long_vectors, long_constants);
  print<curandStateScrambledSobol64_t>("scrambled64", long_scrambled, long_constants);
}
