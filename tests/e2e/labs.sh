#!/bin/sh
# labs.sh: the labs are in order before anything is built: skeletons, the tool that makes them,
# points, files. (What the solutions score is verdicts.c's.)
#
#   tests/e2e/labs.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# Either in the working tree or, where a student has begun to work there, as committed.
up_to_date() {
  harness/skeleton "$1" >"$work/made.cu" || return
  cmp "$work/made.cu" "$2" && return
  echo 'run: make skeletons'
  git show "HEAD:$2" | cmp "$work/made.cu" -
}

# A screen of code, or 17 lines for each function that the harness calls.
one_screen() {
  entries=$(sed -n 's/^entries = //p' "$2" | wc -w)
  lines=$((entries * 17 > 60 ? entries * 17 : 60))
  [ "$(grep -vcE '^[[:blank:]]*(//|$)' "$1")" -le "$lines" ]
}
has_no_markers() { ! grep -nE '//:|SOLUTION (BEGIN|END)' "$1"; }

# TODO(1) to TODO(n), each once, in order.
todos_are_numbered() {
  grep -o 'TODO([0-9]*)' "$1" >"$work/todos"
  [ -s "$work/todos" ] || return
  number=0
  while read -r todo; do
    number=$((number + 1))
    [ "$todo" = "TODO($number)" ] || { echo "$todo is number $number"; return 1; }
  done <"$work/todos"
}

points_are_100() { # LAB
  ./grade conf "$1" --public | tee /dev/stderr | grep -q ' 100 points$'
}

at_least_12() {
  [ $# -ge 12 ] || { echo "only $#"; return 1; }
}

for solution in solutions/lab*_*/lab*.cu; do
  folder=$(basename "$(dirname "$solution")")
  skeleton=labs/$folder/$(basename "$solution")
  expect "$folder: the skeleton is up to date" up_to_date "$solution" "$skeleton"
  harness/skeleton "$solution" >"$work/made.cu" || true
  expect "$folder: the skeleton fits a screen" one_screen "$work/made.cu" "labs/$folder/lab.conf"
  expect "$folder: the skeleton has no marker left" has_no_markers "$work/made.cu"
  expect "$folder: its TODOs are numbered" todos_are_numbered "$work/made.cu"
  expect "$folder: 100 points" points_are_100 "${folder%%_*}"
  expect "$folder: at least 12 wrong solutions" at_least_12 "solutions/$folder"/wrong/*.cu
done

# makes INPUT OUTPUT: harness/skeleton turns the one into the other (printf formats).
makes() {
  # shellcheck disable=SC2059 # the formats are the tests'
  printf "$1" >"$work/in.cu"
  # shellcheck disable=SC2059
  printf "$2" >"$work/out.cu"
  harness/skeleton "$work/in.cu" | cmp - "$work/out.cu"
}

# refuses INPUT LINE: harness/skeleton fails and names that line.
refuses() {
  # shellcheck disable=SC2059
  printf "$1" >"$work/in.cu"
  ! harness/skeleton "$work/in.cu" >/dev/null 2>"$work/error" || return 1
  cat "$work/error"
  grep -q "in.cu:$2: " "$work/error"
}

expect 'skeleton: leaves the solution out' makes \
  'a\n  // SOLUTION BEGIN\n  b\n  // SOLUTION END\nc\n' 'a\nc\n'
expect 'skeleton: writes stubs with their indent' \
  makes '  //: x = 1;  // one\n  //:\n// SOLUTION BEGIN\n// SOLUTION END\n' '  x = 1;  // one\n\n'
expect 'skeleton: keeps backslashes, spaces and a last line without newline' \
  makes '// SOLUTION BEGIN\n// SOLUTION END\n  a \\\\\n b\\\\n  ' '  a \\\\\n b\\\\n  \n'
expect 'skeleton: refuses a region that is not closed' refuses 'a\n// SOLUTION BEGIN\nb\n' 2
expect 'skeleton: refuses an end without a beginning' refuses 'a\nb\n// SOLUTION END\n' 3
expect 'skeleton: refuses a region in a region' refuses \
  '// SOLUTION BEGIN\n// SOLUTION BEGIN\n// SOLUTION END\n' 2
expect 'skeleton: refuses a stub in a region' refuses \
  '// SOLUTION BEGIN\n//: x\n// SOLUTION END\n' 2
expect 'skeleton: refuses a marker that it does not know' refuses \
  '// SOLUTION BEGINS\n// SOLUTION END\n' 1
expect 'skeleton: refuses a marker after code' refuses 'a;  // SOLUTION BEGIN\n// SOLUTION END\n' 1
expect 'skeleton: refuses a stub without its colon and space' refuses \
  '//:x\n// SOLUTION BEGIN\n// SOLUTION END\n' 1
expect 'skeleton: refuses a file without a region' refuses 'a\nb\n' 2

exit $failed
