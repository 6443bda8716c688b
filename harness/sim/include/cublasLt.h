/* cublasLt.h: cuBLASLt's products of matrices (cuBLAS documentation, "Using the cuBLASLt API"):
 * columns in order, in batches, and as epilogues a bias, ReLU and GELU. Other attributes are
 * refused when set, other functions named where a program is compiled. */
#ifndef KIT_CUBLASLT_H
#define KIT_CUBLASLT_H
#define CUBLASLT_H_

#include "cublas_api.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDesc *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreference *cublasLtMatmulPreference_t;
typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef enum { CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE } cublasLtPointerMode_t;
typedef enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW } cublasLtOrder_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);
const char *cublasLtGetStatusName(cublasStatus_t status);
const char *cublasLtGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                        cudaDataType_t scale);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t bytes);
/* One result: every product is computed in one way. */
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t A,
    cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
    cublasLtMatmulPreference_t preference, int room, cublasLtMatmulHeuristicResult_t results[],
    int *count);
#ifdef __cplusplus
}
#endif

#define KIT_MATMUL                                                                               \
  cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *A,          \
      cublasLtMatrixLayout_t layout_a, const void *B, cublasLtMatrixLayout_t layout_b,           \
      const void *beta, const void *C, cublasLtMatrixLayout_t layout_c, void *D,                 \
      cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t *algorithm, void *workspace,   \
      size_t bytes, cudaStream_t stream
#ifdef __cplusplus
extern "C" cublasStatus_t cublasLtMatmul(KIT_MATMUL);
#else
cublasStatus_t cublasLtMatmul(KIT_MATMUL);
#endif
#ifdef __CUDA__
extern "C" cublasStatus_t kit_cublasLtMatmul(KIT_MATMUL) __asm__("cublasLtMatmul");
__kit_inline__ cublasStatus_t cublasLtMatmul(KIT_MATMUL, int line = __builtin_LINE(),
                                             const char *file = __builtin_FILE())
    __attribute__((enable_if(line >= 0, "always"))) {
  kit_place here(line, file);
  return kit_cublasLtMatmul(handle, desc, alpha, A, layout_a, B, layout_b, beta, C, layout_c, D,
                            layout_d, algorithm, workspace, bytes, stream);
}
#endif
#undef KIT_MATMUL

#if defined(__cplusplus) && defined(__clang__)
#define KIT_LACKED(name)              \
  extern "C" cublasStatus_t name(...) \
      KIT_LACKS("this function of cuBLASLt; cublasLtMatmul and cublasGemmEx can take its place");
KIT_LACKED(cublasLtMatmulDescInit)
KIT_LACKED(cublasLtMatmulDescGetAttribute)
KIT_LACKED(cublasLtMatrixLayoutInit)
KIT_LACKED(cublasLtMatrixLayoutGetAttribute)
KIT_LACKED(cublasLtMatmulPreferenceInit)
KIT_LACKED(cublasLtMatmulPreferenceGetAttribute)
KIT_LACKED(cublasLtMatmulAlgoGetIds)
KIT_LACKED(cublasLtMatmulAlgoInit)
KIT_LACKED(cublasLtMatmulAlgoCheck)
KIT_LACKED(cublasLtMatmulAlgoConfigSetAttribute)
KIT_LACKED(cublasLtMatmulAlgoCapGetAttribute)
KIT_LACKED(cublasLtMatrixTransform)
KIT_LACKED(cublasLtMatrixTransformDescCreate)
#undef KIT_LACKED
#endif

#endif
