#!/bin/sh
# gradescope.sh: the autograder that `make gradescope` packs, laid out as Gradescope does: whatever
# is handed in and whatever fails, there is a results.json as they document it.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why`.
#
# test-all: run it after a change of gradescope/ or of what grades are written as; class.sh grades,
#   too
set -u
cd "$(dirname -- "$0")/../.." || exit 2
for tool in zip unzip jq; do
  command -v $tool >/dev/null ||
    { echo "skip gradescope: $tool is not installed (./setup --all)"; exit 0; }
done
. tests/e2e/lib/check.sh
mounted=
clean() {
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap clean EXIT

# An instructor's kit: this one with a smaller lab, and a hidden case.
whole_kit
cat >"$kit/labs/lab1_global/lab.conf" <<'CONF'
[lab]
title = A lab
problem = matmul
sleep_limit = 2
memory_limit = 2048
[case even]
dims = M=32 N=32 K=32
show = yes
[item right]
class = correctness
title = The product is right
points = 6
cases = even
hint = Think.
[item clean]
class = hazard
title = No hazards
points = 2
[item time]
class = performance
title = Time beside the model solution
points = 2
case = even
metric = time_ns
of = reference
full = <= 2
CONF
cat >"$kit/labs/lab1_global/hidden.conf" <<'CONF'
[case odd]
dims = M=143 N=97 K=31
[item right]
points = 3
[item edges]
class = correctness
title = Sizes that are no multiple of a block's
points = 3
cases = odd
CONF

# --- the zip --------------------------------------------------------------------------------------
pack() { (cd "$kit" && gradescope/make lab1); }
expect 'make gradescope packs' pack
zip=$kit/build/gradescope/lab1.zip
unzip -Z1 "$zip" >"$work/list"
for name in setup.sh run_autograder; do
  expect "$name is at the root of the zip" grep -qx "$name" "$work/list"
done
for part in solutions/ cheats/ grader/class/ lab2 wrong/ .git/; do
  expect "nothing of $part is in it" not has "$work/list" "$part"
done
expect 'hidden.conf is in it' has "$work/list" kit/labs/lab1_global/hidden.conf
no_lab() { ! gradescope/make; }
expect 'without a lab it says how to call it' no_lab

# --- as there -------------------------------------------------------------------------------------
export AUTOGRADER_ROOT="$work/autograder"
mkdir -p "$AUTOGRADER_ROOT/source" "$AUTOGRADER_ROOT/results" "$AUTOGRADER_ROOT/submission"
unzip -q "$zip" -d "$AUTOGRADER_ROOT/source"
source=$AUTOGRADER_ROOT/source/kit
cp "$AUTOGRADER_ROOT/source/run_autograder" "$AUTOGRADER_ROOT/"
expect 'both can be executed' test -x "$AUTOGRADER_ROOT/run_autograder" \
  -a -x "$AUTOGRADER_ROOT/source/setup.sh"
what_is_built "$source"
# older than what is built: nothing is built anew
find "$source" -type f -exec touch -d 2020-01-01 {} +
if "$source/setup" --check 2>&1 | grep -q 'Nothing is missing'; then
  expect 'setup.sh finds all there and grades the skeleton' "$AUTOGRADER_ROOT/source/setup.sh"
  expect 'afterwards only root reads what is hidden' test \
    "$(stat -c %a "$source/labs/lab1_global/hidden.conf")" = 600
else
  echo 'skip setup.sh: packages are missing here, and a test installs none'
fi

results=$AUTOGRADER_ROOT/results/results.json
# hand_in FILE...: what the submission holds now.
hand_in() {
  rm -rf "$AUTOGRADER_ROOT/submission"
  mkdir "$AUTOGRADER_ROOT/submission"
  [ $# -eq 0 ] || cp "$@" "$AUTOGRADER_ROOT/submission/"
}
# run NAME: run_autograder, and what holds always.
run() {
  rm -f "$results"
  (cd "$AUTOGRADER_ROOT" && ./run_autograder) >"$work/log" 2>&1 </dev/null ||
    fail "$1" "exit status $?"
  as_documented "$1"
}
as_documented() {
  faults=$(jq -r -f tests/gradescope/schema.jq "$results" 2>&1) || faults="no results.json: $faults"
  if [ -z "$faults" ]; then
    ok "$1: results.json is as documented"
  else
    fail "$1" "$faults; $(tail -n 3 "$work/log")"
  fi
}
# that NAME FILTER: the results pass jq's filter.
that() {
  if jq -e "$2" "$results" >/dev/null 2>&1; then
    ok "$1"
  else
    fail "$1" "$2: $(head -c 800 "$results")"
  fi
}

hand_in solutions/lab1_global/lab1.cu
run 'the solution'
that 'it gets full marks' \
  '.score == 10 and ([.tests[].score] | add) == 10 and all(.tests[]; .status == "passed")'
that 'what is hidden is shown once grades are published' \
  '[.tests[] | select(.visibility == "after_published").name] ==
    ["Sizes that are no multiple of a block'"'"'s (hidden)"]'
that 'and the leaderboard does not tell' \
  '.leaderboard[0] == {name: "Score", value: 7, order: "desc"}'
that 'it has the ratio of times' \
  '.leaderboard[1].order == "asc" and .leaderboard[1].value > 0.9 and .leaderboard[1].value < 1.1'

cp solutions/lab1_global/wrong/floor_grid.cu "$work/mine.cu"
mkdir -p "$work/__MACOSX" && echo junk >"$work/._mine.cu"
hand_in "$work/mine.cu" "$work/._mine.cu"
run 'a grid rounded down'
that 'it loses the hidden points, and reads why' '[.tests[] | select(.status == "failed").output] |
  length == 1 and (.[0] | test("hidden case odd: not all of its outputs are right")
    and (test("143|97|142|96") | not))'
that 'the score counts them' '.score == 7'

hand_in solutions/lab1_global/lab1.cu "$work/mine.cu"
run 'two files, one of them named as the lab'
that 'that one is graded' '.score == 10'
cp "$work/mine.cu" "$work/other.cu"
hand_in "$work/mine.cu" "$work/other.cu"
run 'two files'
that 'they are refused, with words' '.score == 0 and (.output | test("several"))'
hand_in
run 'no file'
that 'says what to submit' '.score == 0 and (.output | test("no .cu file"))'
(cd "$work" && zip -q handed.zip mine.cu)
hand_in "$work/handed.zip"
run 'a zip inside'
that 'says what to submit instead' '.score == 0 and (.output | test("archive"))'

printf '%s { \377\033[31m }\n' \
  'void matmul(const float *A, const float *B, float *C, int M, int N, int K)' >"$work/broken.cu"
hand_in "$work/broken.cu"
run 'a file that does not compile, with bytes that are no text'
that 'says what the compiler says' \
  '.score == 0 and (.output | test("error:")) and (.tests | length) == 4'
cp solutions/lab1_global/wrong/never_ends.cu "$work/hang.cu"
mv "$work/hang.cu" "$work/a name
with 'quotes\" and \$(touch lines).cu"
hand_in "$work"/a\ name*
run 'a program that never ends, in a file with an odd name'
that 'is graded: it did not finish' \
  '.score < 10 and ([.tests[].output] | join(" ") | test("finish|time|hung"))'

# --- when we fail ---------------------------------------------------------------------------------
hand_in solutions/lab1_global/lab1.cu
fault='.score == 0 and (.output | test("^Not graded: ask your instructor"))'
mv "$source/build/grade" "$source/build/grade.kept"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$source/build/grade" && chmod +x "$source/build/grade"
run 'the grader crashes'
that 'it is not graded' "$fault"
printf '#!/bin/sh\nexec sleep 20\n' >"$source/build/grade"
export KIT_GRADESCOPE_SECONDS=1
run 'the grader hangs'
that 'it is not graded either' "$fault"
unset KIT_GRADESCOPE_SECONDS
rm -f "$results"
(cd "$AUTOGRADER_ROOT" && exec ./run_autograder) >"$work/log" 2>&1 </dev/null &
victim=$!
tries=0
while [ ! -f "$AUTOGRADER_ROOT/results/results.json.reserve" ] && [ $tries -lt 100 ]; do
  sleep 0.1 && tries=$((tries + 1))
done
kill -KILL $victim
wait $victim 2>/dev/null
as_documented 'run_autograder is killed'
that 'what it left says not graded' "$fault"
mv "$source/build/grade.kept" "$source/build/grade"
mv "$source/labs/lab1_global/reference.json" "$work/"
run 'what solutions measure is missing'
that 'it is not graded, and it says why' "$fault"' and (.output | test("reference.json"))'
mv "$work/reference.json" "$source/labs/lab1_global/"

# A full disk: a file system of its own under results/.
if mount -t tmpfs -o size=1m tmpfs "$AUTOGRADER_ROOT/results" 2>/dev/null; then
  mounted=$AUTOGRADER_ROOT/results
  # What a submission may do while it is graded: fill what is left.
  cat >"$source/build/fills" <<SH
#!/bin/sh
cat /dev/zero >"$AUTOGRADER_ROOT/results/filled" 2>/dev/null
exec "$source/build/grade.kept" "\$@"
SH
  mv "$source/build/grade" "$source/build/grade.kept"
  chmod +x "$source/build/fills" && mv "$source/build/fills" "$source/build/grade"
  run 'a disk that fills up while grading'
  that 'it is graded: room was kept' '.score == 10'
  rm -f "$results" && cat /dev/zero >"$AUTOGRADER_ROOT/results/filled" 2>/dev/null
  run 'a disk that was full before'
  that 'it is not graded' "$fault"
  umount "$mounted" && mounted=
else
  echo 'skip a full disk: file systems cannot be mounted here'
fi
exit $failed
