# functions.awk: what nvcc 13 puts in the place of functions that compute; to be read before calls.awk and
# unroll.awk.

# instructions[NAME]: about as many, without a loop, as far as that decides how often a loop around them
# is unrolled (32 times, 8, 4 or 2). What has a loop of its own, or is called, is not here; around those in
# is_whole nvcc unrolls no loop at all, around the others it does where no loop is left.
BEGIN {
  of_size(2, "exp2f exp10f ldexpf")
  of_size(5, "roundf round ldexp")
  of_size(14, "expf tanhf cbrtf hypotf")
  of_size(30, "acosf acoshf asinf asinhf atan2f atanf atanhf coshf sinhf erff expm1f log10f log1pf log2f logf")
  of_size(66, "exp exp2 exp10 expm1 cbrt hypot erf")
  of_size(80, "sin cos log log2 log10 log1p tanh sinh cosh atan atan2 asin acos asinh acosh atanh erfc erfcf")
  n = split("powf pow fmodf fmod remainderf remainder lgammaf lgamma tgammaf tgamma", names, " ")
  while (n > 0) is_whole["@__kit_" names[n--]]
}

function of_size(size, names,    name, n) {
  n = split(names, name, " ")
  while (n > 0) instructions["@__kit_" name[n--]] = size
}
