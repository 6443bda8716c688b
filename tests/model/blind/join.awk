# join.awk: the list of programs, modelled and measured launches: a line for each launch that has both times.
BEGIN { FS = OFS = "\t" }
FNR == 1 { part++ }
/^#/ { next }
part == 1 { class[$1] = $6 }
part == 2 { modelled[$1, $3, $4, $5, $6] = $7; bound[$1, $3, $4, $5, $6] = $8 }
part == 3 && !head++ {
  print "program", "kernel", "class", "grid", "block", "occurrence", "measured_ns", "min_ns",
    "max_ns", "single_ns", "modelled_ns", "bound", "registers", "local_bytes", "allocated_bytes"
}
part == 3 && ($1, $2, $3, $4, $5) in modelled {
  key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4 SUBSEP $5
  print $1, $2, class[$1], $3, $4, $5, $6, $7, $8, $9, modelled[key], bound[key], $10, $11, $12
}
