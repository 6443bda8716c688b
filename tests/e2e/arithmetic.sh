#!/bin/sh
# arithmetic.sh: every arithmetic instruction answers as an H100 does (tests/arithmetic/h100.tsv).
#
#   tests/e2e/arithmetic.sh       prints `ok ...` and `FAIL ...` lines; exit status 1 if anything failed
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

# What the test must see: an instruction without a record, one too many, an answer that is another.
[ -f $record ] || exit 1
sed '/^add\.f32	/d' $record >"$work/record"
exits 'an instruction without a record' 1 'add.f32 has no record' build/arithmetic "$work/record"
sed 's/^add\.f32	/add.f33	/' $record >"$work/record"
exits 'a record of none' 1 'add.f33 is recorded, but no instruction' build/arithmetic "$work/record"
awk -F'\t' -v OFS='\t' '$1 == "add.s32" { $4 = "7:5" } { print }' $record >"$work/record"
exits 'an answer that is not the hashed one' 1 'add.s32 has a record that sim_oracle.h does not lead to' \
  build/arithmetic "$work/record"
exit $failed
