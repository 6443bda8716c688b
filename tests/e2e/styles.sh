#!/bin/sh
# styles.sh: correct products in many styles (tests/styles) compile, are right, and are accused of
# nothing; and say the same for every number of threads and every instruction set.
#
#   tests/e2e/styles.sh [FILE.cu...]       prints `ok ...` and `FAIL ...` lines; exit status 1 if
#   anything failed
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

# right M N K: $work/runner is right for that size, without a hazard, and says the same whoever runs
# it. Its output stays in $work/log, without lines in which a program tells a time of its own.
right() {
  rm -f "$work/first"
  # one that this machine lacks is passed over for the best that it has
  for isa in avx512:3 avx2:1 sse2:2; do
    KIT_SIM_ISA=${isa%:*} KIT_SIM_THREADS=${isa#*:} "$work/runner" "M=$1" "N=$2" "K=$3" \
      >"$work/raw" 2>&1 || return
    grep -v ' in [0-9.]* s$' "$work/raw" >"$work/log"
    ! grep -q '^  HAZARD' "$work/log" || return
    [ -e "$work/first" ] || cp "$work/log" "$work/first"
    cmp "$work/first" "$work/log" || return
  done
}

[ $# -gt 0 ] || set -- tests/styles/*.cu
for source; do
  if harness/compile --lab lab2 --source "$source" --output "$work/runner" >"$work/log" 2>&1 &&
    right 33 65 47 && right 128 96 160; then
    ok "$source"
  else
    fail "$source" 'it is wrong, or accused'
    cat "$work/log" "$work/raw" 2>/dev/null | sed 's/^/    /' | head -n 40
  fi
done
exit $failed
