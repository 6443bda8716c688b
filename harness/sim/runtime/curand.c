/* curand.c: cuRAND's host API. The numbers are made on the host and copied to the device in the
 * generator's stream, so that what races with them is found; no time is modelled for it. */
#include <curand.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/runtime/curand_sequence.h"
#include "harness/sim/runtime/runtime.h"

struct curandGenerator_st {
  struct curand_sequence sequence;
  bool on_host;
  cudaStream_t stream;
  struct curandGenerator_st *next;
};

/* Those that exist: another handle, never set or destroyed, is an error and no crash. */
static struct curandGenerator_st *generators;
static pthread_mutex_t generators_lock = PTHREAD_MUTEX_INITIALIZER;

static bool exists(curandGenerator_t generator) {
  pthread_mutex_lock(&generators_lock);
  struct curandGenerator_st *at = generators;
  while (at && at != generator) at = at->next;
  pthread_mutex_unlock(&generators_lock);
  return at;
}

/* Names the generator of cuRAND that the simulator lacks: few programs print a status. */
static void report_missing(curandRngType_t type) {
  const char *name =
      type == CURAND_RNG_PSEUDO_MTGP32                                                 ? "MTGP32"
      : type == CURAND_RNG_PSEUDO_MT19937                                              ? "MT19937"
      : type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 ? "Sobol"
                                                                                       : NULL;
  if (!name) return;
  struct hazard hazard = {.kind = HAZARD_unsupported, .line = runtime_line(), .count = 1};
  snprintf(hazard.message, sizeof hazard.message,
           "curandCreateGenerator: the simulator lacks cuRAND's generator %s; XORWOW, "
           "MRG32k3a and Philox are there.",
           name);
  device_report_hazard(runtime_device(), &hazard);
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
      type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
    report_missing(type);
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (!on_host && cudaFree(NULL)) return CURAND_STATUS_INITIALIZATION_FAILED;
  struct curandGenerator_st *made = calloc(1, sizeof *made);
  if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
  made->sequence.type = type;
  made->on_host = on_host;
  pthread_mutex_lock(&generators_lock);
  made->next = generators;
  generators = made;
  pthread_mutex_unlock(&generators_lock);
  *generator = made;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  pthread_mutex_lock(&generators_lock);
  struct curandGenerator_st **at = &generators;
  while (*at != generator) at = &(*at)->next;
  *at = generator->next;
  pthread_mutex_unlock(&generators_lock);
  curand_sequence_close(&generator->sequence);
  free(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

/* A part of the version that curandGetVersion gives whole. */
curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
           : type == MINOR_VERSION ? CURAND_VER_MINOR
                                   : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->sequence.seed = seed;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->sequence.offset = offset;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

/* There is one order, but for MRG32k3a's legacy one. CURAND_ORDERING_PSEUDO_SEEDED, which NVIDIA
 * does not describe, exists for XORWOW only, CURAND_ORDERING_PSEUDO_DYNAMIC on devices only. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  bool xorwow = generator->sequence.type == CURAND_RNG_PSEUDO_XORWOW;
  if (order < CURAND_ORDERING_PSEUDO_BEST || order > CURAND_ORDERING_PSEUDO_DYNAMIC ||
      (order == CURAND_ORDERING_PSEUDO_SEEDED && !xorwow) ||
      (order == CURAND_ORDERING_PSEUDO_DYNAMIC && generator->on_host))
    return CURAND_STATUS_OUT_OF_RANGE;
  generator->sequence.legacy = order == CURAND_ORDERING_PSEUDO_LEGACY;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  (void)dimensions;
  return exists(generator) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return curand_sequence_start(&generator->sequence) ? CURAND_STATUS_SUCCESS
                                                     : CURAND_STATUS_ALLOCATION_FAILED;
}

/* Output */

/* What normal values become. */
struct shape {
  double mean, deviation;
  bool logarithm; /* of a value is the normal one */
};

static void shape_values(const struct shape *shape, enum curand_kind kind, void *values, size_t n) {
  float *single = values;
  double *twice = values;
  if (kind == CURAND_NORMAL)
    for (size_t i = 0; i < n; i++) {
      single[i] = fmaf(single[i], (float)shape->deviation, (float)shape->mean);
      if (shape->logarithm) single[i] = expf(single[i]);
    }
  if (kind == CURAND_NORMAL_DOUBLE)
    for (size_t i = 0; i < n; i++) {
      twice[i] = fma(twice[i], shape->deviation, shape->mean);
      if (shape->logarithm) twice[i] = exp(twice[i]);
    }
}

static curandStatus_t generate_on_device(struct curandGenerator_st *generator,
                                         enum curand_kind kind, char *out, size_t n,
                                         const struct shape *shape) {
  enum { PART = 1 << 16 }; /* values at a time */
  if (runtime_sticky()) return CURAND_STATUS_PREEXISTING_FAILURE;
  size_t bytes = curand_kind_bytes(kind);
  char *part = malloc((n < PART ? n : PART) * bytes);
  if (!part) return CURAND_STATUS_ALLOCATION_FAILED;
  cudaError_t error = cudaSuccess;
  for (size_t count; n && !error; n -= count, out += count * bytes) {
    count = n < PART ? n : PART;
    curand_sequence_fill(&generator->sequence, kind, part, count);
    shape_values(shape, kind, part, count);
    error = cudaMemcpyAsync(out, part, count * bytes, cudaMemcpyHostToDevice, generator->stream);
  }
  free(part);
  return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static curandStatus_t generate(curandGenerator_t generator, enum curand_kind kind, void *out,
                               size_t n, struct shape shape) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  struct curand_sequence *sequence = &generator->sequence;
  bool pairs = kind == CURAND_NORMAL || kind == CURAND_NORMAL_DOUBLE;
  if (pairs && n % 2 && sequence->type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (!sequence->started && !curand_sequence_start(sequence))
    return CURAND_STATUS_ALLOCATION_FAILED;
  if (!generator->on_host) return generate_on_device(generator, kind, out, n, &shape);
  curand_sequence_fill(sequence, kind, out, n);
  shape_values(&shape, kind, out, n);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t n) {
  return generate(generator, CURAND_INTEGER, out, n, (struct shape){0});
}

/* For the 64-bit Sobol sequences only. */
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out,
                                      size_t n) {
  (void)out, (void)n;
  return exists(generator) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t n) {
  return generate(generator, CURAND_UNIFORM, out, n, (struct shape){0});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t n) {
  return generate(generator, CURAND_UNIFORM_DOUBLE, out, n, (struct shape){0});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t n, float mean,
                                    float stddev) {
  return generate(generator, CURAND_NORMAL, out, n, (struct shape){mean, stddev, false});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                          double mean, double stddev) {
  return generate(generator, CURAND_NORMAL_DOUBLE, out, n, (struct shape){mean, stddev, false});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out, size_t n,
                                       float mean, float stddev) {
  return generate(generator, CURAND_NORMAL, out, n, (struct shape){mean, stddev, true});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                             double mean, double stddev) {
  return generate(generator, CURAND_NORMAL_DOUBLE, out, n, (struct shape){mean, stddev, true});
}
