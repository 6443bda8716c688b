# calls.awk: says of calls and asm that compute only that they are not convergent, and that they return,
# in the LLVM IR of device code before clang optimises it.
#
#   awk -f functions.awk -f calls.awk source.ll >device.ll
#
# clang takes whatever it does not see into for an instruction that a warp's threads execute together
# (a barrier, a shuffle). It then does not unroll a loop around it by a number of turns that is not a
# divisor of all; nor does it count the turns of a loop in which something might not return. nvcc sees
# into its mathematical functions, and unrolls loops around all that have no loops of their own.
#
# An attribute stands in a group, #n, that calls share: calls like these get groups of their own, #n0.

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
  sub(/ convergent/, / willreturn/ ? "" : " willreturn", line)
  print line
}

{ print }

# Is this a call of one of these functions, its declaration, or asm without an instruction of a warp?
function only_computes(line) {
  if (line ~ / asm /) return line !~ /\.sync|\.aligned|activemask|shfl|vote|bar\.|barrier/
  return match(line, /@__kit_[a-z0-9]+/) && substr(line, RSTART, RLENGTH) in instructions
}
