/* kernel_rows.c: the rows that both sides compute to the last bit. Left out are sin, cos, lg2, ex2,
 * tanh and rsqrt, whose last bit is nobody's: test_sim_ops.c has them; and products of halves,
 * which go into sums. */
#include "tests/fuzz/kernel_rows.h"

#include "tests/unit/sim_rows.h"

static const struct row *exact[MAX_ROWS];
static int exact_count;

static bool is_exact(const struct row *row) {
  static const char *const unlike[] = {"sin.",  "cos.",   "lg2.",    "ex2.",
                                       "tanh.", "rsqrt.", "mul.f16", "mul.bf16"};
  for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++)
    if (strncmp(row->opcode, unlike[i], strlen(unlike[i])) == 0) return false;
  return true;
}

static void find_rows(void) {
  if (exact_count) return;
  make_rows();
  for (int i = 0; i < row_count; i++)
    if (is_exact(&rows[i])) exact[exact_count++] = &rows[i];
}

int rows_count(void) {
  find_rows();
  return exact_count;
}

const struct row *rows_at(int i) { return exact[i]; }

const struct row *rows_find(const char *opcode) {
  find_rows();
  for (int i = 0; i < exact_count; i++)
    if (strcmp(exact[i]->opcode, opcode) == 0) return exact[i];
  return NULL;
}

const char *rows_opcode(const struct row *row) { return row->opcode; }
const char *rows_type(const struct row *row, int k) { return row->types[k]; }
uint64_t rows_result(const struct row *row, const uint64_t *values) {
  return row_answer(row, values);
}
