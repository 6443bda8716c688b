#!/bin/sh
# charts.sh: every chart of ./grade class DIR --report shows what the gradebook says. Classes are
# filled by SQL (tests/e2e/report/class.sql; awkward.sql: what is hard to draw). For each chart:
#
#   - its table, LAB-CHART.tsv, holds the figures that tables.sql gets out of the gradebook,
#     without any code of the kit;
#   - what is drawn lies where the words on the axes put those figures, has their words beside it,
#     and nothing else is there (drawn.awk);
#   - no words lie over others or reach out of the picture (words.awk).
#
# Prints `ok name`, `FAIL name: why` or `skip name: why`.
#
# test-all: run it after a change of class/report or of plots/; class.sh makes the report
set -u
cd "$(dirname -- "$0")/../.." || exit 2
for need in build/class sqlite3 gnuplot; do
  [ -x "$need" ] || command -v "$need" >/dev/null 2>&1 || {
    echo "skip the charts of a class: there is no $need (./setup --class)"
    exit 0
  }
done
. tests/e2e/lib/check.sh
export LC_ALL=C.UTF-8
parts=$root/tests/e2e/report

# This kit with one more lab, which shows three cases: what a lab may have at most.
linked_kit
cp -r labs/lab4_padding "$kit/labs/lab9_cases" || exit 2
sed 's/tiled-1024/a_first_case_with_a_long_name/; s/pad-1024/WWWWWWWWWWWW/; s/pad-2048/n8/
  s/ROWS=2048 COLS=2048/&\nshow = yes/' \
  labs/lab4_padding/lab.conf >"$kit/labs/lab9_cases/lab.conf"
export KIT_ROOT="$kit"

# class NAME STUDENTS SQL OPTION...: a class of so many students, changed by SQL, and its report.
class() {
  name=$1 book=$work/$1/grades/gradebook.sqlite page=$work/$1/grades/report
  mkdir "$work/$1"
  build/class "$work/$1" >/dev/null 2>&1
  { printf 'CREATE TEMP TABLE size(students); INSERT INTO size VALUES(%d);\n' "$2" &&
    cat "$parts/class.sql" && printf '%s\n' "$3"; } |
    sqlite3 "$book" || fail "$name: the class" 'sqlite3 does not take it'
  shift 3
  names=$(printf '%s' "$*" | grep -c -e --names)
  status=0
  build/class "$work/$name" --report "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status -le 1 ] || fail "$name: the report" "$(cat "$work/err")" # 1: some are refused
  equal "$name: nothing to complain about" '' "$(grep -i 'chart\|gnuplot' "$work/err")"
}

# expected LAB: the rows that its charts must show.
expected() {
  {
    echo "CREATE TEMP TABLE asked(lab, names, baseline); INSERT INTO asked(lab, names) VALUES('$1',
      $names);"
    echo 'CREATE TEMP TABLE shown(place, case_name); CREATE TEMP TABLE swept(case_name);
      CREATE TEMP TABLE looks_at(item, case_name);'
    awk -f "$parts/conf.awk" "$kit/labs/$1"_*/lab.conf
    cat "$parts/tables.sql"
  } | sqlite3 "$book" >"$work/rows" || fail "$name: what the gradebook says of $1" 'sqlite3 fails'
  LC_ALL=C awk -f "$parts/expected.awk" "$work/rows" >"$work/expected"
}

# chart LAB ID
chart() {
  tsv=$page/$1-$2.tsv svg=$page/$1-$2.svg
  problems=$(
    export LC_ALL=C # bytes, for any awk
    [ -s "$page/$1-$2.png" ] || echo 'there is no PNG'
    if [ -s "$tsv" ]; then
      awk -v chart="$2" -f "$parts/tables.awk" "$work/expected" "$tsv"
    else
      echo 'there is no table'
    fi
    if [ -s "$svg" ]; then
      awk -v chart="$2" -f "$parts/svg.awk" -f "$parts/drawn.awk" "$work/expected" "$svg"
      awk -f "$parts/svg.awk" -f "$parts/words.awk" "$svg"
    else
      echo 'there is no SVG'
    fi
  )
  if [ -z "$problems" ]; then
    ok "$name: $1, $2"
  else
    fail "$name: $1, $2" "$(printf '%s\n' "$problems" | head -n 8)"
  fi
}

# charts LAB...: each chart of these labs that there should be, and no other.
charts() {
  for lab; do
    expected "$lab"
    wanted=$(cut -f 1 "$work/expected" | LC_ALL=C sort -u)
    for id in $wanted; do chart "$lab" "$id"; done
    drawn=$(cd "$page" && find . -name "$lab-*.*" | sed "s|^\./$lab-||; s|\.[a-z]*\$||" |
      LC_ALL=C sort -u)
    equal "$name: $lab has these charts and no others" "$wanted" "$drawn"
  done
}

class '120 students' 120 ''
charts lab2 lab3
awkward=$(cat "$parts/awkward.sql")
class '120 awkward students' 120 "$awkward" --names
charts lab2 lab3 lab4 lab9
class '3 awkward students' 3 "$awkward" --lab lab9
charts lab9
class '1 student' 1 ''
charts lab2 lab3
class 'nobody right' 12 \
  "UPDATE attempt SET score = 0, verdict = 'fail' WHERE status = 'graded';
    UPDATE item SET points = 0, value = NULL;
  UPDATE case_run SET state = 'wrong' WHERE of = 'submission'; DELETE FROM share;
    DELETE FROM counter;"
charts lab2 lab3
class 'all equal, of 7 points' 12 \
  "UPDATE attempt SET score = 7, max = 7 WHERE status = 'graded'; UPDATE item SET points = max;
    DELETE FROM hazard;
  UPDATE case_run SET time_ns = 34759, state = 'right'; UPDATE launch SET block_x = 2,
    block_y = 32, block_z = 1;"
charts lab2 lab3
exit $failed
