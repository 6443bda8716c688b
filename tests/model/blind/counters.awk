# counters.awk: the lines of a program's launches (program, kernel, grid, block, occurrence) and what
# ncu --csv --page raw counted of them, in the same order: a line each, with the metrics behind.
# metrics: the file that lists them, - for those that ncu does not know there.
function split_csv(line, to, count) {
  count = 0
  while (line != "") {
    if (match(line, /^"[^"]*"/)) {
      to[++count] = substr(line, 2, RLENGTH - 2)
      line = substr(line, RLENGTH + 2)
    } else {
      match(line, /^[^,]*/)
      to[++count] = substr(line, 1, RLENGTH)
      line = substr(line, RLENGTH + 2)
    }
  }
  return count
}
BEGIN {
  while ((getline metric <metrics) > 0)
    if (metric !~ /^#/) wanted[++asked] = metric
}
FNR == NR { key[FNR] = $0; next }
/^"ID",/ {
  columns = split_csv($0, names)
  for (i = 1; i <= columns; i++) column[names[i]] = i
  next
}
/^"[0-9]/ && columns {
  split_csv($0, values)
  line = key[++launch]
  for (i = 1; i <= asked; i++) {
    value = wanted[i] in column ? values[column[wanted[i]]] : "-"
    gsub(/,/, "", value)
    line = line OFS value
  }
  print line
}
