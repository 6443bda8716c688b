// mtgp.cu: kernels draw from MTGP32 the numbers that the host API gives out: 256 of each of 192
// sets of parameters in turn. Prints nothing and ends with 0 if they do.
//
//   harness/kcc tests/curand/mtgp.cu -o mtgp -lcurand && ./mtgp
//   nvcc tests/curand/mtgp.cu -o mtgp -lcurand && ./mtgp           on a GPU
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

#include <cstdio>

const int SETS = 3, STEPS = 12, AT_ONCE = 256, NUMBERS = STEPS * AT_ONCE, DEALT = 192 * NUMBERS;
const unsigned long long SEED = 0x123456789abcdef0;

__global__ void integers(curandStateMtgp32 *states, unsigned *out) {
  int threads = blockDim.x * blockDim.y, rank = blockDim.x * threadIdx.y + threadIdx.x;
  for (int i = 0; i < NUMBERS; i += threads)
    out[blockIdx.x * NUMBERS + i + rank] = curand(&states[blockIdx.x]);
}
__global__ void by_index(curandStateMtgp32 *states, unsigned *out) {  // the other way round
  unsigned char n = 64, index = n - 1 - threadIdx.x;
  for (int i = 0; i < NUMBERS; i += n)
    out[blockIdx.x * NUMBERS + i + index] = curand_mtgp32_specific(&states[blockIdx.x], index, n);
}
template <class Draw, class Value>
__global__ void values(curandStateMtgp32 *states, Value *out, Draw draw) {
  for (int i = 0; i < NUMBERS; i += blockDim.x)
    out[blockIdx.x * NUMBERS + i + threadIdx.x] = draw(&states[blockIdx.x]);
}
struct uniform {
  __device__ float operator()(curandStateMtgp32 *state) { return curand_uniform(state); }
};
struct uniform_double {
  __device__ double operator()(curandStateMtgp32 *state) { return curand_uniform_double(state); }
};
struct normal {
  __device__ float operator()(curandStateMtgp32 *state) { return curand_normal(state); }
};
struct log_normal {
  __device__ float operator()(curandStateMtgp32 *s) { return curand_log_normal(s, 1.f, 0.5f); }
};

static curandStateMtgp32 *states;
static mtgp32_kernel_params_t *parameters;
static int wrong;

static void seed() {
  if (curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters) ||
      curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, SETS, SEED))
    printf("the states cannot be made\n"), wrong++;
}
static curandGenerator_t generator() {
  curandGenerator_t g;
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MTGP32);
  curandSetPseudoRandomGeneratorSeed(g, SEED);
  return g;
}
template <class Value>
static void compare(const char *what, const Value *made, const Value *dealt, double tolerance) {
  static Value here[SETS * NUMBERS];
  cudaMemcpy(here, made, sizeof here, cudaMemcpyDeviceToHost);
  for (int i = 0; i < SETS * NUMBERS; i++) {
    int set = i / NUMBERS, number = i % NUMBERS;
    double wanted = dealt[(number / AT_ONCE * 192 + set) * AT_ONCE + number % AT_ONCE];
    double error = wanted - (double)here[i];
    if (!(error <= tolerance && error >= -tolerance)) {
      printf("%s: number %d of set %d is %.9g, not %.9g\n", what, number, set, (double)here[i],
             wanted);
      wrong++;
      return;
    }
  }
}

int main() {
  cudaMalloc(&states, SETS * sizeof *states);
  cudaMalloc(&parameters, sizeof *parameters);
  void *made;
  cudaMalloc(&made, SETS * NUMBERS * sizeof(double));
  // clang-format off
  static unsigned dealt[DEALT];
  curandGenerate(generator(), dealt, DEALT);
  seed(), integers<<<SETS, 256>>>(states, (unsigned *)made);
  compare("256 threads", (unsigned *)made, dealt, 0);
  seed(), integers<<<SETS, dim3(16, 8)>>>(states, (unsigned *)made);
  compare("16 x 8 threads", (unsigned *)made, dealt, 0);
  seed(), by_index<<<SETS, 64>>>(states, (unsigned *)made);
  compare("by index", (unsigned *)made, dealt, 0);
  static float floats[DEALT];
  curandGenerateUniform(generator(), floats, DEALT);
  seed(), values<<<SETS, 256>>>(states, (float *)made, uniform());
  compare("uniform", (float *)made, floats, 0);
  curandGenerateNormal(generator(), floats, DEALT, 0, 1);
  seed(), values<<<SETS, 256>>>(states, (float *)made, normal());
  compare("normal", (float *)made, floats, 1e-5);
  curandGenerateLogNormal(generator(), floats, DEALT, 1, 0.5f);
  seed(), values<<<SETS, 256>>>(states, (float *)made, log_normal());
  compare("log normal", (float *)made, floats, 1e-4);
  static double doubles[DEALT];
  curandGenerateUniformDouble(generator(), doubles, DEALT);
  seed(), values<<<SETS, 256>>>(states, (double *)made, uniform_double());
  compare("uniform double", (double *)made, doubles, 0);
  // clang-format on
  return wrong || cudaDeviceSynchronize();
}
