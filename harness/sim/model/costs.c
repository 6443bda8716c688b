/* costs.c: costs of PTX operations on an SM: unit, slots, cycles, latency. The tables are those of
 * compute capability 9.0; on_sm() makes another one's of them, by capability.h.
 *
 * Throughput: CUDA C++ Programming Guide, "Arithmetic Instructions", as cycles of one scheduler's
 * unit for a warp (128 results a cycle and SM: 1 cycle; 64: 2; 16: 8). Latencies, and what is a row
 * of instructions on the hardware (division, square root): measured by gpus/calibrate.cu, "alu",
 * and gpus/calibrate_functions.cu; gpus/h100.tsv has the figures.
 */
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"

/* Which column of capability.h the cycles go by. */
enum rate { OF_ALL, OF_FP32, OF_FP16, OF_FP64, OF_CONVERT64 };

struct row {
  const char *names; /* of ops_hot.h, ops_cold.h and ops_half.h, as patterns of file names */
  struct cost cost;
  enum rate rate;
};

/* The first row that fits counts. */
static const struct row rows[] = {
    {"mov_* cvt_u64_u32 cvt_u32_u64 cvt_32_32 cvt_64_64 cvt_u16_16 cvt_s16_16",
     {UNIT_NONE, 0, 0, 0}},
    {"add_f32 sub_f32 mul_f32 fma_f32 add_r*_f32 sub_r*_f32 mul_r*_f32 fma_r*_f32 add_sat* "
     "mul_sat_f32 fma_sat_f32",
     {UNIT_FP32, 1, 1, 4},
     OF_FP32},
    /* half and bfloat16, one or two: the table of throughput; latencies as of their neighbours */
    {"add_*f16* sub_*f16* mul_*f16* fma_*f16* fms_*f16* fnma_*f16* neg_*f16* abs_*f16* cvt_f32_f16",
     {UNIT_FP32, 1, 1, 4},
     OF_FP16},
    {"cvt_f32_bf16 cvt_r[nz]_*f16*_f32 cvt_sat_f16_f*", {UNIT_ALU, 1, 2, 4}},
    {"ex2_*f16 tanh_*f16 cvt_*f16* round_*f16*", {UNIT_SFU, 1, 8, 17}},
    {"ex2_*f16x2 tanh_*f16x2", {UNIT_SFU, 2, 16, 25}},
    {"mul_lo_32 mad_lo_32 mul_wide_*16 mad_wide_*16 mul_lo_16 mad_lo_16 mul24* mad24* dp4a*",
     {UNIT_FP32, 1, 2, 4}},
    {"mul_wide_* mad_wide_*", {UNIT_FP32, 1, 2, 8}},
    {"mul_hi_*32 mad_hi_*32", {UNIT_FP32, 1, 4, 8}},
    {"mul_lo_64 mad_lo_64 mul_hi_*64 mad_hi_*64", {UNIT_FP32, 4, 8, 19}},
    {"add_32 sub_32 neg_s32 add_16 sub_16", {UNIT_ADD, 1, 2, 4}},
    {"add_64 sub_64 neg_s64", {UNIT_ADD, 2, 1, 6, 0, 0, 3}}, /* the lower half carries: ALU */
    {"and_64 or_64 xor_64 not_64 shl_64 shr_*64", {UNIT_ALU, 2, 4, 7}},
    {"min_s64 min_u64 max_s64 max_u64", {UNIT_ALU, 4, 8, 14}},
    {"add_f64 sub_f64 mul_f64 fma_f64 add_r*_f64 sub_r*_f64 mul_r*_f64 fma_r*_f64",
     {UNIT_FP64, 1, 2, 8},
     OF_FP64},
    {"eq_f64 ne_f64 lt_f64 le_f64 num_f64", {UNIT_FP64, 1, 2, 8}, OF_FP64},
    {"min_f64 max_f64", {UNIT_FP64, 6, 8, 24}, OF_FP64},
    {"cvt_f64_* cvt_f32_f64* cvt_*_f64_*", {UNIT_SFU, 1, 8, 17}, OF_CONVERT64},
    {"div_approx_f32 div_full_f32", {UNIT_SFU, 6, 8, 42}},
    {"div_f32 div_r*_f32", {UNIT_SFU, 15, 16, 58, 56}},
    {"rcp_f32 rcp_r*_f32", {UNIT_SFU, 11, 12, 76, 75}},
    {"rcp_approx_f32", {UNIT_SFU, 8, 9, 42}},
    {"ex2_f32", {UNIT_SFU, 4, 8, 31}}, /* these are scaled around denormal numbers */
    {"rsqrt_f32 lg2_f32 sqrt_approx_f32", {UNIT_SFU, 4, 8, 40}},
    {"sin_f32 cos_f32", {UNIT_SFU, 2, 8, 23}},
    {"*_ftz_f32 tanh_f32", {UNIT_SFU, 1, 8, 17}},
    {"sqrt_f32 sqrt_r*_f32", {UNIT_SFU, 10, 11, 55, 54}},
    {"div_f64 div_r*_f64", {UNIT_FP64, 22, 25, 126, 122}, OF_FP64},
    {"rcp_f64 rcp_r*_f64", {UNIT_FP64, 14, 15, 72, 71}, OF_FP64},
    {"rsqrt_f64", {UNIT_FP64, 16, 18, 66, 66}, OF_FP64},
    {"sqrt_f64 sqrt_r*_f64", {UNIT_FP64, 24, 26, 92, 91}, OF_FP64},
    {"div_u16 rem_u16", {UNIT_SFU, 30, 32, 151, 156}},
    {"div_*16 rem_*16", {UNIT_SFU, 14, 19, 74}},
    {"div_u32 rem_u32", {UNIT_SFU, 20, 28, 132}},
    {"div_s32 rem_s32", {UNIT_SFU, 24, 32, 139}},
    /* the short way, of operands of 32 bits */
    {"div_[us]64 rem_[us]64", {UNIT_FP32, 30, 33, 174, 165}},
    {"popc_* clz_* brev_* bfind_*", {UNIT_SFU, 1, 8, 17}},
    {"bfe_?32", {UNIT_ALU, 2, 4, 8}}, /* a shift, and a mask or another shift */
    {"bfe_?64", {UNIT_ALU, 4, 8, 15}},
    {"cvt_f32_s32 cvt_f32_u32", {UNIT_ALU, 1, 2, 4}},
    {"cvt_*_f32_* cvt_f32_* rint_* trunc_* floor_* ceil_*", {UNIT_SFU, 1, 8, 17}},
    {"eq_64 lt_[su]64 le_[su]64", {UNIT_ALU, 2, 4, 8}},
    {"lt_* le_* eq_* ne_* num_*", {UNIT_ALU, 1, 2, 4}},
};
static const struct row other_row = {"", {UNIT_ALU, 1, 2, 4}, OF_ALL};

/* Functions of the math library: rows of instructions, most of them for one unit. Issue, latency
 * and hold (0: other instructions of the warp fill the gaps) as measured by
 * gpus/calibrate_functions.cu: "issue", "latency", "alone". Those in double precision issue nearly
 * all the time: between their instructions for the FP64 unit are as many others. */
#define FP32(issue, latency, hold) \
  { UNIT_FP32, issue, issue, latency, hold }
#define SFU(issue, latency, hold) \
  { UNIT_SFU, (issue + 1) / 2, issue, latency, hold }
#define FP64(issue, latency, hold) \
  { UNIT_FP64, (issue * 9 + 9) / 10, issue, latency, hold }
static const struct function {
  const char *name;
  struct cost single, wide;
} functions[] = {
    {"acos", FP32(24, 96, 0), FP64(78, 236, 238)},
    {"acosh", FP32(40, 141, 0), FP64(132, 436, 428)},
    {"asin", FP32(24, 94, 0), FP64(75, 199, 190)},
    {"asinh", FP32(38, 162, 70), FP64(140, 469, 464)},
    {"atan", FP32(20, 75, 0), FP64(56, 228, 186)},
    {"atan2", FP32(38, 131, 107), FP64(114, 383, 283)},
    {"atanh", FP32(34, 133, 60), FP64(131, 465, 456)},
    {"cbrt", FP32(19, 76, 0), FP64(58, 258, 214)},
    {"cos", FP32(27, 103, 87), FP64(57, 242, 231)},
    {"cosh", FP32(24, 95, 0), FP64(69, 248, 226)},
    {"cyl_bessel_i0", FP32(19, 87, 89), FP64(60, 199, 193)},
    {"cyl_bessel_i1", FP32(20, 88, 88), FP64(62, 199, 193)},
    {"erf", FP32(27, 66, 0), FP64(111, 388, 330)},
    {"erfc", FP32(49, 125, 0), FP64(184, 410, 536)},
    {"exp", {UNIT_SFU, 8, 9, 42, 0, 6, 2}, FP64(35, 150, 122)},
    {"exp10", {UNIT_SFU, 8, 9, 42, 0, 6, 2}, FP64(39, 166, 132)},
    {"exp2", SFU(7, 39, 0), FP64(36, 156, 97)},
    {"expm1", FP32(30, 96, 0), FP64(70, 213, 212)},
    {"fmod", FP32(31, 173, 175), FP64(115, 451, 484)},
    {"hypot", FP32(26, 108, 87), FP64(55, 155, 129)},
    {"j0", FP32(30, 124, 115), FP64(67, 191, 197)},
    {"j1", FP32(32, 132, 117), FP64(67, 195, 185)},
    {"ldexp", FP32(4, 15, 0), FP64(8, 33, 0)},
    {"lgamma", FP32(38, 148, 203), FP64(101, 380, 435)},
    {"log", FP32(28, 86, 0), FP64(97, 288, 277)},
    {"log10", FP32(30, 89, 0), FP64(100, 304, 273)},
    {"log1p", FP32(25, 89, 47), FP64(102, 321, 325)},
    {"log2", FP32(30, 94, 0), FP64(100, 304, 273)},
    {"logb", FP32(10, 46, 33), FP64(20, 121, 117)},
    {"nextafter", FP32(28, 120, 119), FP64(36, 125, 123)},
    {"pow", FP32(82, 261, 264), FP64(240, 799, 799)},
    {"remainder", FP32(39, 199, 193), FP64(122, 499, 538)},
    {"round", SFU(7, 27, 0), FP64(7, 37, 0)},
    {"sin", FP32(26, 99, 77), FP64(56, 234, 222)},
    {"sinh", FP32(27, 99, 0), FP64(110, 378, 366)},
    {"tan", FP32(25, 113, 89), FP64(94, 328, 323)},
    {"tanh", FP32(18, 61, 0), FP64(73, 287, 285)},
    {"tgamma", FP32(96, 225, 244), FP64(107, 406, 500)},
    {"y0", FP32(28, 140, 184), FP64(99, 303, 384)},
    {"y1", FP32(30, 157, 177), FP64(106, 326, 400)},
};
static const struct function other_function = {"", FP32(30, 110, 0), FP64(110, 350, 330)};
static const struct function large_angle = {"", FP32(188, 700, 655), FP64(331, 1020, 1000)};

/* Does the name fit the first of the patterns? By hand, as each operation of each kernel is held
 * against all of them: fnmatch takes twenty times as long, more than all else of a small launch. */
static bool fits_first(const char *pattern, const char *name) {
  for (;; pattern++, name++) {
    if (*pattern == '*') {
      do
        if (fits_first(pattern + 1, name)) return true;
      while (*name++);
      return false;
    }
    if (*pattern == ' ' || !*pattern) return !*name;
    bool fits = *pattern == *name || (*pattern == '?' && *name);
    if (*pattern == '[')
      while (*++pattern != ']') fits |= *pattern == *name;
    if (!fits) return false;
  }
}

/* Does the name fit one of the patterns? */
static bool fits(const char *patterns, const char *name) {
  while (!fits_first(patterns, name)) {
    while (*patterns && *patterns != ' ') patterns++;
    while (*patterns == ' ') patterns++;
    if (!*patterns) return false;
  }
  return true;
}

static const struct row *row_of(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (fits(rows[i].names, name)) return &rows[i];
  return &other_row;
}

static uint16_t in_16_bits(int cycles) {
  return cycles < UINT16_MAX ? (uint16_t)cycles : UINT16_MAX;
}

/* A cost on 9.0 as one on this SM. */
static struct cost on_sm(struct cost cost, enum rate rate, const struct capability *sm) {
  const int of_9_0[] = {1, 128, 256, 64, 16};
  const int here[] = {1, sm->fp32, sm->fp16, sm->fp64, sm->convert64};
  cost.cycles = in_16_bits(cost.cycles * of_9_0[rate] / here[rate]);
  if (rate == OF_FP64) {
    cost.latency = in_16_bits(cost.latency * sm->fp64_latency / 8);
    cost.hold = in_16_bits(cost.hold * sm->fp64_latency / 8);
  }
  return cost;
}

/* Of a function's cycles in single precision, so many of ten are of floating-point instructions, as
 * of those in double precision. */
static struct cost function_on_sm(struct cost cost, const struct capability *sm) {
  enum { FLOATING = 6 };
  if (cost.unit == UNIT_FP64) return on_sm(cost, OF_FP64, sm);
  if (cost.unit == UNIT_FP32)
    cost.cycles = in_16_bits(cost.cycles * (10 - FLOATING + FLOATING * 128 / sm->fp32) / 10);
  return cost;
}

static struct cost cost_of_function(const struct intrinsic *intrinsic) {
  bool is_wide = intrinsic->signature[0] == 'd';
  size_t length = strlen(intrinsic->name) - !is_wide; /* without the f */
  const struct function *f = &other_function;
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (strlen(functions[i].name) == length && !strncmp(functions[i].name, intrinsic->name, length))
      f = &functions[i];
  return is_wide ? f->wide : f->single;
}

/* mma.sync: what tensor cores do in a cycle is in capability.c; an H100 has the result 33 cycles
 * after it was issued (Luo et al., "Benchmarking and dissecting the Nvidia Hopper GPU
 * architecture", arXiv 2402.13499). These are published figures; they were not measured by
 * gpus/calibrate.cu. What there is no tensor core for is refused, or slow. */
static struct cost cost_of_product(const struct tensor_op *t, const struct capability *sm) {
  int fp16 = t->c == TENSOR_F32 ? sm->tensor_fp16_fp32 : sm->tensor_fp16;
  const int per_cycle[] = {[TENSOR_F16] = fp16,
                           [TENSOR_BF16] = fp16,
                           [TENSOR_TF32] = sm->tensor_tf32,
                           [TENSOR_F64] = sm->tensor_fp64,
                           [TENSOR_S8] = sm->tensor_int8,
                           [TENSOR_U8] = sm->tensor_int8,
                           [TENSOR_S4] = fp16,
                           [TENSOR_U4] = fp16};
  int rate = per_cycle[t->a] > 4 ? per_cycle[t->a] / 4 : 1; /* of a scheduler */
  int cycles = t->m * t->k * 8 * 100 / (rate * sm->tensor_percent);
  if (cycles < 2) cycles = 2;
  return (struct cost){UNIT_TENSOR, 1, in_16_bits(cycles), in_16_bits(27 + cycles)};
}

/* A kernel's parameter: an operand of the instruction that uses it; or, of 9.0, loaded beforehand
 * (LDC, ULDC), as nvcc 13 does. How long that takes hardly shows; it is not measured. */
enum { PARAM_LATENCY = 24 };

/* Of a row of instructions for one unit, those that are not: moves, comparisons, and what is made
 * of the unit's results. Half of them go to the FP32 unit, half of those are integer products; the
 * other half to the ALU: so it is in what ptxas makes of divisions. */
static struct cost with_others(struct cost cost) {
  enum { ROW = 7 };
  int own = cost.unit == UNIT_SFU ? cost.cycles / 8 : cost.slots * 3 / 4, others = cost.slots - own;
  bool known = cost.fp32 || cost.alu, is_row = cost.unit == UNIT_SFU || cost.unit == UNIT_FP32;
  if (known || !is_row || cost.slots < ROW || others <= 0) return cost;
  cost.alu = (uint16_t)others;
  if (cost.unit == UNIT_SFU) cost.fp32 = (uint16_t)(others * 3 / 4);
  return cost;
}

bool op_branches(const struct op *op) {
  if (op->body == cold_intrinsic) return cost_of_function(op->call->intrinsic).hold > 0;
  if (op->kind != OP_ROW) return false;
  /* Asked of each operation for each that it might come before: few rows branch. */
  const char *name = op->row->name;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (rows[i].cost.hold > 0 && fits(rows[i].names, name)) return row_of(name)->cost.hold > 0;
  return false;
}

/* Sizes are constants of the launch; what differs from thread to thread or block to block is read
 * (S2R) by way of the queue that shuffles take, at a third of their rate. */
static struct cost cost_of_special(enum special special) {
  switch (special) {
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
      return (struct cost){UNIT_CONSTANT, 1, 0, PARAM_LATENCY};
    default:
      return (struct cost){UNIT_SHUFFLE, 1, 3, 26};
  }
}

static struct cost main_cost(const struct op *op, const struct capability *sm) {
  if (op_is_access(op)) return (struct cost){UNIT_MEMORY, 1, 1, 0};
  if (op->body == cold_load_kernel_param)
    return sm->loads_params ? (struct cost){UNIT_CONSTANT, 1, 0, PARAM_LATENCY}
                            : (struct cost){UNIT_NONE, 0, 0, 0};
  if (!op->counted || op->body == cold_nothing || op->body == cold_predicate_mov ||
      op->body == cold_pack || op->body == cold_unpack)
    return (struct cost){UNIT_NONE, 0, 0, 0};
  if (op->body == cold_intrinsic) return function_on_sm(cost_of_function(op->call->intrinsic), sm);
  if (op->body == cold_tensor_product) return cost_of_product(&op->tensor, sm);
  if (op->body == cold_matrix_move) return (struct cost){UNIT_SHUFFLE, 1, 1, 24};
  if (op->kind == OP_SHUFFLE) return (struct cost){UNIT_SHUFFLE, 1, 1, 24};
  if (op->kind == OP_MATCH) return (struct cost){UNIT_ALU, 1, 2, 24};
  if (op->kind == OP_REDUX) return (struct cost){UNIT_SFU, 1, 8, 24};
  if (op->kind == OP_VOTE || op->body == cold_active_mask) return (struct cost){UNIT_ALU, 1, 2, 12};
  if (op->kind == OP_SPECIAL) return cost_of_special(op->special);
  if (op->body == cold_predicate_and || op->body == cold_predicate_or ||
      op->body == cold_predicate_xor || op->body == cold_predicate_not)
    return (struct cost){UNIT_ALU, 1, 2, 4};
  if (op->body == cold_select_64) return (struct cost){UNIT_ALU, 2, 4, 6};
  const struct row *row = op->kind == OP_ROW ? row_of(op->row->name) : &other_row;
  return on_sm(row->cost, row->rate, sm);
}

struct cost cost_of_op(const struct op *op, const struct capability *sm) {
  return with_others(main_cost(op, sm));
}

/* What precise quotients and roots take more if some lane's operands are not ordinary: of zeros,
 * infinities and what is no number, or where the result is ordinary; and of denormal numbers and
 * others that must be scaled. Measured by gpus/calibrate_ways.cu, with such operands in one lane.
 */
static const struct {
  enum varying varying;
  struct cost longer[LONGER_WAYS];
  enum rate rate;
} special_ways[] = {
    {VARIES_QUOTIENT, {{UNIT_SFU, 52, 8, 245, 245}, {UNIT_SFU, 92, 8, 370, 370}}, OF_ALL},
    {VARIES_RECIPROCAL, {{UNIT_SFU, 26, 8, 150, 150}, {UNIT_SFU, 60, 8, 260, 258}}, OF_ALL},
    {VARIES_ROOT, {{UNIT_SFU, 19, 8, 112, 112}, {UNIT_SFU, 35, 8, 203, 205}}, OF_ALL},
    {VARIES_QUOTIENT_64, {{UNIT_FP64, 77, 24, 285, 300}, {UNIT_FP64, 77, 24, 285, 300}}, OF_FP64},
    {VARIES_RECIPROCAL_64, {{UNIT_FP64, 22, 2, 135, 130}, {UNIT_FP64, 40, 18, 260, 248}}, OF_FP64},
    {VARIES_ROOT_64, {{UNIT_FP64, 27, 6, 155, 170}, {UNIT_FP64, 51, 20, 270, 284}}, OF_FP64},
    {VARIES_INVERSE_ROOT_64,
     {{UNIT_FP64, 24, 2, 140, 145}, {UNIT_FP64, 46, 16, 252, 255}},
     OF_FP64},
};

struct cost cost_of_longer(const struct op *op, int way, const struct capability *sm) {
  static const struct cost quotient = {UNIT_FP32, 110, 130, 360, 360};
  for (size_t i = 0; i < sizeof special_ways / sizeof special_ways[0]; i++)
    if (special_ways[i].varying == (enum varying)op->varies)
      return with_others(on_sm(special_ways[i].longer[way], special_ways[i].rate, sm));
  if (op->varies != VARIES_BY_ANGLE) return quotient;
  bool is_wide = op->call->intrinsic->signature[0] == 'd';
  return function_on_sm(is_wide ? large_angle.wide : large_angle.single, sm);
}
