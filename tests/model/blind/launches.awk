# launches.awk: of launches in order (kernel, grid, block, ns, bound), the first of each kernel in
# each shape: program, kernel, plain name, grid, block, occurrence, ns, bound. Occurrence counts
# launches of the plain name in that shape: that is all that stopwatch.cpp knows, for compilers
# write templates' arguments each in its own way.
function plain(name) {
  sub(/\(anonymous namespace\)::/, "", name)
  sub(/[<(].*/, "", name)
  sub(/.*::/, "", name)
  return name
}
$1 ~ /(cub|thrust)::/ { next }
{
  shape = plain($1) OFS $2 OFS $3
  occurrence = count[shape]++ + 0
  if (!seen[$1, $2, $3]++) print program, $1, shape, occurrence, $4, $5
}
