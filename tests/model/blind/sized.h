/* sized.h: N for programs that take their size so, as -DBLIND_N=SIZE -include sized.h: CUDA's
 * headers have parameters of that name, so it must not be there before them. */
#include <cuda.h>
#include <cuda_runtime.h>
#define N BLIND_N
