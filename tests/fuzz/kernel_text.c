/* kernel_text.c: a random kernel as code with branches, and as PTX (random_kernel.h). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/kernel_rows.h"
#include "tests/fuzz/random_kernel.h"

const char *const class_names[CLASSES] = {"%rs", "%r", "%rd", "%f", "%fd", "%p"};

int class_bytes(enum class class) {
  static const int bytes[CLASSES] = {2, 4, 8, 4, 8, 1};
  return bytes[class];
}

/* ---- flattening ---- */

enum { MAX_DEPTH = 16, MAX_BREAKS = 256 };

/* Branches to ends that are not known yet. */
struct breaks {
  struct {
    int code, depth;
  } items[MAX_BREAKS];
  int count;
};

static int emit(struct function *f, const struct code *code) {
  if (f->code_count == f->code_room) {
    f->code_room = f->code_room ? 2 * f->code_room : 256;
    f->code = realloc(f->code, (size_t)f->code_room * sizeof *f->code);
    if (!f->code) abort();
  }
  f->code[f->code_count] = *code;
  return f->code_count++;
}

static int emit_branch(struct function *f, int guard, bool negated, int target) {
  return emit(f, &(struct code){
                     .kind = BRANCH, .guard = guard, .guard_negated = negated, .target = target});
}

static void end_here(struct function *f, struct breaks *breaks, int depth) {
  int kept = 0;
  for (int i = 0; i < breaks->count; i++) {
    if (breaks->items[i].depth == depth)
      f->code[breaks->items[i].code].target = f->code_count;
    else
      breaks->items[kept++] = breaks->items[i];
  }
  breaks->count = kept;
}

static void flatten(struct function *f, const struct statement *s, struct breaks *breaks,
                    int depth) {
  for (; s; s = s->next) {
    if (s->dead) continue;
    for (int i = 0; i < s->code_count; i++) {
      int at = emit(f, &s->codes[i]);
      if (s->breaks && i == s->code_count - 1 && breaks->count < MAX_BREAKS) {
        int out = depth - s->breaks;
        breaks->items[breaks->count].code = at;
        breaks->items[breaks->count++].depth = out < 0 ? 0 : out;
      }
    }
    if (s->shape == SEQUENCE) {
      flatten(f, s->body, breaks, depth + 1);
      end_here(f, breaks, depth);
    } else if (s->shape == IF) {
      int over = emit_branch(f, s->predicate, !s->negated, -1);
      flatten(f, s->body, breaks, depth + 1);
      int end = s->has_else ? emit_branch(f, -1, false, -1) : -1;
      f->code[over].target = f->code_count;
      flatten(f, s->other, breaks, depth + 1);
      if (end >= 0) f->code[end].target = f->code_count;
      end_here(f, breaks, depth);
    } else if (s->shape == LOOP) {
      int top = f->code_count;
      flatten(f, s->body, breaks, depth + 1);
      const struct row *sub = rows_find("sub.s32");
      struct code less = {.kind = ROW, .row = sub, .guard = -1, .to_count = 1, .from_count = 2};
      less.to[0] = less.from[0] =
          (struct operand){REGISTER, CLASS_B32, (uint8_t)s->counter, false, 0};
      less.from[1] = (struct operand){IMMEDIATE, CLASS_B32, 0, false, 1};
      emit(f, &less);
      struct code more = {
          .kind = SETP, .name = "gt", .type = "s32", .guard = -1, .to_count = 1, .from_count = 2};
      more.to[0] = (struct operand){REGISTER, CLASS_PRED, (uint8_t)s->predicate, false, 0};
      more.from[0] = less.to[0];
      more.from[1] = (struct operand){IMMEDIATE, CLASS_B32, 0, false, 0};
      emit(f, &more);
      emit_branch(f, s->predicate, false, top);
      end_here(f, breaks, depth);
    }
  }
}

/* Does a later code of the block, up to `end`, give this register another value in all threads? */
static bool is_replaced(const struct function *f, int at, int end, const struct operand *o) {
  for (int i = at + 1; i < end; i++)
    for (int k = 0; k < f->code[i].to_count && f->code[i].guard < 0; k++)
      if (f->code[i].to[k].class == o->class && f->code[i].to[k].reg == o->reg) return true;
  return false;
}

/* Values that do not leave their block get registers of their own, as from a compiler: registers
 * then share slots in the simulator. */
static void rename_block(struct function *f, int begin, int end, uint8_t *next) {
  uint8_t names[CLASSES][FRESH];
  int used = 0;
  for (int c = 0; c < CLASSES; c++)
    for (int r = 0; r < FRESH; r++) names[c][r] = (uint8_t)r;
  for (int i = begin; i < end; i++) {
    struct code *c = &f->code[i];
    for (int k = 0; k < c->from_count; k++)
      if (c->from[k].kind == REGISTER) c->from[k].reg = names[c->from[k].class][c->from[k].reg];
    if (c->guard >= 0) c->guard = names[CLASS_PRED][c->guard];
    for (int k = 0; k < c->to_count; k++) {
      uint8_t *name = &names[c->to[k].class][c->to[k].reg];
      if (c->guard < 0) {
        bool fresh = used < REGISTERS - FRESH && is_replaced(f, i, end, &c->to[k]);
        *name = fresh ? *next : c->to[k].reg;
        if (fresh) {
          used++;
          *next = *next == REGISTERS - 1 ? FRESH : (uint8_t)(*next + 1);
        }
      }
      c->to[k].reg = *name;
    }
  }
}

static void rename_registers(struct function *f) {
  bool *leaders = calloc((size_t)f->code_count + 1, sizeof *leaders);
  if (!leaders) abort();
  for (int i = 0; i < f->code_count; i++)
    if (f->code[i].kind == BRANCH) leaders[f->code[i].target] = leaders[i + 1] = true;
  uint8_t next = FRESH;
  for (int begin = 0, i = 1; i <= f->code_count; i++)
    if (leaders[i] || i == f->code_count || f->code[i - 1].kind == RETURN) {
      rename_block(f, begin, i, &next);
      begin = i;
    }
  free(leaders);
}

void kernel_flatten(struct kernel *kernel) {
  for (int i = 0; i < kernel->function_count; i++) {
    struct function *f = &kernel->functions[i];
    struct breaks breaks = {.count = 0};
    f->code_count = 0;
    flatten(f, f->body, &breaks, 1);
    end_here(f, &breaks, 0);
    emit(f, &(struct code){.kind = RETURN, .guard = -1});
    rename_registers(f);
  }
}

/* ---- text ---- */

struct text {
  char *bytes;
  size_t length, room;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...) {
  for (;;) {
    va_list args;
    va_start(args, format);
    size_t left = text->room - text->length;
    int length = vsnprintf(text->bytes + text->length, left, format, args);
    va_end(args);
    if (length < 0) abort();
    if ((size_t)length < left) {
      text->length += (size_t)length;
      return;
    }
    text->room = 2 * text->room + (size_t)length;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) abort();
  }
}

static void put_operand(struct text *text, const struct operand *o) {
  if (o->kind == REGISTER)
    put(text, "%s%s%d", o->negated ? "!" : "", class_names[o->class], o->reg);
  else if (o->class == CLASS_F32)
    put(text, "0f%08" PRIX32, (uint32_t)o->value);
  else if (o->class == CLASS_F64)
    put(text, "0d%016" PRIX64, o->value);
  else
    put(text, "0x%" PRIx64, o->value);
}

static void put_list(struct text *text, const struct operand *o, int count, const char *between) {
  for (int i = 0; i < count; i++) {
    if (i) put(text, "%s", between);
    put_operand(text, &o[i]);
  }
}

static void put_data(struct text *text, const struct operand *o, int count) {
  if (count > 1) put(text, "{");
  put_list(text, o, count, ", ");
  if (count > 1) put(text, "}");
}

static const char *const space_names[SPACES] = {".global", ".shared", ".local",
                                                ".const",  "",        ".param"};
/* Local memory is own0 in the kernel, own1 in the first function, ... */
static const char *const variable_names[VARIABLES] = {"s", "own", "constants", "data"};

static void put_address(struct text *text, const struct code *c) {
  if (c->from[0].kind == REGISTER)
    put(text, "[%%rd%d+%" PRId64 "]", c->from[0].reg, c->offset);
  else
    put(text, "[%s+%" PRId64 "]", c->name, c->offset);
}

/* The parameters of the call are variables of a scope of its own. */
static void put_call(struct text *text, const struct kernel *kernel, const struct code *c) {
  const struct function *f = &kernel->functions[c->target];
  put(text, "{ .param .b64 c0; .param .b64 c1; .param .b64 c2;");
  for (int i = 0; i < f->argument_count; i++)
    put(text, " .param .b%d a%d;", 8 * class_bytes(f->argument_class[i]), i);
  put(text, " .param .b%d v0;\n", 8 * class_bytes(f->result_class));
  put(text, "st.param.b64 [c0], %%rd20; st.param.b64 [c1], %%rd21; st.param.b64 [c2], %%rd23;\n");
  for (int i = 0; i < f->argument_count; i++) {
    put(text, "st.param.%s [a%d], ", f->argument_type[i], i);
    put_operand(text, &c->from[i]);
    put(text, ";\n");
  }
  put(text, "call.uni (v0), f%d, (c0, c1, c2", c->target);
  for (int i = 0; i < f->argument_count; i++) put(text, ", a%d", i);
  put(text, ");\nld.param.%s ", f->result_type);
  put_operand(text, &c->to[0]);
  put(text, ", [v0]; }\n");
}

static void put_code(struct text *text, const struct kernel *kernel, int number,
                     const struct code *c) {
  static const char *const vectors[] = {"", "", ".v2", "", ".v4"};
  if (c->guard >= 0) put(text, "@%s%%p%d ", c->guard_negated ? "!" : "", c->guard);
  switch (c->kind) {
    case ROW:
      put(text, "%s ", rows_opcode(c->row));
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_list(text, c->from, c->from_count, ", ");
      break;
    case SETP:
      put(text, "setp.%s.%s ", c->name, c->type);
      put_list(text, c->to, c->to_count, "|");
      put(text, ", ");
      put_list(text, c->from, c->from_count, ", ");
      break;
    case SELP:
      put(text, "selp.%s ", c->type);
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_list(text, c->from, 3, ", ");
      break;
    case PREDICATE:
      put(text, "%s.pred ", c->name);
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_list(text, c->from, c->from_count, ", ");
      break;
    case LOP3:
      put(text, "lop3.b32 ");
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_list(text, c->from, 3, ", ");
      put(text, ", 0x%x", (unsigned)c->offset);
      break;
    case PACK:
    case UNPACK:
      put(text, "mov.%s ", c->type);
      put_data(text, c->to, c->to_count);
      put(text, ", ");
      put_data(text, c->from, c->from_count);
      break;
    case SPECIAL:
      put(text, "mov.u32 ");
      put_operand(text, &c->to[0]);
      put(text, ", %s", c->name);
      break;
    case LOAD:
      put(text, "ld%s%s.%s ", space_names[c->space], vectors[c->count], c->type);
      put_data(text, c->to, c->count);
      put(text, ", ");
      put_address(text, c);
      break;
    case STORE:
      put(text, "st%s%s.%s ", space_names[c->space], vectors[c->count], c->type);
      put_address(text, c);
      put(text, ", ");
      put_data(text, c->from + 1, c->count);
      break;
    case ATOMIC:
      put(text, "%s%s.%s.%s ", c->to_count ? "atom" : "red", space_names[c->space], c->name,
          c->type);
      if (c->to_count) put_operand(text, &c->to[0]), put(text, ", ");
      put_address(text, c);
      put(text, ", ");
      put_list(text, c->from + 1, c->from_count - 1, ", ");
      break;
    case ADDRESS:
      put(text, "mov.u64 ");
      put_operand(text, &c->to[0]);
      put(text, ", %s", variable_names[c->target]);
      if (c->target == VARIABLE_LOCAL) put(text, "%d", number);
      if (c->offset) put(text, "+%" PRId64, c->offset);
      break;
    case TO_GENERIC:
      put(text, "cvta%s%s.u64 ", c->name, space_names[c->space]);
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_operand(text, &c->from[0]);
      break;
    case IN_SPACE:
      put(text, "isspacep%s ", space_names[c->space]);
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_operand(text, &c->from[0]);
      break;
    case BRANCH:
      put(text, "bra L%d", c->target);
      break;
    case RETURN:
      put(text, "ret");
      break;
    case BARRIER:
      put(text, "bar.sync 0");
      break;
    case BARRIER_REDUCE:
      put(text, "bar.red.%s ", c->name);
      put_operand(text, &c->to[0]);
      put(text, ", 0, ");
      put_operand(text, &c->from[0]);
      break;
    case WARP_SYNC:
      put(text, "bar.warp.sync ");
      put_operand(text, &c->from[0]);
      break;
    case VOTE:
      put(text, "vote.sync.%s ", c->name);
      put_operand(text, &c->to[0]);
      put(text, ", ");
      put_list(text, c->from, 2, ", ");
      break;
    case SHUFFLE:
      put(text, "shfl.sync.%s.b32 ", c->name);
      put_list(text, c->to, c->to_count, "|");
      put(text, ", ");
      put_list(text, c->from, 4, ", ");
      break;
    case ACTIVE_MASK:
      put(text, "activemask.b32 ");
      put_operand(text, &c->to[0]);
      break;
    case CALL:
      put_call(text, kernel, c);
      return;
  }
  put(text, ";\n");
}

static void put_body(struct text *text, const struct kernel *kernel, int number) {
  const struct function *f = &kernel->functions[number];
  bool *labels = calloc((size_t)f->code_count + 1, sizeof *labels);
  if (!labels) abort();
  for (int i = 0; i < f->code_count; i++)
    if (f->code[i].kind == BRANCH) labels[f->code[i].target] = true;
  put(text, "{\n");
  for (int c = 0; c < CLASSES; c++)
    put(text, ".reg .%s %s<%d>;\n",
        c == CLASS_B16   ? "b16"
        : c == CLASS_B32 ? "b32"
        : c == CLASS_B64 ? "b64"
        : c == CLASS_F32 ? "f32"
        : c == CLASS_F64 ? "f64"
                         : "pred",
        class_names[c], REGISTERS);
  put(text, ".local .align 16 .b8 own%d[%d];\n", number, LOCAL_BYTES);
  for (int i = 0; i < f->code_count; i++) {
    if (labels[i]) put(text, "L%d:\n", i);
    put_code(text, kernel, number, &f->code[i]);
  }
  put(text, "}\n");
  free(labels);
}

char *kernel_text(const struct kernel *kernel) {
  struct text text = {.room = 1 << 16};
  text.bytes = malloc(text.room);
  if (!text.bytes) abort();
  put(&text, ".version 8.0\n.target sm_90\n.address_size 64\n");
  put(&text, ".const .align 16 .b8 constants[%d];\n.shared .align 16 .b8 s[%zu];\n", CONST_BYTES,
      shared_bytes(kernel));
  bool called[MAX_FUNCTIONS] = {true};
  for (int i = 0; i < kernel->function_count; i++)
    for (int c = 0; called[i] && c < kernel->functions[i].code_count; c++)
      if (kernel->functions[i].code[c].kind == CALL)
        called[kernel->functions[i].code[c].target] = true;
  for (int i = kernel->function_count - 1; i > 0; i--) {
    if (!called[i]) continue;
    const struct function *f = &kernel->functions[i];
    put(&text, ".func (.param .b%d r0) f%d(.param .b64 q0, .param .b64 q1, .param .b64 q2",
        8 * class_bytes(f->result_class), i);
    for (int a = 0; a < f->argument_count; a++)
      put(&text, ", .param .b%d p%d", 8 * class_bytes(f->argument_class[a]), a);
    put(&text, ")\n");
    put_body(&text, kernel, i);
  }
  put(&text,
      ".visible .entry k(.param .u64 k0, .param .u64 k1, .param .u64 k2, .param .u64 k3, .param "
      ".u64 k4, "
      ".param .align 16 .b8 data[%d])\n",
      PARAM_BYTES);
  put_body(&text, kernel, 0);
  return text.bytes;
}
