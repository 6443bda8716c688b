#!/bin/sh
# newlab.sh: a lab is one step, a problem family too: in a copy of the kit, the commands of
# CONTRIBUTING.md's pages "Add a lab" and "Add a family" make ones that build and are graded as the
# pages say; no other file is new, has changed or had to. What cannot be made is refused with a
# sentence. And no runner has a checker.
#
#   tests/e2e/newlab.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# What is built is taken as it is; sources are copied with their times, so that nothing is rebuilt.
mkdir "$work/kit" "$work/kit/build"
cp -a CONTRIBUTING.md Makefile grade setup mk harness grader labs solutions handouts "$work/kit/"
cp -a build/ready build/isas build/grade build/grader build/harness build/sim build/device \
  build/launch build/*.a "$work/kit/build/"
if [ -x build/verdicts ]; then # with smaller large cases
  cp -R "$(build/verdicts -k)"/labs/. "$work/kit/labs/"
fi
cd "$work/kit"
make -s build/headers/made >/dev/null
next=lab$(($(find labs solutions -maxdepth 1 -name 'lab[0-9]*_*' | sed 's/.*lab\([0-9]*\)_.*/\1/' |
  sort -n | tail -n 1) + 1)) # what a new family's lab will be called

state() { find . -path ./build -prune -o -type f -exec cksum {} + | sort; }
state >"$work/before"
# touched FILE...: what is new or has changed since, is in these folders, or is these files.
touched() {
  state | comm -13 "$work/before" - | cut -d ' ' -f 3- | sed 's|^\./||' | sort >"$work/touched"
  for place; do
    grep -q "^$place" "$work/touched" || { echo "nothing in $place"; return 1; }
    grep -v "^$place" "$work/touched" >"$work/others" || :
    mv "$work/others" "$work/touched"
  done
  cat "$work/touched"
  [ ! -s "$work/touched" ] && [ -z "$(state | comm -23 "$work/before" - | head -n 1)" ]
}

# commands PAGE: those of a page of CONTRIBUTING.md.
commands() { awk -v page="## $1" '/^## / { here = $0 == page } here && /^    (make|\.\/grade) /' \
  CONTRIBUTING.md | sed "s/labN/$next/g"; }
points() { sed -n 's/^lab.* \([0-9]*\) \/ 100$/\1/p' "$work/out"; }
# follow PAGE: does what the page says; a grade is what its comment promises.
follow() {
  commands "$1" >"$work/page"
  expect "$1: the page has commands" [ "$(wc -l <"$work/page")" -eq 4 ]
  while IFS= read -r line; do
    status=0
    sh -c "$line" >"$work/out" 2>&1 </dev/null || status=$?
    case $line in
      *'# full marks') want='status 0, 100 points' ;;
      *': 0 points') want='status 1, 0 points' ;;
      *'# loses points') want='status 1, some points' ;;
      *) want='status 0' ;;
    esac
    got="status $status"
    case $want,$(points) in
      *,) ;;
      *some*,[1-9] | *some*,[1-9][0-9]) got="$got, some points" ;;
      *) got="$got, $(points) points" ;;
    esac
    equal "$1: $(echo "$line" | sed 's/^ *//; s/ *#.*//')" "$want" "$got"
  done <"$work/page"
}

follow 'Add a lab'
expect 'a new lab touches labs/, solutions/ and handouts/ only' touched labs/lab9_mine/ \
  solutions/lab9_mine/ 'handouts/lab9.md$'
grep -rnE '\b(lab2|Lab 2)\b' labs/lab9_mine solutions/lab9_mine handouts/lab9.md >"$work/names" || :
equal 'its files have its own name' '' "$(head -n 3 "$work/names")"
expect 'its page is among the handouts' sh -c 'handouts/build --list | grep -qx handouts/lab9.md'
expect 'so is the grading of its solution' sh -c \
  'handouts/build --list | grep -q "^lab9	lab9 --solution"'
rm -r labs/lab9_mine solutions/lab9_mine handouts/lab9.md

state >"$work/before"
follow 'Add a family'
expect 'a new family touches its folder, and its lab only' touched harness/problems/reduce/ \
  "labs/${next}_reduce/" "solutions/${next}_reduce/" "handouts/$next.md\$"
expect './grade list has its lab' sh -c "./grade list | grep -q '^$next '"
expect 'its files have its own name' not grep -rniE 'rowsum|lab0|Lab 0' harness/problems/reduce \
  "labs/${next}_reduce" "solutions/${next}_reduce" "handouts/$next.md"

# Only the grader knows what is right. Words of the checkers are in it, and in no runner.
for lab in lab1 "$next"; do
  expect "the runner of $lab has no checker" not grep -q 'elements wrong' "build/sim/$lab"
done
expect 'the grader has them' grep -q 'elements wrong' build/grade

refused() { what=$1 words=$2; shift 2; exits "refused: $*" 2 "$words" make -s "$what" "$@"; }
refused newlab 'there is no such lab' FROM=lab77 NAME=lab9_mine
refused newlab 'there is a lab1 already' FROM=lab2 NAME=lab1_mine
refused newlab 'a lab is named as lab9_mine' FROM=lab2 NAME=Lab9
refused newlab 'use: make newlab' FROM=lab2
refused newfamily 'there is a harness/problems/reduce already' NAME=reduce
refused newfamily 'is named in lower-case letters' NAME=../reduce
refused newfamily 'C++ does not take this' NAME=int

# The other labs, too; and one copied by hand in haste, whose files keep their names.
number=90
for lab in labs/lab[134]_*; do
  name=$(basename "$lab")
  [ "${name%%_*}" = lab4 ] || all || continue # lab 2 is one above
  old=${name%%_*} new=lab$number
  number=$((number + 1))
  if [ "$old" = lab4 ]; then
    cp -a "labs/$name" "labs/${new}_copy"
    cp -a "solutions/$name" "solutions/${new}_copy"
  else
    expect "$new: make newlab FROM=$old" make newlab FROM="$old" NAME="${new}_copy"
  fi
  expect "$new: make $new" make "$new"
  expect "$new: full marks for its solution" ./grade "$new" --solution
done
exit $failed
