/* cuda_fp16.hpp: part of cuda_fp16.h in the CUDA Toolkit. */
#include "cuda_fp16.h"
