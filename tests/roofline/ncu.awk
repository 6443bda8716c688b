# ncu.awk: times and, launch by launch in the same order, what Nsight Compute read of the same kernels.
#
#     awk -f ncu.awk times.tsv ncu.csv
FNR == 1 { part++ }
part == 1 {
  order[++count] = $0
  next
}

# Splits a line of quoted values into field[1..].
function split_csv(line, field) {
  sub(/^"/, "", line)
  sub(/"[\r]*$/, "", line)
  return split(line, field, /","/)
}

function value(metric,   number) {
  if (!(metric in place)) return "-"
  number = field[place[metric]]
  gsub(/,/, "", number)
  return sprintf("%.0f", number)
}

/^"ID"/ {
  n = split_csv($0, field)
  for (i = 1; i <= n; i++) place[field[i]] = i
  print "name\tns\tfp32_ops\tdram_bytes\tl2_bytes\tl1_bytes\tncu_ns"
}

/^"[0-9]/ {
  split_csv($0, field)
  op = "smsp__sass_thread_inst_executed_op_"
  operations = value(op "fadd_pred_on.sum") + value(op "fmul_pred_on.sum") + 2 * value(op "ffma_pred_on.sum")
  printf "%s\t%.0f\t%s\t%s\t%s\t%s\n", order[++launch], operations, value("dram__bytes.sum"),
    value("lts__t_bytes_srcunit_tex.sum"), value("l1tex__t_bytes.sum"), value("gpu__time_duration.sum")
}

END {
  if (launch != count) {
    printf "ncu.awk: %d launches, %d times\n", launch, count | "cat >&2"
    exit 1
  }
}
