/* test_sim_access_matrix.c: every load, store and atomic that PTX has, against a scalar oracle:
 *
 *   instruction   type x register width x vector length x space, each a kernel of its own
 *   block         pattern of the lanes' addresses x mask x how the mask comes about
 *
 * A block is one warp. It makes four accesses: two neighbours off one base register (the second may
 * rely on what was learned at the first), twice in a loop (the second time the pattern is known).
 * Memory is compared as a whole, and every register of every lane, active or not.
 * test-all: as it is shipped; it does more than under sanitizers. */
#include "harness/sim/include/kit_half_bits.h"
#include "tests/unit/sim_device.h"

enum { ACCESSES = 4, ELEMENTS = 4 };

enum pattern { UNIFORM, CONTIGUOUS, REVERSED, STRIDED, PERMUTED, SCATTERED, PATTERNS };
enum mask { FULL, SOME, ONE, NOT_FIRST, HALF_EXITED, SOME_EXITED, MASKS };
enum form { GUARD, BRANCH, FORMS };
enum { BLOCKS = PATTERNS * MASKS * FORMS, THREADS = BLOCKS * LANES };
/* What the kernels read of each thread. */
enum { ACTIVE = 1, BRANCHES = 2, EXITS = 4 };

enum kind { LOAD, STORE, ATOM, RED };
enum space {
  GLOBAL,
  SHARED,
  LOCAL,
  CONST,
  GENERIC_GLOBAL,
  GENERIC_SHARED,
  GENERIC_LOCAL,
  GENERIC_MIXED,      /* lane i: global, shared or local by i % 3 */
  KERNEL_PARAM,       /* [data+16] */
  KERNEL_PARAM_INDEX, /* [%rd10+16] */
  ARGUMENT,           /* of a function: loaded there, stored by the caller */
  ARGUMENT_INDEX,
  RESULT, /* of a function: stored there, loaded by the caller */
  SPACES
};
static const char *const space_names[SPACES] = {"global",
                                                "shared",
                                                "local",
                                                "const",
                                                "generic (global)",
                                                "generic (shared)",
                                                "generic (local)",
                                                "generic (mixed)",
                                                "kernel param",
                                                "kernel param by index",
                                                "argument",
                                                "argument by index",
                                                "result"};

struct instruction {
  enum kind kind;
  enum space space;
  char type[8];
  const char *class; /* of the data registers: "%rd" */
  const char *op;    /* atomics: "add" */
  int size, count;   /* bytes of an element, elements */
  int number;
};

/* ---- which instructions there are ---- */

static struct instruction instructions[4096];
static int instruction_count;

static void add_instruction(struct instruction in) {
  assert_true(instruction_count < LENGTH(instructions));
  in.number = instruction_count;
  instructions[instruction_count++] = in;
}

static int class_bytes(const char *class) {
  return strcmp(class, "%rs") == 0                                ? 2
         : strcmp(class, "%rd") == 0 || strcmp(class, "%fd") == 0 ? 8
                                                                  : 4;
}

/* A register may be wider than the type, never narrower (PTX ISA, "Operand Size Exceeding
 * Instruction-Type Size"); floating-point registers take their own type and untyped bits. */
static bool type_fits(const char *type, const char *class) {
  int size = atoi(type + 1) / 8;
  if (class[1] == 'f') return type[0] != 'u' && type[0] != 's' && size == class_bytes(class);
  return type[0] != 'f' && size <= class_bytes(class);
}

static void add_loads_and_stores(void) {
  static const char *const types[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32",
                                      "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
  static const char *const classes[] = {"%rs", "%r", "%rd", "%f", "%fd"};
  for (int space = 0; space < SPACES; space++)
    for (int t = 0; t < LENGTH(types); t++)
      for (int c = 0; c < LENGTH(classes); c++)
        for (int count = 1; count <= 4; count *= 2) {
          struct instruction in = {.space = (enum space)space,
                                   .class = classes[c],
                                   .size = atoi(types[t] + 1) / 8,
                                   .count = count};
          memcpy(in.type, types[t], strlen(types[t]) + 1);
          if (!type_fits(types[t], classes[c]) || in.size * count > 16) continue;
          in.kind = LOAD;
          add_instruction(in);
          in.kind = STORE;
          if (space != CONST && space != KERNEL_PARAM && space != KERNEL_PARAM_INDEX &&
              space != ARGUMENT_INDEX)
            add_instruction(in);
        }
}

static void add_atomics(void) {
  static const struct {
    const char *op, *types;
    bool only_atom;
  } families[] = {
      {"add", "u32 s32 u64 f32 f64", false},
      {"add.noftz", "f16 f16x2 bf16 bf16x2", false},
      {"exch", "b32 b64", true},
      {"cas", "b16 b32 b64", true},
      {"min", "u32 s32 u64 s64", false},
      {"max", "u32 s32 u64 s64", false},
      {"inc", "u32", false},
      {"dec", "u32", false},
      {"and", "b32 b64", false},
      {"or", "b32 b64", false},
      {"xor", "b32 b64", false},
  };
  static const enum space spaces[] = {GLOBAL, SHARED, GENERIC_GLOBAL, GENERIC_SHARED};
  for (int s = 0; s < LENGTH(spaces); s++)
    for (int f = 0; f < LENGTH(families); f++)
      for (const char *at = families[f].types; *at; at += strcspn(at, " ") + !!strchr(at, ' ')) {
        struct instruction in = {
            .kind = ATOM, .space = spaces[s], .op = families[f].op, .count = 1};
        memcpy(in.type, at, strcspn(at, " "));
        bool half = strstr(in.type, "f16");
        in.size = half ? (strstr(in.type, "x2") ? 4 : 2) : atoi(in.type + 1) / 8;
        in.class = in.size == 2                 ? "%rs"
                   : in.type[0] == 'f' && !half ? (in.size == 8 ? "%fd" : "%f")
                                                : (in.size == 8 ? "%rd" : "%r");
        add_instruction(in);
        in.kind = RED;
        if (!families[f].only_atom) add_instruction(in);
      }
}

static int slots_of(enum space space) {
  switch (space) {
    case LOCAL:
    case GENERIC_LOCAL:
    case ARGUMENT:
    case ARGUMENT_INDEX:
    case RESULT:
      return 8;
    case GENERIC_MIXED:
    case KERNEL_PARAM:
    case KERNEL_PARAM_INDEX:
      return 32;
    default:
      return 64;
  }
}

/* Where an access goes is counted in units, the bytes of one lane's access. Each of the four
 * accesses has a plane; its odd length gives it another phase in words and lines. */
static int unit_of(const struct instruction *in) { return in->size * in->count; }
static int plane_of(const struct instruction *in) {
  return (slots_of(in->space) + 1) * unit_of(in);
}
static int region_of(const struct instruction *in) {
  return (ACCESSES * plane_of(in) + 8 * unit_of(in) + 15) / 16 * 16;
}
/* Data registers of one access. */
static int registers_of(const struct instruction *in) {
  return in->kind == ATOM || in->kind == RED ? 3 : in->count;
}
static bool is_constant_address(enum space space) {
  return space == KERNEL_PARAM || space == ARGUMENT || space == RESULT;
}
static bool uses_shared(enum space s) {
  return s == SHARED || s == GENERIC_SHARED || s == GENERIC_MIXED;
}
static bool uses_local(enum space s) {
  return s == LOCAL || s == GENERIC_LOCAL || s == GENERIC_MIXED;
}
static bool uses_call(enum space s) { return s == ARGUMENT || s == ARGUMENT_INDEX || s == RESULT; }
static bool uses_private(enum space s) { return uses_local(s) || uses_call(s); }
/* Each lane has memory of its own there. */
static bool is_private(enum space s, int lane) {
  return s == LOCAL || s == GENERIC_LOCAL || s == ARGUMENT || s == RESULT ||
         (s == GENERIC_MIXED && lane % 3 == 2);
}
static bool is_shared(enum space s, int lane) {
  return s == SHARED || s == GENERIC_SHARED || (s == GENERIC_MIXED && lane % 3 == 1);
}
enum { FIXED_UNIT = 3 }; /* of accesses whose address is a constant */
static int immediate_of(const struct instruction *in) {
  static const int immediates[] = {0, 16, -48, 1024};
  return immediates[in->number % LENGTH(immediates)];
}

/* ---- the kernels ---- */

struct text {
  char *bytes;
  size_t length, room;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text->bytes + text->length, text->room - text->length, format, args);
  va_end(args);
  assert_true(length >= 0 && text->length + (size_t)length < text->room);
  text->length += (size_t)length;
}

#define REGISTERS                                                                             \
  ".reg .pred %%p<9>; .reg .b16 %%rs<40>; .reg .b32 %%r<60>; .reg .b64 %%rd<60>;\n.reg .f32 " \
  "%%f<40>; .reg .f64 %%fd<40>;\n"

/* %rd40 and back into register n of a class. */
static void put_from_bits(struct text *text, const char *class, int n) {
  if (strcmp(class, "%rs") == 0)
    put(text, "cvt.u16.u64 %%rs%d, %%rd40; ", n);
  else if (strcmp(class, "%r") == 0)
    put(text, "cvt.u32.u64 %%r%d, %%rd40; ", n);
  else if (strcmp(class, "%f") == 0)
    put(text, "cvt.u32.u64 %%r40, %%rd40; mov.b32 %%f%d, %%r40; ", n);
  else
    put(text, "mov.b64 %s%d, %%rd40; ", class, n);
}
static void put_to_bits(struct text *text, const char *class, int n) {
  if (strcmp(class, "%rs") == 0)
    put(text, "cvt.u64.u16 %%rd40, %%rs%d; ", n);
  else if (strcmp(class, "%r") == 0)
    put(text, "cvt.u64.u32 %%rd40, %%r%d; ", n);
  else if (strcmp(class, "%f") == 0)
    put(text, "mov.b32 %%r40, %%f%d; cvt.u64.u32 %%rd40, %%r40; ", n);
  else
    put(text, "mov.b64 %%rd40, %s%d; ", class, n);
}

/* Access 0 or 1 of a pair. Data registers: 20.. of the first, 30.. of the second; of an atomic, the
 * result and up to two operands. */
static void put_access(struct text *text, const struct instruction *in, const char *guard,
                       int which, const char *name) {
  static const char *const spellings[SPACES] = {".global", ".shared", ".local", ".const", "",
                                                "",        "",        "",       ".param", ".param",
                                                ".param",  ".param",  ".param"};
  static const char *const global_forms[] = {"", ".nc", ".volatile"};
  const char *modifier = in->kind != LOAD      ? ""
                         : in->space == GLOBAL ? global_forms[in->number / 2 % 3]
                                               : "";
  int first = 20 + 10 * which;
  char address[64];
  if (is_constant_address(in->space))
    snprintf(address, sizeof address, "[%s+%d]", name,
             FIXED_UNIT * unit_of(in) + which * plane_of(in));
  else
    snprintf(address, sizeof address, "[%%rd10+%d]", immediate_of(in) + which * plane_of(in));
  if (in->kind == ATOM || in->kind == RED) {
    put(text, "%s%s%s.%s.%s ", guard, in->kind == ATOM ? "atom" : "red", spellings[in->space],
        in->op, in->type);
    if (in->kind == ATOM) put(text, "%s%d, ", in->class, first);
    put(text, "%s, %s%d", address, in->class, first + 1);
    if (strcmp(in->op, "cas") == 0) put(text, ", %s%d", in->class, first + 2);
    put(text, ";\n");
    return;
  }
  char data[100];
  if (in->count == 1)
    snprintf(data, sizeof data, "%s%d", in->class, first);
  else if (in->count == 2)
    snprintf(data, sizeof data, "{%s%d, %s%d}", in->class, first, in->class, first + 1);
  else
    snprintf(data, sizeof data, "{%s%d, %s%d, %s%d, %s%d}", in->class, first, in->class, first + 1,
             in->class, first + 2, in->class, first + 3);
  /* .nc comes after the space, .volatile before it */
  put(text, "%s%s%s%s%s%s.%s %s, %s;\n", guard, in->kind == LOAD ? "ld" : "st",
      strcmp(modifier, ".volatile") == 0 ? modifier : "", spellings[in->space],
      strcmp(modifier, ".nc") == 0 ? modifier : "",
      in->count == 1   ? ""
      : in->count == 2 ? ".v2"
                       : ".v4",
      in->type, in->kind == LOAD ? data : address, in->kind == LOAD ? address : data);
}

/* The loop: %rd2 values, %rd4 out, %rd10 address; %p1 active, %p2 branches. */
static void put_accesses(struct text *text, const struct instruction *in, const char *name) {
  int n = in->number;
  put(text, "mov.u32 %%r6, 0;\nloop%d:\n", n);
  for (int a = 0; a < 2; a++)
    for (int e = 0; e < registers_of(in); e++) {
      put(text, "ld.global.u64 %%rd40, [%%rd2+%d]; ", (a * ELEMENTS + e) * 8);
      put_from_bits(text, in->class, 20 + 10 * a + e);
    }
  put(text, "\n@%%p2 bra branch%d;\n", n);
  put_access(text, in, "@%p1 ", 0, name);
  put_access(text, in, "@%p1 ", 1, name);
  put(text, "bra join%d;\nbranch%d:\n@!%%p1 bra join%d;\n", n, n, n);
  put_access(text, in, "", 0, name);
  put_access(text, in, "", 1, name);
  put(text, "join%d:\n", n);
  if (in->kind != STORE)
    for (int a = 0; a < 2; a++)
      for (int e = 0; e < registers_of(in); e++) {
        put_to_bits(text, in->class, 20 + 10 * a + e);
        put(text, "st.global.u64 [%%rd4+%d], %%rd40;\n", (a * ELEMENTS + e) * 8);
      }
  put(text,
      "add.s64 %%rd2, %%rd2, %d; add.s64 %%rd4, %%rd4, %d; add.s64 %%rd10, %%rd10, %d;\n"
      "add.u32 %%r6, %%r6, 1; setp.lt.u32 %%p4, %%r6, 2; @%%p4 bra loop%d;\n",
      2 * ELEMENTS * 8, 2 * ELEMENTS * 8, 2 * plane_of(in), n);
}

/* Copies bytes in pieces of 16 from one address to another: pieces %r7, %r7 + %r8, .... Left out
 * are those whose number modulo 8 is %r9. */
static void put_copy(struct text *text, const char *label, int n, const char *load,
                     const char *from, const char *store, const char *to, int bytes) {
  put(text,
      "%s%d:\nsetp.ge.u32 %%p5, %%r7, %d; @%%p5 bra %s_end%d;\nand.b32 %%r41, %%r7, 7; setp.eq.u32 "
      "%%p6, %%r41, %%r9; @%%p6 bra %s_next%d;\n"
      "mul.wide.u32 %%rd41, %%r7, 16; add.s64 %%rd42, %s, %%rd41; add.s64 %%rd43, %s, %%rd41;\n"
      "ld.%s.v4.u32 {%%r42, %%r43, %%r44, %%r45}, [%%rd42]; st.%s.v4.u32 [%%rd43], {%%r42, %%r43, "
      "%%r44, %%r45};\n%s_next%d:\nadd.u32 %%r7, %%r7, %%r8; bra %s%d;\n%s_end%d:\n",
      label, n, bytes / 16, label, n, label, n, from, to, load, store, label, n, label, n, label,
      n);
}

static void put_param_copy(struct text *text, const char *load, const char *from, const char *store,
                           const char *to, int bytes) {
  for (int at = 0; at < bytes; at += 16)
    put(text,
        "ld.%s.v4.u32 {%%r42, %%r43, %%r44, %%r45}, [%s+%d]; st.%s.v4.u32 [%s+%d], {%%r42, %%r43, "
        "%%r44, %%r45};\n",
        load, from, at, store, to, at);
}

/* A function whose argument or result is accessed: it does so itself, or copies it as a whole. */
static void put_function(struct text *text, const struct instruction *in) {
  int n = in->number, bytes = region_of(in);
  bool result = in->space == RESULT, does = result == (in->kind == STORE);
  put(text, ".func ");
  if (result) put(text, "(.param .align 16 .b8 data%d[%d]) ", n, bytes);
  put(text, "f%d(.param .b64 q0, .param .b64 q1, .param .b64 q2, .param .b64 q3, .param .b32 q4",
      n);
  if (!result) put(text, ", .param .align 16 .b8 data%d[%d]", n, bytes);
  put(text, ")\n{\n" REGISTERS
            "ld.param.b64 %%rd2, [q0]; ld.param.b64 %%rd4, [q1]; ld.param.b64 %%rd7, [q2]; "
            "ld.param.b64 %%rd5, [q3]; ld.param.b32 %%r4, [q4];\n"
            "and.b32 %%r5, %%r4, 1; setp.ne.u32 %%p1, %%r5, 0; and.b32 %%r5, %%r4, 2; setp.ne.u32 "
            "%%p2, %%r5, 0;\n");
  char name[20];
  snprintf(name, sizeof name, "data%d", n);
  if (result) put_param_copy(text, "global", "%rd5", "param", name, bytes);
  if (does) {
    if (in->space == ARGUMENT_INDEX)
      put(text, "mov.b64 %%rd10, %s; add.s64 %%rd10, %%rd10, %%rd7; add.s64 %%rd10, %%rd10, %d;\n",
          name, -immediate_of(in));
    else
      put(text, "mov.b64 %%rd10, 0;\n");
    put_accesses(text, in, name);
  } else if (!result) {
    put_param_copy(text, "param", name, "global", "%rd5", bytes);
  }
  put(text, "ret;\n}\n");
}

/* %rd5: the block's region; %rd8: the thread's own, to which private memory is copied. */
static void put_call(struct text *text, const struct instruction *in) {
  int n = in->number, bytes = region_of(in);
  bool result = in->space == RESULT;
  put(text,
      "{ .param .b64 c0; .param .b64 c1; .param .b64 c2; .param .b64 c3; .param .b32 c4; .param "
      ".align 16 .b8 area%d[%d];\n",
      n, bytes);
  char name[20];
  snprintf(name, sizeof name, "area%d", n);
  put(text, "mov.b64 %%rd10, 0;\n");
  if (!result) {
    put_param_copy(text, "global", "%rd5", "param", name, bytes);
    if (in->kind == STORE) put_accesses(text, in, name);
  }
  put(text,
      "st.param.b64 [c0], %%rd2; st.param.b64 [c1], %%rd4; st.param.b64 [c2], %%rd7; st.param.b64 "
      "[c3], %s; st.param.b32 [c4], %%r4;\n",
      !result && in->kind == STORE ? "%rd8" : "%rd5");
  if (result)
    put(text, "call.uni (area%d), f%d, (c0, c1, c2, c3, c4);\n", n, n);
  else
    put(text, "call.uni f%d, (c0, c1, c2, c3, c4, area%d);\n", n, n);
  if (result) {
    if (in->kind == LOAD)
      put_accesses(text, in, name);
    else
      put_param_copy(text, "param", name, "global", "%rd8", bytes);
  }
  put(text, "}\n");
}

static void put_address(struct text *text, const struct instruction *in) {
  int n = in->number;
  switch (in->space) {
    case GLOBAL:
    case GENERIC_GLOBAL:
      put(text, "add.s64 %%rd10, %%rd5, %%rd7;\n");
      break;
    case SHARED:
      put(text, "mov.u64 %%rd10, shared%d; add.s64 %%rd10, %%rd10, %%rd7;\n", n);
      break;
    case GENERIC_SHARED:
      put(text,
          "mov.u64 %%rd10, shared%d; cvta.shared.u64 %%rd10, %%rd10; add.s64 %%rd10, %%rd10, "
          "%%rd7;\n",
          n);
      break;
    case LOCAL:
      put(text, "mov.u64 %%rd10, own%d; add.s64 %%rd10, %%rd10, %%rd7;\n", n);
      break;
    case GENERIC_LOCAL:
      put(text,
          "mov.u64 %%rd10, own%d; cvta.local.u64 %%rd10, %%rd10; add.s64 %%rd10, %%rd10, %%rd7;\n",
          n);
      break;
    case GENERIC_MIXED:
      put(text,
          "rem.u32 %%r41, %%r0, 3; setp.eq.u32 %%p5, %%r41, 1; setp.eq.u32 %%p6, %%r41, 2;\n"
          "mov.u64 %%rd41, shared%d; cvta.shared.u64 %%rd41, %%rd41; mov.u64 %%rd42, own%d; "
          "cvta.local.u64 "
          "%%rd42, %%rd42;\n"
          "selp.b64 %%rd10, %%rd41, %%rd5, %%p5; selp.b64 %%rd10, %%rd42, %%rd10, %%p6; add.s64 "
          "%%rd10, "
          "%%rd10, %%rd7;\n",
          n, n);
      break;
    case CONST:
      put(text, "mov.u64 %%rd10, constants; add.s64 %%rd10, %%rd10, %%rd7;\n");
      break;
    default:
      put(text, "mov.b64 %%rd10, data; add.s64 %%rd10, %%rd10, %%rd7;\n");
  }
  put(text, "add.s64 %%rd10, %%rd10, %d;\n", -immediate_of(in));
}

/* Parameters: table of units and flags, values, results of loads, regions of the blocks, what
 * shared and private memory were in the end, and which pieces are left out (put_copy). */
static void put_kernel(struct text *text, const struct instruction *in) {
  int n = in->number, bytes = region_of(in);
  bool kernel_param = in->space == KERNEL_PARAM || in->space == KERNEL_PARAM_INDEX;
  if (uses_call(in->space)) put_function(text, in);
  put(text,
      ".visible .entry k%d(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param "
      ".u64 p4, "
      ".param .u64 p5, .param .u64 p6",
      n);
  if (kernel_param) put(text, ", .param .align 16 .b8 data[%d]", bytes);
  put(text, ")\n{\n" REGISTERS);
  if (uses_shared(in->space)) put(text, ".shared .align 16 .b8 shared%d[%d];\n", n, bytes);
  if (uses_local(in->space)) put(text, ".local .align 16 .b8 own%d[%d];\n", n, bytes);
  put(text,
      "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r2, %%r1, 32, %%r0;\n"
      "ld.param.u64 %%rd0, [p0]; mul.wide.u32 %%rd1, %%r2, 8; add.s64 %%rd0, %%rd0, %%rd1;\n"
      "ld.global.v2.u32 {%%r3, %%r4}, [%%rd0]; mul.wide.u32 %%rd7, %%r3, %d;\n"
      "ld.param.u64 %%rd2, [p1]; mul.wide.u32 %%rd3, %%r2, %d; add.s64 %%rd2, %%rd2, %%rd3;\n"
      "ld.param.u64 %%rd4, [p2]; add.s64 %%rd4, %%rd4, %%rd3;\n"
      "mul.wide.u32 %%rd6, %%r1, %d; ld.param.u64 %%rd5, [p3]; add.s64 %%rd5, %%rd5, %%rd6;\n"
      "ld.param.u64 %%rd9, [p4]; add.s64 %%rd9, %%rd9, %%rd6;\n"
      "mul.wide.u32 %%rd6, %%r2, %d; ld.param.u64 %%rd8, [p5]; add.s64 %%rd8, %%rd8, %%rd6;\n"
      "ld.param.u32 %%r9, [p6];\n"
      "and.b32 %%r5, %%r4, 1; setp.ne.u32 %%p1, %%r5, 0; and.b32 %%r5, %%r4, 2; setp.ne.u32 %%p2, "
      "%%r5, 0;\n"
      "and.b32 %%r5, %%r4, 4; setp.ne.u32 %%p3, %%r5, 0;\n",
      unit_of(in), ACCESSES * ELEMENTS * 8, bytes, bytes);
  if (uses_shared(in->space)) {
    put(text, "mov.u32 %%r7, %%r0; mov.u32 %%r8, 32; mov.u64 %%rd11, shared%d;\n", n);
    put_copy(text, "fill_shared", n, "global", "%rd5", "shared", "%rd11", bytes);
  }
  if (uses_local(in->space)) {
    put(text, "mov.u32 %%r7, 0; mov.u32 %%r8, 1; mov.u64 %%rd12, own%d;\n", n);
    put_copy(text, "fill_local", n, "global", "%rd5", "local", "%rd12", bytes);
  }
  /* all lanes fill shared memory, and read the block's region, where some store afterwards */
  if (uses_shared(in->space)) put(text, "bar.sync 0;\n");
  put(text, "@%%p3 exit;\n");
  if (uses_call(in->space)) {
    put_call(text, in);
  } else {
    put_address(text, in);
    put_accesses(text, in, "data");
  }
  if (in->kind != LOAD && uses_shared(in->space)) {
    put(text,
        "activemask.b32 %%r41; bar.warp.sync %%r41; mov.u32 %%r42, %%lanemask_lt; and.b32 %%r42, "
        "%%r42, "
        "%%r41;\n"
        "popc.b32 %%r7, %%r42; popc.b32 %%r8, %%r41;\n");
    put_copy(text, "read_shared", n, "shared", "%rd11", "global", "%rd9", bytes);
  }
  if (in->kind != LOAD && uses_local(in->space)) {
    put(text, "mov.u32 %%r7, 0; mov.u32 %%r8, 1;\n");
    put_copy(text, "read_local", n, "local", "%rd12", "global", "%rd8", bytes);
  }
  put(text, "ret;\n}\n");
}

/* ---- what the lanes do ---- */

struct thread {
  uint32_t units, flags;
};

/* Distinct slots for the lanes of a block, save for PATTERN_UNIFORM, unless `repeat`. */
static void make_slots(enum pattern pattern, int slots, bool repeat, struct sim_random *random,
                       int *slot) {
  int order[64];
  int first = (int)sim_below(random, (unsigned)slots);
  for (int i = 0; i < slots; i++) order[i] = i;
  for (int i = slots - 1; i > 0; i--) {
    int k = (int)sim_below(random, (unsigned)i + 1), swap = order[i];
    order[i] = order[k], order[k] = swap;
  }
  int permuted = (int)sim_below(random, 31) + 1;
  for (int i = 0; i < LANES; i++) {
    switch (pattern) {
      case UNIFORM:
        slot[i] = first;
        break;
      case REVERSED:
        slot[i] = LANES - 1 - i;
        break;
      case STRIDED:
        slot[i] = slots == 64 ? 2 * i : 2 * i % LANES + i / 16;
        break;
      case PERMUTED:
        slot[i] = i ^ permuted;
        break;
      case SCATTERED:
        slot[i] = repeat ? (int)sim_below(random, (unsigned)slots) : order[i % slots];
        break;
      default:
        slot[i] = i;
    }
    slot[i] %= slots;
  }
}

static void block_parts(int block, enum pattern *pattern, enum mask *mask, enum form *form) {
  *pattern = (enum pattern)(block % PATTERNS);
  *mask = (enum mask)(block / PATTERNS % MASKS);
  *form = (enum form)(block / PATTERNS / MASKS);
}

static void make_threads(struct thread *threads, int slots, bool repeat) {
  struct sim_random random = {(uint64_t)slots};
  for (int b = 0; b < BLOCKS; b++) {
    enum pattern pattern;
    enum mask mask;
    enum form form;
    int slot[LANES];
    block_parts(b, &pattern, &mask, &form);
    make_slots(pattern, slots, repeat, &random, slot);
    uint32_t some = (uint32_t)sim_next(&random) | 1u << sim_below(&random, 32), exits = 0,
             active = ~0u;
    if (mask == SOME || mask == SOME_EXITED) active = some;
    if (mask == ONE) active = 1u << sim_below(&random, 32);
    if (mask == NOT_FIRST) active = ~1u;
    if (mask == HALF_EXITED) exits = sim_below(&random, 2) ? 0xffff0000u : 0x0000ffffu;
    if (mask == SOME_EXITED) exits = (uint32_t)sim_next(&random) & (uint32_t)sim_next(&random);
    for (int i = 0; i < LANES; i++) {
      struct thread *t = &threads[b * LANES + i];
      t->units = (uint32_t)(slot[i] + b % 5);
      t->flags = (active >> i & 1 ? ACTIVE : 0u) | (form == BRANCH ? BRANCHES : 0u) |
                 (exits >> i & 1 ? EXITS : 0u);
    }
  }
}

/* ---- the oracle ---- */

enum {
  REGION_MAX = (ACCESSES * 65 + 8) * 16,
  OWN_MAX = (ACCESSES * 33 + 8) * 16,
  OWN_BYTES = THREADS * OWN_MAX
};

struct world {
  uint64_t values[THREADS][ACCESSES][ELEMENTS], out[THREADS][ACCESSES][ELEMENTS];
  struct thread threads[THREADS];
  unsigned char *blocks, *shared, *own; /* regions by block, by block, by thread */
  unsigned char constants[REGION_MAX];  /* of const and kernel parameters */
  uint32_t hole;                        /* pieces of 16 bytes that nobody has written: number % 8 */
};

static uint64_t low_bytes(const void *from, int size) {
  uint64_t value = 0;
  memcpy(&value, from, (size_t)size);
  return value;
}

static uint64_t cut_to(uint64_t value, int bytes) {
  return bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static uint64_t extend(uint64_t value, const char *type, int size, int register_bytes) {
  if (type[0] == 's' && value >> (8 * size - 1)) value |= size == 8 ? 0 : ~UINT64_C(0) << 8 * size;
  return cut_to(value, register_bytes);
}

static uint64_t updated(const struct instruction *in, uint64_t old, uint64_t a, uint64_t b) {
  bool is_signed = in->type[0] == 's';
  int64_t so = in->size == 8 ? (int64_t)old : (int32_t)(uint32_t)old,
          sa = in->size == 8 ? (int64_t)a : (int32_t)(uint32_t)a;
  if (strcmp(in->type, "f32") == 0) {
    float x, y;
    memcpy(&x, &old, 4), memcpy(&y, &a, 4);
    x += y, old = 0;
    memcpy(&old, &x, 4);
    return old;
  }
  if (strcmp(in->type, "f64") == 0) {
    double x, y;
    memcpy(&x, &old, 8), memcpy(&y, &a, 8);
    x += y;
    memcpy(&old, &x, 8);
    return old;
  }
  if (strstr(in->type, "f16")) {
    bool brain = in->type[0] == 'b';
    uint64_t sums = 0;
    for (int shift = 0; shift < 8 * in->size; shift += 16) {
      unsigned x = old >> shift & 0xffff, y = a >> shift & 0xffff;
      sums |= (uint64_t)(brain ? kit_bfloat_nearest(kit_bfloat_value(x) + kit_bfloat_value(y))
                               : kit_half_nearest(kit_half_value(x) + kit_half_value(y)))
              << shift;
    }
    return sums;
  }
  const char *op = in->op;
  uint64_t result = strcmp(op, "add") == 0    ? old + a
                    : strcmp(op, "exch") == 0 ? a
                    : strcmp(op, "cas") == 0  ? (old == a ? b : old)
                    : strcmp(op, "min") == 0  ? (is_signed ? (sa < so ? a : old)
                                                 : a < old ? a
                                                           : old)
                    : strcmp(op, "max") == 0  ? (is_signed ? (sa > so ? a : old)
                                                 : a > old ? a
                                                           : old)
                    : strcmp(op, "inc") == 0  ? (old >= a ? 0 : old + 1)
                    : strcmp(op, "dec") == 0  ? (old == 0 || old > a ? a : old - 1)
                    : strcmp(op, "and") == 0  ? (old & a)
                    : strcmp(op, "or") == 0   ? (old | a)
                                              : (old ^ a);
  return cut_to(result, in->size);
}

/* What one access of one thread does to the world. */
static void step(struct world *w, const struct instruction *in, int thread, int access) {
  enum space s = in->space;
  int lane = thread % LANES, block = thread / LANES, bytes = region_of(in),
      width = class_bytes(in->class);
  int at = is_constant_address(s)
               ? FIXED_UNIT * unit_of(in) + access % 2 * plane_of(in)
               : (int)w->threads[thread].units * unit_of(in) + access * plane_of(in);
  unsigned char *region = w->blocks + block * bytes;
  bool params = s == CONST || s == KERNEL_PARAM || s == KERNEL_PARAM_INDEX;
  if (params) region = w->constants;
  if (in->kind != LOAD && is_shared(s, lane)) region = w->shared + block * bytes;
  if (in->kind != LOAD && is_private(s, lane)) region = w->own + thread * bytes;
  uint64_t *v = w->values[thread][access], *out = w->out[thread][access];
  if (in->kind == ATOM || in->kind == RED) {
    uint64_t old = low_bytes(region + at, in->size);
    uint64_t next = updated(in, old, cut_to(v[1], in->size), cut_to(v[2], in->size));
    memcpy(region + at, &next, (size_t)in->size);
    if (in->kind == ATOM) out[0] = old;
    return;
  }
  for (int e = 0; e < in->count; e++) {
    unsigned char *place = region + at + e * in->size;
    if (in->kind == STORE) {
      memcpy(place, &v[e], (size_t)in->size);
      continue;
    }
    bool unwritten = !params && !is_private(s, lane) && (uint32_t)(at / 16 % 8) == w->hole;
    out[e] = unwritten ? cut_to(UINT64_C(0x7e7e7e7e7e7e7e7e), in->size)
                       : extend(low_bytes(place, in->size), in->type, in->size, width);
  }
}

static void run_oracle(struct world *w, const struct instruction *in) {
  int width = class_bytes(in->class);
  for (int t = 0; t < THREADS; t++)
    for (int a = 0; a < ACCESSES; a++)
      for (int e = 0; e < registers_of(in) && !(w->threads[t].flags & EXITS); e++)
        if (in->kind != STORE) w->out[t][a][e] = cut_to(w->values[t][a][e], width);
  for (int b = 0; b < BLOCKS; b++)
    for (int a = 0; a < ACCESSES; a++)
      for (int t = b * LANES; t < (b + 1) * LANES; t++)
        if ((w->threads[t].flags & (ACTIVE | EXITS)) == ACTIVE) step(w, in, t, a);
}

/* ---- running and comparing ---- */

static long cases;

static const char *const pattern_names[] = {"uniform", "contiguous", "reversed",
                                            "strided", "permuted",   "scattered"};
static const char *const mask_names[] = {"full",        "some",       "one", "all but the first",
                                         "half exited", "some exited"};

static void describe(char *text, size_t size, const struct instruction *in, int block) {
  static const char *const kinds[] = {"ld", "st", "atom", "red"};
  enum pattern pattern;
  enum mask mask;
  enum form form;
  block_parts(block, &pattern, &mask, &form);
  snprintf(text, size, "%s %s%s .v%d.%s of %s, %s, %s, mask %s by %s", kinds[in->kind],
           in->op ? in->op : "", in->op ? " " : "", in->count, in->type, in->class,
           space_names[in->space], pattern_names[pattern], mask_names[mask],
           form == GUARD ? "guard" : "branch");
}

/* Prints the first difference; true if there is none. */
static bool same_bytes(const struct instruction *in, const char *isa, const char *what,
                       const void *got, const void *right, size_t bytes, size_t block_bytes) {
  const unsigned char *x = got, *y = right;
  if (memcmp(x, y, bytes) == 0) return true;
  size_t at = 0;
  while (x[at] == y[at]) at++;
  size_t word = at / 8 * 8 + 8 > bytes ? bytes - 8 : at / 8 * 8;
  char text[300];
  describe(text, sizeof text, in, (int)(at / block_bytes));
  print_error("%s (%s): %s at byte %zu of block %zu: %016llx, not %016llx\n", text, isa, what,
              at % block_bytes, at / block_bytes, (unsigned long long)low_bytes(x + word, 8),
              (unsigned long long)low_bytes(y + word, 8));
  return false;
}

static uint64_t random_number(struct sim_random *random, const char *type) {
  static const uint64_t few[] = {
      0, 1, 2, 3, UINT64_C(0x8000000080000000), ~UINT64_C(0), UINT64_C(0x7fffffff7fffffff)};
  if (type[0] == 'f') {
    double d = (int)sim_below(random, 2001) - 1000;
    float f = (float)(d / 8);
    uint64_t bits = 0;
    d /= 8;
    memcpy(&bits, type[1] == '3' ? (void *)&f : (void *)&d, type[1] == '3' ? 4 : 8);
    return bits;
  }
  uint64_t bits = sim_next(random);
  return sim_below(random, 3) ? few[bits % LENGTH(few)] : bits;
}

static void make_world(struct world *w, const struct instruction *in, uint32_t hole) {
  struct sim_random random = {(uint64_t)in->number};
  int bytes = region_of(in);
  bool atomic = in->kind == ATOM || in->kind == RED;
  make_threads(w->threads, slots_of(in->space), in->kind != STORE);
  for (int t = 0; t < THREADS; t++)
    for (int a = 0; a < ACCESSES; a++)
      for (int e = 0; e < ELEMENTS; e++)
        w->values[t][a][e] = atomic ? random_number(&random, in->type) : sim_next(&random);
  /* Of lanes that store to one address, none may have another value. */
  for (int t = 0; t < THREADS && in->kind == STORE; t++)
    if (t / LANES % PATTERNS == UNIFORM)
      memcpy(w->values[t], w->values[t / LANES * LANES], sizeof w->values[t]);
  memset(w->out, 0xee, sizeof w->out);
  for (int at = 0; at < BLOCKS * bytes; at += 8) {
    uint64_t bits = atomic ? random_number(&random, in->type) : sim_next(&random);
    if (atomic && in->size == 4) bits = cut_to(bits, 4) | random_number(&random, in->type) << 32;
    memcpy(w->blocks + at, &bits, 8);
  }
  for (int i = 0; i < bytes; i++) w->constants[i] = (unsigned char)sim_next(&random);
  /* What is copied out of shared and private memory is what had been copied into it. */
  memset(w->shared, 0xee, (size_t)(BLOCKS * bytes));
  if (uses_private(in->space)) memset(w->own, 0xee, (size_t)(THREADS * bytes));
  if (in->kind != LOAD && uses_shared(in->space))
    memcpy(w->shared, w->blocks, (size_t)(BLOCKS * bytes));
  for (int t = 0; t < THREADS && in->kind == STORE; t++)
    if ((uses_private(in->space)) && !(w->threads[t].flags & EXITS))
      memcpy(w->own + t * bytes, w->blocks + t / LANES * bytes, (size_t)bytes);
  w->hole = hole;
}

/* Device memory, as large as the largest instruction needs. */
struct buffers {
  uint64_t threads, values, out, blocks, shared, own, constants;
};

enum { NO_HOLE = 8 };

static bool run_instruction(struct sim *sim, const struct buffers *at, const struct instruction *in,
                            struct world *w, const char *isa, uint32_t hole) {
  static unsigned char got[OWN_BYTES];
  size_t bytes = (size_t)region_of(in);
  struct device *d = sim->device;
  make_world(w, in, hole);
  assert_int_equal(device_write(d, at->threads, w->threads, sizeof w->threads), 0);
  assert_int_equal(device_write(d, at->values, w->values, sizeof w->values), 0);
  assert_int_equal(device_fill(d, at->out, 0xee, sizeof w->out), 0);
  uint64_t blocks = at->blocks;
  if (hole != NO_HOLE) {
    blocks = sim_buffer(sim, NULL, BLOCKS * bytes);
    for (size_t p = 0; p < BLOCKS * bytes / 16; p++)
      if (p % (bytes / 16) % 8 != hole)
        assert_int_equal(device_write(d, blocks + 16 * p, w->blocks + 16 * p, 16), 0);
  } else {
    assert_int_equal(device_write(d, blocks, w->blocks, BLOCKS * bytes), 0);
  }
  if (in->space == CONST)
    assert_int_equal(device_write(d, at->constants, w->constants, sizeof w->constants), 0);
  if (in->kind != LOAD) {
    assert_int_equal(device_fill(d, at->shared, 0xee, BLOCKS * bytes), 0);
    if (uses_private(in->space))
      assert_int_equal(device_fill(d, at->own, 0xee, THREADS * bytes), 0);
  }
  static uint64_t params[7 + REGION_MAX / 8];
  uint64_t head[7] = {at->threads, at->values, at->out, blocks, at->shared, at->own, hole};
  memcpy(params, head, sizeof head);
  memcpy((char *)params + 64, w->constants,
         bytes < sizeof params - 64 ? bytes : sizeof params - 64);
  char name[16];
  snprintf(name, sizeof name, "k%d", in->number);
  int code = sim_try_params(sim, name, sim_line(BLOCKS, LANES), params);
  if (code) fail_msg("%s: error %d, %s", name, code, sim->hazards[0].message);
  bool fine = true;
  for (int i = 0; i < sim->hazard_count && i < LENGTH(sim->hazards); i++) {
    const struct hazard *h = &sim->hazards[i];
    if (h->warning || (hole != NO_HOLE && h->kind == HAZARD_uninit)) continue;
    char text[300];
    describe(text, sizeof text, in, 0);
    print_error("%s: %s\n", text, h->message);
    fine = false;
  }
  if (hole != NO_HOLE && !sim->hazard_count) {
    print_error("k%d: nothing is said about what was never written\n", in->number);
    fine = false;
  }
  run_oracle(w, in);
  if (in->kind != STORE) {
    sim_read(sim, got, at->out, sizeof w->out);
    fine &= same_bytes(in, isa, "registers", got, w->out, sizeof w->out, sizeof w->out / BLOCKS);
  }
  if (in->kind != LOAD) {
    sim_read(sim, got, blocks, BLOCKS * bytes);
    fine &= same_bytes(in, isa, "global memory", got, w->blocks, BLOCKS * bytes, bytes);
    if (uses_shared(in->space)) {
      sim_read(sim, got, at->shared, BLOCKS * bytes);
      fine &= same_bytes(in, isa, "shared memory", got, w->shared, BLOCKS * bytes, bytes);
    }
    if (uses_private(in->space)) {
      sim_read(sim, got, at->own, THREADS * bytes);
      fine &= same_bytes(in, isa, "private memory", got, w->own, THREADS * bytes, LANES * bytes);
    }
  }
  if (hole != NO_HOLE) assert_int_equal(device_free(d, blocks), 0);
  cases += BLOCKS;
  return fine;
}

/* ---- all of them ---- */

enum { KERNELS_A_MODULE = 250, ALL_INSTRUCTIONS = 2156 };
/* One instruction set runs them all; the others, and sanitizers, a sample. */
#if defined __SANITIZE_ADDRESS__
enum { FIRST_SET = 16, LATER_SETS = 32, MIN_CASES = 10000 };
#else
enum { FIRST_SET = 1, LATER_SETS = 16, MIN_CASES = 150000 };
#endif

static struct buffers make_buffers(struct sim *sim) {
  struct buffers at = {.threads = sim_zeros(sim, sizeof(struct thread) * THREADS),
                       .values = sim_zeros(sim, sizeof((struct world *)0)->values),
                       .out = sim_zeros(sim, sizeof((struct world *)0)->out),
                       .blocks = sim_zeros(sim, BLOCKS * REGION_MAX),
                       .shared = sim_zeros(sim, BLOCKS * REGION_MAX),
                       .own = sim_zeros(sim, OWN_BYTES)};
  /* What kernels only read needs no look at who else does. */
  int values = sizeof((struct world *)0)->values / 8;
  device_name_array(sim->device, at.threads, "threads", 1, THREADS, 8, DEVICE_INPUT);
  device_name_array(sim->device, at.values, "values", 1, (size_t)values, 8, DEVICE_INPUT);
  size_t bytes;
  assert_int_equal(device_get_symbol(sim->device, sim->module, "constants", &at.constants, &bytes),
                   0);
  assert_int_equal(bytes, REGION_MAX);
  return at;
}

/* Returns how many instructions went wrong. Of `every` instructions one is run, but all spaces,
 * types and lengths come up. */
static int run_all(const char *isa, int every) {
  struct text text = {.room = 8 << 20};
  struct world *w = calloc(1, sizeof *w);
  text.bytes = malloc(text.room);
  assert_true(text.bytes && w);
  w->blocks = malloc(BLOCKS * REGION_MAX);
  w->shared = malloc(BLOCKS * REGION_MAX);
  w->own = malloc(OWN_BYTES);
  assert_true(w->blocks && w->shared && w->own);
  int wrong = 0;
  for (int first = 0; first < instruction_count; first += KERNELS_A_MODULE) {
    int end =
        first + KERNELS_A_MODULE < instruction_count ? first + KERNELS_A_MODULE : instruction_count;
    text.length = 0;
    put(&text, "%s.const .align 16 .b8 constants[%d];\n", SIM_HEADER, REGION_MAX);
    for (int i = first; i < end; i++) put_kernel(&text, &instructions[i]);
    struct sim *sim = sim_open(text.bytes, 1);
    struct buffers at = make_buffers(sim);
    for (int i = first; i < end; i++) {
      const struct instruction *in = &instructions[i];
      if ((i * 7 + i / 16) % every != 0) continue;
      wrong += !run_instruction(sim, &at, in, w, isa, NO_HOLE);
      if (i % 2 == 0 && in->kind == LOAD &&
          (in->space == GLOBAL || in->space == SHARED || in->space == GENERIC_GLOBAL ||
           in->space == GENERIC_SHARED))
        wrong += !run_instruction(sim, &at, in, w, isa, 5);
    }
    sim_close(sim);
  }
  free(w->blocks);
  free(w->shared);
  free(w->own);
  free(w);
  free(text.bytes);
  return wrong;
}

static void every_access_on_every_instruction_set(void **state) {
  (void)state;
  add_loads_and_stores();
  add_atomics();
  int wrong = 0, sets = 0;
  for (int i = 0; i < LENGTH(sim_isas); i++) {
    if (!sim_choose_isa(sim_isas[i])) continue;
    wrong += run_all(sim_isas[i], sets++ ? LATER_SETS : FIRST_SET);
  }
  sim_choose_isa(NULL);
  if (!sets) wrong += run_all("best", FIRST_SET), sets++;
  print_message("%d instructions, %ld cases on %d instruction sets, %d instructions wrong\n",
                instruction_count, cases, sets, wrong);
  assert_int_equal(wrong, 0);
  assert_int_equal(instruction_count, ALL_INSTRUCTIONS);
  assert_true(cases >= MIN_CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_access_on_every_instruction_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
