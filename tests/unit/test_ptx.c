/* test_ptx.c: the PTX parser: what clang and nvcc write, what is malformed, and anything else.
 *
 * Instructions are compared as text that print_instruction() makes from the tree, so that a test
 * reads as PTX.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/sim/ptx/ptx.h"
#include "tests/unit/sim_seed.h"

#define HEADER ".version 7.5\n.target sm_70\n.address_size 64\n"
#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

/* --- helpers --- */

static struct ptx_module *parse(const char *text) {
  char error[256];
  sim_keep_seed(text, strlen(text));
  struct ptx_module *module = ptx_parse(text, strlen(text), error, sizeof error);
  if (!module) fail_msg("%s", error);
  assert_string_equal(error, "");
  return module;
}

/* A module with one kernel "k" of that body. */
static char *kernel_text(const char *body) {
  static char text[8192];
  int length =
      snprintf(text, sizeof text,
               HEADER
               ".visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<9>; .reg .b32 %%r<9>;\n"
               ".reg .f32 %%f<9>; .reg .b64 %%rd<9>;\n%s\n}\n",
               body);
  assert_true(length < (int)sizeof text);
  return text;
}

static struct ptx_module *parse_kernel(const char *body) { return parse(kernel_text(body)); }

static void append(char *to, size_t size, const char *format, ...) {
  size_t length = strlen(to);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to + length, size - length, format, arguments);
  va_end(arguments);
}

static void print_operands(const struct ptx_function *f, const struct ptx_operand *list, int count,
                           const char *separator, char *to, size_t size);

static void print_operand(const struct ptx_function *f, const struct ptx_operand *o, char *to,
                          size_t size) {
  const char *base = o->reg >= 0 ? f->registers[o->reg].name : o->name ? o->name : "";
  switch (o->kind) {
    case PTX_REG:
    case PTX_SPECIAL:
      append(to, size, "%s%s", o->negated ? "!" : "", base);
      break;
    case PTX_INT:
      append(to, size, "%lld", (long long)o->value);
      break;
    case PTX_FLOAT32:
      append(to, size, "0f%08llX", (unsigned long long)o->value);
      break;
    case PTX_FLOAT64:
      append(to, size, "0d%016llX", (unsigned long long)o->value);
      break;
    case PTX_SYMBOL:
      append(to, size, o->offset ? "%s+%lld" : "%s", base, (long long)o->offset);
      break;
    case PTX_ADDRESS:
      append(to, size, o->offset || !*base ? "[%s+%lld" : "[%s", base, (long long)o->offset);
      if (o->count) append(to, size, ", ");
      print_operands(f, o->elements, o->count, ", ", to, size);
      append(to, size, "]");
      break;
    case PTX_VECTOR:
      append(to, size, "{");
      print_operands(f, o->elements, o->count, ", ", to, size);
      append(to, size, "}");
      break;
    case PTX_PAIR:
      print_operands(f, o->elements, o->count, "|", to, size);
      break;
    case PTX_SINK:
      append(to, size, "_");
      break;
  }
}

static void print_operands(const struct ptx_function *f, const struct ptx_operand *list, int count,
                           const char *separator, char *to, size_t size) {
  for (int i = 0; i < count; i++) {
    if (i > 0) append(to, size, "%s", separator);
    print_operand(f, &list[i], to, size);
  }
}

static const char *print_instruction(const struct ptx_function *f,
                                     const struct ptx_instruction *instruction) {
  static char text[4096];
  text[0] = '\0';
  if (instruction->guard >= 0)
    append(text, sizeof text, "@%s%s ", instruction->guard_negated ? "!" : "",
           f->registers[instruction->guard].name);
  append(text, sizeof text, "%s", instruction->opcode);
  if (instruction->operand_count) append(text, sizeof text, " ");
  print_operands(f, instruction->operands, instruction->operand_count, ", ", text, sizeof text);
  return text;
}

static void expect_instructions(const struct ptx_function *f, const char *const *expected,
                                int count) {
  for (int i = 0; i < count && i < f->instruction_count; i++)
    assert_string_equal(print_instruction(f, &f->instructions[i]), expected[i]);
  assert_int_equal(f->instruction_count, count);
}

static void expect_error(const char *text, const char *message) {
  char error[256];
  sim_keep_seed(text, strlen(text));
  assert_null(ptx_parse(text, strlen(text), error, sizeof error));
  assert_string_equal(error, message);
}

/* --- types and the module --- */

static void types(void **state) {
  (void)state;
  assert_int_equal(ptx_type_from("f32"), PTX_F32);
  assert_int_equal(ptx_type_from("pred"), PTX_PRED);
  assert_int_equal(ptx_type_from("s64"), PTX_S64);
  assert_int_equal(ptx_type_from("f16x2"), PTX_F16X2);
  assert_int_equal(ptx_type_size(PTX_F16X2), 4);
  assert_int_equal(ptx_type_from("bf16"), PTX_BF16);
  assert_int_equal(ptx_type_from("f8"), PTX_NONE);
  assert_int_equal(ptx_type_from(""), PTX_NONE);
  assert_int_equal(ptx_type_size(PTX_NONE), 0);
  assert_int_equal(ptx_type_size(PTX_PRED), 1);
  assert_int_equal(ptx_type_size(PTX_U16), 2);
  assert_int_equal(ptx_type_size(PTX_F64), 8);
}

static void module_directives(void **state) {
  (void)state;
  struct ptx_module *module = parse(
      "// comment\n/* another\n one */ .version 8.10 .target sm_90a, debug .address_size 64\n"
      ".file 2 \"b \\\"\\303\\266\\\\\\\".cu\", 1699999999, 1234\n.file 1 \"a.cu\"\n"
      ".section .debug_info { .b8 1 // }\n .b64 L1+4 { \"}\" } }\n.section .debug_loc { }\n"
      ".pragma \"x\";\n.alias f, g;\n");
  assert_int_equal(module->version_major, 8);
  assert_int_equal(module->version_minor, 10);
  assert_string_equal(module->target, "sm_90a");
  assert_int_equal(module->file_count, 3);
  assert_null(module->files[0]);
  assert_string_equal(module->files[1], "a.cu");
  assert_string_equal(module->files[2], "b \"\303\266\\\".cu");
  ptx_free(module);
  ptx_free(NULL);
}

/* clang 14 embeds its text with a NUL, clang 19 without. */
static void length_and_nul(void **state) {
  (void)state;
  static const char text[] = HEADER "\0garbage";
  char error[100];
  struct ptx_module *module = ptx_parse(text, sizeof HEADER, error, sizeof error);
  assert_non_null(module);
  ptx_free(module);
  assert_null(ptx_parse(text, sizeof text, error, sizeof error));
  assert_null(ptx_parse(text, 0, error, 1));
  assert_null(ptx_parse(text, 3, NULL, 0));
}

static void functions(void **state) {
  (void)state;
  struct ptx_module *module =
      parse(HEADER
            ".extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 "
            "vprintf_param_0,\n.param .b64 vprintf_param_1\n)\n;\n"
            ".func f(.param .align 4 .b8 _[]) .noreturn;\n"
            ".visible .func (.param .align 8 .b8 func_retval0[16]) f(.param .align 8 .b8 p0[12], "
            ".param .b32 p1)\n"
            ".noreturn\n{\nret;\n}\n"
            ".weak .entry k(.param .u64 .ptr .global .align 4 a, .param .u8 b)\n"
            ".maxntid 16, 8\n.minnctapersm 2\n.maxnreg 40 .pragma \"abc\";\n{ exit; }\n"
            ".entry empty() .reqntid 32 { }\n.entry none { }\n");
  assert_int_equal(module->function_count, 6);
  const struct ptx_function *vprintf_ = &module->functions[0];
  assert_true(vprintf_->external && !vprintf_->entry);
  assert_int_equal(vprintf_->param_count, 2);
  assert_int_equal(vprintf_->result_count, 1);
  assert_null(ptx_function(module, "vprintf"));
  assert_null(ptx_function(module, "nothing"));
  const struct ptx_function *f = ptx_function(module, "f");
  assert_ptr_equal(f, &module->functions[2]);
  assert_false(f->entry || f->external);
  assert_int_equal(f->results[0].size, 16);
  assert_int_equal(f->params[0].size, 12);
  assert_int_equal(f->params[0].align, 8);
  assert_int_equal(f->params[0].space, PTX_PARAM);
  assert_string_equal(f->params[1].name, "p1");
  const struct ptx_function *k = ptx_function(module, "k");
  assert_true(k->entry);
  assert_int_equal(k->params[0].align, 8); /* .ptr .align is the pointee's */
  assert_int_equal(k->params[0].type, PTX_U64);
  assert_int_equal(k->params[1].size, 1);
  assert_int_equal(k->max_threads[0], 16);
  assert_int_equal(k->max_threads[1], 8);
  assert_int_equal(k->max_threads[2], 0);
  assert_int_equal(ptx_function(module, "empty")->max_threads[0], 32);
  assert_int_equal(ptx_function(module, "none")->instruction_count, 0);
  ptx_free(module);
}

/* --- variables --- */

static void variables(void **state) {
  (void)state;
  struct ptx_module *module =
      parse(HEADER
            ".visible .const .align 4 .b8 coef[16];\n.visible .global .f64 x, y[3];\n"
            ".extern .shared .align 16 .b8 dyn[];\n.weak .shared .align 4 .b8 $tile[4096];\n"
            ".common .global .v4 .f32 v[2][3];\n.global .attribute(.managed) .align 4 .u32 m;\n"
            ".global .texref t;\n");
  static const struct {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;
    size_t align, size;
    bool external;
  } expected[] = {
      {"coef", PTX_CONST, PTX_B8, 4, 16, false},     {"x", PTX_GLOBAL, PTX_F64, 8, 8, false},
      {"y", PTX_GLOBAL, PTX_F64, 8, 24, false},      {"dyn", PTX_SHARED, PTX_B8, 16, 0, true},
      {"$tile", PTX_SHARED, PTX_B8, 4, 4096, false}, {"v", PTX_GLOBAL, PTX_F32, 16, 96, false},
      {"m", PTX_GLOBAL, PTX_U32, 4, 4, false},       {"t", PTX_GLOBAL, PTX_B64, 8, 8, false},
  };
  assert_int_equal(module->variable_count, LENGTH(expected));
  for (int i = 0; i < LENGTH(expected); i++) {
    const struct ptx_variable *v = &module->variables[i];
    assert_string_equal(v->name, expected[i].name);
    assert_int_equal(v->space, expected[i].space);
    assert_int_equal(v->type, expected[i].type);
    assert_int_equal(v->align, expected[i].align);
    assert_int_equal(v->size, expected[i].size);
    assert_int_equal(v->external, expected[i].external);
    assert_null(v->init);
    assert_int_equal(v->managed, strcmp(v->name, "m") == 0);
  }
  ptx_free(module);
}

static void initialisers(void **state) {
  (void)state;
  static const struct {
    const char *declaration;
    size_t size;
    unsigned char bytes[32];
  } cases[] = {
      {".global .align 4 .b8 a[8] = {1, 0xFF, 255, -1, 010}", 8, {1, 255, 255, 255, 8}},
      {".const .u32 a = 0x01020304", 4, {4, 3, 2, 1}},
      {".const .u32 a = 4294967295U", 4, {255, 255, 255, 255}},
      {".const .s16 a[2][3] = {{1}, {2, -3}}", 12, {1, 0, 0, 0, 0, 0, 2, 0, 0xFD, 0xFF}},
      {".const .b8 a[] = {1, 2, 3}", 3, {1, 2, 3}},
      {".const .v2 .u16 a[2] = {{1, 2}, {3, 4}}", 8, {1, 0, 2, 0, 3, 0, 4}},
      {".const .f32 a[4] = {0f3F800000, 1.0, -1.0, 2}",
       16,
       {0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0x80, 0xBF, 0, 0, 0, 0x40}},
      {".const .f64 a[2] = {0d3FF0000000000000, 1e0}",
       16,
       {0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F}},
      {".const .b32 a = 0f3F800000", 4, {0, 0, 0x80, 0x3F}},
      {".global .u64 a[3] = {7, generic(b)+8, f}", 24, {7}},
      {".global .b8 a[4] = {9, 0xFF(b), 0xFF00(generic(b)+4), 8}", 4, {9, 0, 0, 8}},
      {".global .u64 a = generic(b)+-8", 8, {0}},
      {".global .b8 a[2] = {}", 2, {0}},
      {".global .b8 a[200000000] = {5}", 200000000, {5}}, /* costs no memory that is not touched */
  };
  for (int i = 0; i < LENGTH(cases); i++) {
    char text[256];
    snprintf(text, sizeof text, HEADER "%s;\n", cases[i].declaration);
    struct ptx_module *module = parse(text);
    const struct ptx_variable *v = &module->variables[0];
    assert_int_equal(v->size, cases[i].size);
    assert_memory_equal(v->init, cases[i].bytes, v->size < 32 ? v->size : 32);
    ptx_free(module);
  }
}

/* Call parameters come again in every call sequence: one entry a name, the largest. */
static void body_variables(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      ".local .align 16 .b8 \t__local_depot0[48];\n.shared .f32 s[32];\n"
      "{ // callseq 0, 0\n.param .b32 param0;\n}\n{ .param .align 8 .b8 param0[24]; }\n{ .param "
      ".b64 param0; }");
  const struct ptx_function *k = ptx_function(module, "k");
  assert_int_equal(k->variable_count, 3);
  assert_int_equal(k->variables[0].space, PTX_LOCAL);
  assert_int_equal(k->variables[0].align, 16);
  assert_int_equal(k->variables[1].size, 128);
  assert_string_equal(k->variables[2].name, "param0");
  assert_int_equal(k->variables[2].size, 24);
  ptx_free(module);
}

/* --- instructions --- */

static void operands(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "ld.global.f32 %f1, [%rd1+-8];\nld.global.f32 %f1, [%rd1];ld.f32 %f1, [%rd1-0x10];\n"
      "ld.const.f32 %f1, [sym+4]; ld.param.u64 %rd1, [a]; ld.global.u32 %r1, [16];\n"
      "mov.u64 %rd1, sym; mov.u64 %rd1, sym+8; mov.u32 %r1, %tid.x; mov.u32 %r1, %laneid; mov.u32 "
      "%r1, WARP_SZ;\n"
      "mov.u32 %r1, -1; mov.u32 %r1, 0xFFFFFFFF; mov.u32 %r1, 017; mov.u32 %r1, 0b101; mov.u32 "
      "%r1, 5U; mov.b32 %r1, 4+-1;\n"
      "mov.f32 %f1, 0f3f800000; mov.f64 %rd1, 0d3FF0000000000000; mov.f64 %rd1, 1.5; mov.f32 %f1, "
      "-0f3F800000;\n"
      "st.local.v2.u32 [%rd2+8], {%r2, 7}; ld.v4.f32 {%f1, _, %f3,%f4}, [%rd1];\n"
      "setp.lt.s32 %p1|%p2, %r1, %r2; setp.eq.and.s32 %p1|_, %r1, 0, !%p3;\n"
      "shfl.sync.down.b32%f2|%p1, %f1, 4, 31, -1; @%p1 bra L; @!%p1 bra.uni L; L: ret; bar.sync "
      "\t0;\n"
      "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1,%f2}];\n"
      "mov.u32 %r1, %envreg3; mov.u64 %rd1, %clock64; add.s32 %r1 , %r2 /* c */ , // c\n 3;;");
  static const char *const expected[] = {
      "ld.global.f32 %f1, [%rd1+-8]",
      "ld.global.f32 %f1, [%rd1]",
      "ld.f32 %f1, [%rd1+-16]",
      "ld.const.f32 %f1, [sym+4]",
      "ld.param.u64 %rd1, [a]",
      "ld.global.u32 %r1, [+16]",
      "mov.u64 %rd1, sym",
      "mov.u64 %rd1, sym+8",
      "mov.u32 %r1, %tid.x",
      "mov.u32 %r1, %laneid",
      "mov.u32 %r1, 32",
      "mov.u32 %r1, -1",
      "mov.u32 %r1, 4294967295",
      "mov.u32 %r1, 15",
      "mov.u32 %r1, 5",
      "mov.u32 %r1, 5",
      "mov.b32 %r1, 3",
      "mov.f32 %f1, 0f3F800000",
      "mov.f64 %rd1, 0d3FF0000000000000",
      "mov.f64 %rd1, 0d3FF8000000000000",
      "mov.f32 %f1, 0fBF800000",
      "st.local.v2.u32 [%rd2+8], {%r2, 7}",
      "ld.v4.f32 {%f1, _, %f3, %f4}, [%rd1]",
      "setp.lt.s32 %p1|%p2, %r1, %r2",
      "setp.eq.and.s32 %p1|_, %r1, 0, !%p3",
      "shfl.sync.down.b32 %f2|%p1, %f1, 4, 31, -1",
      "@%p1 bra L",
      "@!%p1 bra.uni L",
      "ret",
      "bar.sync 0",
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}]",
      "mov.u32 %r1, %envreg3",
      "mov.u64 %rd1, %clock64",
      "add.s32 %r1, %r2, 3",
  };
  expect_instructions(ptx_function(module, "k"), expected, LENGTH(expected));
  ptx_free(module);
}

static void opcode_parts(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "ret; ld.global.L2::128B.v4.f32 %f1, [%rd1]; mbarrier.init.shared::cta.b64 [%rd1], 1; "
      "a.1.2.3.4.5.6.7.8.9.10.11.12.13;");
  const struct ptx_instruction *i = ptx_function(module, "k")->instructions;
  assert_int_equal(i[0].part_count, 1);
  assert_string_equal(i[0].parts[0], "ret");
  assert_null(i[0].parts[1]);
  assert_int_equal(i[1].part_count, 5);
  assert_string_equal(i[1].parts[2], "L2::128B");
  assert_string_equal(i[1].parts[4], "f32");
  assert_string_equal(i[2].parts[2], "shared::cta");
  assert_int_equal(i[3].part_count, PTX_MAX_PARTS);
  assert_string_equal(i[3].parts[10], "10");
  assert_string_equal(i[3].parts[11], "11.12.13"); /* the rest, in one */
  ptx_free(module);
}

static void calls(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.b32 [param0+0], "
      "%r4;\n.param .b32 retval0;\n"
      "call.uni (retval0), \nf, \n(\nparam0, \nparam1\n);\nld.param.f32 %f6, [retval0+0];\n} // "
      "callseq 0\n"
      "call f; call f, (param0); call (retval0), f; call.uni g, ();\n"
      "{ prototype_1 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
      "call (retval0), \n%rd7, \n(\nparam0\n)\n, prototype_1;\n}");
  static const char *const expected[] = {
      "st.param.b32 [param0], %r4",  "call.uni {retval0}, f, {param0, param1}",
      "ld.param.f32 %f6, [retval0]", "call {}, f, {}",
      "call {}, f, {param0}",        "call {retval0}, f, {}",
      "call.uni {}, g, {}",          "call {retval0}, %rd7, {param0}, prototype_1",
  };
  expect_instructions(ptx_function(module, "k"), expected, LENGTH(expected));
  ptx_free(module);
}

static void branches(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "$L__BB0_1:\nbra End;\n{ bra L; { @%p1 bra L; bra In; In: bra $L__BB0_1; } L: ret; }\n"
      "{ L: bra.uni L; }\n$brx_0: .branchtargets $L__BB0_1, A,\nEnd;\n@%p2 brx.idx %r1, "
      "$brx_0;\nA: ret;\nEnd:");
  static const int targets[] = {9, 5, 5, 4, 0, -1, 6, -1, -1};
  const struct ptx_function *k = ptx_function(module, "k");
  assert_int_equal(k->instruction_count, LENGTH(targets));
  for (int i = 0; i < LENGTH(targets); i++) assert_int_equal(k->instructions[i].target, targets[i]);
  assert_string_equal(print_instruction(k, &k->instructions[7]),
                      "@%p2 brx.idx %r1, {$L__BB0_1, A, End}");
  static const int cases[] = {0, 8, 9};
  for (int i = 0; i < 3; i++)
    assert_int_equal(k->instructions[7].operands[1].elements[i].value, cases[i]);
  ptx_free(module);
}

static int register_of(const struct ptx_function *f, int instruction) {
  return f->instructions[instruction].operands[0].reg;
}

static void registers(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      ".reg .b32 t, %SP; .reg .b16 %rs<1000000000>, %x1<3>;\n"
      "a t;\n{ .reg .b64 t; a t; { a t; a %r3; } { .reg .f64 %r<4>; a %r3; a %r5; a t; } }\na "
      "t;\na %r3;\n"
      "a %rs999999999; a %x12; a %SP; a %r3;");
  const struct ptx_function *k = ptx_function(module, "k");
  static const struct {
    const char *name;
    enum ptx_type type;
  } expected[] = {
      {"t", PTX_B32},    {"t", PTX_B64},
      {"t", PTX_B64},    {"%r3", PTX_B32},
      {"%r3", PTX_F64},  {"%r5", PTX_B32},
      {"t", PTX_B64},    {"t", PTX_B32},
      {"%r3", PTX_B32},  {"%rs999999999", PTX_B16},
      {"%x12", PTX_B16}, {"%SP", PTX_B32},
  };
  for (int i = 0; i < LENGTH(expected); i++) {
    const struct ptx_register *reg = &k->registers[register_of(k, i)];
    assert_string_equal(reg->name, expected[i].name);
    assert_int_equal(reg->type, expected[i].type);
  }
  assert_int_equal(register_of(k, 1), register_of(k, 6));
  assert_int_equal(register_of(k, 0), register_of(k, 7));
  assert_int_equal(register_of(k, 3), register_of(k, 8));
  assert_int_equal(register_of(k, 3), register_of(k, 12));
  assert_int_equal(k->register_count, 8); /* only those that are used or declared one by one */
  ptx_free(module);
}

static void source_lines(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "a;\n.loc 2 0 0\na;\n.loc 1 99 1\na;\n.loc\t2 17 5 // x.cu:17:5\nL: a;\n.loc 1 50 "
      "3\na;\n.loc 2 0 5\na;\n"
      ".loc 1 51 3, function_name $info+12, inlined_at 2 30 7\na;\n.loc 2 33 3, function_name "
      "$info, inlined_at 2 40 7\na;\n"
      ".loc 3 1 1, function_name $info, inlined_at 1 44 1\n@%p1 a;");
  const struct ptx_function *k = ptx_function(module, "k");
  static const int lines[] = {17, 17, 17, 17, 17, 17, 30, 33, 33};
  assert_int_equal(k->instruction_count, LENGTH(lines));
  for (int i = 0; i < LENGTH(lines); i++) {
    assert_int_equal(k->instructions[i].line, lines[i]);
    assert_int_equal(k->instructions[i].file, 2);
  }
  assert_int_equal(k->instructions[0].ptx_line, 8);
  assert_int_equal(k->instructions[1].ptx_line, 10);
  ptx_free(module);
  module = parse_kernel("a;");
  assert_int_equal(ptx_function(module, "k")->instructions[0].line, 0);
  assert_int_equal(ptx_function(module, "k")->instructions[0].file, 0);
  ptx_free(module);
}

static void ignored_directives(void **state) {
  (void)state;
  struct ptx_module *module = parse_kernel(
      "LBB2_7:\n.pragma \"nounroll\";\n// begin inline asm\n{ .reg .pred p; setp.ne.s32 p, %r1, 0; "
      "@p mov.b32 %r2, %r1; }\n"
      "// end inline asm\nLtmp13:\nLfunc_end2:");
  static const char *const expected[] = {"setp.ne.s32 p, %r1, 0", "@p mov.b32 %r2, %r1"};
  expect_instructions(ptx_function(module, "k"), expected, LENGTH(expected));
  ptx_free(module);
}

/* --- malformed text --- */

static void errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "PTX line 1: expected '.version', found the end of the text"},
      {"ELF\x7f", "PTX line 1: expected '.version', found 'ELF'"},
      {".version 7", "PTX line 1: expected a version as in '.version 7.5', found '7'"},
      {HEADER ".address_size 32", "PTX line 4: only .address_size 64 is supported"},
      {HEADER "\x01", "PTX line 4: expected a directive of a module, found '?'"},
      {HEADER ".global .b32 x",
       "PTX line 4: expected ';' after this declaration, found the end of the text"},
      {HEADER ".global x;", "PTX line 4: expected a type of one or more bytes, found 'x'"},
      {HEADER ".global .b32 x[1099511627776];", "PTX line 4: array of more than 2^40 bytes"},
      {HEADER ".global .b32 x[2] = {1,2,3};", "PTX line 4: more initialisers than elements"},
      {HEADER ".global .b32 x[2][2] = {{1,2,3}};", "PTX line 4: more initialisers than elements"},
      {HEADER ".global .b8 x[999999999] = {1};",
       "PTX line 4: more than 268435456 bytes of initialised variables"},
      {HEADER ".global .align 3 .b8 x;", "PTX line 4: alignment 3 is not a power of two"},
      {HEADER ".section .debug_info {\n{ }", "PTX line 4: expected '}' to match this '{'"},
      {HEADER "/* a\n b",
       "PTX line 4: expected '*/' to end this comment, found the end of the text"},
      {HEADER ".file 1 \"a\n", "PTX line 4: expected '\"' to end this string"},
      {HEADER ".func f .visible", "PTX line 4: expected '{' or ';', found '.visible'"},
      {HEADER ".func f(.reg .b32 a);", "PTX line 4: '.reg' is not known in a declaration"},
  };
  for (int i = 0; i < LENGTH(cases); i++) expect_error(cases[i].text, cases[i].message);
}

static void errors_in_bodies(void **state) {
  (void)state;
  static const struct {
    const char *body, *message;
  } cases[] = {
      {"add.s32 %r1, %r2", "PTX line 9: expected ',' or ';' after this operand, found '}'"},
      {"\nadd.s32 %r1 %r2;", "PTX line 9: expected ',' or ';' after this operand, found '%r2'"},
      {"add.s32 %r9, 1;", "PTX line 8: register '%r9' is not declared"},
      {"add.s32 %r01, 1;", "PTX line 8: register '%r01' is not declared"},
      {"add.s32 %r1, ;", "PTX line 8: expected an operand, found ';'"},
      {"ld.b32 %r1, [%rd1;", "PTX line 8: expected ']', found ';'"},
      {"ld.b32 %r1, [%rd1+%r1];", "PTX line 8: expected an offset in bytes, found '%r1'"},
      {"mov.b64 {%r1, %r2, %rd1;", "PTX line 8: expected ',' or '}' after this operand, found ';'"},
      {"mov.b32 %r1, 0x1FFFFFFFFFFFFFFFF;", "PTX line 8: number needs more than 64 bits"},
      {"mov.b32 %r1, 09;", "PTX line 8: malformed number"},
      {"mov.b32 %r1, 0f123;", "PTX line 8: malformed number"},
      {"@%q bra L;", "PTX line 8: expected a declared predicate after '@', found '%q'"},
      {"bra L;", "PTX line 8: label 'L' is not defined"},
      {"{ L: } bra L;", "PTX line 8: label 'L' is not defined"},
      {"L:\nL:", "PTX line 9: label 'L' is defined twice"},
      {"bra %rd1;", "PTX line 8: expected one label after 'bra'"},
      {"brx.idx %r1, L; L:", "PTX line 8: label 'L' is no .branchtargets before this"},
      {"call (r), (a);", "PTX line 8: expected the name of the function that this calls"},
      {"call;", "PTX line 8: expected the name of the function that this calls"},
      {".reg .v4 .b32 %v;", "PTX line 8: registers of type '.v4' are not supported"},
      {".reg .b32 %r<4>;", "PTX line 8: registers '%r<..>' are declared twice"},
      {"%r1 = 3;", "PTX line 8: expected an instruction, found '%r1'"},
      {".version 7.5", "PTX line 8: expected a statement, found '.version'"},
      {"{", "PTX line 10: expected a statement or '}', found the end of the text"},
      {"}", "PTX line 9: expected a directive of a module, found '}'"},
      {"a {{{{{{1}}}}}};", "PTX line 8: lists of operands nested too deep"},
  };
  for (int i = 0; i < LENGTH(cases); i++)
    expect_error(kernel_text(cases[i].body), cases[i].message);
}

/* --- anything --- */

/* Where a parser could recurse without end, or take time or memory out of proportion. */
static void repeated(void **state) {
  (void)state;
  static const struct {
    const char *prefix, *piece;
  } cases[] = {
      {HEADER ".func f {", "{"},
      {HEADER ".func f { a ", "{"},
      {HEADER ".func f { a ", "-"},
      {HEADER ".func f { a ", "[[x,"},
      {HEADER ".func f { a ", "x|x,"},
      {HEADER ".func f { a x", "+1"},
      {HEADER ".func f { ", "bra L;"},
      {HEADER ".func f { ", "{ bra L; }"},
      {HEADER ".func f { .reg .b32 %r<99>; ", "{ .reg .b32 %r<2>; a %r1, %r2; }"},
      {HEADER ".func f { a ", "%"},
      {HEADER ".func f { a ", "a.a::a"},
      {HEADER ".func f { ", ".loc 1 2 3 "},
      {HEADER ".func f { a ", "1"},
      {HEADER ".func f { ", ".param .b64 p;"},
      {HEADER ".global .b8 x[9][9] = ", "{"},
      {HEADER ".global .b8 x[] = {1", ",1"},
      {HEADER, ".version 7.5 "},
      {HEADER, ".file 65535 \"x\""},
      {HEADER, "/*/"},
      {HEADER, ".global .b8 x[9000000]={1};"},
      {HEADER ".section x ", "{"},
  };
  enum { SIZE = 300000 };
  char *text = malloc(SIZE);
  for (int i = 0; i < LENGTH(cases); i++) {
    char error[300];
    size_t length = strlen(cases[i].prefix), piece = strlen(cases[i].piece);
    memcpy(text, cases[i].prefix, length);
    for (; length + piece <= SIZE; length += piece) memcpy(text + length, cases[i].piece, piece);
    ptx_free(ptx_parse(text, length, error, sizeof error));
  }
  free(text);
}

static const char sample[] = HEADER
    ".extern .shared .align 4 .b8 dyn[];\n.visible .const .align 4 .b8 c[2][4] = {{1, 2}, {0xFF, "
    "generic(x)+4}};\n"
    ".visible .func (.param .b32 func_retval0) f(\n.param .align 8 .b8 f_param_0[16],\n.param .b32 "
    "f_param_1\n)\n{\n"
    ".local .align 8 .b8 __local_depot0[16];\n.reg .b64 %SP;\n.reg .pred %p<2>;\n.reg .b32 "
    "%r<6>;\n.reg .f32 %f<9>;\n"
    ".reg .b64 %rd<5>;\n.loc 1 17 0\nLfunc_begin0:\nmov.u64 %SP, __local_depot0;\nld.param.u32 "
    "%r1, [f_param_0+8];\n"
    "st.local.v2.u32 [%rd2+-8], {%r2, _};\nsetp.gt.s32 %p1|_, %r1, 1, !%p0;\n@%p1 bra "
    "LBB0_2;\nbra.uni LBB0_1;\nLBB0_2:\n"
    "{ // callseq 0, 0\n.reg .b32 temp;\n.param .align 8 .b8 param0[16];\nst.param.b64 [param0+0], "
    "%rd4;\n.param .b32 retval0;\n"
    "p_1 : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (retval0), %rd1, (param0, "
    "param1), p_1;\n} // callseq 0\n"
    ".loc 2 3 1, function_name $info, inlined_at 1 20 3\nfma.rn.f32 %f8, %f6, 0f3F800000, 1.5e3;\n"
    "T: .branchtargets LBB0_1, LBB0_2;\nbrx.idx %r1, T;\nLBB0_1:\n.pragma \"nounroll\";\nret;\n}\n"
    ".visible .entry k(.param .u64 .ptr .align 4 a) .maxntid 256, 1, 1\n{ .reg .b32 %r; mov.u32 "
    "%r, %tid.x; }\n"
    ".section .debug_loc { .b8 1 }\n.file 1 \"/tmp/t.cu\", 1, 2\n";

/* xorshift: the same inputs on every machine. */
static uint32_t next_random(uint32_t *random) {
  *random ^= *random << 13;
  *random ^= *random >> 17;
  *random ^= *random << 5;
  return *random;
}

/* Writes over, copies, removes or cuts off a piece of text; returns its new length. */
static size_t mutate(char *text, size_t length, uint32_t *random) {
  static const char interesting[] = "{}()[]<>@!|+-.,;:\"/*%_$ 0f9\n\0\xff";
  size_t at = next_random(random) % length, from = next_random(random) % length;
  size_t count = next_random(random) % 20;
  if (at + count > length) count = length - at;
  switch (next_random(random) % 5) {
    case 0:
      return at + 1;
    case 1:
      memmove(text + at, text + at + count, length - at - count);
      return length > count ? length - count : 1;
    case 2:
      if (from + count <= length) memmove(text + at, text + from, count);
      return length;
    default:
      text[at] = interesting[next_random(random) % (sizeof interesting - 1)];
      return length;
  }
}

static void mutations(void **state) {
  (void)state;
  uint32_t random = 1;
  int accepted = 0;
  for (int round = 0; round < 3000; round++) {
    char error[120];
    char *text = malloc(sizeof sample);
    size_t length = sizeof sample - 1;
    memcpy(text, sample, sizeof sample);
    for (uint32_t n = next_random(&random) % 3; n < 3; n++) length = mutate(text, length, &random);
    /* An allocation of just this length: AddressSanitizer sees a read behind it. */
    char *exact = malloc(length);
    memcpy(exact, text, length);
    struct ptx_module *module = ptx_parse(exact, length, error, sizeof error);
    assert_true((module != NULL) == (error[0] == '\0'));
    assert_null(strchr(error, '\n'));
    accepted += module != NULL;
    ptx_free(module);
    free(exact);
    free(text);
  }
  assert_true(accepted > 10); /* else the sample itself is at fault */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types),          cmocka_unit_test(module_directives),
      cmocka_unit_test(length_and_nul), cmocka_unit_test(functions),
      cmocka_unit_test(variables),      cmocka_unit_test(initialisers),
      cmocka_unit_test(body_variables), cmocka_unit_test(operands),
      cmocka_unit_test(opcode_parts),   cmocka_unit_test(calls),
      cmocka_unit_test(branches),       cmocka_unit_test(registers),
      cmocka_unit_test(source_lines),   cmocka_unit_test(ignored_directives),
      cmocka_unit_test(errors),         cmocka_unit_test(errors_in_bodies),
      cmocka_unit_test(repeated),       cmocka_unit_test(mutations),
  };
  return cmocka_run_group_tests_name("ptx", tests, NULL, NULL);
}
