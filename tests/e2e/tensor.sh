#!/bin/sh
# tensor.sh: tensor cores against an H100 (tests/tensor/h100.tsv), matrices moved between shared
# memory and registers, and asynchronous copies; prints ok, skip and FAIL lines.
#
# test-all: all shapes and types of the record; run it after a change of sim/exec/tensor*
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc record=$root/tests/tensor/h100.tsv
cd "$work" || exit 2

# --- products, and where lanes have their elements ---
expect 'mma.cu builds' "$kcc" -O3 "-I$root" -o mma "$root/tests/tensor/mma.cu"
KIT_REPORT=report.json ./mma --layout >answers || fail 'mma.cu runs' "$(head -c 300 answers)"
grep '^layout' answers >layouts
want=$(awk -F '\t' '$1 == "layouts" { print $2, $3 }' "$record") # lines, cksum
equal 'lanes have the elements of wmma that they have on an H100' "$want" \
  "$(awk 'END { print NR }' layouts) $(cksum <layouts | cut -d ' ' -f 1)"
# The first fragments are the same, however many there are.
awk -F '\t' '/^#/ || $1 == "layouts" || /^layout / { next }
  NR == FNR { first[$1] = $3; more[$1] = $5; next }
  { there[$1]
    if (!($1 in first)) print "skip " $1 ": not measured on an H100 (tests/tensor/mma.cu)"
    else if (first[$1] != $3 || (more[$1] != "-" && more[$1] != $5))
      print "FAIL " $1 ": other answers than those of an H100"
    else print "ok " $1
  }
  END { for (name in first) if (!(name in there)) print "FAIL " name ": not in the program" }
  ' "$record" answers >lines
cat lines
if grep -q '^FAIL' lines; then failed=1; fi
expect '  all of the record' test "$(grep -c '^ok' lines)" -ge 51
KIT_SIM_ISA=sse2 ./mma >other # or whichever there is
expect '  on another instruction set, too' \
  sh -c "grep -v '^layout' answers | diff - other >difference"
expect '  without hazards' sh -c "! grep -q '\"kind\"' report.json"

# --- matrices, asynchronous copies, barriers, atomics ---
for program in matrices async; do
  expect "$program.cu builds" "$kcc" -O3 -o $program "$root/tests/programs/$program.cu"
  ./$program >printed 2>said
  expect '  and gives the right results' diff "$root/tests/programs/$program.txt" printed
  expect '  without hazards' test ! -s said
done
exit $failed
