# ncu.awk: what Nsight Compute says of launches and of their occupancy, as a table.
#
#     awk -f ncu.awk ncu.csv
#
# ncu.csv is the output of `ncu --csv --page raw`. A column that this ncu does not know is "-".
BEGIN {
  columns = split("threads launch__block_size|grid launch__grid_size|registers launch__registers_per_thread|" \
    "static launch__shared_mem_per_block_static|dynamic launch__shared_mem_per_block_dynamic|" \
    "driver launch__shared_mem_per_block_driver|config launch__shared_mem_config_size|" \
    "limit_registers launch__occupancy_limit_registers|limit_shared launch__occupancy_limit_shared_mem|" \
    "limit_warps launch__occupancy_limit_warps|limit_blocks launch__occupancy_limit_blocks|" \
    "limit_barriers launch__occupancy_limit_barriers|" \
    "percent sm__maximum_warps_per_active_cycle_pct|waves launch__waves_per_multiprocessor|" \
    "achieved sm__warps_active.avg.pct_of_peak_sustained_active", column, "|")
  printf "kernel"
  for (i = 1; i <= columns; i++) {
    split(column[i], part, " ")
    metric[i] = part[2]
    printf "\t%s", part[1]
  }
  print ""
}

# Splits a line of quoted values into field[1..].
function split_csv(line, field) {
  sub(/^"/, "", line)
  sub(/"[\r]*$/, "", line)
  return split(line, field, /","/)
}

/^"ID"/ {
  n = split_csv($0, field)
  for (i = 1; i <= n; i++) place[field[i]] = i
}

/^"[0-9]/ {
  split_csv($0, field)
  kernel = field[place["Kernel Name"]]
  sub(/[<(].*/, "", kernel)
  printf "%s", kernel
  for (i = 1; i <= columns; i++) {
    value = metric[i] in place ? field[place[metric[i]]] : "-"
    gsub(/,/, "", value)
    printf "\t%s", value
  }
  print ""
}
