# pairs_rules.awk: lists the pairs by the rule that each names: awk -f pairs_rules.awk pairs/*.cu
FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.cu$/, "", name) }
sub(/^\/\/ rule: */, "") { if (!($0 in names)) order[++rules] = $0; names[$0] = names[$0] " " name; total++ }
END {
  for (i = 1; i <= rules; i++) printf "%s:%s\n", order[i], names[order[i]]
  printf "%d pairs\n", total
}
