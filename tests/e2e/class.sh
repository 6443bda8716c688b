#!/bin/sh
# class.sh: ./grade class: what instructors have, hostile archives, kills, regrading, exports.
#
#   tests/e2e/class.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
[ -x build/class ] ||
  { echo 'skip class: it is not built (./setup --class, then make class)'; exit 0; }
. tests/e2e/lib/check.sh
. tests/class/class.sh

# report NAME STATUS
report() {
  if [ "$2" -eq 0 ]; then
    ok "$1"
  else
    fail "$1" "$(grep -v '^[0-9]* of [0-9]* graded' "$work/log" | head -n 6 | tr '\n' ' ')"
  fi
}
# class STATUS ARGUMENT...: runs ./grade class, its output in $work/log; false unless it ends so.
class() {
  wanted=$1 status=0
  shift
  ./grade class "$@" >"$work/log" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] ||
    { echo "exit status $status, not $wanted" >>"$work/log"; return 1; }
}
check() { if "$@"; then result=0; else result=1; fi; }
ask() { build/class "$work/$1" --jsonl - 2>/dev/null | grep -c "$2" || :; }

# --- formats: files that do not compile are quick to grade ---
samples=tests/class/samples
bad='#error not this time'

zip_of() { (cd "$1" && zip -qr "$2" .); }
rm -rf "$work/canvas" && mkdir -p "$work/canvas"
for name in lovelaceada_1001_501_lab3.cu lovelaceada_LATE_1001_502_lab3-1.cu \
  hopperg_LATE_1002_503_lab3.cu; do
  printf '%s\n// %s\n' "$bad" "$name" >"$work/canvas/$name"
done
mkdir "$work/inner" && echo "$bad" >"$work/inner/lab3.cu" && zip_of "$work/inner" \
  "$work/canvas/turinga_1003_504_hw.zip"
echo '<p>text</p>' >"$work/canvas/knuthd_1004_text.html"
zip_of "$work/canvas" "$work/canvas.zip"
check class 1 "$work/canvas.zip" --seed 1 --roster $samples/canvas_roster.csv
grep -q 'as canvas: ' "$work/log" || result=1
# two files, one attempt
grep -q 'lovelaceada_1001_501_lab3.cu: left out: lab3-1.cu is graded' "$work/log" || result=1
[ "$(ask canvas.zip '"late":1')" -eq 2 ] || result=1 # hopper's and lovelace's
[ "$(ask canvas.zip '"name":"Lovelace, Ada"')" -eq 1 ] || result=1
grep -q 'Knuth, Don, lab3: refused: it is text typed in the browser' "$work/log" || result=1
report 'a Canvas zip: names, late marks, two files of one submission, a zip, one without code' \
  $result

mkdir -p "$work/moodle/Ada Lovelace_7001_assignsubmission_file_" \
  "$work/moodle/Alan Turing_7002_assignsubmission_onlinetext_"
echo "$bad" >"$work/moodle/Ada Lovelace_7001_assignsubmission_file_/lab3.cu"
echo "$bad" >"$work/moodle/Grace Hopper_7003_assignsubmission_file_lab3.cu"
echo '<p>text</p>' >"$work/moodle/Alan Turing_7002_assignsubmission_onlinetext_/onlinetext.html"
rm -f "$work/moodle.zip" && zip_of "$work/moodle" "$work/moodle.zip"
check class 1 "$work/moodle.zip" --seed 1 --roster $samples/moodle_worksheet.csv
grep -q 'as moodle: ' "$work/log" || result=1
[ "$(ask moodle.zip '"email":"ada@example.edu"')" -eq 1 ] || result=1
grep -q 'Alan Turing, lab3: refused: it is text typed in the browser' "$work/log" || result=1
report 'a Moodle zip, in folders and flat, one with text alone' $result

mkdir -p "$work/gs/assignment_9_export/submission_11" "$work/gs/assignment_9_export/submission_12"
echo "$bad" >"$work/gs/assignment_9_export/submission_11/lab3.cu"
echo "$bad" >"$work/gs/assignment_9_export/submission_12/lab3.cu"
cp $samples/submission_metadata.yml "$work/gs/assignment_9_export/"
zip_of "$work/gs" "$work/gs.zip"
check class 0 "$work/gs.zip" --seed 1 --due 2026-01-31T12:00Z
grep -q 'as gradescope: ' "$work/log" || result=1
[ "$(ask gs.zip '"status":"graded"')" -eq 3 ] || result=1 # one of them by two
[ "$(ask gs.zip '"late":3600')" -eq 2 ] || result=1
report 'a Gradescope export: people of a group, times of submission' $result

# --- exports into those platforms' own files ---
cp $samples/canvas_gradebook.csv $samples/moodle_worksheet.csv "$work/"
check class 1 "$work/canvas.zip" --canvas "$work/canvas_gradebook.csv"
cmp -s "$work/canvas_gradebook.csv" $samples/canvas_gradebook.csv || result=1
cmp -s "$work/canvas_gradebook.graded.csv" $samples/canvas_gradebook.graded.csv || {
  diff "$work/canvas_gradebook.graded.csv" $samples/canvas_gradebook.graded.csv >>"$work/log" ||
    result=1; }
report "Canvas: one column is filled, every other byte is the instructor's" $result
check class 2 "$work/canvas.zip" --canvas "$work/canvas_gradebook.csv" --column 'Lab 9'
grep -q 'Lab 3: transpose' "$work/log" || result=1
report 'Canvas: a column that is not there: the others are listed' $result
check class 1 "$work/moodle.zip" --moodle "$work/moodle_worksheet.csv"
cmp -s "$work/moodle_worksheet.graded.csv" $samples/moodle_worksheet.graded.csv || {
  diff "$work/moodle_worksheet.graded.csv" $samples/moodle_worksheet.graded.csv >>"$work/log" ||
    result=1; }
report 'Moodle: grade and feedback are filled' $result

# --- hostile archives and names, beside good work ---
rm -rf "$work/class" && mkdir -p "$work/class/good" "$work/class/evil"
echo "$bad" >"$work/class/good/lab3.cu"
printf '%s' 'int secret;' >"$work/outside.cu"
(cd "$work/class/evil" && zip -q ../slip.zip ../../outside.cu)
(cd "$work/class/evil" && ln -s /etc/passwd lab3.cu && zip -qy ../links.zip lab3.cu && rm lab3.cu)
head -c 50000000 /dev/zero >"$work/zeros" && (cd "$work" && zip -q class/bomb.zip zeros) &&
  rm "$work/zeros"
(cd "$work/inner" && zip -q -P secret ../class/locked.zip lab3.cu)
head -c 60 "$work/canvas/turinga_1003_504_hw.zip" >"$work/class/cut.zip"
ln -s /etc/passwd "$work/class/evil/lab3.cu"
esc=$(printf '\033')
echo "$bad" >"$work/class/red${esc}[31m_lab3.cu"
mkdir "$work/class/$(printf 'caf\351')" && echo "$bad" >"$work/class/$(printf 'caf\351')/lab3.cu"
check class 1 "$work/class" --seed 1 --lab lab3 --feedback
for words in 'slip.*leads out of it' 'links.*symbolic link' 'bomb.*is a bomb' 'locked.*encrypted' \
  'cut.*cut off' \
  'evil.*symbolic link'; do
  grep -q "refused: .*$words\|$words" "$work/log" ||
    { echo "not said: $words" >>"$work/log"; result=1; }
done
! LC_ALL=C grep -q "$esc" "$work/log" ||
  { echo 'the terminal gets an escape code' >>"$work/log"; result=1; }
[ "$(ask class '"status":"graded"')" -eq 3 ] || result=1
[ "$(ask class '"graded_with"')" -eq 2 ] || result=1 # all three are the same file
[ "$(ask class '"status":"refused"')" -eq 6 ] || result=1
[ -z "$(find "$work/class/grades/files" -type l -o -name '*outside*' -o -name 'zeros*')" ] ||
  result=1
[ -s "$work/class/grades/feedback/good/lab3.html" ] || result=1
[ -s "$work/class/grades/feedback/bomb/lab3.txt" ] || result=1
report 'hostile archives are refused with a reason, and harm nobody' $result

# --- a class that is killed, regraded, and handed in again ---
rm -rf "$work/class"
students 5 lab3
check class 0 "$work/class" --state "$work/quiet" --seed 1
./grade class "$work/class" --state "$work/quiet" --dump >"$work/expected"
for seconds in 0.2 1.0 2.2; do
  ./grade class "$work/class" --state "$work/killed" --seed 1 >/dev/null 2>&1 &
  pid=$!
  sleep $seconds
  case $seconds in
    1.0) pkill -9 -P $pid -f 'grade task' || : ;;
    *) kill -9 $pid 2>/dev/null || : ;;
  esac
  wait $pid 2>/dev/null || :
done
check class 0 "$work/class" --state "$work/killed" --seed 1
./grade class "$work/class" --state "$work/killed" --dump >"$work/dump"
cmp -s "$work/expected" "$work/dump" ||
  { diff "$work/expected" "$work/dump" | cut -c1-200 | head -n 3 >>"$work/log"; result=1; }
[ -z "$(ls -A "$work/killed/spool")" ] || result=1
report 'killed three times: the gradebook of an undisturbed run' $result

check class 0 "$work/class" --state "$work/killed" --regrade
grep -q '5 scored again from what was measured, 0 of which changed; 0 to be run' "$work/log" ||
  result=1
./grade class "$work/class" --state "$work/killed" --dump >"$work/dump"
cmp -s "$work/expected" "$work/dump" || result=1
report 'regraded by the same lab.conf: the same gradebook' $result

# Its races are of two weights, and the heavier one comes later in the file.
mkdir -p "$work/races/one"
cp solutions/lab2_*/wrong/no_second_barrier.cu "$work/races/one/lab2.cu"
check class 0 "$work/races" --seed 1
check class 0 "$work/races" --regrade
grep -q '1 scored again from what was measured, 0 of which changed; 0 to be run' "$work/log" ||
  result=1
report 'regraded races: the same reason' $result

# In a copy of the kit whose lab.conf can be changed.
linked_kit
conf=$(echo "$kit"/labs/lab3_*/lab.conf)
other() {
  KIT_ROOT=$work/kit build/class "$work/class" --state "$work/killed" "$@" >"$work/log" 2>&1
}
points=$(sed -n 's/^points = //p' "$conf" | head -n 1)
sed "0,/^points = $points\$/s//points = $((points + 10))/" "$conf" >"$work/conf" &&
  cp "$work/conf" "$conf"
check other
grep -q 'lab.conf has changed' "$work/log" || result=1
check other --regrade --accept
grep -q '5 scored again' "$work/log" || result=1
scored='select count(*) from attempt where max=110'
[ "$(sqlite3 "$work/killed/gradebook.sqlite" "$scored" 2>/dev/null || echo 5)" = 5 ] || result=1
report 'other points: scored from what was measured' $result

# A resubmission, and somebody else's file, found by the next run.
echo "$bad" >"$work/class/student001/lab3.cu"
check class 0 "$work/class" --state "$work/quiet"
grep -q '1 new to grade' "$work/log" || result=1
[ "$(./grade class "$work/class" --state "$work/quiet" --jsonl - 2>/dev/null |
  grep -c '"student":"student001"')" -eq 2 ] || result=1
report 'a file that was handed in again is a new attempt' $result

# Two at once.
mkdir -p "$work/one" && touch "$work/one/none.txt"
(
  exec 9>"$work/quiet/lock"
  flock 9
  class 2 "$work/class" --state "$work/quiet" && grep -q 'in use by another' "$work/log"
) && result=0 || result=1
report 'a second run says who has the lock' $result

# A disk that is full: told, nothing lost.
check class 2 "$work/class" --state /dev/full/x
report 'a state folder that cannot be made' $result
exit $failed
