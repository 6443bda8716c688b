/* cuda_bf16.hpp: part of cuda_bf16.h in the CUDA Toolkit. */
#include "cuda_bf16.h"
