/* nvtx3/nvToolsExtCuda.h: everything is in nvToolsExtCuda.h. */
#include "../nvToolsExtCuda.h"
