#!/bin/sh
# handouts.sh: the handouts build, say only what the kit knows, and stop when they should.
#
# Prints `ok name`, `FAIL name` or `skip name` for each thing tried; a failure shows what was
# printed. The slow part of `make handouts`, recording all charts' data anew, is left to it: here
# the recorded tables stand for it, but for those that take a second.
#
# test-all: it grades what the pages show, some 40 times; run it after a change of handouts/ or
#   of plots/data/
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
names='built filled leaks complete links details pdf fresh stale unknown claim deadlink'
for program in pandoc jq gnuplot; do
  command -v $program >/dev/null 2>&1 && continue
  for name in $names; do echo "skip $name: no $program (./setup --all)"; done
  exit 0
done

# verdict NAME CONDITION...: whether the condition holds; shows $work/log if not.
verdict() {
  name=$1
  shift
  if "$@"; then ok "$name"; else fail "$name" "$* ($(tail -n 20 "$work/log"))"; fi
}

pages='start lab0 lab1 lab2 lab3 lab4 lab5 lab6 lab7 lab8 ptx'
pdf=
for browser in chromium chromium-browser google-chrome; do
  command -v $browser >/dev/null 2>&1 && command -v pdftotext >/dev/null 2>&1 && pdf=yes
done

make -s build/grade build/record plots >"$work/log" 2>&1
cp -R plots/data/sim "$work/fresh"
export KIT_FRESH="$work/fresh"

# try STATUS ARGUMENTS...: handouts/build in the current folder ends with that status.
try() {
  want=$1 got=0
  shift
  handouts/build "$@" >"$work/log" 2>&1 || got=$?
  [ "$got" -eq "$want" ]
}
if [ -n "$pdf" ]; then verdict built try 0 lab1; else verdict built try 0 --html; fi

each() {
  for page in $pages; do
    "$@" "build/handouts/$page" || { echo "$page" >>"$work/log"; return 1; }
  done
}
filled() { [ -s "$1.html" ] && ! grep -q '@{' "$1.html"; }
complete() {
  grep -q 'Where it comes from' "$1.html" && grep -q '<math' "$1.html" && ! grep -q 'src="[^d]' \
    "$1.html"
}
folds() {
  [ "$(grep -c '<details>' "$1.html")" -ge 1 ] && [ "$(grep -c '<details>' "$1.html")" \
    -eq "$(grep -c '^::: answer' "$1.md")" ]
}
# What students get (make dist) holds no line of a solution, a card's table of lines included.
no_leak() {
  mkdir "$work/pages" && cp build/handouts/*.html "$work/pages" && dist/leaks "$work/pages" \
    >"$work/log"
}
verdict filled each filled
verdict leaks no_leak
verdict complete each complete
verdict details each folds
# shellcheck disable=SC2046 # one word a file
verdict links awk -f handouts/links.awk $(for page in $pages
do echo "build/handouts/$page.html"; done)
if [ -n "$pdf" ]; then
  printed() {
    pdftotext "$1.pdf" "$work/text" && grep -q 'Answers' "$work/text" && ! grep -q '@{' "$work/text"
  }
  verdict pdf printed build/handouts/lab1
else
  echo 'skip pdf: no Chromium or no pdftotext (./setup --all)'
fi

# What takes a second is recorded anew: where the lanes of solutions go, and what is noted of them.
recorded() {
  mkdir "$work/access"
  for lab in $(find plots/data/sim -name 'access-lab*' |
    sed -n 's/.*access-\(lab[0-9]*\)-.*/\1/p' | sort -u); do
    build/record accesses "$lab" "$work/access" >"$work/log" 2>&1 || return 1
  done
  for table in "$work"/access/*.tsv; do
    cmp "$table" "plots/data/sim/$(basename "$table")" >>"$work/log" 2>&1 || return 1
  done
}
verdict fresh recorded

# The rest on a copy, which has its grades already.
mkdir -p "$work/kit/build/handouts"
cp -Rp handouts labs solutions plots tests harness grade Makefile mk "$work/kit"
cp -Rp build/grade build/record build/plots "$work/kit/build"
cp -Rp build/handouts/runs build/handouts/runs.done "$work/kit/build/handouts"
cd "$work/kit" || exit 2
: >build/handouts/runs.done # newer than all that was copied

says() { grep -qE "$1" "$work/log"; }
fails_saying() { try 1 --html && says "$1"; }

echo '8	32	4	8	1' >>plots/data/sim/sweep-lab3.tsv
verdict stale fails_saying '^plots/data/sim/sweep-lab3.tsv is stale.*run: make data'
cp "$work/fresh/sweep-lab3.tsv" plots/data/sim/sweep-lab3.tsv

echo 'It takes @{lab1.n512.parsecs} parsecs.' >>handouts/lab3.md
line=$(wc -l <handouts/lab3.md)
verdict unknown fails_saying "^handouts/lab3.md:$line: no value is called .lab1.n512.parsecs."
cp "$root/handouts/lab3.md" handouts/lab3.md

echo '<!-- claim: lab1.points < 50 + 50 -->' >>handouts/lab3.md
line=$(wc -l <handouts/lab3.md)
verdict claim fails_saying "^handouts/lab3.md:$line: no longer true"
cp "$root/handouts/lab3.md" handouts/lab3.md

echo 'See [there](lab2.html#nowhere).' >>handouts/lab1.md
verdict deadlink fails_saying '^build/handouts/lab1.html: dead link: href="lab2.html#nowhere"'
exit $failed
