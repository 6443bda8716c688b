#!/bin/sh
# cards.sh: the first reason is the cause. tests/cards/*.cu are mistakes that students make first;
# the opening comment of each says which, the lab, and in lines `first:` words that the first reason
# on its card must contain. The page and the JSON must begin with the same.
#
#   tests/e2e/cards.sh [FILE.cu...]   prints ok and FAIL lines; exits with 1 if any failed;
#                                     without files, in make test, the first of each lab
set -u
cd "$(dirname -- "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

quick_kit

header() { sed -n "/^[^\\/]/q; s|^// $1: ||p" "$2"; }

# shellcheck disable=SC2046 # names without blanks
[ $# -gt 0 ] || all ||
  set -- $(grep -H '^// lab: ' tests/cards/*.cu | awk -F: '!seen[$3]++ { print $1 }')
[ $# -gt 0 ] || set -- tests/cards/*.cu
for source; do
  lab=$(header lab "$source") name=$(basename "$source" .cu)
  echo "build/grade $lab --file $root/$source --seed 1 \
    --html $work/$name.html --json $work/$name.json >$work/$name.card 2>&1"
done | xargs -P "$(nproc)" -I '{}' sh -c '{} || :'

# one_line: what is wrapped, on one line.
one_line() { tr -s ' \n' '  '; }
# first_reason CARD: what is below the rule, from `Start here`, or from the first line indented by
# six, to the next heading.
first_reason() {
  awk '/^  Start here: / { inside = 1; sub(/^  Start here: /, ""); print; next }
    inside && /^ {0,3}[^ ]|^      try: / { exit }
    /^      [^ ]/ && !inside && !/^      try: / { inside = 1 }
    inside' "$1" | one_line
}
# first_of_json JSON: the words of its cause.
first_of_json() {
  sed -n '/^ "cause": {/,/^ }/{s|^  "words": "\(.*\)"$|\1|p;}' "$1" | sed 's|\\\(["\\/]\)|\1|g'
}
# first_of_page PAGE: the words of its callout.
first_of_page() {
  tr -d '\n' <"$1" | sed -n 's|.*<div class="callout">||p' |
    sed "s|</div>.*||; s|<[^<>]*>||g; s|&lt;|<|g; s|&gt;|>|g
      s|&quot;|\"|g; s|&#39;|'|g; s|&amp;|\&|g"
}
# says FILE SOURCE: FILE contains all words that the first reason must contain.
says() {
  header first "$2" >"$work/words"
  while IFS= read -r words; do
    grep -qF -e "$words" "$1" || { echo "not '$words' but: $(cat "$1")"; return 1; }
  done <"$work/words"
}

for source; do
  card=$(basename "$source" .cu)
  first_reason "$work/$card.card" >"$work/first"
  expect "$card: the first reason is the cause" says "$work/first" "$source"
  first_of_json "$work/$card.json" >"$work/first"
  expect '  in JSON' says "$work/first" "$source"
  first_of_page "$work/$card.html" >"$work/first"
  expect '  on the page' says "$work/first" "$source"
done
exit $failed
