/* call.c: a call of cuBLAS: see blas.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/base/memory.h"
#include "harness/sim/libraries/blas.h"
#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/managed.h"
#include "harness/sim/runtime/mapped.h"
#include "harness/sim/runtime/runtime.h"
#include <kit_half_bits.h>

/* ---- elements ---- */

size_t type_bytes(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

static double load(const unsigned char *from, cudaDataType type) {
  uint16_t half;
  float single;
  double value;
  int32_t whole;
  switch (type) {
    case CUDA_R_8I:
      return (int8_t)*from;
    case CUDA_R_16F:
      return memcpy(&half, from, sizeof half), (double)kit_half_value(half);
    case CUDA_R_16BF:
      return memcpy(&half, from, sizeof half), (double)kit_bfloat_value(half);
    case CUDA_R_32F:
      return memcpy(&single, from, sizeof single), (double)single;
    case CUDA_R_32I:
      return memcpy(&whole, from, sizeof whole), whole;
    default:
      return memcpy(&value, from, sizeof value), value;
  }
}

static void store(unsigned char *to, cudaDataType type, double value) {
  uint16_t half;
  float single = (float)value;
  int32_t whole;
  switch (type) {
    case CUDA_R_8I:
      *to = (unsigned char)(int8_t)fmax(-128, fmin(127, rint(value)));
      return;
    case CUDA_R_16F:
      half = (uint16_t)kit_half_nearest(single);
      break;
    case CUDA_R_16BF:
      half = (uint16_t)kit_bfloat_nearest(single);
      break;
    case CUDA_R_32F:
      memcpy(to, &single, sizeof single);
      return;
    case CUDA_R_32I: /* sums of products wrap round, as on a GPU */
      whole = (int32_t)(uint32_t)(int64_t)value;
      memcpy(to, &whole, sizeof whole);
      return;
    default:
      memcpy(to, &value, sizeof value);
      return;
  }
  memcpy(to, &half, sizeof half);
}

double value_load(const void *from, cudaDataType type) { return load(from, type); }
void value_store(void *to, cudaDataType type, double value) { store(to, type, value); }

/* ---- operands ---- */

void call_begin(struct call *call, cublasHandle_t handle, const char *function) {
  *call = (struct call){.function = function,
                        .handle = handle,
                        .stream = handle ? handle->stream : NULL,
                        .line = runtime_line(),
                        .repeats = 1};
}

struct operand *call_matrix(struct call *call, const char *name, const void *pointer,
                            cudaDataType type, int64_t rows, int64_t columns, int64_t ld, int use) {
  struct operand *o = &call->operands[call->count++];
  *o = (struct operand){.name = name,
                        .pointer = pointer,
                        .type = type,
                        .rows = rows,
                        .columns = columns,
                        .ld = ld,
                        .reads = use & READS,
                        .writes = use & WRITES};
  return o;
}

struct operand *call_vector(struct call *call, const char *name, const void *pointer,
                            cudaDataType type, int64_t n, int64_t increment, int use) {
  struct operand *o = call_matrix(call, name, pointer, type, 1, n, llabs(increment), use);
  o->backward = increment < 0;
  return o;
}

/* Elements that follow each other are one row to the device. */
static void describe(const struct operand *o, struct library_operand *to) {
  size_t bytes = type_bytes(o->type);
  uint64_t address = (uint64_t)(uintptr_t)o->pointer;
  if (!address_is_device(address)) mapped_translate(&address);
  *to = (struct library_operand){.address = address,
                                 .pitch = (size_t)o->ld * bytes,
                                 .width = (size_t)o->rows * bytes,
                                 .rows = (size_t)o->columns,
                                 .element = bytes,
                                 .reads = o->reads,
                                 .writes = o->writes};
  strncpy(to->name, o->name, sizeof to->name - 1);
  if (o->ld != o->rows) return;
  to->pitch = to->width *= to->rows;
  to->rows = 1;
}

/* Backward is the order of a vector's elements in memory, not that of its values. */
static int64_t place_of(const struct operand *o, int64_t i) {
  return o->backward ? o->columns - 1 - i : i;
}

/* Are the bytes of memory the values as the call computes with them? */
static bool is_as_computed(const struct call *call, const struct operand *o) {
  return o->type == (call->single ? CUDA_R_32F : CUDA_R_64F) && !o->backward;
}

static int move(const struct library_operand *at, const struct device_issue *issue, void *bytes,
                bool writes) {
  struct device_issue copy = *issue;
  struct device *device = runtime_device();
  return writes ? device_write_rows(device, &copy, at->address, at->pitch, bytes, at->width,
                                    at->width, at->rows)
                : device_read_rows(device, &copy, bytes, at->width, at->address, at->pitch,
                                   at->width, at->rows);
}

/* Reads or writes an operand's values. */
static int move_operand(const struct call *call, const struct operand *o,
                        const struct library_operand *at, const struct device_issue *issue,
                        bool writes) {
  if (is_as_computed(call, o)) return move(at, issue, o->values, writes);
  int64_t count = o->rows * o->columns;
  unsigned char *bytes = malloc((size_t)count * at->element);
  if (!bytes) return cudaErrorMemoryAllocation;
  for (int64_t i = 0; i < count && writes; i++)
    store(bytes + (size_t)place_of(o, i) * at->element, o->type, call_get(call, o, i));
  int error = move(at, issue, bytes, writes);
  for (int64_t i = 0; i < count && !writes; i++)
    call_put(call, o, i, load(bytes + (size_t)place_of(o, i) * at->element, o->type));
  free(bytes);
  return error;
}

/* ---- the call ---- */

static cublasStatus_t status_of(int error) {
  return error == cudaSuccess                 ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

static int announce(struct call *call, uint32_t stream, const struct library_operand *operands,
                    bool *runs) {
  struct library_call work = {.line = call->line,
                              .stream = stream,
                              .goes_on = call->goes_on,
                              .on_tensor_cores = call->on_tensor_cores,
                              .operations = call->operations * call->repeats,
                              .operand_count = call->count,
                              .operands = operands};
  strncpy(work.function, call->function, sizeof work.function - 1);
  for (int i = 0; i < call->count; i++)
    work.bytes += (double)operands[i].width * (double)operands[i].rows * call->repeats *
                  (operands[i].reads + operands[i].writes);
  managed_report();
  return device_library_call(runtime_device(), &work, runs);
}

static int compute_on_host(struct call *call, uint32_t stream,
                           const struct library_operand *operands, compute_function *compute,
                           const void *context) {
  struct device_issue issue = {.stream = stream, .line = call->line, .of_library = true};
  int error = cudaSuccess;
  for (int i = 0; i < call->count && !error; i++) {
    struct operand *o = &call->operands[i];
    o->values =
        calloc((size_t)(o->rows * o->columns), call->single ? sizeof(float) : sizeof(double));
    if (!o->values) error = cudaErrorMemoryAllocation;
    if (!error && o->reads) error = move_operand(call, o, &operands[i], &issue, false);
  }
  if (!error) compute(call, context);
  for (int i = 0; i < call->count && !error; i++)
    if (call->operands[i].writes)
      error = move_operand(call, &call->operands[i], &operands[i], &issue, true);
  for (int i = 0; i < call->count; i++) free(call->operands[i].values);
  return error;
}

cublasStatus_t call_run(struct call *call, compute_function *compute, const void *context) {
  struct library_operand operands[MAX_LIBRARY_OPERANDS];
  uint32_t stream;
  bool runs;
  if (!runtime_stream(call->stream, &stream)) return CUBLAS_STATUS_EXECUTION_FAILED;
  cudaError_t forbidden; /* a result that the host waits for, or the default stream meanwhile */
  if (capture_forbids(call->stream, false, &forbidden))
    return status_of(runtime_result_of(forbidden, call->function));
  for (int i = 0; i < call->count; i++) describe(&call->operands[i], &operands[i]);
  int error = announce(call, stream, operands, &runs);
  if (!error && runs) error = compute_on_host(call, stream, operands, compute, context);
  managed_guard();
  call->goes_on = true;
  call->count = 0;
  call->operations = 0;
  return status_of(error);
}

/* ---- graphs ---- */

/* What a node keeps; the arguments lie behind it. */
struct kept {
  struct cublasContext how;
  blas_function *function;
  double alpha, beta; /* the scalars' bytes */
};

static cudaError_t run_kept(const void *bytes, cudaStream_t stream) {
  const struct kept *kept = bytes;
  struct cublasContext how = kept->how;
  how.stream = stream;
  return kept->function(&how, kept + 1) ? cudaErrorUnknown : cudaSuccess;
}

/* The member of the copy that was at `member`, if it points to a scalar of the host. */
static void keep_scalar(void *copy, const void *arguments, const void *const *member, size_t bytes,
                        double *value) {
  if (!member || !*member) return;
  memcpy(value, *member, bytes);
  const void *now = value;
  memcpy((char *)copy + ((const char *)member - (const char *)arguments), &now, sizeof now);
}

bool call_is_kept(cublasHandle_t handle, blas_function *function, const void *arguments,
                  size_t bytes, const void *const *alpha, const void *const *beta,
                  cudaDataType type, cublasStatus_t *status) {
  if (!capture_is_on(handle->stream)) return false;
  struct graph_work work = {.place = runtime_call_place()};
  struct kept *made = malloc(sizeof *made + bytes);
  void *copy = NULL;
  cudaError_t error = cudaErrorMemoryAllocation;
  if (made) {
    *made = (struct kept){.how = *handle, .function = function};
    memcpy(made + 1, arguments, bytes);
    error = work_library(&work, run_kept, made, sizeof *made + bytes, &copy);
    free(made);
  }
  if (!error && handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    struct kept *kept = copy;
    keep_scalar(kept + 1, arguments, alpha, type_bytes(type), &kept->alpha);
    keep_scalar(kept + 1, arguments, beta, type_bytes(type), &kept->beta);
  }
  capture_work(handle->stream, &work, error, &error);
  *status = status_of(error);
  return true;
}

/* ---- scalars ---- */

static void keep_value(struct call *call, const void *context) {
  *(double *)(uintptr_t)context = call_get(call, &call->operands[0], 0);
}

/* It comes before the call's launch, as a part of it. */
cublasStatus_t call_scalar(struct call *call, const char *name, const void *pointer,
                           cudaDataType type, double *value) {
  CHECK(pointer);
  if (call->handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    *value = load(pointer, type);
    return CUBLAS_STATUS_SUCCESS;
  }
  struct call scalar;
  call_begin(&scalar, call->handle, call->function);
  scalar.goes_on = true;
  *value = 0;
  call_vector(&scalar, name, pointer, type, 1, 1, READS);
  return call_run(&scalar, keep_value, value);
}

static void put_value(struct call *call, const void *context) {
  call_put(call, &call->operands[0], 0, *(const double *)context);
}

cublasStatus_t call_result(struct call *call, void *pointer, cudaDataType type, double value) {
  if (call->handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    store(pointer, type, value);
    return status_of(cudaStreamSynchronize(call->stream));
  }
  call->goes_on = true;
  call_vector(call, "result", pointer, type, 1, 1, WRITES);
  return call_run(call, put_value, &value);
}
