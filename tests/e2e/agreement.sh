#!/bin/sh
# agreement.sh: records of verdicts: how they are compared, and that build/verdicts writes them.
#
#   tests/e2e/agreement.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# row LAB FILE SCORE VERDICT TIMES
row() { printf '%s\t%s\t%s\t%s\t%s\n' "$@"; }
head_lines() { printf '# a comment\nlab\tfile\tscore\tverdict\ttimes\n'; }

{ head_lines && row lab1 a.cu 100 pass time=1.000 && row lab1 b.cu 80 partial time=1.5 &&
  row lab2 c.cu 0 fail -; } >"$work/gpu"
{ head_lines && row lab2 c.cu 0 fail - && row lab1 b.cu 82 partial time=1.4 &&
  row lab1 a.cu 100 pass time=1.0; } >"$work/near"
sed 's/82/83/' "$work/near" >"$work/far"
sed 's/^lab2.*/lab2\tc.cu\t1\tpartial\t-/' "$work/near" >"$work/other"
grep -v c.cu "$work/near" >"$work/less"
exits 'two points apart agree' 0 '3 of 3 agree' build/agreement "$work/gpu" "$work/near"
exits 'three points apart do not' 1 'b.cu: partial 80 (time=1.5), here partial 83 (time=1.4)' \
  build/agreement "$work/gpu" "$work/far"
exits 'nor do other verdicts' 1 '2 of 3 agree' build/agreement "$work/gpu" "$work/other"
exits 'nor does a file without a grade' 1 'c.cu: fail 0, but no grade here' build/agreement \
  "$work/gpu" "$work/less"
exits 'a record that is none' 2 'not a line of a record' build/agreement README.md "$work/gpu"
file=solutions/lab3_transpose/wrong/block_16x16.cu
exits 'a grade is recorded' 0 '1 passed, 0 failed' build/verdicts -r "$work/record" "$file"
exits 'with score, verdict and times' 0 "lab3	$file	" grep -E '	[0-9]+	partial	time=[0-9.]+$' \
  "$work/record"
exit $failed
