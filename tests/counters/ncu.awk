# ncu.awk: turns what Nsight Compute prints into a table of tests/counters.
#
#     awk -f ncu.awk columns SET.names SET.csv >SET.tsv
#
# columns says what is in the table; SET.names is what build/names printed (the column arg, launch by launch; where a kernel
# stands in a namespace that is one of these, that is its arg); SET.csv is the output of `ncu --csv --page raw`.

# Splits a line of quoted values into field[1..]; returns how many.
function split_csv(line, field) {
  sub(/^"/, "", line)
  sub(/"[\r]*$/, "", line)
  return split(line, field, /","/)
}

FILENAME != file {
  file = FILENAME
  part++
}
/^#/ || /^==/ { next }

part == 1 {
  order[++columns] = $1
  for (i = 2; i <= NF; i++) metrics[$1, i - 1] = $i ".sum"
  parts[$1] = NF - 1
}

part == 2 && /^launch\t/ {
  arg[++named] = substr($0, 8)
  is_arg[arg[named]] = 1
}

part == 3 && /^"ID"/ {
  count = split_csv($0, field)
  for (i = 1; i <= count; i++) place[field[i]] = i
  printf "kernel\targ\tblock\tgrid"
  for (c = 1; c <= columns; c++) printf "\t%s", order[c]
  print ""
  next
}

part == 3 && /^"[0-9]/ {
  split_csv($0, field)
  launches++
  kernel = field[place["Kernel Name"]]
  sub(/^void /, "", kernel)
  sub(/[<(].*/, "", kernel)
  text = arg[launches]
  if (kernel ~ /::/) {
    space = kernel
    sub(/::.*/, "", space)
    if (space in is_arg) text = space
    sub(/.*::/, "", kernel)
  }
  printf "%s\t%s\t%s\t%s", kernel, text, field[place["Block Size"]], field[place["Grid Size"]]
  for (c = 1; c <= columns; c++) {
    sum = 0
    known = 0
    for (i = 1; i <= parts[order[c]]; i++) {
      metric = metrics[order[c], i]
      if (metric in place) {
        known = 1
        value = field[place[metric]]
        gsub(/,/, "", value)
        sum += value
      }
    }
    if (known)
      printf "\t%.0f", sum
    else
      printf "\t-"
  }
  print ""
}
