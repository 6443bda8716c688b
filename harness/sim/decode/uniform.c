/* uniform.c: which registers a compiler may keep in uniform registers, of which a warp has one for
 * all its lanes: integers that follow from parameters, constants and the block's place alone.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

/* Is the result the same for all lanes if the sources are? Floating-point numbers are, too, but no
 * uniform register has them. */
static bool keeps_uniform(const struct draft_op *d) {
  const struct op *op = &d->op;
  switch ((enum op_kind)op->kind) {
    case OP_ROW:
      return !strstr(op->row->name, "f32") && !strstr(op->row->name, "f64") &&
             !strstr(op->row->name, "f16");
    case OP_PARAM:
      return op->body == cold_load_kernel_param;
    case OP_SPECIAL:
      return op->special >= SPECIAL_NTID_X && op->special <= SPECIAL_NCTAID_Z;
    case OP_LOGIC_3:
    case OP_UNPACK:
      return true;
    default:
      return op->body == cold_pack || op->body == cold_select_32 || op->body == cold_select_64;
  }
}

/* Does the operation leave the marks of its results as they are? */
static bool mark(const struct draft_op *d, bool *uniform) {
  bool is = keeps_uniform(d) && (!is_register(d->guard) || uniform[d->guard]), changed = false;
  for (int k = 0; k < d->used; k++)
    if (!is_destination(d, k) && is_register(d->reg[k])) is &= uniform[d->reg[k]];
  for (int k = 0; k < d->used && !is; k++)
    if (is_destination(d, k) && is_register(d->reg[k]) && uniform[d->reg[k]]) {
      uniform[d->reg[k]] = false;
      changed = true;
    }
  return !changed;
}

/* What changes in a loop, and addresses, are in ordinary registers nevertheless. */
bool uniform_only_kept(const struct draft *draft, bool *uniform) {
  uint8_t *definitions = calloc((size_t)draft->vreg_count + 1, 1);
  if (!definitions) return false;
  for (int i = 0; i < draft->op_count; i++) {
    const struct draft_op *d = &draft->ops[i];
    if (d->dead) continue;
    for (int k = 0; k < d->used; k++) {
      vreg r = d->reg[k];
      if (!is_register(r)) continue;
      bool address = k == 0 && op_is_access(&d->op);
      if (address || (is_destination(d, k) && definitions[r]++)) uniform[r] = false;
    }
  }
  free(definitions);
  return true;
}

bool *uniform_find(const struct draft *draft) {
  bool *uniform = malloc((size_t)draft->vreg_count + 1);
  if (!uniform) return NULL;
  memset(uniform, true, (size_t)draft->vreg_count);
  for (bool settled = false; !settled;) {
    settled = true;
    for (int i = 0; i < draft->op_count; i++)
      if (!draft->ops[i].dead) settled &= mark(&draft->ops[i], uniform);
  }
  return uniform;
}
