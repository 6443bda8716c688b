/* pointers.c: functions as values: their addresses, and which functions a program takes them of. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/array.h"
#include "harness/sim/decode/kernel.h"

static int module_count(const struct module *module) {
  return module->all ? *module->all_count : 1;
}
static const struct module *module_at(const struct module *module, int i) {
  return module->all ? module->all[i] : module;
}

/* No memory is there. Addresses are the same in all kernels of the program. */
static uint64_t address_of(int module, int function) {
  return (uint64_t)(module + 1) << 24 | (uint64_t)(function + 1) << 4;
}

int module_of_function_address(uint64_t address) { return (int)(address >> 24) - 1; }

static uint64_t find(const struct module *module, int number, const char *name,
                     const struct ptx_function **function) {
  *function = ptx_function(module->ptx, name);
  if (!*function || (*function)->entry) return 0;
  return address_of(number, (int)(*function - module->ptx->functions));
}

static uint64_t find_anywhere(const struct module *module, const char *name,
                              const struct ptx_function **function) {
  uint64_t elsewhere = 0;
  const struct ptx_function *other;
  for (int i = 0; i < module_count(module); i++) {
    const struct module *at = module_at(module, i);
    uint64_t address = find(at, i, name, &other);
    if (!address || (at != module && elsewhere)) continue;
    *function = other;
    elsewhere = address;
    if (at == module) break; /* its own comes before those of others */
  }
  return elsewhere;
}

uint64_t module_function_address(const struct module *module, const char *name) {
  const struct ptx_function *function;
  return find_anywhere(module, name, &function);
}

static bool take(struct kernel *kernel, const struct module *module, const char *name) {
  struct taken_function taken;
  taken.address = find_anywhere(module, name, &taken.function);
  if (!taken.address) return true;
  for (int i = 0; i < kernel->taken_count; i++)
    if (kernel->taken[i].address == taken.address) return true;
  if (!ARRAY_RESERVE(kernel->taken, kernel->taken_room, kernel->taken_count + 1)) return false;
  kernel->taken[kernel->taken_count++] = taken;
  return true;
}

/* How many names are looked up among how many functions. */
static size_t steps(const struct kernel *kernel) {
  size_t names = 0, functions = 0;
  for (int m = 0; m < module_count(kernel->module); m++) {
    const struct ptx_module *ptx = module_at(kernel->module, m)->ptx;
    functions += (size_t)ptx->function_count;
    for (int v = 0; v < ptx->variable_count; v++) names += (size_t)ptx->variables[v].address_count;
    for (int f = 0; f < ptx->function_count; f++)
      for (int i = 0; i < ptx->functions[f].instruction_count; i++)
        names += strcmp(ptx->functions[f].instructions[i].parts[0], "mov") == 0;
  }
  return names * functions;
}

bool kernel_find_taken(struct kernel *kernel) {
  enum { MAX_STEPS = 1 << 27 };
  bool ok = true;
  if (kernel->taken_count) return true;
  if (steps(kernel) > MAX_STEPS) return false;
  for (int m = 0; m < module_count(kernel->module); m++) {
    const struct module *module = module_at(kernel->module, m);
    const struct ptx_module *ptx = module->ptx;
    for (int v = 0; v < ptx->variable_count; v++)
      for (int i = 0; i < ptx->variables[v].address_count; i++)
        ok &= take(kernel, module, ptx->variables[v].addresses[i].name);
    for (int f = 0; f < ptx->function_count; f++)
      for (int i = 0; i < ptx->functions[f].instruction_count; i++) {
        const struct ptx_instruction *in = &ptx->functions[f].instructions[i];
        if (strcmp(in->parts[0], "mov") == 0 && in->operand_count == 2 &&
            in->operands[1].kind == PTX_SYMBOL)
          ok &= take(kernel, module, in->operands[1].name);
      }
  }
  return ok;
}
