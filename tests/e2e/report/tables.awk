# tables.awk: holds the table of a chart against what the gradebook says.
#     awk -v chart=ID -f tables.awk EXPECTED LAB-ID.tsv
# EXPECTED as expected.awk writes it. Rows of a kind must come in the same order. Numbers may differ in the last of five digits; words may be
# broken into lines, and, where they are longer than any place for them, end with an ellipsis. Prints a line for each difference.
BEGIN { FS = "\t" }

function is_number(cell) { return cell ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ }
# Without blanks and line ends, which are where lines are broken.
function squash(cell,    at, plain) {
  gsub(/ /, "", cell)
  while ((at = index(cell, "\\")) > 0) {
    plain = plain substr(cell, 1, at - 1) (substr(cell, at + 1, 1) == "\\" ? "\\" : "")
    cell = substr(cell, at + 2)
  }
  return plain cell
}
function same(wanted, got,    difference, length_of_start) {
  if (is_number(wanted) && is_number(got)) {
    difference = wanted - got
    return difference * difference <= 4e-10 * wanted * wanted
  }
  gsub(/"/, "'", wanted)
  gsub(/ /, "", wanted)
  got = squash(got)
  if (wanted == got) return 1
  length_of_start = length(got) - length("…")
  return substr(got, length_of_start + 1) == "…" && length_of_start >= 12 && substr(got, 1, length_of_start) == substr(wanted, 1, length_of_start)
}

FNR == 1 { file++ }
file == 1 && $1 == chart && $2 != "says" {
  sub(/^[^\t]*\t/, "")
  want[$1, ++wanted[$1]] = $0
  kinds[$1]
}
file == 2 && !/^#/ && NF > 0 {
  row = ++got[$1]
  kinds[$1]
  if (!(($1, row) in want)) { printf "a row too many: %s\n", $0; next }
  cells = split(want[$1, row], cell, "\t")
  different = cells != NF
  for (i = 1; i <= NF && i <= cells; i++) if (!same(cell[i], $i)) different = 1
  if (different) printf "wanted: %s; got: %s\n", want[$1, row], $0
}
END {
  for (kind in kinds) if (got[kind] + 0 < wanted[kind]) printf "%d of %d rows `%s` are missing\n", wanted[kind] - got[kind], wanted[kind], kind
  if (file < 2) print "there is no table"
}
