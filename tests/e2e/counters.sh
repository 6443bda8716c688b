#!/bin/sh
# counters.sh: the simulator counts as an H100 does on small kernels (tests/counters), and models
# the times of large ones. `make counters` compares the counters of the large ones too.
#
#   tests/e2e/counters.sh   prints ok and FAIL lines; exits with 1 if any failed
set -u
cd "$(dirname "$0")/../.." || exit 2
make -s build/counters || { echo 'FAIL counters: build/counters cannot be built' && exit 1; }
failed=0
for set in patterns styles labs; do
  if report=$(build/counters "$set" "tests/counters/$set.tsv" tests/counters/known.tsv); then
    echo "ok counters, $set: $(printf '%s\n' "$report" | tail -n 1)"
  else
    printf '%s\n' "$report" | grep -v '^known: '
    echo "FAIL counters, $set"
    failed=1
  fi
done
if report=$(KIT_SIM_SAMPLE=1 build/counters --times recorded tests/counters/counters.tsv); then
  echo "ok times: $(printf '%s\n' "$report" | tail -n 1)"
else
  printf '%s\n' "$report"
  echo 'FAIL times'
  failed=1
fi
exit $failed
