# report.awk: how far a round's modelled times (rounds/ROUND-GPU.tsv) are off: of launches
# that take 20 us to 5 ms on the GPU. The last line is that of `make model`. SHORT=1: that line only.
BEGIN { FS = "\t" }
/^#/ { next }
$1 == "program" {
  for (i = 1; i <= NF; i++) column[$i] = i
  next
}
{
  measured = $column["measured_ns"]
  if (measured < 20e3 || measured > 5e6) { outside++; next }
  n++
  program[n] = $1; time[n] = measured; model[n] = $column["modelled_ns"]
  class[n] = $column["class"]; bound[n] = $column["bound"]
  kernels[$1, $column["kernel"]]
  if (!SHORT)
    printf "%-64s %10.1f %10.1f %6.2f  %s\n", $1 " " $column["kernel"], measured / 1e3,
      model[n] / 1e3, model[n] / measured, bound[n]
}
function error(i) { return 100 * (model[i] > time[i] ? model[i] - time[i] : time[i] - model[i]) / time[i] }
# Errors of launches whose group[] is so, sorted; group "": all. Sets count, mean, bias.
function errors(group, name, sorted,    i, k, value) {
  count = mean = bias = 0
  for (i = 1; i <= n; i++) {
    if (name != "" && group[i] != name) continue
    value = error(i)
    mean += value; bias += log(model[i] / time[i])
    for (k = count++; k > 0 && sorted[k] > value; k--) sorted[k + 1] = sorted[k]
    sorted[k + 1] = value
  }
  mean /= count; bias = 100 * (exp(bias / count) - 1)
}
function rank(percent) { return int((percent * count + 99) / 100) }
function table(title, group,    i, sorted, seen) {
  printf "\n%-18s %8s %8s %8s %8s %8s  launches\n", title, "MAPE", "median", "p90", "worst", "bias"
  for (i = 1; i <= n; i++) {
    if (seen[group[i]]++) continue
    split("", sorted)
    errors(group, group[i], sorted)
    printf "%-18s %7.1f%% %7.1f%% %7.1f%% %7.1f%% %+7.1f%%  %8d\n", group[i], mean,
      sorted[rank(50)], sorted[rank(90)], sorted[count], bias, count
  }
}
# Pairs whose measured times differ by more than 15%, and how many of them are modelled the same way
# round: of all launches, and of those of one program.
function ranks(    i, k, all, right, own, own_right, ok) {
  for (i = 1; i <= n; i++)
    for (k = 1; k < i; k++) {
      if (time[i] <= 1.15 * time[k] && time[k] <= 1.15 * time[i]) continue
      ok = (time[i] > time[k]) == (model[i] > model[k])
      all++; right += ok
      if (program[i] == program[k]) { own++; own_right += ok }
    }
  return sprintf("ranks right in %.1f%% of %d pairs that differ by over 15%% (in %.1f%% of %d" \
    " within a program)", 100 * right / all, all, 100 * own_right / own, own)
}
END {
  if (!n) exit
  if (!SHORT) { table("class", class); table("bound", bound); print "" }
  for (k in kernels) kernel_count++
  errors(class, "", sorted)
  text = sprintf("MAPE %.1f%%, median %.1f%%, p90 %.1f%%, worst %.1f%%, bias %+.1f%% over %d" \
    " launches of %d kernels", mean, sorted[rank(50)], sorted[rank(90)], sorted[count], bias, n,
    kernel_count)
  print text (SHORT ? "" : "\n" ranks() "\n" outside + 0 " launches are shorter than 20 us or longer than 5 ms")
}
