#!/bin/sh
# model.sh: what build/model says about modelled and measured times, on the few launches of
# tests/e2e/model/small.cu.
#
#   tests/e2e/model.sh   prints ok and FAIL lines; exits with 1 if any failed
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
make -s build/model-small || { echo 'FAIL model: build/model-small cannot be built' && exit 1; }

# model OPTION...: runs it into $work/out and $work/err; its status is $status.
model() {
  build/model-small "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# table NS...: a measured table with these times for the three launches.
table() {
  printf '# Times of a GPU.\nfamily\tkernel\targ\tns\n'
  for n in 200 1000 2048; do
    printf 'right\ttwice\tn %s\t%s\n' "$n" "$1"
    shift
  done
}

model --most-threads 2048
equal 'without a table, results are checked' '0 3 launches, 0 hazards' \
  "$status $(tail -n 1 "$work/out")"

# Against 1 us each, for the modelled times; then measured times that are off by just so much.
table 1000 1000 1000 >"$work/table.tsv"
model --most-threads 2048 --tsv "$work/model.tsv" "$work/table.tsv"
factor=1
# shellcheck disable=SC2046 # three numbers
table $(awk -F'\t' '$1 == "right" { print $5 }' "$work/model.tsv" | while read -r ns; do
  echo $((ns * factor))
  factor=$((factor * 2))
done) >"$work/table.tsv"
model --most-threads 2048 --tsv "$work/model.tsv" --header "$work/accuracy.h" "$work/table.tsv"
equal 'times over measured ones: 1, 1/2, 1/4' \
  '0 MAPE 41.7%, median 50.0%, p90 75.0%, worst 75.0% over 3 launches' \
  "$status $(tail -n 1 "$work/out")"
equal '  in the table of families, too' 'right 41.7% 50.0% 75.0% 75.0% -50.0% 3' \
  "$(grep '^right' "$work/out" | tr -s ' ')"
equal '  each with its ratio' '1.00 0.50 0.25' \
  "$(awk '$1 == "twice" { print $6 }' "$work/out" | paste -sd' ' -)"
equal '  as a table for the chart' "4 Off by $(tail -n 1 "$work/out")." \
  "$(grep -vc '^#' "$work/model.tsv") $(sed -n 's/^# note: //p' "$work/model.tsv")"
equal '  and as figures that pages quote' '3 50 75' \
  "$(sed -n 's/^#define MODEL_.* "\(.*\)"/\1/p' "$work/accuracy.h" | paste -sd' ' -)"
if command -v gnuplot >/dev/null 2>&1; then
  plots/draw "$work/plots" "$work/model.tsv" >/dev/null 2>"$work/err"
  drawn=$(find "$work/plots" -name model.svg)
  equal 'the chart says where what is from' 1 \
    "$(grep -c '>Times of a GPU. Modelled: simulated NVIDIA H100' "${drawn:-/dev/null}")"
  equal '  and the family' 1 "$(grep -c '>right<' "${drawn:-/dev/null}")"
fi

grep -v 'n 1000' "$work/table.tsv" >"$work/short.tsv"
model --most-threads 2048 "$work/short.tsv"
equal 'a launch that is not in the table' '0 model: 1 launches are not in the table' \
  "$status $(cat "$work/err")"
{ cat "$work/table.tsv" && printf 'right\tthrice\tn 9\t5\n'; } >"$work/long.tsv"
model --most-threads 2048 "$work/long.tsv"
equal 'a row that is no launch' \
  '2 model: the table has thrice n 9, which is no launch: measure anew' "$status $(cat "$work/err")"
sed 's/	ns$/	us/' "$work/table.tsv" >"$work/other.tsv"
model "$work/other.tsv"
equal 'a table without times' "2 model: $work/other.tsv: there is no column ns" \
  "$status $(cat "$work/err")"
model "$work/none.tsv"
equal 'no table' \
  "2 model: $work/none.tsv: No such file or directory; on a machine with such a GPU, \
tests/model/measure writes it" \
  "$status $(cat "$work/err")"

model --family broken
equal 'a wrong result is told' '1 model: forgets_the_last n 4095: element 4094 of 4095 is 0' \
  "$status $(grep -o '.*forgets_the_last n 4095: element 4094 of 4095 is 0' "$work/err")"
equal '  and a hazard' 1 \
  "$(grep -c '^model: runs_over.*, line [0-9]*: .* element 4095 ' "$work/err")"
KIT_SIM_SAMPLE=1 model --family right
equal 'a sample is not checked' 0 "$status"
exit $failed
