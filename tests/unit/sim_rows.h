/* sim_rows.h: every spelling of the simulator's arithmetic, with its operands' types and its
 * oracle: test_sim_ops.c checks each by itself and that none is missing, tests/arithmetic holds
 * them against a GPU, tests/fuzz/kernels.c makes random kernels of them. */
#ifndef KIT_TESTS_SIM_ROWS_H
#define KIT_TESTS_SIM_ROWS_H

#include <assert.h>
#include <stdio.h>

#include "tests/unit/sim_oracle.h"

enum { MAX_ROWS = 1280, SOURCES = 4 };
#define ROWS_OF(array) (sizeof(array) / sizeof *(array))

/* Operands of a family: t the type itself, W the integer type twice as wide, w u32, n a shift
 * count, p a position or length. */
static const struct {
  const char *name, *types, *operands;
  uint64_t (*oracle)(const struct row *row, const uint64_t *v);
  bool close;
} families[] = {
    {"mov", "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", "tt", oracle_mov, false},
    {"add", "s16 u16 s32 u32 s64 u64", "ttt", oracle_add, false},
    {"sub", "s16 u16 s32 u32 s64 u64", "ttt", oracle_sub, false},
    {"mul.lo", "s16 u16 s32 u32 s64 u64", "ttt", oracle_mul_lo, false},
    {"mul.hi", "s16 u16 s32 u32 s64 u64", "ttt", oracle_mul_hi, false},
    {"mul.wide", "s16 u16 s32 u32", "Wtt", oracle_mul_lo, false},
    {"mad.lo", "s16 u16 s32 u32 s64 u64", "tttt", oracle_mad_lo, false},
    {"mad.hi", "s32 u32 s64 u64", "tttt", oracle_mad_hi, false},
    {"mad.wide", "s16 u16 s32 u32", "WttW", oracle_mad_lo, false},
    {"mul24.lo", "s32 u32", "ttt", oracle_mul24, false},
    {"mul24.hi", "s32 u32", "ttt", oracle_mul24, false},
    {"mad24.lo", "s32 u32", "tttt", oracle_mad24, false},
    {"mad24.hi", "s32 u32", "tttt", oracle_mad24, false},
    {"dp4a.s32", "s32 u32", "wwtw", oracle_dp4a, false},
    {"dp4a.u32", "s32 u32", "wwtw", oracle_dp4a, false},
    {"dp2a.lo.s32", "s32 u32", "wwtw", oracle_dp2a, false},
    {"dp2a.lo.u32", "s32 u32", "wwtw", oracle_dp2a, false},
    {"dp2a.hi.s32", "s32 u32", "wwtw", oracle_dp2a, false},
    {"dp2a.hi.u32", "s32 u32", "wwtw", oracle_dp2a, false},
    {"div", "s16 u16 s32 u32 s64 u64", "ttt", oracle_div, false},
    {"rem", "s16 u16 s32 u32 s64 u64", "ttt", oracle_rem, false},
    {"neg", "s16 s32 s64", "tt", oracle_neg, false},
    {"abs", "s16 s32 s64", "tt", oracle_abs, false},
    {"min", "s16 u16 s32 u32 s64 u64", "ttt", oracle_min, false},
    {"max", "s16 u16 s32 u32 s64 u64", "ttt", oracle_max, false},
    {"sad", "s32", "tttw", oracle_sad, false},
    {"sad", "u32", "tttt", oracle_sad, false},
    {"and", "b16 b32 b64", "ttt", oracle_and, false},
    {"or", "b16 b32 b64", "ttt", oracle_or, false},
    {"xor", "b16 b32 b64", "ttt", oracle_xor, false},
    {"not", "b16 b32 b64", "tt", oracle_not, false},
    {"cnot", "b16 b32 b64", "tt", oracle_cnot, false},
    {"shl", "b16 b32 b64", "ttn", oracle_shl, false},
    {"shr", "b16 u16 s16 b32 u32 s32 b64 u64 s64", "ttn", oracle_shr, false},
    {"popc", "b32 b64", "wt", oracle_popc, false},
    {"clz", "b32 b64", "wt", oracle_clz, false},
    {"brev", "b32 b64", "tt", oracle_brev, false},
    {"bfind", "u32 s32 u64 s64", "wt", oracle_bfind, false},
    {"bfind.shiftamt", "u32 s32 u64 s64", "wt", oracle_bfind, false},
    {"bfe", "u32 s32 u64 s64", "ttpp", oracle_bfe, false},
    {"bfi", "b32 b64", "tttpp", oracle_bfi, false},
    {"prmt", "b32", "tttt", oracle_prmt, false},
    {"szext.clamp", "u32 s32", "wtp", oracle_szext, false},
    {"szext.wrap", "u32 s32", "wtp", oracle_szext, false},
    {"bmsk.clamp", "b32", "tpp", oracle_bmsk, false},
    {"bmsk.wrap", "b32", "tpp", oracle_bmsk, false},
    {"fns", "b32", "ttpn", oracle_fns, false},
    {"shf.l.wrap", "b32", "tttn", oracle_shf, false},
    {"shf.r.wrap", "b32", "tttn", oracle_shf, false},
    {"shf.l.clamp", "b32", "tttn", oracle_shf, false},
    {"shf.r.clamp", "b32", "tttn", oracle_shf, false},
    {"add", "f32 f64", "ttt", oracle_fadd, false},
    {"add.rn", "f32 f64", "ttt", oracle_fadd, false},
    {"sub", "f32 f64", "ttt", oracle_fsub, false},
    {"sub.rn", "f32 f64", "ttt", oracle_fsub, false},
    {"mul", "f32 f64", "ttt", oracle_fmul, false},
    {"mul.rn", "f32 f64", "ttt", oracle_fmul, false},
    {"fma.rn", "f32 f64", "tttt", oracle_fma, false},
    {"mad.rn", "f32 f64", "tttt", oracle_fma, false},
    {"div.rn", "f32 f64", "ttt", oracle_fdiv, false},
    {"div.full", "f32", "ttt", oracle_fdiv, true},
    {"div.approx", "f32", "ttt", oracle_div_approx, true},
    {"rcp.rn", "f32 f64", "tt", oracle_frcp, false},
    {"rcp.approx", "f32", "tt", oracle_frcp, true},
    {"rcp.approx.ftz", "f32", "tt", oracle_frcp, true},
    {"sqrt.rn", "f32 f64", "tt", oracle_fsqrt, false},
    {"sqrt.approx", "f32", "tt", oracle_fsqrt, true},
    {"sqrt.approx.ftz", "f32", "tt", oracle_fsqrt, true},
    {"rcp.approx.ftz", "f64", "tt", oracle_rcp_high, true},
    {"rsqrt.approx.ftz", "f64", "tt", oracle_rsqrt_high, true},
    {"add.ftz", "f32", "ttt", oracle_fadd, false},
    {"sub.rn.ftz", "f32", "ttt", oracle_fsub, false},
    {"mul.ftz", "f32", "ttt", oracle_fmul, false},
    {"fma.rn.ftz", "f32", "tttt", oracle_fma, false},
    {"add.rz.ftz", "f32", "ttt", oracle_fadd, false},
    {"mul.rp.ftz", "f32", "ttt", oracle_fmul, false},
    {"fma.rm.ftz", "f32", "tttt", oracle_fma, false},
    {"div.rn.ftz", "f32", "ttt", oracle_fdiv, false},
    {"rcp.rn.ftz", "f32", "tt", oracle_frcp, false},
    {"sqrt.rn.ftz", "f32", "tt", oracle_fsqrt, false},
    {"add.ftz.sat", "f32", "ttt", oracle_add_sat, false},
    {"fma.rn.ftz.sat", "f32", "tttt", oracle_fma_sat, false},
    {"neg.ftz", "f32", "tt", oracle_fneg, false},
    {"abs.ftz", "f32", "tt", oracle_fabs, false},
    {"min.ftz", "f32", "ttt", oracle_fmin, false},
    {"max.ftz", "f32", "ttt", oracle_fmax, false},
    {"rsqrt.approx", "f32 f64", "tt", oracle_rsqrt, true},
    {"rsqrt.approx.ftz", "f32", "tt", oracle_rsqrt, true},
    {"sin.approx", "f32", "tt", oracle_sin, true},
    {"sin.approx.ftz", "f32", "tt", oracle_sin, true},
    {"cos.approx", "f32", "tt", oracle_cos, true},
    {"cos.approx.ftz", "f32", "tt", oracle_cos, true},
    {"lg2.approx", "f32", "tt", oracle_lg2, true},
    {"lg2.approx.ftz", "f32", "tt", oracle_lg2, true},
    {"ex2.approx", "f32", "tt", oracle_ex2, true},
    {"ex2.approx.ftz", "f32", "tt", oracle_ex2, true},
    {"tanh.approx", "f32", "tt", oracle_tanh, true},
    {"neg", "f32 f64", "tt", oracle_fneg, false},
    {"abs", "f32 f64", "tt", oracle_fabs, false},
    {"min", "f32 f64", "ttt", oracle_fmin, false},
    {"max", "f32 f64", "ttt", oracle_fmax, false},
    {"copysign", "f32 f64", "ttt", oracle_copysign, false},
    {"add.rz", "f32 f64", "ttt", oracle_fadd, false},
    {"sub.rz", "f32 f64", "ttt", oracle_fsub, false},
    {"mul.rz", "f32 f64", "ttt", oracle_fmul, false},
    {"fma.rz", "f32 f64", "tttt", oracle_fma, false},
    {"mad.rz", "f32 f64", "tttt", oracle_fma, false},
    {"div.rz", "f32 f64", "ttt", oracle_fdiv, false},
    {"rcp.rz", "f32 f64", "tt", oracle_frcp, false},
    {"sqrt.rz", "f32 f64", "tt", oracle_fsqrt, false},
    {"add.rm", "f32 f64", "ttt", oracle_fadd, false},
    {"sub.rm", "f32 f64", "ttt", oracle_fsub, false},
    {"mul.rm", "f32 f64", "ttt", oracle_fmul, false},
    {"fma.rm", "f32 f64", "tttt", oracle_fma, false},
    {"mad.rm", "f32 f64", "tttt", oracle_fma, false},
    {"div.rm", "f32 f64", "ttt", oracle_fdiv, false},
    {"rcp.rm", "f32 f64", "tt", oracle_frcp, false},
    {"sqrt.rm", "f32 f64", "tt", oracle_fsqrt, false},
    {"add.rp", "f32 f64", "ttt", oracle_fadd, false},
    {"sub.rp", "f32 f64", "ttt", oracle_fsub, false},
    {"mul.rp", "f32 f64", "ttt", oracle_fmul, false},
    {"fma.rp", "f32 f64", "tttt", oracle_fma, false},
    {"mad.rp", "f32 f64", "tttt", oracle_fma, false},
    {"div.rp", "f32 f64", "ttt", oracle_fdiv, false},
    {"rcp.rp", "f32 f64", "tt", oracle_frcp, false},
    {"sqrt.rp", "f32 f64", "tt", oracle_fsqrt, false},
    {"add.sat", "f32", "ttt", oracle_add_sat, false},
    {"add.rn.sat", "f32", "ttt", oracle_add_sat, false},
    {"mul.sat", "f32", "ttt", oracle_mul_sat, false},
    {"mul.rn.sat", "f32", "ttt", oracle_mul_sat, false},
    {"fma.rn.sat", "f32", "tttt", oracle_fma_sat, false},
    {"add", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_add, false},
    {"add.rn", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_add, false},
    {"add.sat", "f16 f16x2", "ttt", oracle_half_add, false},
    {"add.rn.sat", "f16 f16x2", "ttt", oracle_half_add, false},
    {"add.ftz", "f16 f16x2", "ttt", oracle_half_add, false},
    {"add.rn.ftz", "f16 f16x2", "ttt", oracle_half_add, false},
    {"sub", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_sub, false},
    {"sub.rn", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_sub, false},
    {"sub.sat", "f16 f16x2", "ttt", oracle_half_sub, false},
    {"sub.rn.sat", "f16 f16x2", "ttt", oracle_half_sub, false},
    {"sub.ftz", "f16 f16x2", "ttt", oracle_half_sub, false},
    {"sub.rn.ftz", "f16 f16x2", "ttt", oracle_half_sub, false},
    {"mul", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_mul, false},
    {"mul.rn", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_mul, false},
    {"mul.sat", "f16 f16x2", "ttt", oracle_half_mul, false},
    {"mul.rn.sat", "f16 f16x2", "ttt", oracle_half_mul, false},
    {"mul.ftz", "f16 f16x2", "ttt", oracle_half_mul, false},
    {"mul.rn.ftz", "f16 f16x2", "ttt", oracle_half_mul, false},
    {"fma.rn", "f16 f16x2 bf16 bf16x2", "tttt", oracle_half_fma, false},
    {"fma.rn.relu", "f16 f16x2 bf16 bf16x2", "tttt", oracle_half_fma, false},
    {"fma.rn.sat", "f16 f16x2", "tttt", oracle_half_fma, false},
    {"fma.rn.ftz", "f16 f16x2", "tttt", oracle_half_fma, false},
    {"neg", "f16 f16x2 bf16 bf16x2", "tt", oracle_half_neg, false},
    {"abs", "f16 f16x2 bf16 bf16x2", "tt", oracle_half_abs, false},
    {"min", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_min, false},
    {"min.NaN", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_min, false},
    {"max", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_max, false},
    {"max.NaN", "f16 f16x2 bf16 bf16x2", "ttt", oracle_half_max, false},
    {"ex2.approx", "f16 f16x2", "tt", oracle_half_ex2, true},
    {"ex2.approx.ftz", "bf16 bf16x2", "tt", oracle_half_ex2, true},
    {"tanh.approx", "f16 f16x2 bf16 bf16x2", "tt", oracle_half_tanh, true},
};

/* What a row should answer. Single-precision arithmetic has one NaN; a conversion from f64 keeps
 * what fits of it, and one from bf16 all. */
static inline uint64_t row_answer(const struct row *row, const uint64_t *v) {
  uint64_t answer = row->oracle(row, v);
  bool arithmetic = strncmp(row->opcode, "mov", 3) != 0 && strncmp(row->opcode, "selp", 4) != 0 &&
                    strncmp(row->opcode, "copysign", 8) != 0 && strcmp(row->types[1], "f64") != 0 &&
                    strcmp(row->types[1], "bf16") != 0;
  if (strncmp(row->opcode, "slct", 4) == 0) return answer;
  bool single = strcmp(row->types[0], "f32") == 0;
  return arithmetic && single && isnan(as_float(answer)) ? 0x7fffffff : answer;
}

static const char integers[][4] = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"};
static struct row rows[MAX_ROWS];
static int row_count;

static inline void set_type(char *to, const char *type, char operand) {
  switch (operand) {
    case 'W':
      snprintf(to, 8, "%c%u", type[0], (unsigned)type_bits(type) * 2 % 100);
      break;
    case 'w':
      memcpy(to, "u32", 4);
      break;
    case 'n':
      memcpy(to, "n32", 4);
      break;
    case 'p':
      memcpy(to, "p32", 4);
      break;
    default:
      memcpy(to, type, strlen(type) + 1);
  }
}

/* Opcodes whose types do not follow from their names. */
static const struct {
  const char *opcodes, *types[4];
  uint64_t (*oracle)(const struct row *row, const uint64_t *v);
} others[] = {
    {"prmt.b32.f4e prmt.b32.b4e prmt.b32.rc8 prmt.b32.ecl prmt.b32.ecr prmt.b32.rc16",
     {"u32", "u32", "u32", "u32"},
     oracle_prmt_mode},
    {"add.u16x2 add.s16x2 min.u16x2 min.s16x2 max.u16x2 max.s16x2 min.s16x2.relu max.s16x2.relu "
     "min.relu.s16x2 max.relu.s16x2",
     {"u32", "u32", "u32"},
     oracle_halves},
    {"min.s32.relu max.s32.relu min.relu.s32 max.relu.s32", {"s32", "s32", "s32"}, oracle_relu},
    {"vabsdiff4.u32.u32.u32 vabsdiff2.u32.u32.u32 vabsdiff4.u32.u32.u32.add "
     "vabsdiff2.u32.u32.u32.add",
     {"u32", "u32", "u32", "u32"},
     oracle_vabsdiff},
    {"slct.b16.s32 slct.u16.s32 slct.s16.s32", {"u16", "u16", "u16", "s32"}, oracle_slct},
    {"slct.b32.s32 slct.u32.s32 slct.s32.s32", {"u32", "u32", "u32", "s32"}, oracle_slct},
    {"slct.b64.s32 slct.u64.s32 slct.s64.s32", {"u64", "u64", "u64", "s32"}, oracle_slct},
    {"slct.b16.f32 slct.u16.f32 slct.s16.f32", {"u16", "u16", "u16", "f32"}, oracle_slct},
    {"slct.b32.f32 slct.u32.f32 slct.s32.f32", {"u32", "u32", "u32", "f32"}, oracle_slct},
    {"slct.b64.f32 slct.u64.f32 slct.s64.f32", {"u64", "u64", "u64", "f32"}, oracle_slct},
    {"slct.f32.s32", {"f32", "f32", "f32", "s32"}, oracle_slct},
    {"slct.f32.f32", {"f32", "f32", "f32", "f32"}, oracle_slct},
    {"slct.f64.s32", {"f64", "f64", "f64", "s32"}, oracle_slct},
    {"slct.f64.f32", {"f64", "f64", "f64", "f32"}, oracle_slct},
    {"cvt.ftz.f32.f32", {"f32", "f32"}, oracle_flush},
};

static inline void add_others(void) {
  for (int f = 0; f < (int)ROWS_OF(others); f++)
    for (const char *at = others[f].opcodes; *at; at += strspn(at, " ")) {
      struct row *row = &rows[row_count++];
      size_t length = strcspn(at, " ");
      memcpy(row->opcode, at, length);
      for (int k = 0; k < 4 && others[f].types[k]; k++)
        memcpy(row->types[k], others[f].types[k], strlen(others[f].types[k]) + 1);
      row->oracle = others[f].oracle;
      at += length;
    }
}

static inline void add_cvt(const char *modifiers, const char *to, const char *from) {
  struct row *row = &rows[row_count++];
  snprintf(row->opcode, sizeof row->opcode, "cvt%s.%s.%s", modifiers, to, from);
  memcpy(row->types[0], to, strlen(to) + 1);
  memcpy(row->types[1], from, strlen(from) + 1);
  row->oracle = is_pair(to) ? oracle_cvt_pair : oracle_cvt;
  if (is_pair(to)) memcpy(row->types[2], from, strlen(from) + 1);
}

/* f16 and bf16 */
static inline void make_half_conversions(void) {
  static const char *const formats[] = {"f16", "bf16"}, *const pairs[] = {"f16x2", "bf16x2"};
  static const char *const modes[] = {".rn", ".rz", ".rm", ".rp"};
  static const char *const rounds[] = {".rni", ".rzi", ".rmi", ".rpi"};
  for (int f = 0; f < (int)ROWS_OF(formats); f++) {
    const char *format = formats[f];
    add_cvt("", "f32", format);
    add_cvt("", "f64", format);
    for (int m = 0; m < (int)ROWS_OF(modes); m++) {
      add_cvt(modes[m], format, "f32");
      add_cvt(modes[m], format, "f64");
      add_cvt(rounds[m], format, format);
      for (int i = 0; i < (int)ROWS_OF(integers); i++) {
        add_cvt(modes[m], format, integers[i]);
        add_cvt(rounds[m], integers[i], format);
      }
    }
    for (int m = 0; m < 2; m++) {
      char relu[16];
      snprintf(relu, sizeof relu, "%s.relu", modes[m]);
      add_cvt(modes[m], pairs[f], "f32");
      add_cvt(relu, format, "f32");
      add_cvt(relu, pairs[f], "f32");
    }
  }
  add_cvt(".rn.sat", "f16", "f32");
  add_cvt(".sat", "f16", "f16");
}

static inline void make_conversions(void) {
  static const char *const rounds[] = {".rni", ".rzi", ".rmi", ".rpi"};
  static const char *const directed[] = {".rz", ".rm", ".rp"};
  for (int i = 0; i < (int)ROWS_OF(integers); i++) {
    for (int k = 0; k < (int)ROWS_OF(integers); k++)
      if (i > 1 || k > 1) add_cvt("", integers[i], integers[k]);
    add_cvt(".rn", "f32", integers[i]);
    add_cvt(".rn", "f64", integers[i]);
    for (int r = 0; r < (int)ROWS_OF(rounds); r++) {
      add_cvt(rounds[r], integers[i], "f32");
      add_cvt(rounds[r], integers[i], "f64");
    }
  }
  for (int r = 0; r < (int)ROWS_OF(rounds); r++) {
    add_cvt(rounds[r], "f32", "f32");
    add_cvt(rounds[r], "f64", "f64");
  }
  add_cvt(".sat", "f32", "f32");
  add_cvt("", "f64", "f32");
  add_cvt(".rn", "f32", "f64");
  for (int r = 0; r < (int)ROWS_OF(directed); r++) {
    add_cvt(directed[r], "f32", "f64");
    for (int i = 4; i < (int)ROWS_OF(integers); i++) {
      add_cvt(directed[r], "f32", integers[i]);
      if (i > 5) add_cvt(directed[r], "f64", integers[i]);
    }
  }
}

/* Fills rows. */
static inline void make_rows(void) {
  for (int f = 0; f < (int)ROWS_OF(families); f++)
    for (const char *at = families[f].types; *at;) {
      char type[8] = "";
      size_t length = strcspn(at, " ");
      memcpy(type, at, length);
      at += length + (at[length] == ' ');
      struct row *row = &rows[row_count++];
      snprintf(row->opcode, sizeof row->opcode, "%s.%s", families[f].name, type);
      for (int k = 0; families[f].operands[k]; k++)
        set_type(row->types[k], type, families[f].operands[k]);
      row->oracle = families[f].oracle;
      row->close = families[f].close;
    }
  add_others();
  make_conversions();
  make_half_conversions();
  assert(row_count <= MAX_ROWS);
}

#endif
