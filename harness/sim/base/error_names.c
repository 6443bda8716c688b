/* error_names.c: see error_names.h; the table is that of the CUDA headers. */
#include "harness/sim/base/error_names.h"

#include <stddef.h>

#include "harness/sim/include/kit_errors.h"

static const struct error_entry {
  int code;
  const char *name, *text;
} errors[] = {
#define X(name, code, text) {code, #name, text},
    KIT_ERRORS(X)
#undef X
};

static const struct error_entry *find_error(int code) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code) return &errors[i];
  return NULL;
}

const char *error_name(int code) {
  const struct error_entry *entry = find_error(code);
  return entry ? entry->name : "unrecognized error code";
}

const char *error_text(int code) {
  const struct error_entry *entry = find_error(code);
  return entry ? entry->text : "unrecognized error code";
}
