/* error.c: looks up CUDA's error codes in the table of the CUDA headers. */
#include "harness/sim/base/error.h"

#include <stddef.h>

static const struct error_entry {
  int code;
  const char *name, *text;
} errors[] = {
#define X(name, code, text) {code, #name, text},
    KIT_ERRORS(X)
#undef X
};

static const struct error_entry *find_error(int code) {
  static const struct error_entry unknown = {-1, "unrecognized error code",
                                             "unrecognized error code"};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code) return &errors[i];
  return &unknown;
}

const char *error_name(int code) { return find_error(code)->name; }

const char *error_text(int code) { return find_error(code)->text; }
