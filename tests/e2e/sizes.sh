#!/bin/sh
# sizes.sh: ./grade LAB --sizes: a file's times beside solutions and the CPU, as a table, JSON, CSV
# and charts, and what it says of wrong results, wrong arguments and what is not there.
#
#   tests/e2e/sizes.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# time_of CSV LINE N: a point's time in ns.
time_of() {
  awk -F, -v line="$2" -v n="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == line && $at["n"] == n { print $at["time_ns"] }' "$1"
}

# --- the solution of a lab that has a baseline ---
expect 'lab2: the solution over sizes' ./grade lab2 --solution --backend sim --sizes 33,17,33 \
  --csv "$work/lab2.csv" --json "$work/lab2.json"
cp "$work/out" "$work/lab2"
expect '  sizes are in order, each once' has "$work/lab2" 'n = 17        33'
expect '  modelled times have no deviation, and it says so' has "$work/lab2" 'the same each time'
expect '  the CPU is named, with its compiler' \
  grep -q '"cpu": ".* core.*gcc .*-O3 -march=native' "$work/lab2.json"
equal '  the JSON has every line' 'own lab1 plain rows' "$(sed -n 's/^   "id": "\(.*\)",/\1/p' \
  "$work/lab2.json" | grep -v openblas | paste -sd ' ' -)"
for picture in time speedup; do
  expect "  the chart of $picture is there" has "build/pictures/lab2-sizes-$picture.svg" \
    "lab2's solution (modelled)"
done
./grade lab1 --solution --backend sim --sizes 17,33 --csv - >"$work/lab1.csv" 2>"$work/err"
equal "  lab1's line is what lab1's solution takes" "$(time_of "$work/lab1.csv" own 33)" \
  "$(time_of "$work/lab2.csv" lab1 33)"
equal '  CSV alone on stdout' line "$(head -n 1 "$work/lab1.csv" | cut -d, -f 1)"

labs=lab5
! all || labs='lab0 lab4 lab5'
for lab in $labs; do
  exits "$lab: the solution is right at any size" 0 '' \
    ./grade "$lab" --solution --backend sim --sizes 33
done

# --- the CPU ---
equal 'the CPU is timed once: the second run has its times from the first' \
  "$(grep '^plain,' "$work/lab2.csv")" "$(grep '^plain,' "$work/lab1.csv")"
for family in matmul transpose; do
  expect "$family: all ways to do it on the CPU come to the same" make -s build/cpu-$family
  expect '  at every shape tried' build/cpu-$family --check
done

# --- what is wrong ---
wrong=solutions/lab1_global/wrong/accumulates.cu
exits 'a wrong result is shown as wrong' 1 'wrong' ./grade lab1 --backend sim --file $wrong \
  --sizes 8 --csv "$work/wrong.csv"
cp "$work/out" "$work/wrong"
expect '  with its reason' has "$work/wrong" 'n = 8: C['
expect '  and without a time' grep -q '^own,.*,wrong,,,' "$work/wrong.csv"
echo 'void matmul(' >"$work/broken.cu"
exits 'a file that does not compile is refused, with its line' 1 'it does not compile: line 1' \
  ./grade lab1 --backend sim --file "$work/broken.cu" --sizes 8
exits 'a size that is none' 2 "--sizes 8,x: 'x' is not a size from 1 to" ./grade lab1 --sizes 8,x
exits 'sizes without memory for them' 2 'which is enough up to n = ' ./grade lab1 --backend sim \
  --sizes 8,60000
exits 'sizes with a sweep' 2 '--sizes goes with' ./grade lab3 --sizes 8 --sweep
exits '--times on the simulator' 0 '--times is for a GPU' ./grade lab3 --solution --backend sim \
  --sizes 8 --times 5
exits '--times without sizes' 2 '--times is for --sizes' ./grade lab3 --times 5
exits 'a GPU times a file without solutions, too' 0 '1 timed in 4 rounds' build/timed lab3 \
  solutions/lab3_transpose/lab3.cu 64 alone

# --- a lab of panels, where there are no solutions ---
small_kit <<'END'
[lab]
title = Panels
problem = matmul
[case panel]
dims = M=64 N=64 K=8
show = yes
[item right]
class = correctness
title = Right
points = 100
cases = panel
[sizes]
dims = M N
END
rm "$kit/solutions"
exits 'dimensions that are not the size stay those of the case' 0 'M = N = n, K = 8' env \
  KIT_ROOT="$kit" build/grade lab1 --backend sim --file solutions/lab1_global/lab1.cu --sizes 20,40
cp "$work/out" "$work/alone"
expect '  without solutions their lines are left out' has "$work/alone" \
  'this copy of the kit has no solutions'

# --- in the middle ---
# A shell has what it starts in the background ignore SIGINT; SIGTERM ends a grading as Ctrl-C does.
env KIT_ROOT="$kit" build/grade lab1 --backend sim --file solutions/lab1_global/lab1.cu \
  --sizes 6000 >"$work/out" 2>&1 &
grader=$!
sleep 1
kill -TERM $grader
status=0
wait $grader || status=$?
equal 'a signal ends it' 143 $status
equal '  and leaves nothing' '' "$(find "$kit/build/" -name 'grading-*' -type d)"
exit $failed
