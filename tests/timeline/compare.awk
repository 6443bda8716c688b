# compare.awk: holds timelines of the simulator (last file) against those recorded on a GPU (first
# file), with those of other GPUs between them: rows as measure prints them. most: programs that may
# disagree.
#
# A GPU serves many streams in an order that differs from run to run, and with the pace of the host
# it is in. Two pieces of work have an order if they end so far apart, and the same one first, in
# every run that was recorded, on whatever GPU. A total may lie as far from the GPU's median as one
# of its own runs, and 25% of that beyond.
BEGIN { FS = "\t" }
FNR == 1 { file++ }
/^#/ { next }
file < ARGC - 1 && $1 == "total" {
  if (file == 1) { measured[$2] = $3; least[$2] = $4; most_of[$2] = $5 }
  longest[file, $2] = $3
  next
}
file < ARGC - 1 {
  piece = ++gpu_count[file, $2]
  runs[file, $2] = NF - 2
  for (r = 1; r <= NF - 2; r++) gpu_end[file, $2, piece, r] = $(r + 2)
  next
}
$1 == "total" { order[++programs] = $2; total[$2] = $3; next }
{ end[$2, ++count[$2]] = $3 }

function abs(x) { return x < 0 ? -x : x }
# Which of two pieces of work ends first on the GPUs, far before the other: -1, 1; 0: neither, or
# not in all runs.
function gpu_order(p, i, k,   f, r, apart, first, order, known) {
  for (f = 1; f < ARGC - 1; f++)
    for (r = 1; r <= runs[f, p]; r++) {
      apart = gpu_end[f, p, i, r] - gpu_end[f, p, k, r]
      order = apart > longest[f, p] / 10 ? 1 : apart < -longest[f, p] / 10 ? -1 : 0
      if (!known++) first = order
      if (order != first) {
        if (order * first < 0) unsettled++
        return 0
      }
      if (!order) return 0
    }
  return first
}
# Pairs of work that have an order on the GPU, and those of them in another order here.
function compare_order(p,   i, k, order) {
  pairs = swapped = 0
  for (i = 1; i <= count[p]; i++)
    for (k = 1; k < i; k++) {
      order = gpu_order(p, i, k)
      if (!order) continue
      pairs++
      if ((end[p, i] - end[p, k]) * order < 0) swapped++
    }
}
END {
  printf "%-22s %12s %12s %7s %8s %8s\n", "program", "GPU, us", "here, us", "ratio", "pairs", "swapped"
  for (n = 1; n <= programs; n++) {
    p = order[n]
    if (!(p in measured)) { printf "%-22s not recorded\n", p; continue }
    ratio = total[p] / measured[p]
    errors[++known] = abs(ratio - 1)
    same = count[p] == gpu_count[1, p]
    pairs = swapped = 0
    if (same) compare_order(p)
    all_pairs += pairs
    all_swapped += swapped
    bad = total[p] < least[p] * .75 || total[p] > most_of[p] * 1.25 || swapped || !same
    far += bad
    printf "%-22s %12.1f %12.1f %7.3f %8d %8d%s\n", p, measured[p] / 1e3, total[p] / 1e3, ratio,
      pairs, swapped, !same ? "  other work" : bad ? "  does not agree" : ""
  }
  for (i = 2; i <= known; i++)
    for (k = i; k > 1 && errors[k] < errors[k - 1]; k--) {
      swap = errors[k]
      errors[k] = errors[k - 1]
      errors[k - 1] = swap
    }
  printf "%d programs: totals differ by %.1f%% (median), %.1f%% (p90), %.1f%% (worst); ", known,
    100 * errors[int((known + 1) / 2)], 100 * errors[int(known * .9 + .5)], 100 * errors[known]
  printf "%d of %d pairs in another order; %d do not agree\n", all_swapped, all_pairs, far
  if (unsettled) printf "%d pairs end first the one, first the other on the GPUs\n", unsettled
  exit far > most
}
