/* nvtx3/nvToolsExt.h: everything is in nvToolsExt.h. */
#include "../nvToolsExt.h"
