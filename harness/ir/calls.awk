# calls.awk: says of calls and asm that compute only that they are not convergent, in the LLVM IR of
# device code before clang optimises it.
#
#   awk -f calls.awk source.ll >device.ll
#
# clang takes whatever it does not see into for an instruction that a warp's threads execute together
# (a barrier, a shuffle). It then does not unroll a loop around it by a number of turns that is not a
# divisor of all. nvcc sees into its mathematical functions, and unrolls loops around all that have no
# loops of their own.
#
# An attribute stands in a group, #n, that calls share: calls like these get groups of their own, #n0.

BEGIN {
  # of ours, those in whose place nvcc has instructions without a loop, of a size that it unrolls
  split("acosf acoshf asinf asinhf atan2f atanf atanhf cbrtf coshf erff exp exp10f exp2f expf expm1f" \
    " hypotf log10f log1pf log2f logf powf roundf sinhf tanhf erf ldexpf round", names, " ")
  for (i in names) computes["@__kit_" names[i]]
}

/^(declare|  .*call) / && / #[0-9]+/ {
  if (only_computes($0)) {
    match($0, / #[0-9]+/)
    group = substr($0, RSTART + 1, RLENGTH - 1)
    wanted[group]
    $0 = substr($0, 1, RSTART + RLENGTH - 1) "0" substr($0, RSTART + RLENGTH)
  }
}

/^attributes #[0-9]+ = / && $2 in wanted {
  line = $0
  sub(/#[0-9]+/, $2 "0", line)
  sub(/ convergent/, "", line)
  print line
}

{ print }

# Is this a call of one of these functions, its declaration, or asm without an instruction of a warp?
function only_computes(line) {
  if (line ~ / asm /) return line !~ /\.sync|\.aligned|activemask|shfl|vote|bar\.|barrier/
  return match(line, /@__kit_[a-z0-9]+/) && substr(line, RSTART, RLENGTH) in computes
}
