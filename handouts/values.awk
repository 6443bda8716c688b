# values.awk: the numbers that stand in files of the kit, as lines `name<tab>value` for fill.awk.
#
#   awk -f values.awk harness/sim/gpus/h100.ini tests/counters/counters.tsv \
#       plots/data/h100/*.tsv plots/data/notes/*.tsv plots/data/cpu.tsv plots/data/sim/sizes.tsv \
#       plots/data/sim/sweep-*.tsv plots/data/sim/series-*.tsv plots/data/sim/rungs-*.tsv
#       plots/data/sim/ladder-*.tsv
#
#   gpu.sm_count, gpu.launch_gap_ns, ...                                from the GPU's description
#   ncu.mm_naive.-.32x32.ld_sectors (kernel, argument, block, column)   counters measured on an H100
#   h100.tr_naive.8x32.4096 (kernel, variant, n): ns                    times measured on an H100
#   h100.panel_global.16384 (kernel, n): TFLOP/s                              panels, measured on an H100
#   h100.panel_global.16384.ns, h100.stride.8.1048576 (copy, step, n): ns     of these, and of lab 0's copies
#   h100.launch.reduce_shuffle.16777216.256 (kernel, elements, block): ns   sums of tests/model, one launch, measured on an H100
#   notes.panel_global.16384: ns                                            and on the GPU of the notes
#   notes.overlap.cc6.streams.8 (GPU, what, streams): ns                   lab 6's sums, on GPUs of the notes
#   h100.overlap.add_streams.10000000.8 (function, n, streams): ns           lab 6's solution, measured on an H100
#   cpu.openblas.2000: ns                                               times measured on a CPU (plots/data/cpu.tsv)
#   sizes.tiled.2000, sizes.global.2000: ns                             labs 2 and 1, on the simulator
#   lab3.sweep.8x32.loads, .stores (sectors a request), .time_ns        every shape, on the simulator
#   lab8.rung.0.time_ns, .percent (of fp32), .shared, .loaded (bytes an operation), .bound   rungs, simulated
#   h100.tiles.K.2048, .4096 (row), .registers                          percent of cuBLAS, measured on an H100
#   lab7.ladder.sum_many.time_ns, .gbs (GB/s), .percent (of DRAM's)     functions on a larger size, on the simulator
#   lab0.series.stride.8.loads, .stores, .time_ns, .gbs (GB/s), .metric every value, on the simulator

function value(name, v) { print name "\t" v }

FNR == 1 { columns = 0 }

FILENAME ~ /\.ini$/ && $2 == "=" && $3 ~ /^[0-9.]+$/ { value("gpu." $1, $3) }

# Tables: tabs between columns, comments; the first other line of a measured one names the columns.
FILENAME ~ /\.tsv$/ && /^#/ { next }

FILENAME ~ /sweep-lab[0-9]+\.tsv$/ {
  lab = FILENAME
  gsub(/^.*sweep-|\.tsv$/, "", lab)
  split($0, cell, "\t")
  value(lab ".sweep." cell[1] "x" cell[2] ".loads", cell[3])
  value(lab ".sweep." cell[1] "x" cell[2] ".stores", cell[4])
  value(lab ".sweep." cell[1] "x" cell[2] ".time_ns", cell[5])
  next
}

FILENAME ~ /rungs-lab[0-9]+\.tsv$/ {
  lab = FILENAME
  gsub(/^.*rungs-|\.tsv$/, "", lab)
  split($0, cell, "\t")
  name = lab ".rung." (rung[lab]++)
  value(name ".time_ns", cell[2])
  value(name ".percent", cell[6])
  value(name ".shared", cell[7])
  value(name ".loaded", cell[8])
  value(name ".bound", cell[9])
  next
}

FILENAME ~ /cpu\.tsv$/ {
  split($0, cell, "\t")
  value("cpu." cell[2] "." cell[1], cell[4])
  next
}
FILENAME ~ /sim\/sizes\.tsv$/ {
  split($0, cell, "\t")
  value("sizes.global." cell[1], cell[2])
  value("sizes.tiled." cell[1], cell[4])
  next
}
FILENAME ~ /ladder-lab[0-9]+\.tsv$/ {
  lab = FILENAME
  gsub(/^.*ladder-|\.tsv$/, "", lab)
  split($0, cell, "\t")
  value(lab ".ladder." cell[1] ".time_ns", cell[2])
  value(lab ".ladder." cell[1] ".gbs", cell[3] / cell[2])
  value(lab ".ladder." cell[1] ".percent", cell[5])
  next
}

FILENAME ~ /series-lab[0-9]+-.*\.tsv$/ {
  name = FILENAME
  gsub(/^.*series-|\.tsv$/, "", name)
  sub(/-/, ".series.", name)
  split($0, cell, "\t")
  value(name "." cell[1] ".loads", cell[3] / cell[2])
  value(name "." cell[1] ".stores", cell[5] / cell[4])
  value(name "." cell[1] ".time_ns", cell[6])
  value(name "." cell[1] ".gbs", cell[7] / cell[6])
  value(name "." cell[1] ".metric", cell[8])
  next
}

FILENAME ~ /\.tsv$/ && !columns {
  columns = split($0, column, "\t")
  next
}

FILENAME ~ /counters\.tsv$/ {
  split($0, cell, "\t")
  block = cell[3]
  gsub(/[() ]/, "", block)
  split(block, side, ",")
  for (i = 5; i <= columns; i++) value("ncu." cell[1] "." cell[2] "." side[1] "x" side[2] "." column[i], cell[i])
}

FILENAME ~ /h100\/(product|transpose)\.tsv$/ {
  split($0, cell, "\t")
  value("h100." cell[1] "." cell[2] "." cell[3], cell[4] * 1e6)
}

FILENAME ~ /h100\/panels\.tsv$/ {
  split($0, cell, "\t")
  value("h100." cell[1] "." cell[2], cell[5])
  value("h100." cell[1] "." cell[2] ".ns", cell[3])
}
FILENAME ~ /h100\/tiles\.tsv$/ {
  split($0, cell, "\t")
  value("h100.tiles." cell[1] ".2048", cell[5])
  value("h100.tiles." cell[1] ".4096", cell[6])
  value("h100.tiles." cell[1] ".registers", cell[7])
}
FILENAME ~ /h100\/copies\.tsv$/ {
  split($0, cell, "\t")
  value("h100." cell[1] "." cell[3] "." cell[2], cell[4])
}

FILENAME ~ /h100\/launches\.tsv$/ {
  split($0, cell, "\t")
  if (cell[1] == "reduction" && split(cell[3], word, /[ ,]+/) == 4)
    value("h100.launch." cell[2] "." word[1] "." word[4], cell[10])
  next
}

FILENAME ~ /notes\/panels\.tsv$/ {
  split($0, cell, "\t")
  value("notes." cell[1] "." cell[2], cell[3] * 1e6)
}

FILENAME ~ /h100\/overlap\.tsv$/ {
  split($0, cell, "\t")
  value("h100.overlap." cell[1] "." cell[2] "." cell[3], cell[4])
}

FILENAME ~ /notes\/overlap\.tsv$/ {
  split($0, cell, "\t")
  value("notes.overlap." cell[1] "." cell[3] "." cell[4], cell[5] * 1e6)
}
