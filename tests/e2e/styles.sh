#!/bin/sh
# styles.sh: correct products in many styles (tests/styles) compile, are right, and are accused of
# nothing; and say the same for every number of threads and every instruction set.
#
#   tests/e2e/styles.sh [FILE.cu...]   prints ok and FAIL lines; exits with 1 if any failed
#
# test-all: 34 files; build/verdicts grades one in another style for each lab, threads.sh with other
#   numbers of threads
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

[ $# -gt 0 ] || set -- tests/styles/*.cu
for source; do
  expect "$source" build/styles lab2 "$source" 33,65,47 128,96,160
done
exit $failed
