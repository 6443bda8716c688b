/* cublas_v2.h: cuBLAS, which harness/sim/libraries computes on the host. */
#ifndef KIT_CUBLAS_V2_H
#define KIT_CUBLAS_V2_H
#define CUBLAS_V2_H_

#include "cublas_api.h"

#endif
