/* nvtx3/nvToolsExtCudaRt.h: everything is in nvToolsExtCudaRt.h. */
#include "../nvToolsExtCudaRt.h"
