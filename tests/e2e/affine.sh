#!/bin/sh
# affine.sh: a grade is the same, byte for byte, with the affine form of kernels (decode/affine.h)
# and on the general path alone, which defines it: of right files, and of those that make a check of
# the affine form fail half-way.
#
#   tests/e2e/affine.sh         prints ok and FAIL lines; exits with 1 if any failed; in make test
#                               one right file and two that make a check fail
#   tests/e2e/affine.sh FILE... the same for these files
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
quick_kit

lab_of() {
  folder=$(printf '%s' "$1" | sed 's,/\(wrong\|styles\|cheats\)/,/,')
  basename "$(dirname "$folder")" | sed 's/_.*//'
}
grade() {
  KIT_SIM_AFFINE=$1 build/grade "$(lab_of "$2")" --backend sim --seed 1 --file "$2" \
    --json "$work/$1" >/dev/null 2>&1
  [ -s "$work/$1" ]
}
same() { grade on "$1" && grade off "$1" && cmp "$work/on" "$work/off"; }

if [ $# -eq 0 ] && ! all; then
  set -- solutions/lab2_*/lab2.cu solutions/lab2_*/wrong/b_stride.cu \
    solutions/lab4_*/wrong/barrier_in_if.cu
fi
[ $# -gt 0 ] || set -- solutions/lab[1-5]_*/lab*.cu solutions/lab2_*/wrong/b_stride.cu \
  solutions/lab2_*/wrong/tile_of_4.cu solutions/lab1_*/wrong/accumulates.cu \
  solutions/lab4_*/wrong/barrier_in_if.cu
for file; do
  [ -f "$file" ] && expect "$(basename "$file") with and without the affine form" same "$file"
done
exit $failed
