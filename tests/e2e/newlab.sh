#!/bin/sh
# newlab.sh: a lab is two folders: copied under a new number, in a copy of the kit, each lab is
# there, builds and is graded, and no other file has changed or had to.
#
#   tests/e2e/newlab.sh       prints `ok ...` and `FAIL ...` lines; exit status 1 if anything failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# What is built is taken as it is; sources are copied with their times, so that make builds nothing
# again.
mkdir "$work/kit" "$work/kit/build"
cp -a Makefile mk grade setup harness grader labs solutions "$work/kit/"
cp -a build/ready build/grade build/grader build/harness build/headers build/sim build/device \
  build/launch build/*.a "$work/kit/build/"
cd "$work/kit"

state() {
  find Makefile mk grade setup harness grader labs solutions -type f ! -path '*/lab9?_*' \
    -exec cksum {} + | sort
}
state >"$work/before"
listed() { ./grade list >"$work/list" && grep "^$1 " "$work/list"; }

number=90
for lab in labs/lab[0-9]*_*; do
  name=$(basename "$lab")
  old=${name%%_*} new=lab$number
  case $old in lab9?) continue ;; esac
  number=$((number + 1))
  cp -a "labs/$name" "labs/${new}_copy"
  cp -a "solutions/$name" "solutions/${new}_copy"
  if [ "$old" = lab1 ]; then # as a careful teacher does it, and as a hasty one
    mv "labs/${new}_copy/$old.cu" "labs/${new}_copy/$new.cu"
    mv "solutions/${new}_copy/$old.cu" "solutions/${new}_copy/$new.cu"
  fi
  expect "$new, a copy of $old: make $new" make "$new"
  expect "$new: full marks for its solution" ./grade "$new" --solution
  expect "$new: ./grade list has it" listed "$new"
done

state >"$work/after"
expect 'no other file has changed' cmp "$work/before" "$work/after"
exit $failed
