# opcodes.awk: how often each instruction stands in a listing of PTX, as lines `ptx.lab2.fma.rn.f32<tab>32` for fill.awk.
#
#   awk -v name=lab2 -f opcodes.awk build/handouts/runs/lab2.ptx
/^\t(@!?%p[0-9]+ +)?[a-z]/ {
  opcode = $1 ~ /^@/ ? $2 : $1
  sub(/;$/, "", opcode)
  count[opcode]++
}
END { for (opcode in count) print "ptx." name "." opcode "\t" count[opcode] }
