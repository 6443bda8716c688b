/* varying.c: which operations take longer for some values than for others on the hardware. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

static bool is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(*names, name) != 0) names++;
  return *names != NULL;
}

enum varying varying_of(const struct op *op) {
  static const char *const quotients[] = {"div_s64", "div_u64", "rem_s64", "rem_u64", NULL};
  static const char *const angles[] = {"sin", "sinf", "cos", "cosf", "tan", "tanf", NULL};
  if (op->kind == OP_ROW && is_one_of(op->row->name, quotients)) return VARIES_BY_HIGH_WORDS;
  if (op->body == cold_intrinsic && is_one_of(op->call->intrinsic->name, angles))
    return VARIES_BY_ANGLE;
  return VARIES_NOT;
}
