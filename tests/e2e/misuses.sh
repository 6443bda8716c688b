#!/bin/sh
# misuses.sh: codes and moments of errors when the API is misused, against those of an H100
# (tests/misuses/h100.tsv; CUDA 12's, whose headers the kit has, are in h100_cuda12.tsv); prints ok,
# skip and FAIL lines.
#
# test-all: all rows of the record; test_sim_runtime has codes of each kind of call
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
misuses=$root/tests/misuses
[ -f "$misuses/h100.tsv" ] || {
  echo 'skip misuses of the API: no record of a GPU (tests/misuses/record)'
  exit 0
}
expect 'misuses.cu builds' harness/kcc -o "$work/misuses" "$misuses"/*.cu -lcuda
cd "$work" || exit 2
./misuses --list | xargs -n 1 -P 2 ./misuses >rows 2>said
cat "$misuses/h100.tsv" "$misuses/h100_cuda12.tsv" >gpu
awk -f "$misuses/compare.awk" gpu "$misuses/differences.tsv" rows >lines
cat lines
if grep -q '^FAIL' lines; then failed=1; fi
expect '  all of the record' test "$(grep -c '^ok' lines)" -ge 80
exit $failed
