/* kernel.c: describes and decodes a module's kernels: names, parameters, shared memory's layout. */
#include "harness/sim/decode/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/decode/affine.h"

/* C++ ABI, in libstdc++ */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* ---- names ---- */

/* The demangled name, or the symbol itself; the caller's to free. NULL if memory runs out. Longer
 * names are not demangled: the text can double with each letter of a mangled name. */
static char *demangled(const char *symbol) {
  enum { MAX_MANGLED = 1000 };
  bool mangled = strncmp(symbol, "_Z", 2) == 0 && strnlen(symbol, MAX_MANGLED) < MAX_MANGLED;
  int status = -1;
  char *text = mangled ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
  return text ? text : strdup(symbol);
}

/* Without the return type and the parameters; template arguments stay. */
void demangle_function(const char *symbol, char *name, size_t size) {
  static const char unnamed[] = "(anonymous namespace)::";
  char *text = demangled(symbol), *anonymous = text ? strstr(text, unnamed) : NULL;
  size_t length = sizeof unnamed - 1;
  if (anonymous) memmove(anonymous, anonymous + length, strlen(anonymous + length) + 1);
  const char *start = text, *end = text;
  int depth = 0;
  for (; end && *end && (*end != '(' || depth > 0 || end == text); end++) {
    if (*end == '<') depth++;
    if (*end == '>' && depth > 0) depth--;
    if (*end == ' ' && depth == 0) start = end + 1;
  }
  snprintf(name, size, "%.*s", (int)(end - start), text ? start : "");
  free(text);
}

void demangle_variable(const char *symbol, char *name, size_t size) {
  char *text = demangled(symbol);
  const char *last = text ? text : symbol;
  int depth = 0;
  for (const char *at = last; *at; at++) {
    if (*at == '<' || *at == '(') depth++;
    if ((*at == '>' || *at == ')') && depth > 0) depth--;
    if (at[0] == ':' && at[1] == ':' && depth == 0) last = at + 2;
  }
  snprintf(name, size, "%s", last);
  free(text);
}

static const struct module_variable *own_variable(const struct module *module, const char *name) {
  for (int i = 0; i < module->variable_count; i++)
    if (strcmp(module->variables[i].name, name) == 0) return &module->variables[i];
  return NULL;
}

const struct module_variable *module_variable(const struct module *module, const char *name) {
  const struct module_variable *found = own_variable(module, name);
  for (int i = 0; !found && module->all && i < *module->all_count; i++)
    found = own_variable(module->all[i], name);
  return found;
}

const struct ptx_function *module_function(const struct module *module, const char *name) {
  const struct ptx_function *found = ptx_function(module->ptx, name);
  for (int i = 0; !found && module->all && i < *module->all_count; i++)
    found = ptx_function(module->all[i]->ptx, name);
  return found;
}

struct kernel *module_own_kernel(const struct module *module, const char *name) {
  for (int i = 0; i < module->kernel_count; i++)
    if (strcmp(module->kernels[i].function->name, name) == 0) return &module->kernels[i];
  return NULL;
}

struct kernel *module_kernel(const struct module *module, const char *name) {
  struct kernel *found = module_own_kernel(module, name);
  for (int i = 0; !found && module->all && i < *module->all_count; i++)
    found = module_own_kernel(module->all[i], name);
  return found;
}

/* ---- shared memory ---- */

enum { SHARED_ALIGN = 128, MIN_GAP = 1 << 10, MAX_GAP = 16 << 10 };

const struct ptx_variable *find_variable(const struct ptx_variable *variables, int count,
                                         const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(variables[i].name, name) == 0) return &variables[i];
  return NULL;
}

static void use_shared(struct kernel *kernel, const struct ptx_variable *variable) {
  for (int i = 0; i < kernel->shared_count; i++)
    if (kernel->shared[i].variable == variable) return;
  int room = sizeof kernel->shared / sizeof kernel->shared[0];
  if (kernel->shared_count == room) {
    snprintf(kernel->error, sizeof kernel->error,
             "over %d shared variables in one kernel are not supported", room);
    return;
  }
  struct shared_variable *s = &kernel->shared[kernel->shared_count++];
  s->variable = variable;
  s->dynamic = variable->external;
  demangle_variable(variable->name, s->name, sizeof s->name);
}

static void find_operand_uses(struct kernel *kernel, const struct ptx_function *f,
                              const struct ptx_operand *operand) {
  for (int i = 0; i < operand->count; i++) find_operand_uses(kernel, f, &operand->elements[i]);
  if (!operand->name || (operand->kind != PTX_SYMBOL && operand->kind != PTX_ADDRESS)) return;
  const struct ptx_module *module = kernel->module->ptx;
  const struct ptx_variable *v = find_variable(f->variables, f->variable_count, operand->name);
  if (!v || v->space != PTX_SHARED)
    v = find_variable(module->variables, module->variable_count, operand->name);
  if (v && v->space == PTX_SHARED) use_shared(kernel, v);
}

enum { MAX_SEEN = 256 };

/* Shared variables that a function or one that it calls names, in order of first use. */
static void find_uses(struct kernel *kernel, const struct ptx_function *f,
                      const struct ptx_function **seen, int *seen_count) {
  for (int i = 0; i < *seen_count; i++)
    if (seen[i] == f) return;
  if (*seen_count == MAX_SEEN) return;
  seen[(*seen_count)++] = f;
  for (int i = 0; i < f->instruction_count; i++) {
    const struct ptx_instruction *in = &f->instructions[i];
    for (int k = 0; k < in->operand_count; k++) find_operand_uses(kernel, f, &in->operands[k]);
    if (strcmp(in->parts[0], "call") != 0) continue;
    if (in->operands[1].kind != PTX_SYMBOL) {
      kernel_find_taken(kernel);
      for (int k = 0; k < kernel->taken_count; k++)
        find_uses(kernel, kernel->taken[k].function, seen, seen_count);
      continue;
    }
    const struct ptx_function *callee = module_function(kernel->module, in->operands[1].name);
    if (callee) find_uses(kernel, callee, seen, seen_count);
  }
}

/* Static arrays first, then the dynamic one, each at a multiple of 128 bytes, so that banks are as
 * if it were alone, and followed by a gap of its own length, so that running off one array does not
 * end in the next. */
static void lay_out_shared(struct kernel *kernel) {
  const struct ptx_function *seen[MAX_SEEN];
  int seen_count = 0;
  find_uses(kernel, kernel->function, seen, &seen_count);
  uint64_t at = 0;
  size_t bytes = 0;
  for (int i = 0; i < kernel->shared_count; i++) {
    struct shared_variable *s = &kernel->shared[i];
    if (s->dynamic) continue;
    size_t size = s->variable->size;
    bytes = round_up(bytes, s->variable->align) + size;
    uint64_t gap = size < MIN_GAP ? MIN_GAP : size > MAX_GAP ? MAX_GAP : size;
    s->start = (uint32_t)at;
    if (at + size + gap < UINT32_MAX / 2) at = round_up(at + size + gap, SHARED_ALIGN);
  }
  for (int i = 0; i < kernel->shared_count; i++)
    if (kernel->shared[i].dynamic) kernel->shared[i].start = (uint32_t)at;
  kernel->shared_end = (uint32_t)at;
  kernel->static_shared_bytes = bytes;
}

/* ---- parameters ---- */

void kernel_describe(struct kernel *kernel) {
  const struct ptx_function *f = kernel->function;
  struct kernel_info *info = &kernel->info;
  size_t at = 0;
  int room = sizeof info->params / sizeof info->params[0];
  if (f->param_count > room)
    snprintf(kernel->error, sizeof kernel->error, "over %d kernel parameters are not supported",
             room);
  for (int i = 0; i < f->param_count && i < room; i++) {
    at = round_up(at, f->params[i].align);
    info->params[i].offset = at;
    info->params[i].size = f->params[i].size;
    at += f->params[i].size;
    info->param_count++;
  }
  info->param_bytes = at;
  lay_out_shared(kernel);
  info->static_shared_bytes = kernel->static_shared_bytes;
  enum { MAX_THREADS = 1024 };
  int64_t threads = f->max_threads[0] ? f->max_threads[0] : MAX_THREADS;
  for (int i = 1; i < 3 && threads <= MAX_THREADS; i++)
    if (f->max_threads[0] && f->max_threads[i]) threads *= f->max_threads[i];
  info->max_threads_per_block = (int)(threads > INT32_MAX ? INT32_MAX : threads);
}

/* ---- decoding ---- */

/* How many registers a thread may have: at most 255, and so few that as many blocks as large as
 * __launch_bounds__ says have room among the multiprocessor's 64 K, by eights. */
static int most_registers(const struct kernel *kernel) {
  enum { MOST = 255, LEAST = 16, ALL = 64 << 10, UNIT = 8, WARP = 32, MAX_WARPS = 64 };
  const struct ptx_function *f = kernel->function;
  int threads = kernel->info.max_threads_per_block, most = MOST;
  if (f->max_threads[0] && threads <= 1024) {
    int warps = (threads + WARP - 1) / WARP, blocks = MAX_WARPS / warps;
    if (f->min_blocks < blocks) blocks = f->min_blocks > 1 ? f->min_blocks : 1;
    most = ALL / (warps * WARP * blocks) / UNIT * UNIT;
  }
  if (f->max_registers > 0 && f->max_registers < most) most = f->max_registers;
  return most > MOST ? MOST : most < LEAST ? LEAST : most;
}

/* What ptxas gives a thread. It has some for addresses and the like, and what would take one more
 * than 32, or up to a third more than 128, it makes do with these. (Of 705 kernels of other
 * people's programs that nvcc 13 compiled, 646 have the warps on a multiprocessor that this gives.)
 */
static void allocate_registers(struct kernel *kernel, int wanted) {
  enum { USUAL = 32, LARGE = 128, MORE = 40, OTHERS = 2, SPARE = 4 };
  wanted += OTHERS;
  if (wanted > LARGE && wanted <= LARGE + MORE) wanted = LARGE;
  if (wanted > USUAL && wanted <= USUAL + 1) wanted = USUAL;
  int most = most_registers(kernel);
  kernel->info.registers = wanted < most ? wanted : most;
  kernel->spills = wanted > most + most / SPARE; /* by more than the estimate is wrong */
}

static bool index_ops(struct kernel *kernel) {
  kernel->ops = calloc((size_t)kernel->op_count + 1, sizeof *kernel->ops);
  if (!kernel->ops) return false;
  for (int p = 0; p < kernel->program_count; p++)
    for (int i = 0; i < kernel->programs[p]->op_count; i++) {
      const struct op *op = &kernel->programs[p]->ops[i];
      kernel->ops[op->index] = op;
    }
  return true;
}

/* What holds for a called function holds for the kernel. */
static void join_programs(struct kernel *kernel) {
  struct program *whole = kernel->programs[0];
  for (int p = 1; p < kernel->program_count; p++) {
    const struct program *part = kernel->programs[p];
    whole->order_matters |= part->order_matters;
    whole->has_updates |= part->has_updates;
    whole->has_fence |= part->has_fence;
    whole->has_polls |= part->has_polls;
    whole->signals |= part->signals;
    whole->has_mbarriers |= part->has_mbarriers;
    whole->has_calls |= part->has_calls;
    whole->allocates |= part->allocates;
    if (part->shared_granule < whole->shared_granule) whole->shared_granule = part->shared_granule;
    if (part->global_granule < whole->global_granule) whole->global_granule = part->global_granule;
    if (part->registers > whole->registers) whole->registers = part->registers;
  }
}

int64_t local_offset(const struct ptx_function *f, const char *name, size_t *total) {
  size_t at = 0;
  int64_t found = -1;
  for (int i = 0; i < f->variable_count; i++) {
    const struct ptx_variable *v = &f->variables[i];
    if (v->space != PTX_LOCAL) continue;
    at = round_up(at, v->align);
    if (name && strcmp(v->name, name) == 0) found = (int64_t)at;
    at += v->size;
  }
  if (total) *total = round_up(at, 16);
  return found;
}

bool kernel_decode(struct kernel *kernel) {
  if (kernel->decoded) return true;
  kernel->decoded = true;
  if (kernel->error[0]) return true;
  kernel->taken_count = 0; /* other modules have been loaded since */
  kernel->reads_param = calloc(kernel->info.param_bytes + 1, 1);
  if (!kernel->reads_param || !params_find_reads(kernel)) return false;
  const struct program *program = kernel_program(kernel, kernel->function);
  if (!program) return true;
  join_programs(kernel);
  if (!index_ops(kernel)) return false;
  if (!program->has_calls && !affine_plan(kernel->programs[0])) return false;
  allocate_registers(kernel, program->registers);
  kernel->info.local_bytes = program->local_bytes;
  return true;
}

void call_sites_free(struct call_site *sites) {
  while (sites) {
    struct call_site *next = sites->next;
    free(sites);
    sites = next;
  }
}

static void release_program(struct program *program) {
  for (int i = 0; i < program->op_count; i++)
    if (program->ops[i].kind == OP_CALL) free(program->ops[i].call);
  for (int b = 0; b < program->block_count; b++) call_sites_free(program->blocks[b].call);
  free(program->ops);
  free(program->blocks);
  free(program->constants);
  free(program->constant_widths);
  affine_release(program->affine);
  free(program);
}

void kernel_release(struct kernel *kernel) {
  for (int p = 0; p < kernel->program_count; p++) release_program(kernel->programs[p]);
  free(kernel->ops);
  free(kernel->taken);
  free(kernel->reads_param);
}
