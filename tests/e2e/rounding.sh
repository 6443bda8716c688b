#!/bin/sh
# rounding.sh: CUDA's functions with a rounding mode round as they say and are never fused, with
# each clang that is here (tests/arithmetic/rounding.cu).
#
#   tests/e2e/rounding.sh   prints ok, skip and FAIL lines; exits with 1 if any failed
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
make -s build/libsim.a || { echo 'FAIL rounding: build/libsim.a cannot be built' && exit 1; }

try() { # CLANG
  CLANGXX=$1 harness/compile --source tests/arithmetic/rounding.cu --object "$work/rounding.o" &&
    "$1" "$work/rounding.o" build/libsim.a -ljansson -linih -lpthread -lm -o "$work/rounding" &&
    "$work/rounding"
}
tried=''
for clang in "${CLANGXX:-clang++}" clang++-14 clang++-19; do
  version=$("$clang" -dumpversion 2>/dev/null) || continue
  case " $tried " in *" ${version%%.*} "*) continue ;; esac
  tried="$tried ${version%%.*}"
  expect "rounding, clang ${version%%.*}" try "$clang"
done
[ -n "$tried" ] || echo 'skip rounding: there is no clang'
exit $failed
