/* gemm.c: cuBLAS's products of matrices: of all types, alone and in batches. */
#include <stdlib.h>

#include "harness/sim/libraries/blas.h"

enum {
  PARTS = 6, /* operands of a product at most: A to D, and two more of what follows it */
  CHUNK = MAX_LIBRARY_OPERANDS / PARTS,
};

/* Products of a batch that are computed at a time, each from the operand on. */
struct chunk {
  const struct gemm *gemm;
  struct product product;
  int count, first[CHUNK + 1];
};

/* How many operations on such inputs take the time of one in single precision: NVIDIA H100 data
 * sheet, dense products on tensor cores (TF32, half and bfloat16, int8); double precision has them,
 * too, and is as fast as single precision without. */
static double speed_of(const struct call *call, const struct gemm *g) {
  bool single = g->type_a == CUDA_R_32F;
  bool tf32 = g->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ||
              (call->handle->math & 3) == CUBLAS_TF32_TENSOR_OP_MATH;
  if (g->type_a == CUDA_R_8I) return 32;
  if (g->type_a == CUDA_R_16F || g->type_a == CUDA_R_16BF) return 16;
  if (single &&
      (g->compute == CUBLAS_COMPUTE_32F_FAST_16F || g->compute == CUBLAS_COMPUTE_32F_FAST_16BF))
    return 16;
  return single && tf32 ? 8 : 1;
}

static void compute(struct call *call, const void *context) {
  const struct chunk *chunk = context;
  const struct gemm *g = chunk->gemm;
  for (int i = 0; i < chunk->count; i++) {
    const struct operand *D = &call->operands[chunk->first[i]], *at = D + 1;
    bool separate = !D->reads && chunk->product.beta != 0;
    if (separate) {
      for (int64_t j = 0; j < D->rows * D->columns; j++)
        call_put(call, D, j, call_get(call, at, j));
      at++;
    }
    bool product = chunk->product.alpha != 0 && g->k > 0;
    struct product scaled = chunk->product;
    if (!product) scaled.k = 0;
    multiply(&scaled, product ? at[0].values : NULL, product ? at[1].values : NULL, D->values);
    if (product) at += 2;
    if (g->finish) g->finish(call, g->context, D, at);
  }
}

static const void *matrix_of(const void *base, const double *pointers, long long stride,
                             cudaDataType type, int i) {
  if (pointers) return ((const void *const *)(const void *)pointers)[i];
  return (const char *)base + (long long)i * stride * (long long)type_bytes(type);
}

/* Arrays of pointers, read as 8 bytes each. */
struct tables {
  double *A, *B, *C, *D;
  bool read;
};

static void add_product(struct call *call, struct chunk *chunk, const struct tables *t, int i) {
  const struct gemm *g = chunk->gemm;
  const void *A = matrix_of(g->A, t->A, g->stride_a, g->type_a, i),
             *B = matrix_of(g->B, t->B, g->stride_b, g->type_b, i),
             *C = matrix_of(g->C, t->C, g->stride_c, g->type_c, i),
             *D = matrix_of(g->D, t->D, g->stride_d, g->type_d, i);
  bool scales = chunk->product.beta != 0,
       same = C == D && g->type_c == g->type_d && g->ldc == g->ldd;
  bool ta = g->transa != CUBLAS_OP_N, tb = g->transb != CUBLAS_OP_N;
  chunk->first[chunk->count++] = call->count;
  /* cuBLAS has one C, Lt a D besides. */
  const char *result = g->finish || g->C != g->D ? "D" : "C";
  call_matrix(call, result, D, g->type_d, g->m, g->n, g->ldd,
              WRITES | (scales && same ? READS : 0));
  if (scales && !same) call_matrix(call, "C", C, g->type_c, g->m, g->n, g->ldc, READS);
  if (chunk->product.alpha != 0 && g->k > 0) {
    call_matrix(call, "A", A, g->type_a, ta ? g->k : g->m, ta ? g->m : g->k, g->lda, READS);
    call_matrix(call, "B", B, g->type_b, tb ? g->n : g->k, tb ? g->k : g->n, g->ldb, READS);
    call->operations += 2.0 * (double)g->m * (double)g->n * (double)g->k / speed_of(call, g);
  }
  if (g->prepare) g->prepare(call, g->context, i);
}

static void keep_tables(struct call *call, const void *context) {
  struct tables *t = (struct tables *)(uintptr_t)context;
  double *const to[] = {t->A, t->B, t->C};
  for (int table = 0; table < 3; table++)
    for (int64_t i = 0; i < call->operands[table].columns; i++)
      to[table][i] = ((const double *)call->operands[table].values)[i];
  t->read = true;
}

static cublasStatus_t read_tables(const struct call *call, const struct gemm *g, struct tables *t) {
  struct call reads;
  call_begin(&reads, call->handle, call->function);
  reads.goes_on = true;
  t->A = calloc((size_t)g->batch, sizeof *t->A);
  t->B = calloc((size_t)g->batch, sizeof *t->B);
  t->D = t->C = calloc((size_t)g->batch, sizeof *t->C);
  if (!t->A || !t->B || !t->C) return CUBLAS_STATUS_ALLOC_FAILED;
  call_vector(&reads, "Aarray", g->A, CUDA_R_64F, g->batch, 1, READS);
  call_vector(&reads, "Barray", g->B, CUDA_R_64F, g->batch, 1, READS);
  call_vector(&reads, "Carray", g->C, CUDA_R_64F, g->batch, 1, READS);
  return call_run(&reads, keep_tables, t);
}

static cublasStatus_t run_chunks(struct call *call, const struct gemm *g, struct chunk *chunk,
                                 const struct tables *t) {
  for (int done = 0; done < g->batch; done += chunk->count) {
    chunk->count = 0;
    for (int i = done; i < g->batch && chunk->count < CHUNK; i++) add_product(call, chunk, t, i);
    call->repeats = (double)g->batch / chunk->count;
    TRY(call_run(call, compute, chunk));
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t gemm_run(struct call *call, const struct gemm *g) {
  struct chunk chunk = {.gemm = g};
  struct tables t = {0};
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  TRY(call_scalar(call, "alpha", g->alpha, g->type_scale, &chunk.product.alpha));
  TRY(call_scalar(call, "beta", g->beta, g->type_scale, &chunk.product.beta));
  if (g->m == 0 || g->n == 0 || g->batch == 0) return CUBLAS_STATUS_SUCCESS;
  bool nothing = (chunk.product.alpha == 0 || g->k == 0) && chunk.product.beta == 1;
  if (nothing && g->C == g->D && !g->finish) return CUBLAS_STATUS_SUCCESS;
  /* Sums of int8 are exact in double precision, not in single. */
  call->single = multiply_has_single() && g->type_a != CUDA_R_64F && g->type_a != CUDA_R_8I;
  call->on_tensor_cores = speed_of(call, g) > 1 || g->type_a == CUDA_R_64F;
  chunk.product.single = call->single;
  chunk.product.transpose_a = g->transa != CUBLAS_OP_N;
  chunk.product.transpose_b = g->transb != CUBLAS_OP_N;
  chunk.product.m = g->m, chunk.product.n = g->n, chunk.product.k = g->k;
  if (g->pointers) status = read_tables(call, g, &t);
  if (!status && (!g->pointers || t.read)) status = run_chunks(call, g, &chunk, &t);
  free(t.A);
  free(t.B);
  free(t.C);
  return status;
}

/* ---- the functions ---- */

/* Which types go together: cuBLAS documentation, cublasGemmEx(), its table of compute types. */
bool gemm_is_supported(const struct gemm *g) {
  cudaDataType a = g->type_a, c = g->type_c;
  bool half = a == CUDA_R_16F, bfloat = a == CUDA_R_16BF;
  if (a != g->type_b) return false;
  switch (g->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return half && c == CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return a == CUDA_R_64F && c == CUDA_R_64F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return c == CUDA_R_32F ? a != CUDA_R_64F && a != CUDA_R_32I && type_bytes(a)
                             : (half || bfloat) && c == a;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return a == CUDA_R_32F && c == CUDA_R_32F;
    default:
      return false;
  }
}

static cudaDataType scale_of(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

static bool has_ld(int64_t ld, int64_t rows) { return ld >= 1 && ld >= rows; }

static cublasStatus_t run(cublasHandle_t handle, const void *arguments) {
  struct gemm whole = *(const struct gemm *)arguments, *g = &whole;
  struct call call;
  CHECK_HANDLE(handle);
  CHECK((unsigned)g->transa <= CUBLAS_OP_C && (unsigned)g->transb <= CUBLAS_OP_C);
  CHECK(g->m >= 0 && g->n >= 0 && g->k >= 0 && g->batch >= 0);
  CHECK(has_ld(g->lda, g->transa == CUBLAS_OP_N ? g->m : g->k));
  CHECK(has_ld(g->ldb, g->transb == CUBLAS_OP_N ? g->k : g->n));
  CHECK(has_ld(g->ldc, g->m));
  if (!gemm_is_supported(g)) return CUBLAS_STATUS_NOT_SUPPORTED;
  g->type_scale = scale_of(g->compute);
  g->D = (void *)(uintptr_t)g->C;
  g->ldd = g->ldc;
  g->type_d = g->type_c;
  g->stride_d = g->stride_c;
  KEEP_IF_CAPTURED(handle, run, g, &g->alpha, &g->beta, g->type_scale);
  call_begin(&call, handle, g->function);
  return gemm_run(&call, g);
}

#define SHAPE                                                                                     \
  .transa = transa, .transb = transb, .m = m, .n = n, .k = k, .lda = lda, .ldb = ldb, .ldc = ldc, \
  .A = A, .B = B, .C = C, .alpha = alpha, .beta = beta
#define TYPES .type_a = type_a, .type_b = type_b, .type_c = type_c
#define STRIDES .stride_a = stride_a, .stride_b = stride_b, .stride_c = stride_c, .batch = batch

#define GEMM(X, T, type, compute_type)                                                          \
  cublasStatus_t cublas##X##gemm(cublasHandle_t handle, cublasOperation_t transa,               \
                                 cublasOperation_t transb, int m, int n, int k, const T *alpha, \
                                 const T *A, int lda, const T *B, int ldb, const T *beta, T *C, \
                                 int ldc) {                                                     \
    struct gemm g = {.function = "cublas" #X "gemm",                                            \
                     SHAPE,                                                                     \
                     .batch = 1,                                                                \
                     .compute = compute_type,                                                   \
                     .type_a = type,                                                            \
                     .type_b = type,                                                            \
                     .type_c = type};                                                           \
    return run(handle, &g);                                                                     \
  }                                                                                             \
  cublasStatus_t cublas##X##gemmStridedBatched(                                                 \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,  \
      int k, const T *alpha, const T *A, int lda, long long stride_a, const T *B, int ldb,      \
      long long stride_b, const T *beta, T *C, int ldc, long long stride_c, int batch) {        \
    struct gemm g = {.function = "cublas" #X "gemmStridedBatched",                              \
                     SHAPE,                                                                     \
                     STRIDES,                                                                   \
                     .compute = compute_type,                                                   \
                     .type_a = type,                                                            \
                     .type_b = type,                                                            \
                     .type_c = type};                                                           \
    return run(handle, &g);                                                                     \
  }
#define BATCHED(X, T, type, compute_type)                                                      \
  cublasStatus_t cublas##X##gemmBatched(                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
      int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb,         \
      const T *beta, T *const C[], int ldc, int batch) {                                       \
    struct gemm g = {.function = "cublas" #X "gemmBatched",                                    \
                     SHAPE,                                                                    \
                     .batch = batch,                                                           \
                     .pointers = true,                                                         \
                     .compute = compute_type,                                                  \
                     .type_a = type,                                                           \
                     .type_b = type,                                                           \
                     .type_c = type};                                                          \
    return run(handle, &g);                                                                    \
  }
GEMM(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GEMM(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
BATCHED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
BATCHED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)

/* C++ has them, with __half. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const void *alpha,
                           const void *A, int lda, const void *B, int ldb, const void *beta,
                           void *C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const void *alpha, const void *A, int lda,
                                         long long stride_a, const void *B, int ldb,
                                         long long stride_b, const void *beta, void *C, int ldc,
                                         long long stride_c, int batch);
GEMM(H, void, CUDA_R_16F, CUBLAS_COMPUTE_16F)

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType type_a, int lda, long long stride_a,
    const void *B, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *C,
    cudaDataType type_c, int ldc, long long stride_c, int batch, cublasComputeType_t compute_type,
    cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  struct gemm g = {
      .function = "cublasGemmStridedBatchedEx", SHAPE, TYPES, STRIDES, .compute = compute_type};
  return run(handle, &g);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const A[], cudaDataType type_a, int lda,
                                   const void *const B[], cudaDataType type_b, int ldb,
                                   const void *beta, void *const C[], cudaDataType type_c, int ldc,
                                   int batch, cublasComputeType_t compute_type,
                                   cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  struct gemm g = {.function = "cublasGemmBatchedEx",
                   SHAPE,
                   TYPES,
                   .batch = batch,
                   .pointers = true,
                   .compute = compute_type};
  return run(handle, &g);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *A, cudaDataType type_a, int lda, const void *B,
                            cudaDataType type_b, int ldb, const void *beta, void *C,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute_type,
                            cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  struct gemm g = {.function = "cublasGemmEx", SHAPE, TYPES, .batch = 1, .compute = compute_type};
  return run(handle, &g);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float *alpha,
                             const void *A, cudaDataType type_a, int lda, const void *B,
                             cudaDataType type_b, int ldb, const float *beta, void *C,
                             cudaDataType type_c, int ldc) {
  struct gemm g = {
      .function = "cublasSgemmEx", SHAPE, TYPES, .batch = 1, .compute = CUBLAS_COMPUTE_32F};
  return run(handle, &g);
}
