/* ops_half.h: the table of operations on half and bfloat16, compiled once (half.c). Rows as in
 * ops_cold.h; a value is 16 bits, or two of them in a word of 32 (x2).
 *
 * Sums and products of two are made in single precision, which is wide enough for its own rounding
 * not to matter to the second one (Figueroa, "When is double rounding innocuous?", 1995), and
 * multiply-adds are rounded to odd before. No operation counts as one of single precision.
 */
/* clang-format off */
#define PAIR1(f, a)       (f(LOW(a)) | f(HIGH(a)) << 16)
#define PAIR2(f, a, b)    (f(LOW(a), LOW(b)) | f(HIGH(a), HIGH(b)) << 16)
#define PAIR3(f, a, b, c) (f(LOW(a), LOW(b), LOW(c)) | f(HIGH(a), HIGH(b), HIGH(c)) << 16)
/* name, its spellings without the type, the type, the function of one value */
#define HALF1(name, key, T, f) \
  OP1(name##_##T, key "." #T, 0, u16, u16, f(a)) \
  OP1(name##_##T##x2, key "." #T "x2", 0, u32, u32, PAIR1(f, a))
#define HALF2(name, key, T, f) \
  OP2(name##_##T, key "." #T, 0, u16, u16, u16, f(a, b)) \
  OP2(name##_##T##x2, key "." #T "x2", 0, u32, u32, u32, PAIR2(f, a, b))
#define HALF2_RN(name, key, rn_key, T, f) \
  HALF2(name, key, T, f) \
  HALF2(name##_rn, rn_key, T, f)
#define HALF3(name, key, T, f) \
  OP3(name##_##T, key "." #T, 0, u16, u16, u16, u16, f(a, b, c)) \
  OP3(name##_##T##x2, key "." #T "x2", 0, u32, u32, u32, u32, PAIR3(f, a, b, c))

/* arithmetic */
HALF2_RN(add, "add", "add.rn", f16, f16_add)
HALF2_RN(sub, "sub", "sub.rn", f16, f16_sub)
HALF2_RN(mul, "mul", "mul.rn", f16, f16_mul)
HALF2_RN(add_sat, "add.sat", "add.rn.sat", f16, f16_add_sat)
HALF2_RN(sub_sat, "sub.sat", "sub.rn.sat", f16, f16_sub_sat)
HALF2_RN(mul_sat, "mul.sat", "mul.rn.sat", f16, f16_mul_sat)
HALF2_RN(add_ftz, "add.ftz", "add.rn.ftz", f16, f16_add_ftz)
HALF2_RN(sub_ftz, "sub.ftz", "sub.rn.ftz", f16, f16_sub_ftz)
HALF2_RN(mul_ftz, "mul.ftz", "mul.rn.ftz", f16, f16_mul_ftz)
HALF2_RN(add, "add", "add.rn", bf16, bf16_add)
HALF2_RN(sub, "sub", "sub.rn", bf16, bf16_sub)
HALF2_RN(mul, "mul", "mul.rn", bf16, bf16_mul)
HALF3(fma, "fma.rn", f16, f16_fma)
HALF3(fma_sat, "fma.rn.sat", f16, f16_fma_sat)
HALF3(fma_ftz, "fma.rn.ftz", f16, f16_fma_ftz)
HALF3(fma_relu, "fma.rn.relu", f16, f16_fma_relu)
HALF3(fma, "fma.rn", bf16, bf16_fma)
HALF3(fma_relu, "fma.rn.relu", bf16, bf16_fma_relu)
HALF3(fms, "fms", f16, f16_fms) /* a * b - c and c - a * b, see contract.c */
HALF3(fnma, "fnma", f16, f16_fnma)
HALF3(fms, "fms", bf16, bf16_fms)
HALF3(fnma, "fnma", bf16, bf16_fnma)
#define EITHER(T) \
  HALF1(neg, "neg", T, T##_neg) \
  HALF1(abs, "abs", T, T##_abs) \
  HALF2(min, "min", T, T##_min) \
  HALF2(max, "max", T, T##_max) \
  HALF2(min_nan, "min.NaN", T, T##_min_nan) \
  HALF2(max_nan, "max.NaN", T, T##_max_nan) \
  HALF1(tanh, "tanh.approx", T, T##_tanh)
EITHER(f16)
EITHER(bf16)
#undef EITHER
HALF1(ex2, "ex2.approx", f16, f16_ex2)
HALF1(ex2, "ex2.approx.ftz", bf16, bf16_ex2)

/* comparisons; of two at once, ones in the half of a word where it holds (decode_set) */
#define COMPARE(name) \
  SETP(name##_f16, u16, name(kit_half_value(a), kit_half_value(b))) \
  SETP(name##_bf16, u16, name(kit_bfloat_value(a), kit_bfloat_value(b))) \
  OP2(set_##name##_f16x2, "set_" #name "_f16x2", 0, u32, u32, u32, PAIR2(f16_##name, a, b)) \
  OP2(set_##name##_bf16x2, "set_" #name "_bf16x2", 0, u32, u32, u32, PAIR2(bf16_##name, a, b))
COMPARE(eq)
COMPARE(ne)
COMPARE(lt)
COMPARE(le)
COMPARE(num)
#undef COMPARE

/* to and from single and double precision */
OP1(cvt_f32_f16, "cvt.f32.f16",                    0, n32, u16, kit_half_value(a))
OP1(cvt_f32_bf16, "cvt.f32.bf16",                  0, f32, u16, kit_bfloat_value(a))
OP1(cvt_f64_f16, "cvt.f64.f16",                    0, f64, u16, (double)kit_half_value(a))
OP1(cvt_f64_bf16, "cvt.f64.bf16",                  0, f64, u16, (double)kit_bfloat_value(a))
#define FROM_FLOAT(r, T, bits, mode) \
  OP1(cvt_##r##_##T##_f32, "cvt." #r "." #T ".f32", 0, u16, f32, bits(a, mode)) \
  OP1(cvt_##r##_##T##_f64, "cvt." #r "." #T ".f64", 0, u16, f64, T##_of_f64(a, mode)) \
  OP1(cvt_##r##_##T##_s8,  "cvt." #r "." #T ".s8",  0, u16, s8,  bits((float)a, mode)) \
  OP1(cvt_##r##_##T##_u8,  "cvt." #r "." #T ".u8",  0, u16, u8,  bits((float)a, mode)) \
  OP1(cvt_##r##_##T##_s16, "cvt." #r "." #T ".s16", 0, u16, s16, bits((float)a, mode)) \
  OP1(cvt_##r##_##T##_u16, "cvt." #r "." #T ".u16", 0, u16, u16, bits((float)a, mode)) \
  OP1(cvt_##r##_##T##_s32, "cvt." #r "." #T ".s32", 0, u16, s32, bits(kit_odd(a, 0), mode)) \
  OP1(cvt_##r##_##T##_u32, "cvt." #r "." #T ".u32", 0, u16, u32, bits(kit_odd(a, 0), mode)) \
  OP1(cvt_##r##_##T##_s64, "cvt." #r "." #T ".s64", 0, u16, s64, \
      bits(kit_odd_of_long(a), mode)) \
  OP1(cvt_##r##_##T##_u64, "cvt." #r "." #T ".u64", 0, u16, u64, \
      bits(kit_odd_of_ulong(a), mode))
FROM_FLOAT(rn, f16, kit_half_bits, KIT_RN)
FROM_FLOAT(rz, f16, kit_half_bits, KIT_RZ)
FROM_FLOAT(rm, f16, kit_half_bits, KIT_RD)
FROM_FLOAT(rp, f16, kit_half_bits, KIT_RU)
FROM_FLOAT(rn, bf16, kit_bfloat_bits, KIT_RN)
FROM_FLOAT(rz, bf16, kit_bfloat_bits, KIT_RZ)
FROM_FLOAT(rm, bf16, kit_bfloat_bits, KIT_RD)
FROM_FLOAT(rp, bf16, kit_bfloat_bits, KIT_RU)
#undef FROM_FLOAT
/* two at once: the first source goes into the upper half */
#define FROM_FLOATS(r, T, bits, mode) \
  OP2(cvt_##r##_##T##x2_f32, "cvt." #r "." #T "x2.f32", 0, u32, f32, f32, \
      bits(b, mode) | bits(a, mode) << 16) \
  OP1(cvt_##r##_relu_##T##_f32, "cvt." #r ".relu." #T ".f32", 0, u16, f32, \
      T##_relu(bits(a, mode))) \
  OP2(cvt_##r##_relu_##T##x2_f32, "cvt." #r ".relu." #T "x2.f32", 0, u32, f32, f32, \
      T##_relu(bits(b, mode)) | T##_relu(bits(a, mode)) << 16)
FROM_FLOATS(rn, f16, kit_half_bits, KIT_RN)
FROM_FLOATS(rz, f16, kit_half_bits, KIT_RZ)
FROM_FLOATS(rn, bf16, kit_bfloat_bits, KIT_RN)
FROM_FLOATS(rz, bf16, kit_bfloat_bits, KIT_RZ)
#undef FROM_FLOATS
OP1(cvt_sat_f16_f32, "cvt.rn.sat.f16.f32",         0, u16, f32, f16_saturate(kit_half_nearest(a)))
OP1(cvt_sat_f16_f16, "cvt.sat.f16.f16",            0, u16, u16, f16_saturate(a))
/* to integers, and to integral values; NaN as in ops_cold.h */
#define TO_INT(R, suffix, round, T, value, nearest) \
  OP1(cvt_s8_##T##_##suffix,  "cvt." R ".s8." #T,  0, s32, u16, to_s8(round(value(a)))) \
  OP1(cvt_u8_##T##_##suffix,  "cvt." R ".u8." #T,  0, u16, u16, to_u8(round(value(a)))) \
  OP1(cvt_s16_##T##_##suffix, "cvt." R ".s16." #T, 0, s32, u16, to_s16(round(value(a)))) \
  OP1(cvt_u16_##T##_##suffix, "cvt." R ".u16." #T, 0, u16, u16, to_u16(round(value(a)))) \
  OP1(cvt_s32_##T##_##suffix, "cvt." R ".s32." #T, 0, s32, u16, to_s32(round(value(a)))) \
  OP1(cvt_u32_##T##_##suffix, "cvt." R ".u32." #T, 0, u32, u16, to_u32(round(value(a)))) \
  OP1(cvt_s64_##T##_##suffix, "cvt." R ".s64." #T, 0, s64, u16, to_s64(round(value(a)))) \
  OP1(cvt_u64_##T##_##suffix, "cvt." R ".u64." #T, 0, u64, u16, to_u64(round(value(a)))) \
  OP1(round_##T##_##suffix, "cvt." R "." #T "." #T, 0, u16, u16, nearest(round(value(a))))
TO_INT("rni", rni, rintf, f16, kit_half_value, kit_half_nearest)
TO_INT("rzi", rzi, truncf, f16, kit_half_value, kit_half_nearest)
TO_INT("rmi", rmi, floorf, f16, kit_half_value, kit_half_nearest)
TO_INT("rpi", rpi, ceilf, f16, kit_half_value, kit_half_nearest)
TO_INT("rni", rni, rintf, bf16, kit_bfloat_value, kit_bfloat_nearest)
TO_INT("rzi", rzi, truncf, bf16, kit_bfloat_value, kit_bfloat_nearest)
TO_INT("rmi", rmi, floorf, bf16, kit_bfloat_value, kit_bfloat_nearest)
TO_INT("rpi", rpi, ceilf, bf16, kit_bfloat_value, kit_bfloat_nearest)
#undef TO_INT
#undef HALF1
#undef HALF2
#undef HALF2_RN
#undef HALF3
#undef PAIR1
#undef PAIR2
#undef PAIR3
/* clang-format on */
