#!/bin/sh
# arithmetic.sh: every arithmetic instruction answers as an H100 does (tests/arithmetic/h100.tsv).
#
#   tests/e2e/arithmetic.sh   prints ok and FAIL lines; exits with 1 if any failed
#
# test-all: test_sim_ops holds the same instructions against the same sim_oracle.h; run it after a
# change of exec/ops_*, of sim_oracle.h or of tests/arithmetic
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
make -s build/arithmetic || { echo 'FAIL arithmetic: build/arithmetic cannot be built' && exit 1; }

record=tests/arithmetic/h100.tsv
if build/arithmetic --table $record >"$work/report" 2>&1; then
  sed '$d' "$work/report"
  ok "arithmetic: $(tail -n 1 "$work/report")"
else
  cat "$work/report"
  fail arithmetic 'see above'
fi

# What the test must see, in a record of few: an instruction without one, one of none, another
# answer.
[ -f $record ] || exit 1
awk -F'\t' -v OFS='\t' \
  '$1 == "add.f32" { $1 = "add.f33" } $1 == "add.s32" { $4 = "7:5" } $1 ~ /^add/' $record \
  >"$work/record"
status=0
build/arithmetic "$work/record" >"$work/report" || status=$?
equal 'a record with three faults' 1 "$status"
for words in 'add.f32 has no record' 'add.f33 is recorded, but no instruction' \
  'add.s32 has a record that sim_oracle.h does not lead to'; do
  expect "  $words" has "$work/report" "$words"
done
exit $failed
