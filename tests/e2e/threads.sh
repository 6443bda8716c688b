#!/bin/sh
# threads.sh: a grade is the same, byte for byte, for any number of the simulator's threads: of
# files whose launches are undone and run again in order, because blocks meet or something is wrong,
# and of one whose launches are not.
#
#   tests/e2e/threads.sh   prints ok and FAIL lines; exits with 1 if any failed
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

# grade THREADS FILE: its JSON, in $work/THREADS.
grade() { KIT_SIM_THREADS=$1 ./grade lab3 --backend sim --seed 1 --file "$2" --json "$work/$1" \
  >/dev/null 2>&1; [ -s "$work/$1" ]; }
same() { grade 1 "$1" && grade 3 "$1" && cmp "$work/1" "$work/3"; }

for file in solutions/lab3_*/lab3.cu solutions/lab3_*/wrong/both_threads_swap.cu \
  solutions/lab3_*/wrong/out_stride.cu; do
  expect "$(basename "$file") on 1 and 3 threads" same "$file"
done
exit $failed
