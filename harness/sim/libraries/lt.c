/* lt.c: cuBLASLt: products of matrices that descriptors describe, and what becomes of the results.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/libraries/blas.h"
#include <cublasLt.h>

struct cublasLtContext {
  struct cublasContext blas;
};
struct cublasLtMatmulDesc {
  cublasComputeType_t compute;
  cudaDataType scale, bias_type;
  bool has_bias_type;
  cublasLtPointerMode_t pointers;
  cublasOperation_t transa, transb, transc;
  cublasLtEpilogue_t epilogue;
  const void *bias;
  void *aux;
  int64_t aux_ld, bias_stride, aux_stride;
};
struct cublasLtMatrixLayout {
  cudaDataType type;
  uint64_t rows, columns;
  int64_t ld, stride;
  cublasLtOrder_t order;
  int32_t batch;
};
struct cublasLtMatmulPreference {
  uint64_t workspace;
};

#define CHECK_LT(handle) \
  if (!(handle) || !(handle)->blas.live) return CUBLAS_STATUS_NOT_INITIALIZED

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  CHECK(handle);
  if (cudaFree(NULL) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = calloc(1, sizeof **handle);
  if (!*handle) return CUBLAS_STATUS_ALLOC_FAILED;
  (*handle)->blas.live = true;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  CHECK_LT(handle);
  handle->blas.live = false; /* kept, so that a later use is noticed */
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return CUDART_VERSION; }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

/* ---- descriptors ---- */

#define NEW(to, ...)                             \
  CHECK(to);                                     \
  *(to) = malloc(sizeof **(to));                 \
  if (!*(to)) return CUBLAS_STATUS_ALLOC_FAILED; \
  **(to) = (__typeof__(**(to)))__VA_ARGS__;      \
  return CUBLAS_STATUS_SUCCESS
/* An attribute of this size. */
#define SET(name, member)            \
  case name:                         \
    CHECK(bytes == sizeof(member));  \
    memcpy(&(member), value, bytes); \
    return CUBLAS_STATUS_SUCCESS

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  NEW(desc, {.compute = compute, .scale = scale, .epilogue = CUBLASLT_EPILOGUE_DEFAULT});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  free(desc);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes) {
  CHECK(desc && value);
  if (attribute == CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE) desc->has_bias_type = true;
  switch (attribute) {
    SET(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, desc->compute);
    SET(CUBLASLT_MATMUL_DESC_SCALE_TYPE, desc->scale);
    SET(CUBLASLT_MATMUL_DESC_POINTER_MODE, desc->pointers);
    SET(CUBLASLT_MATMUL_DESC_TRANSA, desc->transa);
    SET(CUBLASLT_MATMUL_DESC_TRANSB, desc->transb);
    SET(CUBLASLT_MATMUL_DESC_TRANSC, desc->transc);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE, desc->epilogue);
    SET(CUBLASLT_MATMUL_DESC_BIAS_POINTER, desc->bias);
    SET(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, desc->bias_stride);
    SET(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, desc->bias_type);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, desc->aux);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, desc->aux_ld);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, desc->aux_stride);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
  NEW(layout, {.type = type, .rows = rows, .columns = columns, .ld = ld, .batch = 1});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  free(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes) {
  CHECK(layout && value);
  switch (attribute) {
    SET(CUBLASLT_MATRIX_LAYOUT_TYPE, layout->type);
    SET(CUBLASLT_MATRIX_LAYOUT_ORDER, layout->order);
    SET(CUBLASLT_MATRIX_LAYOUT_ROWS, layout->rows);
    SET(CUBLASLT_MATRIX_LAYOUT_COLS, layout->columns);
    SET(CUBLASLT_MATRIX_LAYOUT_LD, layout->ld);
    SET(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, layout->batch);
    SET(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, layout->stride);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  NEW(preference, {0});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  free(preference);
  return CUBLAS_STATUS_SUCCESS;
}

/* No product needs a workspace. */
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t bytes) {
  CHECK(preference && value);
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) {
    CHECK(bytes == sizeof preference->workspace);
    memcpy(&preference->workspace, value, bytes);
  }
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- epilogues: their values are sums of these bits ---- */

enum { RELU = 2, BIAS = 4, GELU = 32, AUX = 128 };

static bool is_simulated(cublasLtEpilogue_t epilogue) {
  switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
      return true;
    default:
      return false;
  }
}

/* GELU by tanh, as cuBLASLt has it, and its slope. */
static const double gelu_scale = 0.79788456080286536, gelu_cube = 0.044715; /* sqrt(2 / pi) */
static double gelu(double x) {
  return 0.5 * x * (1 + tanh(gelu_scale * (x + gelu_cube * x * x * x)));
}
static double gelu_slope(double x) {
  double t = tanh(gelu_scale * (x + gelu_cube * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * gelu_scale * (1 + 3 * gelu_cube * x * x);
}

/* One product's descriptors. */
struct matmul {
  const struct cublasLtMatmulDesc *desc;
  const struct cublasLtMatrixLayout *D;
};

/* The same by value, for a graph: the program may destroy what it has described. */
struct kept_matmul {
  struct cublasLtMatmulDesc desc;
  struct cublasLtMatrixLayout D;
  struct gemm gemm;
};

static const void *item_of(const void *base, int64_t stride, cudaDataType type, int index) {
  return (const char *)base + index * stride * (int64_t)type_bytes(type);
}

static void add_epilogue(struct call *call, const void *context, int index) {
  const struct matmul *p = context;
  const struct cublasLtMatmulDesc *d = p->desc;
  int64_t m = (int64_t)p->D->rows, n = (int64_t)p->D->columns;
  cudaDataType bias_type = d->has_bias_type ? d->bias_type : p->D->type;
  if (d->epilogue & BIAS)
    call_vector(call, "bias", item_of(d->bias, d->bias_stride, bias_type, index), bias_type, m, 1,
                READS);
  if (d->epilogue & AUX)
    call_matrix(call, "aux", item_of(d->aux, d->aux_stride, p->D->type, index), p->D->type, m, n,
                d->aux_ld, d->epilogue == CUBLASLT_EPILOGUE_DGELU ? READS : WRITES);
}

static void finish(struct call *call, const void *context, const struct operand *D,
                   const struct operand *more) {
  const struct matmul *p = context;
  int epilogue = (int)p->desc->epilogue;
  const struct operand *bias = more, *aux = more + (epilogue & BIAS ? 1 : 0);
  for (int64_t j = 0; j < D->columns; j++)
    for (int64_t i = 0; i < D->rows; i++) {
      int64_t at = j * D->rows + i;
      double value = call_get(call, D, at);
      if (epilogue & BIAS) value += call_get(call, bias, i);
      if (epilogue == CUBLASLT_EPILOGUE_DGELU)
        value *= gelu_slope(call_get(call, aux, at));
      else if (epilogue & AUX)
        call_put(call, aux, at, value);
      if (epilogue & GELU) value = gelu(value);
      if (epilogue & RELU) value = fmax(value, 0);
      call_put(call, D, at, value);
    }
}

/* ---- products ---- */

static cublasStatus_t describe(const struct matmul *p, const struct cublasLtMatrixLayout *a,
                               const struct cublasLtMatrixLayout *b,
                               const struct cublasLtMatrixLayout *c, struct gemm *g) {
  const struct cublasLtMatmulDesc *d = p->desc;
  CHECK(d && a && b && c && p->D);
  bool ta = d->transa != CUBLAS_OP_N, tb = d->transb != CUBLAS_OP_N;
  uint64_t k = ta ? a->rows : a->columns;
  *g = (struct gemm){.transa = d->transa,
                     .transb = d->transb,
                     .m = (int64_t)p->D->rows,
                     .n = (int64_t)p->D->columns,
                     .k = (int64_t)k,
                     .lda = a->ld,
                     .ldb = b->ld,
                     .ldc = c->ld,
                     .ldd = p->D->ld,
                     .batch = p->D->batch,
                     .type_a = a->type,
                     .type_b = b->type,
                     .type_c = c->type,
                     .type_d = p->D->type,
                     .type_scale = d->scale,
                     .compute = d->compute,
                     .stride_a = a->stride,
                     .stride_b = b->stride,
                     .stride_c = c->stride,
                     .stride_d = p->D->stride,
                     .context = p};
  CHECK((ta ? a->columns : a->rows) == p->D->rows && (tb ? b->rows : b->columns) == p->D->columns);
  CHECK((tb ? b->columns : b->rows) == k && c->rows == p->D->rows && c->columns == p->D->columns);
  CHECK(a->batch == g->batch && b->batch == g->batch && c->batch == g->batch);
  CHECK(a->ld >= (int64_t)a->rows && b->ld >= (int64_t)b->rows && c->ld >= g->m && g->ldd >= g->m);
  bool columns = !a->order && !b->order && !c->order && !p->D->order && !d->transc;
  if (!columns || !is_simulated(d->epilogue) || !gemm_is_supported(g) || g->type_c != g->type_d ||
      !type_bytes(d->scale))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (d->epilogue == CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_SUCCESS;
  CHECK(!(d->epilogue & AUX) || d->aux_ld >= g->m);
  g->prepare = add_epilogue;
  g->finish = finish;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                                              cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                              cublasLtMatmulPreference_t preference, int room,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *count) {
  struct gemm g;
  CHECK_LT(handle);
  CHECK(preference && room > 0 && results && count);
  *count = 0;
  TRY(describe(&(struct matmul){desc, D}, A, B, C, &g));
  results[(*count)++] = (cublasLtMatmulHeuristicResult_t){.wavesCount = 1};
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t run(cublasHandle_t how, const void *arguments) {
  const struct kept_matmul *kept = arguments;
  struct matmul p = {&kept->desc, &kept->D};
  struct gemm g = kept->gemm;
  struct call call;
  KEEP_IF_CAPTURED(how, run, kept, &kept->gemm.alpha, &kept->gemm.beta, g.type_scale);
  g.context = &p;
  call_begin(&call, how, "cublasLtMatmul");
  return gemm_run(&call, &g);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t layout_a, const void *B,
                              cublasLtMatrixLayout_t layout_b, const void *beta, const void *C,
                              cublasLtMatrixLayout_t layout_c, void *D,
                              cublasLtMatrixLayout_t layout_d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t bytes,
                              cudaStream_t stream) {
  struct matmul p = {desc, layout_d};
  struct gemm g;
  (void)algorithm, (void)workspace, (void)bytes;
  CHECK_LT(handle);
  TRY(describe(&p, layout_a, layout_b, layout_c, &g));
  g.A = A, g.B = B, g.C = C, g.D = D, g.alpha = alpha, g.beta = beta;
  struct cublasContext how = handle->blas;
  how.stream = stream;
  how.pointers = desc->pointers == CUBLASLT_POINTER_MODE_DEVICE ? CUBLAS_POINTER_MODE_DEVICE
                                                                : CUBLAS_POINTER_MODE_HOST;
  return run(&how, &(struct kept_matmul){*desc, *layout_d, g});
}
