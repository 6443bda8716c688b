/* dense_help_func.hpp: CUDA_gemm's has only the checks of calls to cuBLAS, which no kernel needs. */
