#!/bin/sh
# groups.sh: cooperative groups, in programs of tests/programs/groups that compare what each thread
# gets with what the host works out; prints ok and FAIL lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc programs=$root/tests/programs/groups
cd "$work" || exit 2

# runs NAME PROGRAM: compiles and runs it; its output is in printed, what the simulator says in
# said.
runs() {
  if "$kcc" "$programs/$2.cu" -o "$2" >printed 2>&1 && "./$2" >printed 2>said; then ok "$1"; else
    fail "$1" "$(head -c 500 printed) $(head -c 500 said)"
  fi
}
runs 'tiles, coalesced groups and their parts' lanes
expect '  without hazards' test ! -s said
runs 'one lane has what the others ask for' leader
expect '  without hazards' test ! -s said
runs 'tiles of several warps, blocks, the grid' blocks
expect '  grid.sync() in a normal launch is refused' grep -q 'cudaErrorLaunchFailure' printed
expect '  for its reason' grep -q 'blocks.cu:[0-9]*: .*grid.sync() needs a cooperative launch' said
expect '  nothing else is found' test "$(wc -l <said)" -eq 2
cat >lacking.cu <<'END'
#include <cooperative_groups.h>
__global__ void f() { cooperative_groups::this_cluster().sync(); }
__global__ void g() { cooperative_groups::this_multi_grid().sync(); }
END
"$kcc" -c lacking.cu >printed 2>&1
expect 'clusters are named' grep -q "'this_cluster.*not simulated: clusters of blocks" printed
expect 'grids of several devices, too' \
  grep -q "'this_multi_grid.*not simulated: launches on" printed
exit "$failed"
