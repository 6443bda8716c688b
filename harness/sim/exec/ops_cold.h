/* ops_cold.h: the table of rarer operations, compiled once (cold.c). Rows as in ops_hot.h.
 *
 * Conversions follow the PTX ISA, "cvt": floating point to integer rounds as the modifier says and
 * saturates at the ends of the integer's range; NaN gives 0, or only the top bit set if either side
 * has 64 bits. Integer division by zero, and its remainder, give all ones (PTX leaves it open; an
 * H100 does this). In f64, division, square root and conversions from and to f32 give the same NaN
 * on x86 as on a GPU.
 *
 * OP1_ROUNDED to OP3_ROUNDED: the expression is evaluated in a rounding mode of <fenv.h>.
 */
/* clang-format off */
#define DIV(T, a, b) \
  ((b) == 0 ? (T)-1 \
            : (T)((b) == (T)-1 && (T)-1 < (T)1 ? (T)(0 - (uint64_t)(a)) : (T)((a) / (b))))
#define REM(T, a, b)  ((b) == 0 ? (T)-1 : (T)((b) == (T)-1 && (T)-1 < (T)1 ? 0 : (T)((a) % (b))))
OP2(mul_hi_s32, "mul.hi.s32", 0, s32, s32, s32, (int32_t)(((int64_t)a * b) >> 32))
OP2(mul_hi_u32, "mul.hi.u32", 0, u32, u32, u32, (uint32_t)(((uint64_t)a * b) >> 32))
OP2(mul_hi_s64, "mul.hi.s64", 0, s64, s64, s64, (int64_t)(((__int128)a * b) >> 64))
OP2(mul_hi_u64, "mul.hi.u64", 0, u64, u64, u64, (uint64_t)(((unsigned __int128)a * b) >> 64))
OP3(mad_hi_s32, "mad.hi.s32", 0, s32, s32, s32, s32,
    (int32_t)((uint32_t)(((int64_t)a * b) >> 32) + (uint32_t)c))
OP3(mad_hi_u32, "mad.hi.u32", 0, u32, u32, u32, u32, (uint32_t)(((uint64_t)a * b) >> 32) + c)
OP3(mad_hi_s64, "mad.hi.s64", 0, u64, s64, s64, u64, (uint64_t)(((__int128)a * b) >> 64) + c)
OP3(mad_hi_u64, "mad.hi.u64", 0, u64, u64, u64, u64,
    (uint64_t)(((unsigned __int128)a * b) >> 64) + c)
OP2(mul24_lo_s32, "mul24.lo.s32",                  0, s32, s32, s32, (int32_t)(low24(a) * low24(b)))
OP2(mul24_lo_u32, "mul24.lo.u32", 0, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff))
OP2(mul24_hi_s32, "mul24.hi.s32", 0, s32, s32, s32, (int32_t)(low24(a) * low24(b) >> 16))
OP2(mul24_hi_u32, "mul24.hi.u32", 0, u32, u32, u32,
    (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 16))
OP3(mad24_lo_s32, "mad24.lo.s32", 0, u32, s32, s32, u32, (uint32_t)(low24(a) * low24(b)) + c)
OP3(mad24_lo_u32, "mad24.lo.u32", 0, u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + c)
OP3(mad24_hi_s32, "mad24.hi.s32", 0, u32, s32, s32, u32, (uint32_t)(low24(a) * low24(b) >> 16) + c)
OP3(mad24_hi_u32, "mad24.hi.u32", 0, u32, u32, u32, u32,
    (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 16) + c)
OP3(dp4a_s32_s32, "dp4a.s32.s32", 0, u32, u32, u32, u32, dot_bytes(a, true, b, true, c))
OP3(dp4a_s32_u32, "dp4a.s32.u32", 0, u32, u32, u32, u32, dot_bytes(a, true, b, false, c))
OP3(dp4a_u32_s32, "dp4a.u32.s32", 0, u32, u32, u32, u32, dot_bytes(a, false, b, true, c))
OP3(dp4a_u32_u32, "dp4a.u32.u32", 0, u32, u32, u32, u32, dot_bytes(a, false, b, false, c))
OP2(div_s32,   "div.s32",                          0, s32, s32, s32, DIV(int32_t, a, b))
OP2(div_u32,   "div.u32",                          0, u32, u32, u32, DIV(uint32_t, a, b))
OP2(div_s64,   "div.s64",                          0, s64, s64, s64, DIV(int64_t, a, b))
OP2(div_u64,   "div.u64",                          0, u64, u64, u64, DIV(uint64_t, a, b))
OP2(rem_s32,   "rem.s32",                          0, s32, s32, s32, REM(int32_t, a, b))
OP2(rem_u32,   "rem.u32",                          0, u32, u32, u32, REM(uint32_t, a, b))
OP2(rem_s64,   "rem.s64",                          0, s64, s64, s64, REM(int64_t, a, b))
OP2(rem_u64,   "rem.u64",                          0, u64, u64, u64, REM(uint64_t, a, b))
OP1(abs_s32, "abs.s32", 0, u32, s32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
OP1(abs_s64, "abs.s64", 0, u64, s64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)
OP1(neg_s64,   "neg.s64",                          0, u64, u64, 0u - a)
OP1(not_64,    "not.b64",                          0, u64, u64, ~a)
OP2(min_s64,   "min.s64",                          0, s64, s64, s64, a < b ? a : b)
OP2(max_s64,   "max.s64",                          0, s64, s64, s64, a > b ? a : b)
OP2(min_u64,   "min.u64",                          0, u64, u64, u64, a < b ? a : b)
OP2(max_u64,   "max.u64",                          0, u64, u64, u64, a > b ? a : b)
OP1(popc_32,   "popc.b32",                         0, u32, u32, (uint32_t)__builtin_popcount(a))
OP1(popc_64,   "popc.b64",                         0, u32, u64, (uint32_t)__builtin_popcountll(a))
OP1(clz_32,    "clz.b32",                          0, u32, u32, a ? (uint32_t)__builtin_clz(a) : 32)
OP1(clz_64, "clz.b64", 0, u32, u64, a ? (uint32_t)__builtin_clzll(a) : 64)
OP1(brev_32,   "brev.b32",                         0, u32, u32, reverse_bits32(a))
OP1(brev_64,   "brev.b64",                         0, u64, u64, reverse_bits64(a))
OP1(bfind_u32, "bfind.u32", 0, u32, u32, a ? 31 - (uint32_t)__builtin_clz(a) : 0xffffffffu)
OP1(bfind_s32, "bfind.s32",                        0, u32, s32, find_sign_bit64(a))
OP1(bfind_u64, "bfind.u64", 0, u32, u64, a ? 63 - (uint32_t)__builtin_clzll(a) : 0xffffffffu)
OP1(bfind_s64, "bfind.s64",                        0, u32, s64, find_sign_bit64(a))
OP1(bfind_shift_u32, "bfind.shiftamt.u32", 0, u32, u32,
    a ? (uint32_t)__builtin_clz(a) : 0xffffffffu)
OP1(bfind_shift_s32, "bfind.shiftamt.s32", 0, u32, s32, shift_amount(find_sign_bit64(a), 31))
OP1(bfind_shift_u64, "bfind.shiftamt.u64", 0, u32, u64,
    a ? (uint32_t)__builtin_clzll(a) : 0xffffffffu)
OP1(bfind_shift_s64, "bfind.shiftamt.s64", 0, u32, s64, shift_amount(find_sign_bit64(a), 63))
OP3(bfe_u32,   "bfe.u32",                          0, u32, u32, u32, u32, extract_bits32(a, b, c))
OP3(bfe_s32, "bfe.s32", 0, u32, s32, u32, u32, extract_bits_signed32(a, b, c))
OP3(bfe_s64, "bfe.s64", 0, u64, s64, u32, u32, extract_bits_signed64(a, b, c))
OP3(bfe_u64,   "bfe.u64",                          0, u64, u64, u32, u32, extract_bits64(a, b, c))
OP3(prmt_32,   "prmt.b32",                         0, u32, u32, u32, u32, permute_bytes(a, b, c))
OP3(shf_l_wrap, "shf.l.wrap.b32", 0, u32, u32, u32, u32,
    (uint32_t)(((((uint64_t)b << 32) | a) << (c & 31)) >> 32))
OP3(shf_r_wrap, "shf.r.wrap.b32", 0, u32, u32, u32, u32,
    (uint32_t)((((uint64_t)b << 32) | a) >> (c & 31)))
OP3(shf_l_clamp, "shf.l.clamp.b32", 0, u32, u32, u32, u32,
    c >= 32 ? a : (uint32_t)(((((uint64_t)b << 32) | a) << c) >> 32))
OP3(shf_r_clamp, "shf.r.clamp.b32", 0, u32, u32, u32, u32,
    c >= 32 ? b : (uint32_t)((((uint64_t)b << 32) | a) >> c))
OP3(sad_s32, "sad.s32", 0, u32, s32, s32, u32,
    (uint32_t)(a < b ? (int64_t)b - a : (int64_t)a - b) + c)
OP3(sad_u32, "sad.u32", 0, u32, u32, u32, u32, (a < b ? b - a : a - b) + c)
OP3(dp2a_lo_s32_s32, "dp2a.lo.s32.s32", 0, u32, u32, u32, u32, dot_halves(a, true, b, true, c))
OP3(dp2a_lo_s32_u32, "dp2a.lo.s32.u32", 0, u32, u32, u32, u32, dot_halves(a, true, b, false, c))
OP3(dp2a_lo_u32_s32, "dp2a.lo.u32.s32", 0, u32, u32, u32, u32, dot_halves(a, false, b, true, c))
OP3(dp2a_lo_u32_u32, "dp2a.lo.u32.u32", 0, u32, u32, u32, u32, dot_halves(a, false, b, false, c))
OP3(dp2a_hi_s32_s32, "dp2a.hi.s32.s32", 0, u32, u32, u32, u32,
    dot_halves(a, true, b >> 16, true, c))
OP3(dp2a_hi_s32_u32, "dp2a.hi.s32.u32", 0, u32, u32, u32, u32,
    dot_halves(a, true, b >> 16, false, c))
OP3(dp2a_hi_u32_s32, "dp2a.hi.u32.s32", 0, u32, u32, u32, u32,
    dot_halves(a, false, b >> 16, true, c))
OP3(dp2a_hi_u32_u32, "dp2a.hi.u32.u32", 0, u32, u32, u32, u32,
    dot_halves(a, false, b >> 16, false, c))
OP3(prmt_f4e, "prmt.b32.f4e", 0, u32, u32, u32, u32, permute_bytes(a, b, 0x3210 + 0x1111 * (c & 3)))
OP3(prmt_b4e, "prmt.b32.b4e", 0, u32, u32, u32, u32,
    permute_bytes(a, b, (0x5678 + 0x1111 * (c & 3)) & 0x7777))
OP3(prmt_rc8, "prmt.b32.rc8", 0, u32, u32, u32, u32, permute_bytes(a, b, 0x1111 * (c & 3)))
OP3(prmt_ecl, "prmt.b32.ecl", 0, u32, u32, u32, u32,
    permute_bytes(a, b, edge_clamp_left[c & 3]))
OP3(prmt_ecr, "prmt.b32.ecr", 0, u32, u32, u32, u32,
    permute_bytes(a, b, edge_clamp_right[c & 3]))
OP3(prmt_rc16, "prmt.b32.rc16", 0, u32, u32, u32, u32, permute_bytes(a, b, c & 1 ? 0x3232 : 0x1010))
OP1(cnot_32,   "cnot.b32",                         0, u32, u32, a == 0)
OP1(cnot_64,   "cnot.b64",                         0, u64, u64, a == 0)
OP2(szext_clamp_u32, "szext.clamp.u32", 0, u32, u32, u32, b >= 32 ? a : extract_bits32(a, 0, b))
OP2(szext_wrap_u32, "szext.wrap.u32", 0, u32, u32, u32, extract_bits32(a, 0, b & 31))
OP2(szext_clamp_s32, "szext.clamp.s32", 0, u32, s32, u32,
    b >= 32 ? (uint32_t)a : extract_bits_signed32(a, 0, b))
OP2(szext_wrap_s32, "szext.wrap.s32", 0, u32, s32, u32, extract_bits_signed32(a, 0, b & 31))
OP2(bmsk_clamp, "bmsk.clamp.b32", 0, u32, u32, u32, bit_mask(a > 32 ? 32 : a, b > 32 ? 32 : b))
OP2(bmsk_wrap, "bmsk.wrap.b32", 0, u32, u32, u32, bit_mask(a & 31, b & 31))
OP3(fns_32,    "fns.b32",                          0, u32, u32, u32, s32, find_nth_set(a, b, c))
#define SLCT(bits, keys, float_keys) \
  OP3(slct_##bits##_s32, keys, 0, u##bits, u##bits, u##bits, s32, c >= 0 ? a : b) \
  OP3(slct_##bits##_f32, float_keys, 0, u##bits, u##bits, u##bits, f32, c >= 0 ? a : b)
SLCT(16, "slct.b16.s32 slct.u16.s32 slct.s16.s32", "slct.b16.f32 slct.u16.f32 slct.s16.f32")
SLCT(32, "slct.b32.s32 slct.u32.s32 slct.s32.s32 slct.f32.s32",
     "slct.b32.f32 slct.u32.f32 slct.s32.f32 slct.f32.f32")
SLCT(64, "slct.b64.s32 slct.u64.s32 slct.s64.s32 slct.f64.s32",
     "slct.b64.f32 slct.u64.f32 slct.s64.f32 slct.f64.f32")
#undef SLCT
/* several small integers in a word */
OP2(min_relu_s32, "min.s32.relu min.relu.s32", 0, s32, s32, s32, a < 0 || b < 0 ? 0 : a < b ? a : b)
OP2(max_relu_s32, "max.s32.relu max.relu.s32", 0, s32, s32, s32,
    a < 0 && b < 0 ? 0 : a > b ? a : b)
OP2(add_16x2,  "add.u16x2 add.s16x2",              0, u32, u32, u32,
    ((a & 0x7fff7fff) + (b & 0x7fff7fff)) ^ ((a ^ b) & 0x80008000))
#define BOTH(half) ((uint32_t)(uint16_t)(half(a, b)) | \
                    (uint32_t)(uint16_t)(half(a >> 16, b >> 16)) << 16)
#define SMALLER_U(a, b) ((uint16_t)(a) < (uint16_t)(b) ? (a) : (b))
#define SMALLER_S(a, b) ((int16_t)(a) < (int16_t)(b) ? (a) : (b))
#define LARGER_U(a, b)  ((uint16_t)(a) > (uint16_t)(b) ? (a) : (b))
#define LARGER_S(a, b)  ((int16_t)(a) > (int16_t)(b) ? (a) : (b))
#define NOT_NEGATIVE(v) ((int16_t)(v) < 0 ? 0 : (v))
#define SMALLER_RELU(a, b) NOT_NEGATIVE(SMALLER_S(a, b))
#define LARGER_RELU(a, b)  NOT_NEGATIVE(LARGER_S(a, b))
OP2(min_u16x2, "min.u16x2",                        0, u32, u32, u32, BOTH(SMALLER_U))
OP2(min_s16x2, "min.s16x2",                        0, u32, u32, u32, BOTH(SMALLER_S))
OP2(max_u16x2, "max.u16x2",                        0, u32, u32, u32, BOTH(LARGER_U))
OP2(max_s16x2, "max.s16x2",                        0, u32, u32, u32, BOTH(LARGER_S))
OP2(min_relu_s16x2, "min.s16x2.relu min.relu.s16x2", 0, u32, u32, u32, BOTH(SMALLER_RELU))
OP2(max_relu_s16x2, "max.s16x2.relu max.relu.s16x2", 0, u32, u32, u32, BOTH(LARGER_RELU))
#undef BOTH
OP3(vabsdiff4, "vabsdiff4.u32.u32.u32", 0, u32, u32, u32, u32, differences(a, b, 8) + 0 * c)
OP3(vabsdiff2, "vabsdiff2.u32.u32.u32", 0, u32, u32, u32, u32, differences(a, b, 16) + 0 * c)
OP3(vabsdiff4_add, "vabsdiff4.u32.u32.u32.add", 0, u32, u32, u32, u32, c + sum_differences(a, b, 8))
OP3(vabsdiff2_add, "vabsdiff2.u32.u32.u32.add", 0, u32, u32, u32, u32,
    c + sum_differences(a, b, 16))
/* 16-bit arithmetic: values live zero-extended in 32-bit containers */
OP1(mov_16,    "mov.b16 mov.u16 mov.s16",          0, u16, u16, a)
OP2(add_16,    "add.s16 add.u16",                  0, u16, u16, u16, a + b)
OP2(sub_16,    "sub.s16 sub.u16",                  0, u16, u16, u16, a - b)
OP2(mul_lo_16, "mul.lo.s16 mul.lo.u16",            0, u16, u16, u16, (uint32_t)a * b)
OP3(mad_lo_16, "mad.lo.s16 mad.lo.u16",            0, u16, u16, u16, u16, (uint32_t)a * b + c)
OP2(mul_wide_s16, "mul.wide.s16",                  0, s32, s16, s16, (int32_t)a * b)
OP2(mul_wide_u16, "mul.wide.u16",                  0, u32, u16, u16, (uint32_t)a * b)
OP3(mad_wide_s16, "mad.wide.s16", 0, s32, s16, s16, s32,
    (int32_t)((uint32_t)((int32_t)a * b) + (uint32_t)c))
OP3(mad_wide_u16, "mad.wide.u16",                  0, u32, u16, u16, u32, (uint32_t)a * b + c)
OP2(mul_hi_s16, "mul.hi.s16",                      0, s16, s16, s16, ((int32_t)a * b) >> 16)
OP2(mul_hi_u16, "mul.hi.u16",                      0, u16, u16, u16, ((uint32_t)a * b) >> 16)
OP2(div_s16,   "div.s16",                          0, s16, s16, s16, DIV(int16_t, a, b))
OP2(div_u16,   "div.u16",                          0, u16, u16, u16, DIV(uint16_t, a, b))
OP2(rem_s16,   "rem.s16",                          0, s16, s16, s16, REM(int16_t, a, b))
OP2(rem_u16,   "rem.u16",                          0, u16, u16, u16, REM(uint16_t, a, b))
OP2(and_16,    "and.b16",                          0, u16, u16, u16, a & b)
OP2(or_16,     "or.b16",                           0, u16, u16, u16, a | b)
OP2(xor_16,    "xor.b16",                          0, u16, u16, u16, a ^ b)
OP1(not_16,    "not.b16",                          0, u16, u16, ~a)
OP1(cnot_16,   "cnot.b16",                         0, u16, u16, a == 0)
OP1(neg_s16,   "neg.s16",                          0, u16, u16, 0 - a)
OP1(abs_s16,   "abs.s16",                          0, s16, s16, a < 0 ? -a : a)
OP2(shl_16,    "shl.b16",                          0, u16, u16, u32, b < 16 ? (uint32_t)a << b : 0)
OP2(shr_u16,   "shr.u16 shr.b16",                  0, u16, u16, u32, b < 16 ? a >> b : 0)
OP2(shr_s16,   "shr.s16",                          0, s16, s16, u32, a >> (b < 16 ? b : 15))
OP2(min_s16,   "min.s16",                          0, s16, s16, s16, a < b ? a : b)
OP2(max_s16,   "max.s16",                          0, s16, s16, s16, a > b ? a : b)
OP2(min_u16,   "min.u16",                          0, u16, u16, u16, a < b ? a : b)
OP2(max_u16,   "max.u16",                          0, u16, u16, u16, a > b ? a : b)
/* floating point */
OP2(flush_tiny_f32, "flush_tiny", 0, n32, f32, f32, /* b: a 2^64; large if that overflows */
    fabsf(a) <= FLT_MIN && fabsf(b) < FLT_MIN * 0x1p64f ? copysignf(0, a) : a)
OP1(flush_f32, "cvt.ftz.f32.f32",                  0, n32, f32, flush(a))
OP1(rcp_high_f64, "rcp.approx.ftz.f64", 1, f64, f64, high_result(1 / high_half(a)))
OP1(rsqrt_high_f64, "rsqrt.approx.ftz.f64", 1, f64, f64, high_result(1 / sqrt(high_half(a))))
OP1(rsqrt_f64, "rsqrt.approx.f64",                 1, f64, f64, (double)(1 / sqrtl(a)))
OP1(tanh_f32,  "tanh.approx.f32",                  1, n32, f32, (float)tanh((double)a))
OP2(copysign_f32, "copysign.f32", 0, u32, u32, u32, (a & 0x80000000u) | (b & 0x7fffffffu))
OP2(copysign_f64, "copysign.f64", 0, u64, u64, u64, (a & UINT64_C(1) << 63) | (b & INT64_MAX))
OP1(add_sat_f32, "cvt.sat.f32.f32", 0, f32, f32, saturate(a))
OP2(add_sat2_f32, "add.sat.f32 add.rn.sat.f32",    1, f32, f32, f32, saturate(a + b))
OP2(mul_sat_f32, "mul.sat.f32 mul.rn.sat.f32",     1, f32, f32, f32, saturate(a * b))
OP3(fma_sat_f32, "fma.rn.sat.f32",                 2, f32, f32, f32, f32, saturate(fmaf(a, b, c)))
/* Rounding to zero, down and up. Compilers convert unsigned 64-bit integers in steps which,
 * rounding down, give -0 for 0. */
#define DIRECTED(r, mode) \
  OP2_ROUNDED(add_##r##_f32, "add." #r ".f32",     1, n32, f32, f32, mode, a + b) \
  OP2_ROUNDED(sub_##r##_f32, "sub." #r ".f32",     1, n32, f32, f32, mode, a - b) \
  OP2_ROUNDED(mul_##r##_f32, "mul." #r ".f32",     1, n32, f32, f32, mode, a * b) \
  OP3_ROUNDED(fma_##r##_f32, "fma." #r ".f32 mad." #r ".f32", 2, n32, f32, f32, f32, mode, \
      fmaf(a, b, c)) \
  OP2_ROUNDED(div_##r##_f32, "div." #r ".f32",     1, n32, f32, f32, mode, a / b) \
  OP1_ROUNDED(rcp_##r##_f32, "rcp." #r ".f32",     1, n32, f32, mode, 1.0f / a) \
  OP1_ROUNDED(sqrt_##r##_f32, "sqrt." #r ".f32",   1, n32, f32, mode, sqrtf(a)) \
  OP2_ROUNDED(add_##r##_f64, "add." #r ".f64",     1, n64, f64, f64, mode, a + b) \
  OP2_ROUNDED(sub_##r##_f64, "sub." #r ".f64",     1, n64, f64, f64, mode, a - b) \
  OP2_ROUNDED(mul_##r##_f64, "mul." #r ".f64",     1, n64, f64, f64, mode, a * b) \
  OP3_ROUNDED(fma_##r##_f64, "fma." #r ".f64 mad." #r ".f64", 2, n64, f64, f64, f64, mode, \
      fma(a, b, c)) \
  OP2_ROUNDED(div_##r##_f64, "div." #r ".f64",     1, f64, f64, f64, mode, a / b) \
  OP1_ROUNDED(rcp_##r##_f64, "rcp." #r ".f64",     1, f64, f64, mode, 1.0 / a) \
  OP1_ROUNDED(sqrt_##r##_f64, "sqrt." #r ".f64",   1, f64, f64, mode, sqrt(a)) \
  OP1_ROUNDED(cvt_f32_f64_##r, "cvt." #r ".f32.f64", 0, f32, f64, mode, (float)a) \
  OP1_ROUNDED(cvt_f32_s32_##r, "cvt." #r ".f32.s32", 0, f32, s32, mode, (float)a) \
  OP1_ROUNDED(cvt_f32_u32_##r, "cvt." #r ".f32.u32", 0, f32, u32, mode, (float)a) \
  OP1_ROUNDED(cvt_f32_s64_##r, "cvt." #r ".f32.s64", 0, f32, s64, mode, (float)a) \
  OP1_ROUNDED(cvt_f32_u64_##r, "cvt." #r ".f32.u64", 0, f32, u64, mode, (float)a) \
  OP1_ROUNDED(cvt_f64_s64_##r, "cvt." #r ".f64.s64", 0, f64, s64, mode, (double)a) \
  OP1_ROUNDED(cvt_f64_u64_##r, "cvt." #r ".f64.u64", 0, f64, u64, mode, \
      (double)(uint32_t)(a >> 32) * 0x1p32 + (double)(uint32_t)a)
DIRECTED(rz, FE_TOWARDZERO)
DIRECTED(rm, FE_DOWNWARD)
DIRECTED(rp, FE_UPWARD)
#undef DIRECTED
/* rounding to an integral value in the same format */
OP1(rint_f32,  "cvt.rni.f32.f32",                  1, n32, f32, rintf(a))
OP1(trunc_f32, "cvt.rzi.f32.f32",                  1, n32, f32, truncf(a))
OP1(floor_f32, "cvt.rmi.f32.f32",                  1, n32, f32, floorf(a))
OP1(ceil_f32,  "cvt.rpi.f32.f32",                  1, n32, f32, ceilf(a))
OP1(rint_f64,  "cvt.rni.f64.f64",                  1, f64, f64, quiet(rint(a)))
OP1(trunc_f64, "cvt.rzi.f64.f64",                  1, f64, f64, quiet(trunc(a)))
OP1(floor_f64, "cvt.rmi.f64.f64",                  1, f64, f64, quiet(floor(a)))
OP1(ceil_f64,  "cvt.rpi.f64.f64",                  1, f64, f64, quiet(ceil(a)))
/* integer to floating point, to nearest even */
OP1(cvt_f32_s64, "cvt.rn.f32.s64",                 0, f32, s64, (float)a)
OP1(cvt_f32_u64, "cvt.rn.f32.u64",                 0, f32, u64, (float)a)
OP1(cvt_f32_s16, "cvt.rn.f32.s16",                 0, f32, s16, (float)a)
OP1(cvt_f32_u16, "cvt.rn.f32.u16",                 0, f32, u16, (float)a)
OP1(cvt_f32_s8,  "cvt.rn.f32.s8",                  0, f32, s8,  (float)a)
OP1(cvt_f32_u8,  "cvt.rn.f32.u8",                  0, f32, u8,  (float)a)
OP1(cvt_f64_u32, "cvt.rn.f64.u32",                 0, f64, u32, (double)a)
OP1(cvt_f64_s64, "cvt.rn.f64.s64",                 0, f64, s64, (double)a)
OP1(cvt_f64_u64, "cvt.rn.f64.u64",                 0, f64, u64, (double)a)
OP1(cvt_f64_s16, "cvt.rn.f64.s16",                 0, f64, s16, (double)a)
OP1(cvt_f64_u16, "cvt.rn.f64.u16",                 0, f64, u16, (double)a)
OP1(cvt_f64_s8,  "cvt.rn.f64.s8",                  0, f64, s8,  (double)a)
OP1(cvt_f64_u8,  "cvt.rn.f64.u8",                  0, f64, u8,  (double)a)
/* floating point to integer */
#define TO_INT32(R, suffix, round) \
  OP1(cvt_s32_f32_##suffix, "cvt." R ".s32.f32",   0, s32, f32, to_s32(round((double)a))) \
  OP1(cvt_u32_f32_##suffix, "cvt." R ".u32.f32",   0, u32, f32, to_u32(round((double)a)))
#define TO_INT(R, suffix, round) \
  OP1(cvt_s64_f32_##suffix, "cvt." R ".s64.f32",   0, s64, f32, to_s64(round((double)a))) \
  OP1(cvt_u64_f32_##suffix, "cvt." R ".u64.f32",   0, u64, f32, to_u64(round((double)a))) \
  OP1(cvt_s16_f32_##suffix, "cvt." R ".s16.f32",   0, s32, f32, to_s16(round((double)a))) \
  OP1(cvt_u16_f32_##suffix, "cvt." R ".u16.f32",   0, u16, f32, to_u16(round((double)a))) \
  OP1(cvt_s8_f32_##suffix, "cvt." R ".s8.f32",     0, s32, f32, to_s8(round((double)a))) \
  OP1(cvt_u8_f32_##suffix, "cvt." R ".u8.f32",     0, u16, f32, to_u8(round((double)a))) \
  OP1(cvt_s8_f64_##suffix, "cvt." R ".s8.f64", 0, s32, f64, a != a ? INT8_MIN : to_s8(round(a))) \
  OP1(cvt_u8_f64_##suffix, "cvt." R ".u8.f64", 0, u16, f64, a != a ? 0x80 : to_u8(round(a))) \
  OP1(cvt_s16_f64_##suffix, "cvt." R ".s16.f64", 0, s32, f64, \
      a != a ? INT16_MIN : to_s16(round(a))) \
  OP1(cvt_u16_f64_##suffix, "cvt." R ".u16.f64", 0, u16, f64, \
      a != a ? 0x8000 : to_u16(round(a))) \
  OP1(cvt_s32_f64_##suffix, "cvt." R ".s32.f64", 0, s32, f64, \
      a != a ? INT32_MIN : to_s32(round(a))) \
  OP1(cvt_u32_f64_##suffix, "cvt." R ".u32.f64", 0, u32, f64, \
      a != a ? 0x80000000u : to_u32(round(a))) \
  OP1(cvt_s64_f64_##suffix, "cvt." R ".s64.f64",   0, s64, f64, to_s64(round(a))) \
  OP1(cvt_u64_f64_##suffix, "cvt." R ".u64.f64",   0, u64, f64, to_u64(round(a)))
TO_INT("rzi", rzi, trunc)
TO_INT("rni", rni, rint)
TO_INT("rmi", rmi, floor)
TO_INT("rpi", rpi, ceil)
#undef TO_INT
TO_INT32("rni", rni, rint) /* rzi: ops_hot.h */
TO_INT32("rmi", rmi, floor)
TO_INT32("rpi", rpi, ceil)
#undef TO_INT32
/* integer to integer: sign- or zero-extension by the source's type, truncation to the
 * destination's. A narrow signed result fills its container: the destination may be a wider
 * register (PTX ISA, "Operand Size Exceeding Instruction-Type Size") */
OP1(cvt_u16_32, "cvt.u16.u32 cvt.u16.s32",                             0, u16, u32, (uint16_t)a)
OP1(cvt_u16_64, "cvt.u16.u64 cvt.u16.s64",                             0, u16, u64, (uint16_t)a)
OP1(cvt_u16_16, "cvt.u16.u16 cvt.u16.s16",                             0, u16, u16, a)
OP1(cvt_s16_32, "cvt.s16.s32 cvt.s16.u32",                             0, s32, u32, (int16_t)a)
OP1(cvt_s16_64, "cvt.s16.s64 cvt.s16.u64",                             0, s32, u64, (int16_t)a)
OP1(cvt_s16_16, "cvt.s16.s16 cvt.s16.u16",                             0, s32, u16, (int16_t)a)
OP1(cvt_32_u16, "cvt.u32.u16 cvt.s32.u16",                             0, u32, u16, a)
OP1(cvt_32_s16, "cvt.u32.s16 cvt.s32.s16",                             0, s32, s16, a)
OP1(cvt_64_u16, "cvt.u64.u16 cvt.s64.u16",                             0, u64, u16, a)
OP1(cvt_64_s16, "cvt.u64.s16 cvt.s64.s16",                             0, s64, s16, a)
OP1(cvt_u64_s32, "cvt.u64.s32",                                        0, s64, s32, a)
OP1(cvt_32_32, "cvt.u32.u32 cvt.u32.s32 cvt.s32.s32 cvt.s32.u32",      0, u32, u32, a)
OP1(cvt_64_64, "cvt.u64.u64 cvt.u64.s64 cvt.s64.s64 cvt.s64.u64",      0, u64, u64, a)
OP1(cvt_16_u8, "cvt.u16.u8 cvt.s16.u8",                                0, u16, u8, a)
OP1(cvt_u16_s8, "cvt.u16.s8",                                          0, s16, s8, a)
OP1(cvt_s16_s8, "cvt.s16.s8",                                          0, s32, s8, a)
OP1(cvt_32_u8, "cvt.u32.u8 cvt.s32.u8",                                0, u32, u8, a)
OP1(cvt_32_s8, "cvt.u32.s8 cvt.s32.s8",                                0, s32, s8, a)
OP1(cvt_64_u8, "cvt.u64.u8 cvt.s64.u8",                                0, u64, u8, a)
OP1(cvt_64_s8, "cvt.u64.s8 cvt.s64.s8",                                0, s64, s8, a)
OP1(cvt_u8_32, "cvt.u8.u32 cvt.u8.s32 cvt.u8.u16 cvt.u8.s16",          0, u16, u32, (uint8_t)a)
OP1(cvt_s8_32, "cvt.s8.u32 cvt.s8.s32 cvt.s8.u16 cvt.s8.s16",          0, s32, u32, (int8_t)a)
OP1(cvt_u8_64, "cvt.u8.u64 cvt.u8.s64",                                0, u16, u64, (uint8_t)a)
OP1(cvt_s8_64, "cvt.s8.u64 cvt.s8.s64",                                0, s32, u64, (int8_t)a)
/* rarer comparisons */
SETP(eq_16,  u16, a == b)
SETP(lt_s16, s16, a < b)
SETP(le_s16, s16, a <= b)
SETP(lt_u16, u16, a < b)
SETP(le_u16, u16, a <= b)
#define TESTP(T, smallest, greatest) \
  SETP(testp_number_##T, T, ((void)b, a == a)) \
  SETP(testp_notanumber_##T, T, ((void)b, a != a)) \
  SETP(testp_finite_##T, T, ((void)b, fabs(a) <= greatest)) \
  SETP(testp_infinite_##T, T, ((void)b, fabs(a) > greatest)) \
  SETP(testp_normal_##T, T, ((void)b, fabs(a) >= smallest && fabs(a) <= greatest)) \
  SETP(testp_subnormal_##T, T, ((void)b, a != 0 && fabs(a) < smallest))
TESTP(f32, (double)FLT_MIN, (double)FLT_MAX)
TESTP(f64, DBL_MIN, DBL_MAX)
#undef TESTP
#undef DIV
#undef REM
/* clang-format on */
