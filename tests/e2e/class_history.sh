#!/bin/sh
# class_history.sh: ./grade class: what grades are given by is pinned, --preview and --accept change
# it, --log tells of every change.
#
#   tests/e2e/class_history.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
[ -x build/class ] ||
  { echo 'skip class_history: it is not built (./setup --class, then make class)'; exit 0; }
command -v sqlite3 >/dev/null ||
  { echo 'skip class_history: it needs sqlite3 (./setup --class)'; exit 0; }
. tests/e2e/lib/check.sh

# A kit whose lab.conf can be changed.
linked_kit
mkdir -p "$work/class/ada" "$work/class/bob"
conf=$(echo "$kit"/labs/lab3_*/lab.conf)
cp solutions/lab3_*/lab3.cu "$work/class/ada/"
echo '#error not this time' >"$work/class/bob/lab3.cu"
state=$work/class/grades

# class STATUS ARGUMENT...: output in $work/out, messages in $work/log; false unless it ends so.
class() {
  wanted=$1 status=0
  shift
  KIT_ROOT=$work/kit build/class "$work/class" "$@" >"$work/out" 2>"$work/log" || status=$?
  [ "$status" -eq "$wanted" ] ||
    { echo "exit status $status, not $wanted" >>"$work/log"; return 1; }
}
ask() { sqlite3 "$state/gradebook.sqlite" "$1"; }
check() { if "$@"; then result=0; else result=1; fi; }
also() { "$@" || { echo "not so: $*" >>"$work/log"; result=1; }; }
report() {
  if [ "$2" -eq 0 ]; then
    ok "$1"
  else
    fail "$1" "$(cat "$work/log" "$work/out" | tail -n 6 | tr '\n' ' ')"
  fi
}
points() { sed -i "0,/^points = .*/s//points = $1/" "$conf"; }
grades() {
  ask "select group_concat(student || ' ' || score || '/' || max, ', ')
    from (select * from attempt where counts order by student)"
}

check class 0 --seed 1
also [ "$(grades)" = 'ada 100/100, bob 0/100' ]
class 0 --log ada
also grep -q '  lab3  *-  *-> 100 of 100  *graded; attempt 1, ada/lab3.cu' "$work/out"
report 'the first grade is in the log' $result

points 3
check class 0
also [ "$(grades)" = 'ada 100/100, bob 0/100' ]
also grep -q 'lab3: lab.conf has changed' "$work/log"
mkdir "$work/class/carl" &&
  { cat "$work/class/ada/lab3.cu" && echo '// Carl'; } >"$work/class/carl/lab3.cu"
also class 0
also [ "$(grades)" = 'ada 100/100, bob 0/100, carl 100/100' ]
report 'a changed lab.conf changes no grade, and what comes later is graded by the old one' $result

check class 2 --accept
also grep -q 'there is no preview to accept' "$work/log"
also class 0 --preview
also grep -q '^lab3  ada: 100 of 100 -> 93 of 93: squares 10 of 10 -> 3 of 3$' "$work/out"
also grep -q "^3 of 3 grades would change (lab3's lab.conf" "$work/out"
also [ "$(grades)" = 'ada 100/100, bob 0/100, carl 100/100' ]
report 'a preview lists every grade that would change, and why, and changes none' $result

echo '#error another' >"$work/class/bob/lab3.cu"
check class 0
also class 2 --accept
also grep -q 'have changed since the preview' "$work/log"
report 'a preview of what has changed since is not accepted' $result

check class 0 --preview
also class 0 --accept
also [ "$(grades)" = 'ada 93/93, bob 0/93, carl 93/93' ]
class 0 --log ada
also grep -q "100 of 100  *-> 93 of 93  *lab3's lab.conf" "$work/out"
class 0 --log bob
also [ "$(grep -c . "$work/out")" -eq 4 ] # handed in twice, then lab.conf
also class 0
also [ ! -s "$work/out" ]
also [ "$(grades)" = 'ada 93/93, bob 0/93, carl 93/93' ]
report 'an accepted preview is the gradebook, and its cause in the log' $result

# --- what has to be run again; kills on the way ---
sed -i 's/^dims = \(.*\)$/dims = \1/; 0,/^sets = .*/s//sets = 3/' "$conf"
grep -q '^sets = 3' "$conf" || sed -i '0,/^dims = .*/s//&\nsets = 3/' "$conf"
build/class "$work/class" --dump >"$work/before"
for seconds in 0.3 1 2; do
  KIT_ROOT=$work/kit build/class "$work/class" --preview >/dev/null 2>&1 &
  pid=$!
  sleep $seconds
  kill -9 $pid 2>/dev/null || :
  wait $pid 2>/dev/null || :
done
build/class "$work/class" --dump >"$work/after"
check cmp "$work/before" "$work/after"
also class 0 --preview
also grep -q 'to be run again\|grades would change' "$work/out"
also class 0 --accept
also [ "$(grades)" = 'ada 93/93, bob 0/93, carl 93/93' ]
also [ "$(ask "select count(distinct conf_hash) from attempt where counts")" = 1 ]
also class 0
also [ "$(find "$state/files" -name lab3.cu | wc -l)" -eq \
  "$(ask 'select count(distinct work) from attempt')" ]
report 'a preview that was killed goes on, and the gradebook stays what it was' $result

# --- another version of the kit ---
ask "update pin set kit_version='0.0'; update attempt set kit_version='0.0'"
mkdir "$work/class/dora" && cp "$work/class/bob/lab3.cu" "$work/class/dora/"
check class 1
also grep -q '1 wait: the others of their lab were graded by another version' "$work/log"
also [ "$(grades)" = 'ada 93/93, bob 0/93, carl 93/93' ]
also class 0 --preview --accept
also [ "$(grades)" = 'ada 93/93, bob 0/93, carl 93/93, dora 0/93' ]
also [ "$(ask "select count(*) from attempt where counts and kit_version='0.0'")" = 0 ]
report 'another version of the kit grades nothing before it is accepted' $result

# --- a gradebook without its files ---
mv "$state/files" "$work/files"
rm -rf "$work/class/ada" "$work/class/bob" "$work/class/carl" "$work/class/dora"
mkdir "$work/class/eve" && echo '#error late' >"$work/class/eve/lab3.cu"
points 4
check class 0 --regrade --accept
also [ "$(grades)" = 'ada 94/94, bob 0/94, carl 94/94, dora 0/94, eve 0/94' ]
sed -i '0,/^sets = 3/s//sets = 2/' "$conf"
also class 1 --preview
also grep -q 'keep their grades: they would have to be run again, and their files are not in' \
  "$work/log"
also class 0 --accept
also [ "$(grades)" = 'ada 94/94, bob 0/94, carl 94/94, dora 0/94, eve 0/94' ]
also class 1 --feedback
also grep -q 'no feedback for' "$work/log"
report 'without its files a gradebook is scored from what is stored, and loses nothing' $result

check class 2 --log nobody
also grep -q 'there is no such student' "$work/log"
report 'the log of nobody' $result
exit $failed
