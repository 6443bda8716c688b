/* error_names.h: CUDA's error codes in words: "cudaErrorInvalidValue", "invalid argument". */
#ifndef KIT_ERROR_NAMES_H
#define KIT_ERROR_NAMES_H

/* "unrecognized error code" for one that is not known. */
const char *error_name(int code);
const char *error_text(int code);

#endif
