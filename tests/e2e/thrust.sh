#!/bin/sh
# thrust.sh: CUB and Thrust as Debian packages them (libcub-dev, libthrust-dev), in programs of
# tests/programs/thrust that compare results with those that the host works out; prints ok, FAIL and
# skip lines.
#
# test-all: it compiles Thrust for half a minute; run it after a change of sim/include
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc programs=$root/tests/programs/thrust
cd "$work" || exit 2

printf '#include <thrust/no_such.h>\nint main() {}\n' >missing.cu
"$kcc" missing.cu >printed 2>&1
expect 'a header that is not there: its package' \
  grep -q '^missing.cu:1:.* no <thrust/no_such.h>: .*apt-get install libthrust-dev' printed

printf '#include <cub/version.cuh>\n#include <thrust/version.h>\n' >versions.cu
if ! "$kcc" -E versions.cu -o versions >printed 2>&1; then
  echo 'skip CUB and Thrust: apt-get install libthrust-dev libcub-dev'
  exit "$failed"
fi

# compiles PROGRAM
compiles() {
  expect "$1.cu compiles" "$kcc" "$programs/$1.cu" -o "$1"
}
# runs NAME PROGRAM: what it prints is in printed, what the simulator says in said.
runs() {
  compiles "$2"
  if "./$2" >printed 2>said; then ok "$1"; else
    fail "$1" "$(head -c 500 printed) $(head -c 500 said)"
  fi
  grep -v cudaErrorMemoryAllocation said >hazards
  expect '  without hazards' test ! -s hazards
}
# finds NAME WORDS COMMAND...: the simulator says so.
finds() {
  name=$1 words=$2
  shift 2
  "$@" >printed 2>said
  expect "$name" grep -q "$words" said
}
runs 'CUB in blocks and warps' block
finds '  storage used again without a barrier' 'race: .* shared temp\[.*__syncthreads' ./block x
runs "CUB's device-wide algorithms" device
runs 'radix sort' sort
runs "Thrust's algorithms" algorithms
runs "Thrust's iterators, streams, numbers" iterators
compiles mistakes
finds 'an input that is not filled' 'uninitialised read: .* element 256 of .*(750' ./mistakes 1
finds '  too many elements' 'out of bounds: .* reads element 1000 of' ./mistakes 2
finds '  a functor that races' '^[^ ]*mistakes.cu:[0-9]*: race: .* writes element 0' ./mistakes 3
exit "$failed"
