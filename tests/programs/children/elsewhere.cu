// elsewhere.cu: a kernel that children.cu launches from a kernel of its own.
#include "children.h"

__global__ void from_elsewhere(int *to) { atomicAdd(to, (int)threadIdx.x); }
