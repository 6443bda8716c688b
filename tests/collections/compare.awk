# compare.awk: is a program's output what a GPU's was, both reduced by reduce.awk?
#
#   awk -f compare.awk RECORDED REDUCED
#
# Words must be the same and numbers within 1e-4 of each other. Prints the first line that differs
# and ends with 1.
function same(a, b, difference, size) {
  if (a == b) return 1
  if (a ~ /^[#~]/ || b ~ /^[#~]/) return 0
  difference = a - b
  size = a < 0 ? -a : a + 0
  return (difference < 0 ? -difference : difference) <= 1e-4 * (size > 1 ? size : 1)
}
FNR == 1 { file++ }
file == 1 { want[FNR] = $0; wanted = FNR; next }
{
  seen = FNR
  count = split(want[FNR], a, " ")
  if (split($0, b, " ") != count) differs($0)
  for (i = 1; i <= count; i++) if (!same(a[i], b[i])) differs($0)
}
function differs(line) {
  print "line " FNR ": '" line "', on a GPU '" want[FNR] "'"
  failed = 1
  exit
}
END {
  if (!failed && seen != wanted) { print seen + 0 " lines, on a GPU " wanted; failed = 1 }
  exit failed
}
