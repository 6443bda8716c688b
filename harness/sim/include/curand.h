/* curand.h: cuRAND's host API (cuRAND, "Host API"): random numbers into memory of the device, or of
 * the host (curandCreateGeneratorHost). All its generators are there; of the orders,
 * CURAND_ORDERING_PSEUDO_SEEDED and _DYNAMIC are refused. */
#ifndef KIT_CURAND_H
#define KIT_CURAND_H
#define CURAND_H_

#pragma GCC system_header

#include "cuda_runtime.h"
#include "kit_unsimulated.h"
#include "library_types.h"

#define CURANDAPI
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;

typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

typedef struct curandGenerator_st *curandGenerator_t;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#ifdef __cplusplus
extern "C" {
#endif
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandGetProperty(libraryPropertyType type, int *value);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t n);
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out,
                                      size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t n, float mean,
                                    float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                          double mean, double stddev);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out, size_t n,
                                       float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                             double mean, double stddev);
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t n,
                                     double lambda);
/* Direction vectors of 20,000 dimensions, and constants for the scrambled ones, in memory of the
 * host that stays: device code gets a copy. */
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetScrambleConstants32(unsigned int **constants);
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);
#ifdef __cplusplus
}
#endif

#ifdef __CUDA__
/* Calls that know their line. */
#define KIT_LINE int line = __builtin_LINE(), const char *file = __builtin_FILE()
#define KIT_GENERATE(function, type, arguments, ...)                                 \
  extern "C" curandStatus_t kit_##function(curandGenerator_t generator, type *out,   \
                                           size_t n __VA_ARGS__) __asm__(#function); \
  __kit_inline__ curandStatus_t function(curandGenerator_t generator, type *out,     \
                                         size_t n __VA_ARGS__, KIT_LINE)             \
      __attribute__((enable_if(line >= 0, "always"))) {                              \
    kit_place here(line, file);                                                      \
    return kit_##function arguments;                                                 \
  }
#define KIT_MOMENTS(type) , type mean, type stddev
KIT_GENERATE(curandGenerate, unsigned int, (generator, out, n), )
KIT_GENERATE(curandGenerateLongLong, unsigned long long, (generator, out, n), )
KIT_GENERATE(curandGenerateUniform, float, (generator, out, n), )
KIT_GENERATE(curandGenerateUniformDouble, double, (generator, out, n), )
KIT_GENERATE(curandGenerateNormal, float, (generator, out, n, mean, stddev), KIT_MOMENTS(float))
KIT_GENERATE(curandGenerateNormalDouble, double, (generator, out, n, mean, stddev),
             KIT_MOMENTS(double))
KIT_GENERATE(curandGenerateLogNormal, float, (generator, out, n, mean, stddev), KIT_MOMENTS(float))
KIT_GENERATE(curandGenerateLogNormalDouble, double, (generator, out, n, mean, stddev),
             KIT_MOMENTS(double))
#define KIT_MEAN , double lambda
KIT_GENERATE(curandGeneratePoisson, unsigned int, (generator, out, n, lambda), KIT_MEAN)
#undef KIT_MEAN
#undef KIT_MOMENTS
#undef KIT_GENERATE
#undef KIT_LINE
#endif

#ifdef KIT_LACKS
#define KIT_LACKED(name) extern "C" curandStatus_t name(...) KIT_LACKS(KIT_WHY);
#define KIT_WHY "cuRAND's discrete distributions; curand_poisson in a kernel draws such numbers"
KIT_LACKED(curandGeneratePoissonMethod)
KIT_LACKED(curandGenerateBinomialMethod)
KIT_LACKED(curandCreatePoissonDistribution)
KIT_LACKED(curandDestroyDistribution)
KIT_LACKED(curandGenerateBinomial)
#undef KIT_WHY
#undef KIT_LACKED
#endif

#endif
