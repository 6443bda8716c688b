/* curand.c: cuRAND's host API. The numbers are made on the host and copied to the device in the
 * generator's stream, so that what races with them is found; no time is modelled for it. */
#include <curand.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/runtime/curand_poisson.h"
#include "harness/sim/runtime/curand_sequence.h"
#include "harness/sim/runtime/curand_values.h"
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

/* Names what the simulator lacks of cuRAND: few programs print a status. */
static void report_missing(const char *call, const char *what) {
  struct hazard hazard = {.kind = HAZARD_unsupported, .line = runtime_line(), .count = 1};
  snprintf(hazard.message, sizeof hazard.message, "%s: the simulator lacks cuRAND's %s.", call,
           what);
  device_report_hazard(runtime_device(), &hazard);
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  const struct curand_method *method = curand_find_method(type);
  if (!method) return CURAND_STATUS_TYPE_ERROR;
  if (!on_host && cudaFree(NULL)) return CURAND_STATUS_INITIALIZATION_FAILED;
  struct curandGenerator_st *made = calloc(1, sizeof *made);
  if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
  made->sequence = (struct curand_sequence){
      .method = method,
      .order =
          curand_is_quasi(method) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT,
      .dimensions = 1,
  };
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
  if (curand_is_quasi(generator->sequence.method)) return CURAND_STATUS_TYPE_ERROR;
  generator->sequence.seed = seed;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  curandRngType_t type = generator->sequence.method->type;
  if (type == CURAND_RNG_PSEUDO_MTGP32 || type == CURAND_RNG_PSEUDO_MT19937)
    return CURAND_STATUS_TYPE_ERROR;
  generator->sequence.offset = offset;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

/* CURAND_ORDERING_PSEUDO_DYNAMIC goes by the GPU, for generators there only, and
 * CURAND_ORDERING_PSEUDO_SEEDED, for XORWOW only, is not described: both would be other numbers. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const struct curand_method *method = generator->sequence.method;
  bool not_there = generator->on_host && method->type == CURAND_RNG_PSEUDO_MT19937 &&
                   order == CURAND_ORDERING_PSEUDO_BEST;
  if (not_there || !curand_has_order(method, order)) {
    if (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !generator->on_host && !curand_is_quasi(method))
      report_missing("curandSetGeneratorOrdering", "order CURAND_ORDERING_PSEUDO_DYNAMIC");
    if (order == CURAND_ORDERING_PSEUDO_SEEDED && method->type == CURAND_RNG_PSEUDO_XORWOW)
      report_missing("curandSetGeneratorOrdering", "order CURAND_ORDERING_PSEUDO_SEEDED");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->sequence.order = order;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!curand_is_quasi(generator->sequence.method)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > CURAND_MAX_DIMENSIONS) return CURAND_STATUS_OUT_OF_RANGE;
  generator->sequence.dimensions = dimensions;
  generator->sequence.started = false;
  return CURAND_STATUS_SUCCESS;
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

/* What a call asks for. */
struct request {
  enum curand_kind kind;
  struct shape shape;
  const struct curand_poisson *poisson; /* or NULL */
};

/* The next n values, to memory of the host. */
static void make(struct curand_sequence *sequence, const struct request *request, void *out,
                 size_t n) {
  curand_sequence_fill(sequence, request->kind, out, n);
  if (request->poisson)
    curand_poisson_values(request->poisson, out, n, out);
  else
    shape_values(&request->shape, request->kind, out, n);
}

static curandStatus_t deliver(struct curandGenerator_st *generator, const struct request *request,
                              char *out, size_t n) {
  enum { PART = 1 << 16 }; /* values at a time */
  if (!generator->on_host && runtime_sticky()) return CURAND_STATUS_PREEXISTING_FAILURE;
  size_t bytes = curand_units[request->kind].bytes;
  size_t out_bytes = request->poisson ? sizeof(unsigned) : bytes;
  char *part = malloc((n < PART ? n : PART) * bytes);
  if (!part && n) return CURAND_STATUS_ALLOCATION_FAILED;
  cudaError_t error = cudaSuccess;
  for (size_t count; n && !error; n -= count, out += count * out_bytes) {
    count = n < PART ? n : PART;
    make(&generator->sequence, request, part, count);
    if (generator->on_host)
      memcpy(out, part, count * out_bytes);
    else
      error =
          cudaMemcpyAsync(out, part, count * out_bytes, cudaMemcpyHostToDevice, generator->stream);
  }
  free(part);
  return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static curandStatus_t begin(struct curandGenerator_st *generator, size_t n) {
  struct curand_sequence *sequence = &generator->sequence;
  if (n % sequence->dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (!sequence->started && !curand_sequence_start(sequence))
    return CURAND_STATUS_ALLOCATION_FAILED;
  curand_sequence_begin(sequence, n);
  return CURAND_STATUS_SUCCESS;
}

static curandStatus_t generate(curandGenerator_t generator, enum curand_kind kind, void *out,
                               size_t n, struct shape shape) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const struct curand_method *method = generator->sequence.method;
  bool pairs = kind == CURAND_NORMAL || kind == CURAND_NORMAL_DOUBLE;
  if (!(method->kinds >> kind & 1)) return CURAND_STATUS_TYPE_ERROR;
  if (pairs && n % 2 && method->even) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  curandStatus_t status = begin(generator, n);
  struct request request = {.kind = kind, .shape = shape};
  return status ? status : deliver(generator, &request, out, n);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t n,
                                     double lambda) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0 && lambda <= CURAND_MAX_MEAN)) return CURAND_STATUS_OUT_OF_RANGE;
  curandStatus_t status = begin(generator, n);
  if (status) return status;
  struct curand_poisson *poisson = curand_poisson_make(generator->sequence.method, lambda);
  if (!poisson) return CURAND_STATUS_ALLOCATION_FAILED;
  struct request request = {.kind = curand_poisson_kind(poisson), .poisson = poisson};
  status = deliver(generator, &request, (char *)out, n);
  curand_poisson_free(poisson);
  return status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t n) {
  return generate(generator, CURAND_INTEGER, out, n, (struct shape){0});
}

/* For the 64-bit Sobol sequences only, of which curandGenerate has none. */
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out,
                                      size_t n) {
  return generate(generator, CURAND_LONG_LONG, out, n, (struct shape){0});
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
