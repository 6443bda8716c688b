# totals.awk: the table of tests/collections/run, from results.tsv: a line a program, then one for
# each collection and one for all. Programs that are excluded count nowhere else.
BEGIN {
  split("right ran wrong crashed lacks no_build over", kinds, " ")
  for (k = 1; k in kinds; k++) header = header sprintf("%9s", kinds[k])
}
{
  printf "%-9s %5s  %s/%s  %s%s\n", $3, $3 == "excluded" ? "" : $4 "s", $1, $2, $6,
    $5 == "-" ? "" : "  [" $5 "]"
  what = $3
  sub(" ", "_", what)
  if (!($1 in seen)) { seen[$1] = 1; order[++collections] = $1 }
  count[$1, what]++
  count["all", what]++
  if (what == "excluded") next
  of[$1]++
  of["all"]++
  if ($4 >= 60 && what != "over") { slow[$1]++; slow["all"]++ }
}
function total(name, k) {
  printf "%-22s%9d", name, of[name]
  for (k = 1; k in kinds; k++) printf "%9d", count[name, kinds[k]]
  printf "%9d%9d%8.1f%%\n", slow[name], count[name, "excluded"],
    of[name] ? 100 * count[name, "right"] / of[name] : 0
}
END {
  printf "\n%-22s%9s%s", "collection", "programs", header
  printf "%9s%9s%9s\n", "60-600 s", "excluded", "right"
  order[++collections] = "all"
  for (i = 1; i <= collections; i++) total(order[i])
}
