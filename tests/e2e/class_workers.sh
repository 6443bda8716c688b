#!/bin/sh
# class_workers.sh: the workers of ./grade class: one grades attempt after attempt, whatever becomes
# of the one before; nothing is left of them.
#
#   tests/e2e/class_workers.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
[ -x build/class ] ||
  { echo 'skip class_workers: it is not built (./setup --class, then make class)'; exit 0; }
. tests/e2e/lib/check.sh

# A kit of its own, with one small case, in whose build/ nobody else grades.
small_kit <<'CONF'
[lab]
title = A lab
problem = matmul
[case even]
dims = M=32 N=32 K=32
[item right]
class = correctness
title = The product is right
points = 6
cases = even
CONF
export KIT_ROOT="$kit"

# --- a worker by itself ---
mkdir -p "$work/state/spool"
# attempt ID FILE
attempt() {
  mkdir -p "$work/state/files/$1"
  cp "$2" "$work/state/files/$1/lab1.cu"
  printf '{"lab":"lab1","source":"files/%s/lab1.cu","seed":1,"backend":"sim"}' "$1" \
    >"$work/state/spool/$1.job"
}
# grade_of ID: its grade, without the time that it took.
grade_of() { jq -S 'del(.seconds)' "$work/state/spool/$1.json"; }
echo '#error not this time' >"$work/broken.cu"
attempt 1 solutions/lab1_*/lab1.cu
attempt 2 "$work/broken.cu"
attempt 3 solutions/lab1_*/wrong/no_bounds_check.cu
for id in 1 2 3; do
  build/grade task "$work/state" $id 2>/dev/null
  grade_of $id >"$work/alone.$id"
  rm "$work/state/spool/$id.json"
done
printf '1\n2\nnonsense\n4\n3\n' | build/grade task "$work/state" - >"$work/answers" 2>"$work/log"
equal 'a worker answers for each attempt' '1 0, 2 0, nonsense 512, 4 512, 3 0, ' \
  "$(sed 's/$/,/' "$work/answers" | tr '\n' ' ')"
result=0
for id in 1 2 3; do grade_of $id | cmp -s - "$work/alone.$id" || result=1; done
expect 'its grades are those of tasks by themselves' [ $result -eq 0 ]
expect 'and say what was wrong with a name' has "$work/log" "'nonsense' is not the name"

# --- a class ---
i=0
for file in solutions/lab1_*/lab1.cu $(find solutions/lab1_*/wrong/*.cu | head -n 5); do
  i=$((i + 1))
  mkdir -p "$work/class/student$i"
  cp "$file" "$work/class/student$i/lab1.cu"
done
class() { build/class "$work/class" --seed 1 "$@"; }
class --state "$work/quiet" >/dev/null 2>&1
class --state "$work/quiet" --dump >"$work/expected"

# start STATE: a class run with a worker, in the background: $pid, and the worker's $worker.
start() {
  build/class "$work/class" --seed 1 --state "$1" --jobs 1 >"$work/log" 2>&1 &
  pid=$! worker=''
  for _ in $(seq 100); do
    worker=$(pgrep -P $pid -f 'grade task' || :)
    if [ "$worker" ]; then return; fi
    sleep 0.05
  done
}
# task: the worker's process for an attempt.
task() {
  for _ in $(seq 100); do
    pgrep -P "${worker:-0}" -f 'grade task' && return
    sleep 0.02
  done
}

for signal in INT TERM; do
  start "$work/stopped"
  first=$(task)
  sleep 0.1
  kill -$signal "$pid"
  status=0
  wait "$pid" 2>/dev/null || status=$?
  left=$(pgrep -f "grade task $work/stopped" || :)
  left=$left$(find "$work/kit/build" -type d -name 'grading-*') # not links to other tests'
  equal "SIG$signal ends worker and task, and leaves nothing" ": 1" \
    "$left: $(grep -c 'stopped; what was graded is kept' "$work/log")"
done
class --state "$work/stopped" >/dev/null 2>&1
class --state "$work/stopped" --dump >"$work/dump"
expect 'and the next run goes on' cmp "$work/expected" "$work/dump"

start "$work/killed"
first=$(task)
kill -9 "$first"
sleep 0.3
second=$(task) same=$(pgrep -P $pid -f 'grade task' || :)
status=0
wait $pid || status=$?
class --state "$work/killed" --dump >"$work/dump"
equal 'a task that is killed is run again, by the same worker' "$worker 0" "$same $status"
expect 'which has a process for each attempt' [ "$first" != "$second" ]
expect 'the gradebook is that of an undisturbed run' cmp "$work/expected" "$work/dump"

start "$work/alone"
first=$(task)
kill -9 "$pid" 2>/dev/null
wait "$pid" 2>/dev/null || :
for _ in $(seq 100); do
  pgrep -f "grade task $work/alone" >/dev/null || break
  sleep 0.05
done
expect 'workers and tasks end with whoever has started them' \
  not pgrep -f "grade task $work/alone"
exit $failed
