#!/bin/sh
# student.sh: this copy of the kit works: the doctor finds nothing missing, every lab's file as it
# was handed out builds, runs and gets no points for correctness, and what needs solutions says that
# there are none.
#
# Prints `ok name` or `FAIL name`.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# check NAME STATUS WORDS COMMAND...: the command ends with the status and says the words.
check() {
  name=$1 want=$2 words=$3
  shift 3
  got=0
  "$@" >"$work/out" 2>&1 </dev/null || got=$?
  if [ "$got" -eq "$want" ] && grep -qF -e "$words" "$work/out"; then
    echo "ok $name"
  else
    failed=1
    echo "FAIL $name: $*: exit $got, wanted $want and '$words': $(head -n 5 "$work/out" |
      tr '\n' ' ')"
  fi
}

check 'doctor: nothing is missing' 0 'Nothing is missing' ./grade doctor
check 'times over sizes: there are no solutions to compare with' 1 'has no solutions' ./grade lab1 \
  --backend sim --sizes 8
check 'a class is not graded here' 2 "a student's copy" ./grade class .
for folder in labs/lab*_*; do
  lab=${folder#labs/}
  lab=${lab%%_*}
  check "$lab is in the list" 0 "$lab" ./grade list
  check "$lab: there is no solution here" 2 'no solutions' ./grade "$lab" --solution
  check "$lab: what solutions measure is here" 0 '"measurements"' cat "$folder/reference.json"
done

# The file as handed out, which a student may have changed since: tests/e2e runs on what is in labs/
# only where it is new.
for file in labs/lab*_*/lab*.cu; do
  lab=$(basename "$file" .cu)
  if ! grep -q 'TODO(1)' "$file"; then
    echo "skip $lab: its file is no longer as it was handed out"
    continue
  fi
  check "$lab as handed out builds, and gets 0" 1 ' 0 / 100' ./grade "$lab" --backend sim --seed 1
done
exit $failed
