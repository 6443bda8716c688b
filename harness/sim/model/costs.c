/* costs.c: costs of PTX operations on an SM (compute capability 9.0): unit, slots, cycles, latency.
 *
 * Throughput: CUDA C++ Programming Guide, "Arithmetic Instructions", as cycles of one scheduler's
 * unit for a warp (128 results a cycle and SM: 1 cycle; 64: 2; 16: 8). Latencies, and what is a row
 * of instructions on the hardware (division, square root, functions of the math library): measured
 * by gpus/calibrate.cu, "alu"; gpus/h100.tsv has the figures.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "harness/sim/decode/cold.h"
#include "harness/sim/exec/trace.h"
#include "harness/sim/model/plan.h"

struct row {
  const char *names; /* of ops_hot.h, ops_cold.h and ops_half.h, as patterns of file names */
  struct cost cost;
};

/* The first row that fits counts. */
static const struct row rows[] = {
    {"mov_* cvt_u64_u32 cvt_u32_u64 cvt_32_32 cvt_64_64 cvt_u16_16 cvt_s16_16",
     {UNIT_NONE, 0, 0, 0}},
    {"add_f32 sub_f32 mul_f32 fma_f32 add_r*_f32 sub_r*_f32 mul_r*_f32 fma_r*_f32 add_sat* "
     "mul_sat_f32 fma_sat_f32",
     {UNIT_FP32, 1, 1, 4}},
    /* half and bfloat16, one or two: the table of throughput; latencies as of their neighbours */
    {"add_*f16* sub_*f16* mul_*f16* fma_*f16* fms_*f16* fnma_*f16* neg_*f16* abs_*f16* cvt_f32_f16",
     {UNIT_FP32, 1, 1, 4}},
    {"cvt_f32_bf16 cvt_r[nz]_*f16*_f32 cvt_sat_f16_f*", {UNIT_ALU, 1, 2, 4}},
    {"ex2_*f16 tanh_*f16 cvt_*f16* round_*f16*", {UNIT_SFU, 1, 8, 17}},
    {"ex2_*f16x2 tanh_*f16x2", {UNIT_SFU, 2, 16, 25}},
    {"mul_lo_32 mad_lo_32 mul_wide_*16 mad_wide_*16 mul_lo_16 mad_lo_16 mul24* mad24* dp4a*",
     {UNIT_FP32, 1, 2, 4}},
    {"mul_wide_* mad_wide_* mul_hi_*32 mad_hi_*32", {UNIT_FP32, 1, 4, 8}},
    {"mul_lo_64 mad_lo_64 mul_hi_*64 mad_hi_*64", {UNIT_FP32, 4, 8, 19}},
    {"add_32 sub_32 neg_s32 add_16 sub_16", {UNIT_ADD, 1, 2, 4}},
    {"add_64 sub_64 neg_s64", {UNIT_ADD, 2, 3, 6}},
    {"and_64 or_64 xor_64 not_64 shl_64 shr_*64 min_s64 min_u64 max_s64 max_u64",
     {UNIT_ALU, 2, 4, 7}},
    {"add_f64 sub_f64 mul_f64 fma_f64 add_r*_f64 sub_r*_f64 mul_r*_f64 fma_r*_f64",
     {UNIT_FP64, 1, 2, 8}},
    {"min_f64 max_f64", {UNIT_FP64, 2, 4, 14}},
    {"cvt_f64_* cvt_f32_f64* cvt_*_f64_*", {UNIT_SFU, 1, 8, 17}},
    {"div_f32 div_approx_f32 div_r*_f32", {UNIT_SFU, 15, 16, 58}},
    {"rcp_f32 rcp_r*_f32 rsqrt_f32 lg2_f32",
     {UNIT_SFU, 4, 8, 40}}, /* scaled around denormal numbers */
    {"sin_f32 cos_f32 ex2_f32", {UNIT_SFU, 2, 8, 21}},
    {"*_ftz_f32 tanh_f32", {UNIT_SFU, 1, 8, 17}},
    {"sqrt_f32 sqrt_r*_f32", {UNIT_SFU, 8, 10, 48}},
    {"div_f64 div_r*_f64", {UNIT_FP64, 12, 25, 126}},
    {"rcp_f64 sqrt_f64 rsqrt_f64 rcp_r*_f64 sqrt_r*_f64", {UNIT_FP64, 12, 26, 94}},
    {"div_*16 rem_*16", {UNIT_SFU, 10, 12, 60}},
    {"div_u32 rem_u32", {UNIT_SFU, 20, 28, 132}},
    {"div_s32 rem_s32", {UNIT_SFU, 24, 32, 139}},
    {"div_*64 rem_*64", {UNIT_FP32, 100, 140, 380}},
    {"popc_* clz_* brev_* bfind_*", {UNIT_SFU, 1, 8, 17}},
    {"cvt_f32_s32 cvt_f32_u32", {UNIT_ALU, 1, 2, 4}},
    {"cvt_*_f32_* cvt_f32_* rint_* trunc_* floor_* ceil_*", {UNIT_SFU, 1, 8, 17}},
    {"lt_* le_* eq_* ne_* num_*", {UNIT_ALU, 1, 2, 4}},
};
static const struct cost other_row = {UNIT_ALU, 1, 2, 4};

/* Math library functions, by the start of their names; double precision costs four times that. */
static const struct row functions[] = {
    {"exp*", {UNIT_SFU, 5, 9, 42}},          {"log*", {UNIT_FP32, 27, 29, 86}},
    {"sin* cos*", {UNIT_FP32, 26, 28, 109}}, {"pow*", {UNIT_FP32, 82, 85, 277}},
    {"tanh*", {UNIT_SFU, 12, 17, 65}},       {"*", {UNIT_FP32, 30, 32, 110}},
};

/* Does the name fit one of the patterns? */
static bool fits(const char *patterns, const char *name) {
  char pattern[64];
  for (size_t length; *patterns; patterns += length + strspn(patterns + length, " ")) {
    length = strcspn(patterns, " ");
    snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
    if (fnmatch(pattern, name, 0) == 0) return true;
  }
  return false;
}

static struct cost find(const struct row *table, size_t count, const char *name,
                        struct cost otherwise) {
  for (size_t i = 0; i < count; i++)
    if (fits(table[i].names, name)) return table[i].cost;
  return otherwise;
}
#define FIND(table, name, otherwise) find(table, sizeof table / sizeof table[0], name, otherwise)

/* mma.sync. A scheduler's tensor core does 512 multiply-adds of halves in a cycle (NVIDIA H100
 * Tensor Core GPU Architecture, "H100 SM"), half as many of tf32, twice as many of bytes, 32 of
 * doubles. mma.sync gets some 63% of that, 33 cycles after it was issued (Luo et al., "Benchmarking
 * and dissecting the Nvidia Hopper GPU architecture", arXiv 2402.13499). These are published
 * figures; they were not measured by gpus/calibrate.cu. */
static struct cost cost_of_product(const struct tensor_op *t) {
  static const uint16_t per_cycle[] = {
      [TENSOR_F16] = 512, [TENSOR_BF16] = 512, [TENSOR_TF32] = 256, [TENSOR_F64] = 32,
      [TENSOR_S8] = 1024, [TENSOR_U8] = 1024,  [TENSOR_S4] = 512,   [TENSOR_U4] = 512};
  int products = t->m * t->k * 8, cycles = products * 100 / (per_cycle[t->a] * 63);
  return (struct cost){UNIT_TENSOR, 1, (uint16_t)(cycles > 2 ? cycles : 2),
                       (uint16_t)(27 + (cycles > 2 ? cycles : 2))};
}

struct cost cost_of_op(const struct op *op) {
  if (op_is_access(op)) return (struct cost){UNIT_MEMORY, 1, 1, 0};
  if (!op->counted || op->body == cold_nothing || op->body == cold_load_kernel_param ||
      op->body == cold_predicate_mov || op->body == cold_pack || op->body == cold_unpack)
    return (struct cost){UNIT_NONE, 0, 0, 0};
  if (op->body == cold_intrinsic) {
    const struct intrinsic *intrinsic = op->call->intrinsic;
    struct cost cost = FIND(functions, intrinsic->name, other_row);
    if (intrinsic->signature[0] == 'd') cost.cycles *= 4, cost.latency *= 4;
    return cost;
  }
  if (op->body == cold_tensor_product) return cost_of_product(&op->tensor);
  if (op->body == cold_matrix_move) return (struct cost){UNIT_SHUFFLE, 1, 1, 24};
  if (op->kind == OP_SHUFFLE) return (struct cost){UNIT_SHUFFLE, 1, 1, 24};
  if (op->kind == OP_MATCH) return (struct cost){UNIT_ALU, 1, 2, 24};
  if (op->kind == OP_REDUX) return (struct cost){UNIT_SFU, 1, 8, 24};
  if (op->kind == OP_VOTE || op->body == cold_active_mask) return (struct cost){UNIT_ALU, 1, 2, 12};
  if (op->kind == OP_SPECIAL) return (struct cost){UNIT_ALU, 1, 2, 20};
  if (op->body == cold_predicate_and || op->body == cold_predicate_or ||
      op->body == cold_predicate_xor || op->body == cold_predicate_not)
    return (struct cost){UNIT_ALU, 1, 2, 4};
  return op->kind == OP_ROW ? FIND(rows, op->row->name, other_row) : other_row;
}
