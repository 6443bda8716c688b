#!/bin/sh
# supported.sh: docs/simulator.md has the tables that the code has (tests/supported/write).
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
tests/supported/write >"$work/page" || fail 'the page is written' 'tests/supported/write failed'
expect 'docs/simulator.md is as the code is (else: make docs/simulator.md)' \
  diff docs/simulator.md "$work/page"
for name in cudaMalloc cuLaunchKernel cublasSgemm curandGenerateUniform mbarrier.init \
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld racecheck; do
  expect "  it has $name" has docs/simulator.md "$name"
done
exit $failed
