/* varying.c: which operations take longer for some values than for others on the hardware. */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

enum varying varying_of(const struct op *op) {
  static const struct {
    const char *name;
    enum varying varying;
  } rows[] = {{"div_s64", VARIES_BY_HIGH_WORDS},
              {"div_u64", VARIES_BY_HIGH_WORDS},
              {"rem_s64", VARIES_BY_HIGH_WORDS},
              {"rem_u64", VARIES_BY_HIGH_WORDS},
              {"div_f32", VARIES_QUOTIENT},
              {"div_f64", VARIES_QUOTIENT_64},
              {"rcp_f32", VARIES_RECIPROCAL},
              {"rcp_f64", VARIES_RECIPROCAL_64},
              {"sqrt_f32", VARIES_ROOT},
              {"sqrt_f64", VARIES_ROOT_64},
              {"rsqrt_f64", VARIES_INVERSE_ROOT_64}};
  static const char *const angles[] = {"sin", "sinf", "cos", "cosf", "tan", "tanf"};
  for (size_t i = 0; op->kind == OP_ROW && i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(op->row->name, rows[i].name) == 0) return rows[i].varying;
  for (size_t i = 0; op->body == cold_intrinsic && i < sizeof angles / sizeof angles[0]; i++)
    if (strcmp(op->call->intrinsic->name, angles[i]) == 0) return VARIES_BY_ANGLE;
  return VARIES_NOT;
}
