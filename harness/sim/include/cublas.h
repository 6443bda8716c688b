/* cublas.h: cuBLAS. NVIDIA's header of this name has the calls without a handle; here they are
 * named where a program is compiled. */
#ifndef KIT_CUBLAS_H
#define KIT_CUBLAS_H
#define CUBLAS_H_

#include "cublas_api.h"

#if defined(__cplusplus) && defined(__clang__)
#define KIT_LACKED(name)           \
  extern "C" cublasStatus_t name(...) \
      KIT_LACKS("cuBLAS without handles; include <cublas_v2.h> and call cublasCreate");
KIT_LACKED(cublasInit)
KIT_LACKED(cublasShutdown)
KIT_LACKED(cublasGetError)
KIT_LACKED(cublasAlloc)
KIT_LACKED(cublasFree)
KIT_LACKED(cublasSetKernelStream)
#undef KIT_LACKED
#endif

#endif
