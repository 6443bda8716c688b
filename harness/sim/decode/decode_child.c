/* decode_child.c: the naming of a kernel that device code launches: a call of __kit_child$KERNEL
 * (include/kit_device_runtime.h), whose arguments are the kernel's. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/decode/draft.h"

static const char prefix[] = "__kit_child$";

/* Where the arguments lie in the caller's parameter area; of small integers, which come as words,
 * the kernel takes the lower part. False: they are not the kernel's. */
static bool find_arguments(const struct draft *draft, const struct ptx_operand *arguments,
                           struct child_call *call) {
  const struct kernel_info *info = &call->kernel->info;
  if (arguments->count != info->param_count) return false;
  for (int i = 0; i < info->param_count; i++) {
    const char *name = arguments->elements[i].name;
    size_t bytes = info->params[i].size;
    int from = name ? decode_param_offset(draft->function, name, NULL) : -1;
    if (from < 0 || (size_t)from + round_up(bytes, 4) > draft->program->param_bytes) return false;
    call->copies[call->count++] =
        (struct child_copy){(uint32_t)from, (uint32_t)info->params[i].offset, (uint32_t)bytes};
  }
  return true;
}

bool decode_child(struct draft *draft, const struct ptx_instruction *in) {
  if (!decode_is(in, "call") || in->operand_count < 2 || !in->operands[1].name) return false;
  const char *name = in->operands[1].name;
  size_t length = sizeof prefix - 1;
  if (strncmp(name, prefix, length) != 0) return false;
  struct kernel *kernel = module_kernel(draft->kernel->module, name + length);
  if (!kernel) {
    draft_fail(draft, in->line, "the kernel %s is launched but defined nowhere", name + length);
    return true;
  }
  size_t count = (size_t)kernel->info.param_count;
  struct child_call *call = calloc(1, sizeof *call + count * sizeof *call->copies);
  if (!call) return false;
  static const struct ptx_operand none = {0};
  call->kernel = kernel;
  if (!find_arguments(draft, in->operand_count > 2 ? &in->operands[2] : &none, call)) {
    draft_fail(draft, in->line, "launch of %s: the arguments do not fit the kernel", kernel->name);
    free(call);
    return true;
  }
  struct draft_op *d = draft_add(draft, cold_child, in->line);
  d->op.kind = OP_CALL;
  d->op.child = call;
  d->op.orders_shared = true;
  d->op.orders_blocks = true;
  return true;
}
