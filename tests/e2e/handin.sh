#!/bin/sh
# handin.sh: ./grade LAB --report: what the kit writes, and that nothing of the student's is lost.
#
#   tests/e2e/handin.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh
linked_kit
report="$work/report"
sed -i 's/^dims = M=512 N=512 K=512$/dims = M=64 N=64 K=64/' "$kit"/labs/lab2_*/lab.conf
write() { "$kit/grade" lab2 --solution --report "$report" --sizes 32,64 "$@"; }

exits 'a report is written' 0 'write your part' write
has() { grep -qF "$1" "$report/report.md"; }
for words in '# Lab 2: ' '**100 of 100 points.**' 'simulated NVIDIA H100' \
  "lab1's solution (modelled)" '| sectors per global load |' 'lab2-sizes-time.svg' \
  '*Your answer.*' '## Conclusions'; do
  expect "it has $words" has "$words"
done
expect 'times are a table for programs, too' grep -q '^own,.*,32,' "$report/sizes.csv"
sed -n 's/^!\[.*](\(.*\.svg\))$/\1/p' "$report/report.md" >"$work/charts"
while read -r chart; do
  expect "its picture $chart is there" grep -q '<svg' "$report/$chart"
done <"$work/charts"

if command -v pandoc >/dev/null 2>&1; then
  expect 'a page is made of it' grep -q '<title>Lab 2: ' "$report/report.html"
else
  echo 'skip a page is made of it (no pandoc)'
fi
if [ -s "$report/report.pdf" ]; then
  equal '  and a PDF' %PDF "$(head -c 4 "$report/report.pdf")"
  # Once: from here on nothing looks at it.
  mkdir "$work/bin"
  cat >"$work/bin/chromium" <<'SH'
#!/bin/sh
for word; do
  case $word in --print-to-pdf=*) echo %PDF >"${word#*=}" ;; esac
done
SH
  chmod 755 "$work/bin/chromium"
  PATH=$work/bin:$PATH
else
  echo 'skip a PDF is made of it (no pandoc or Chromium)'
fi

# What the student has written stays, to the byte, and what the kit has written is new.
sed -i 's/\*Your answer\.\*/It waits | *for* both tiles./; s/64 us/65 us/' "$report/report.md"
printf '\nThe end, without a line end.' >>"$report/report.md"
cp "$report/report.md" "$work/before.md"
exits 'it is written again' 0 'yours as they were' write --seed 7
own() { awk '/^<!-- kit: [^e]/ { inside = 1 } !inside; /^<!-- kit: end/ { inside = 0 }' "$1"; }
own "$work/before.md" >"$work/own-before"
own "$report/report.md" >"$work/own-after"
expect 'and has every word of the student' cmp "$work/own-before" "$work/own-after"
expect 'and the new seed' has 'inputs of seed 7'

# A mark that is gone makes it impossible to say whose words are whose.
sed -i '0,/^<!-- kit: end -->$/{/^<!-- kit: end -->$/d}' "$report/report.md"
cp "$report/report.md" "$work/damaged.md"
exits 'a damaged report is refused' 2 'begins before machine has ended' write
expect 'and not touched' cmp "$work/damaged.md" "$report/report.md"

exits 'options that do not go with it' 2 '--report goes with' "$kit/grade" lab2 --report x --html y
exit $failed
