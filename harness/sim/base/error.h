/* error.h: CUDA's error codes, enum cudaError, and their names and texts: "cudaErrorInvalidValue",
 * "invalid argument". The table is that of the CUDA headers. */
#ifndef KIT_ERROR_H
#define KIT_ERROR_H

#include "harness/sim/include/kit_errors.h"

/* "unrecognized error code" for one that is not known. */
const char *error_name(int code);
const char *error_text(int code);

#endif
