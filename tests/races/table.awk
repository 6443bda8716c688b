# table.awk: see table. Reads what compute-sanitizer has found, then the pairs, and beside them build/races/pairs/NAME.*.tsv.
BEGIN { FS = "\t" }

FILENAME ~ /\.tsv$/ && FNR == 1 { sub(/^.*; /, ""); device = $0; next }
FILENAME ~ /\.tsv$/ { racecheck[$1, $2] = $3; initcheck[$1, $2] = $4; next }

FNR == 1 {
  name = FILENAME
  sub(/^.*\//, "", name)
  sub(/\.cu$/, "", name)
}
/^\/\/ rule: / {
  rule = substr($0, 10)
  if (!(rule in pairs)) order[++rules] = rule
  for (r = 0; r < 2; r++) {
    to = r ? "all" : rule
    pairs[to]++
    ours[to] += found(name, "racy")
    ours_wrong[to] += found(name, "right")
    theirs[to] += racecheck[name, "racy"] > 0
    theirs_wrong[to] += racecheck[name, "right"] > 0
    init[to] += initcheck[name, "racy"] > 0
    init_wrong[to] += initcheck[name, "right"] > 0
  }
}

# Has the simulator reported anything in a program?
function found(pair, program, file, line, field, any) {
  file = "build/races/pairs/" pair "." program ".tsv"
  while ((getline line <file) > 0) {
    split(line, field, "\t")
    any = any || (field[1] != "status" && field[1] != "end")
  }
  close(file)
  return any ? 1 : 0
}

function row(rule) {
  printf "%-16s %5d   %9d %9d %9d   %9d %9d %9d\n", rule, pairs[rule], ours[rule], theirs[rule], init[rule],
    ours_wrong[rule], theirs_wrong[rule], init_wrong[rule]
}

END {
  printf "%-16s %5s   %-29s   %s\n", "", "", "found in racy programs", "right programs accused"
  printf "%-16s %5s   %9s %9s %9s   %9s %9s %9s\n", "rule", "pairs", "simulator", "racecheck", "initcheck", "simulator",
    "racecheck", "initcheck"
  for (i = 1; i <= rules; i++) row(order[i])
  row("all")
  print "compute-sanitizer on: " device
}
