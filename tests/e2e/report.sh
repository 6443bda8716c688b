#!/bin/sh
# report.sh: ./grade class DIR --report, from gradebooks that are filled by SQL
# (tests/e2e/report/class.sql), without grading: the pages are well-formed and say what the
# gradebook says, names stay text and stay off the page that is shown, every chart is drawn, and
# classes of any size, also none, make sensible pages.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
for need in build/class sqlite3; do
  [ -x "$need" ] || command -v "$need" >/dev/null 2>&1 || {
    echo "skip the report about a class: there is no $need (./setup --class)"
    exit 0
  }
done
. tests/e2e/lib/check.sh
. tests/e2e/lib/page.sh
export KIT_ROOT="$root" LC_ALL=C.UTF-8

sql() { sqlite3 "$work/$1/grades/gradebook.sqlite" "$2"; }

# class NAME STUDENTS [SQL]: a folder with a gradebook of that many students, changed by SQL.
class() {
  mkdir -p "$work/$1"
  build/class "$work/$1" >/dev/null 2>&1
  { printf 'CREATE TEMP TABLE size(students); INSERT INTO size VALUES(%d);\n' "$2" &&
    cat tests/e2e/report/class.sql &&
    printf '%s\n' "${3-}"; } | sqlite3 "$work/$1/grades/gradebook.sqlite"
}
# report NAME OPTION...: reports on it: the summary in NAME.summary, what was noted in NAME.notes;
# both stay empty on failure.
report() {
  name=$1
  shift
  status=0
  build/class "$work/$name" --report "$@" >"$work/$name.summary" 2>"$work/$name.notes" || status=$?
  [ $status -le 1 ] || fail "the report on $name" "$(cat "$work/$name.notes")" # 1: some are refused
  page=$work/$name/grades/report
}

# sane NAME FILE: what is true of every page.
sane() {
  file=$page/$2.html
  reason=$(wrong_with "$file")
  number=$(grep -oiE '.{0,20}\b(nan|inf|null)\b' "$file" | head -n 1)
  [ -z "$number" ] || reason="a number that is none: $number"
  [ -n "$reason" ] || [ $xml = no ] || xpath "$file" 'count(//@src) = 0' ||
    reason='links to elsewhere'
  if [ -z "$reason" ]; then
    ok "$1: the page $2 is sound"
  else
    fail "$1: the page $2 is sound" "$reason"
  fi
  dead=$(grep -o 'href="\./[^"]*"' "$file" | sed 's|href="\./||; s|"||' |
    while read -r link; do [ -e "$page/$link" ] || echo "$link"; done)
  [ -z "$dead" ] || fail "$1: links of the page $2" "there is no $dead"
}
gnuplot=yes
command -v gnuplot >/dev/null 2>&1 || {
  gnuplot=no
  echo 'skip charts of a class: gnuplot is not installed'
}

# --- thirty students ---
class thirty 30
report thirty
for file in lab2 lab3 index help; do sane thirty $file; done
equal 'nothing to complain about' '' "$(grep -i 'chart\|gnuplot\|error' "$work/thirty.notes")"
graded=$(sql thirty "SELECT count(*) FROM attempt WHERE lab='lab2' AND counts AND status='graded'")
missed=$(sql thirty \
  "SELECT round(100.0 * sum(points < max AND (points > 0 OR class <> 'hazard' OR attempt IN (SELECT
    attempt FROM hazard))) / $graded)
  FROM item WHERE item='sizes' AND attempt IN (SELECT id FROM attempt WHERE lab='lab2' AND counts
    AND status='graded')")
expect "the share that misses an item, as the gradebook has it (${missed%.*}%)" \
  grep -q ">${missed%.*}%</td>" "$page/lab2.html"
expect '  with its hint' has "$page/lab2.html" 'A hint about sizes.'
expect 'the summary says it, too' grep -q 'miss "Two barriers, reached by all' \
  "$work/thirty.summary"
expect '  and how many handed in' has "$work/thirty.summary" \
  "$(sql thirty \
  "SELECT count(DISTINCT student) FROM attempt WHERE lab='lab2'") of 30 students handed in"
equal '  in lines that fit' 0 "$(grep -cE '.{81}' "$work/thirty.summary")"
expect 'times say that they are modelled, and where' has "$page/lab2.html" \
  'times: modelled; device: simulated NVIDIA H100'
for need in 'low score' 'nothing to grade' 'nothing handed in'; do
  expect "help: $need" has "$page/help.html" "lab2: $need ("
done
expect '  where to begin' has "$page/help.html" 'race, line 27: threads of two warps'
expect '  by name' has "$page/help.html" 'Ólafur Þórsson'
expect 'a hostile name is text' has "$page/help.html" \
  '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; ⟨U+202E⟩rtl⟨U+001B⟩[31m'
expect '  and cut where it is too long' not has "$page/help.html" \
  0000000000000000000000000000000000000000000000000000000000
for name in Þórsson al-Zahra Miller script; do
  expect "the page to show names nobody ($name)" not has "$page/lab2.html" "$name"
  expect '  nor does the summary' not has "$work/thirty.summary" "$name"
done
pseudonym=$(sql thirty \
  "SELECT pseudonym FROM student JOIN attempt ON student = student.id WHERE lab='lab2' AND counts
    AND status='graded' AND score=100 LIMIT 1")
expect "but pseudonyms ($pseudonym)" has "$page/lab2.html" ">${pseudonym:-none}</bdi>"
if [ $gnuplot = yes ]; then
  for chart in scores items hazards speed ceiling traffic progress leaders; do
    file=$page/lab2-$chart
    expect "chart $chart: an SVG that is well-formed" sh \
      -c "! command -v xmllint >/dev/null || xmllint --nonet --noout '$file.svg'"
    expect '  and a PNG of 1600 x 900' sh \
      -c "[ \"\$(head -c 24 '$file.png' | tail -c 8 | od -An -tx1 |
        tr -d ' \n')\" = 0000064000000384 ]"
  done
  expect 'lab 3 has the shapes of blocks' test -s "$page/lab3-blocks.svg"
  expect 'lab 2, where all are the same, has not' test ! -e "$page/lab2-blocks.svg"
  expect 'the reference is marked' has "$page/lab2-speed.svg" '<text>reference</text>'
  expect '  the baseline, too' has "$page/lab2-traffic.svg" '<text>baseline</text>'
  expect 'charts say modelled' has "$page/lab2-traffic.svg" 'time in us, modelled'
  expect 'charts are in the page' has "$page/lab2.html" '<svg'
  equal 'no half-written file is left' 0 \
    "$(find "$page" ! -name '*.tsv' ! -name '*.svg' ! -name '*.png' ! -name '*.html' -type f |
    wc -l)"
fi
cp "$page/lab2.html" "$work/first.html"
report thirty --lab lab2
equal 'the same gradebook makes the same page' '' "$(cmp "$page/lab2.html" "$work/first.html" 2>&1)"
expect '--lab: only that one in the summary' not has "$work/thirty.summary" 'lab3'
report thirty --lab lab2 --names
expect '--names shows names' has "$page/lab2.html" 'Þórsson'
sane '--names' lab2

# --- none, few, none right, all right, one attempt each ---
class none 0
report none
sane none index
sane none help
expect 'an empty class: the page says so' has "$page/index.html" 'Nothing has been handed in yet'
class one 1 "UPDATE attempt SET counts = (number = 1); DELETE FROM attempt WHERE number > 1 OR lab
  = 'lab3';"
report one --lab lab2
sane one lab2
expect 'one student: one score' has "$page/lab2.html" 'One score: '
expect '  no progress to draw' test ! -e "$page/lab2-progress.svg"
equal '  and no complaint' '' "$(grep -i 'chart\|gnuplot' "$work/one.notes")"
class wrong 12 \
  "UPDATE attempt SET score = 0, verdict = 'fail' WHERE status = 'graded';
    UPDATE item SET points = 0, value = NULL;
  UPDATE case_run SET state = 'wrong' WHERE of = 'submission'; DELETE FROM share;
    DELETE FROM counter; DELETE FROM launch;"
report wrong --lab lab2
sane wrong lab2
expect 'nobody right: said' has "$page/lab2.html" 'Nobody has full marks'
expect '  and no speed' test ! -e "$page/lab2-speed.svg"
equal '  and no complaint' '' "$(grep -i 'chart\|gnuplot' "$work/wrong.notes")"
class right 12 \
  "DELETE FROM attempt WHERE status <> 'graded'; UPDATE attempt SET score = 100;
    UPDATE item SET points = max;
  DELETE FROM hazard; UPDATE case_run SET time_ns = 34759, state = 'right' WHERE of <> 'baseline';"
report right --lab lab2
sane right lab2
expect 'all right: said' has "$page/lab2.html" 'All 12 have full marks'
expect '  and no hazards' has "$page/lab2.html" 'None: every access and every barrier'
equal '  and no complaint' '' "$(grep -i 'chart\|gnuplot' "$work/right.notes")"

# --- the invented class of make class-demo ---
tests/class/make-class "$work/demo" 20 >"$work/out" 2>&1 || fail 'an invented class' \
  "$(cat "$work/out")"
tests/class/make-class "$work/again" 20 >"$work/out" 2>&1
equal 'an invented class is the same every time' '' \
  "$(diff -r "$work/demo" "$work/again" 2>&1 | head -n 3)"
equal '  of as many as asked for' 20 "$(($(wc -l <"$work/demo/roster.csv") - 1))"
equal "  and the kit's own remarks on mistakes are not in it" '' \
  "$(grep -rlE '^// (verdict|loses):|SOLUTION BEGIN|^ *//:' "$work/demo/handed-in")"
expect '  some hand in again' sh -c "ls '$work'/demo/handed-in/*/lab?-1.cu"

# --- without gnuplot ---
mkdir "$work/bin"
for tool in sh env uname; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
PATH="$work/bin" build/class "$work/right" --report --lab lab2 >"$work/out" 2>"$work/err"
equal 'without gnuplot it reports as ever' 0 $?
expect '  and says how to get charts' has "$work/err" './setup installs it'
page=$work/right/grades/report
sane 'without gnuplot' lab2
expect '  on the page, too' has "$page/lab2.html" 'Charts are missing here: they need gnuplot'
expect '  and leaves no chart of another time' test ! -e "$page/lab2-scores.png"
expect '  but tables, which need none' test -s "$page/lab2-scores.tsv"
exit $failed
