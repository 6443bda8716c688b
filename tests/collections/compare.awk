# compare.awk: is a program's output what a GPU's was?  awk -f compare.awk RECORDED OUTPUT
#
# Words must be the same and numbers within 1e-4 of each other, but for those on lines about times,
# rates and the device. Prints the first line that differs and ends with 1.
function timed(line) {
  line = tolower(line)
  return line ~ /time|elapsed|second|bandwidth|throughput|clock|cycle|speed|device|gpu/ ||
    line ~ /[0-9.] ?(ns|us|ms|s|sec|hz|[kmg]i?b\/s|[mg]flops?\/?s?)([^a-z]|$)/
}
function number(word) { return word ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
function same(a, b, difference, size) {
  if (a == b) return 1
  if (!number(a) || !number(b)) return 0
  difference = a - b
  size = a < 0 ? -a : a + 0
  return (difference < 0 ? -difference : difference) <= 1e-4 * (size > 1 ? size : 1)
}
function clean(line) {
  gsub(/[^A-Za-z0-9.+_-]+/, " ", line)
  gsub(/\. | \.|\.$/, " ", line)
  return line
}
FNR == 1 { file++ }
file == 1 { want[FNR] = $0; wanted = FNR; next }
{
  seen = FNR
  if (timed(want[FNR]) && timed($0)) next
  count = split(clean(want[FNR]), a, " ")
  if (split(clean($0), b, " ") != count) differs($0)
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
