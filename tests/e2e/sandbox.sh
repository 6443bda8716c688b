#!/bin/sh
# sandbox.sh: which sandbox a grading takes, what it says of it, and what a submission finds in it.
# The attacks are in tests/hostile, the levels' mechanics in tests/unit/test_grader_sandbox.c.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
grade=$root/build/grade

# A lab of its own: one small case.
small_kit <<'CONF'
[lab]
title = Small
problem = matmul
[case 17]
dims = M=17 N=17 K=17
[item right]
class = correctness
title = The product is right
points = 1
cases = 17
CONF
mkdir "$work/tmp"
export KIT_ROOT="$kit" TMPDIR="$work/tmp"

# Without any, nothing runs unless one insists.
KIT_SANDBOX=none "$grade" lab1 --solution >"$work/said" 2>&1
status=$?
if [ $status = 2 ] && grep -q -- --unsafe "$work/said"; then
  ok refused
else
  fail refused "status $status: $(cat "$work/said")"
fi
KIT_SANDBOX=none "$grade" lab1 --solution --unsafe --json "$work/none" >"$work/said" 2>&1 ||
  fail unsafe "$(cat "$work/said")"
grep -q '"sandbox": "none"' "$work/none" && grep -q 'without a sandbox' "$work/said" && ok unsafe

# A level changes nothing but its name in the grade.
for level in bubblewrap landlock; do
  if KIT_SANDBOX=$level "$grade" lab1 --solution --seed 1 --json "$work/$level" >"$work/said" \
    2>&1; then
    grep -q "\"sandbox\": \"$level\"" "$work/$level" || fail "$level" 'the grade does not name it'
    sed -e '/"sandbox"/d' -e '/"seconds"/d' "$work/$level" >"$work/same-$level"
    ok "$level"
  else
    echo "skip $level $(sed -n "s/^  $level: //p" "$work/said")"
  fi
done
if [ -f "$work/same-landlock" ] && [ -f "$work/same-bubblewrap" ]; then
  if cmp -s "$work/same-landlock" "$work/same-bubblewrap"; then
    ok same_grade
  else
    fail same_grade 'the levels grade differently'
  fi
fi

# A bwrap that is there but starts nothing, as in many containers: the next level, or none.
mkdir "$work/bin"
printf '#!/bin/sh\necho "bwrap: no namespaces here" >&2\nexit 1\n' >"$work/bin/bwrap"
chmod 755 "$work/bin/bwrap"
exits 'bwrap fails' 2 'bubblewrap: bwrap: no namespaces here' \
  env PATH="$work/bin:$PATH" KIT_SANDBOX=bubblewrap "$grade" lab1 --solution
if [ -f "$work/landlock" ]; then
  expect 'bwrap fails, landlock works' env PATH="$work/bin:$PATH" "$grade" lab1 --solution \
    --json "$work/next"
  expect '  and is named' has "$work/next" '"sandbox": "landlock"'
fi

# A file alone, or with its folder's headers; what the compiler says names them as the owner does.
mkdir "$work/mine"
sed 's/^/  /' solutions/lab1_global/lab1.cu >"$work/mine/helper.h"
echo '#include "helper.h"' >"$work/mine/mine.cu"
printf '#include "broken.h"\n' >"$work/mine/wrong.cu"
echo 'no C++;' >"$work/mine/broken.h"
"$grade" lab1 --file "$work/mine/mine.cu" >"$work/said" 2>&1 &&
  fail alone 'it has a header that is not its own'
if grep -q "mine/mine.cu:1:.*'helper.h' file not found" "$work/said"; then
  ok alone
else
  fail alone "$(cat "$work/said")"
fi
if "$grade" lab1 --file "$work/mine/mine.cu" --folder >"$work/said" 2>&1; then
  ok folder
else
  fail folder "$(cat "$work/said")"
fi
"$grade" lab1 --file "$work/mine/wrong.cu" --folder >"$work/said" 2>&1
if grep -q "^$work/mine/broken.h:1:" "$work/said"; then
  ok names
else
  fail names "$(cat "$work/said")"
fi

# Threads are limited by user: also for one with other programs, and where no sandbox counts them.
cp tests/hostile/threads.cu tests/hostile/attack.h "$work/mine/"
user=
[ "$(id -u)" -ne 0 ] || user='setpriv --reuid=65533 --regid=65533 --clear-groups'
chmod -R a+rwX "$work"
if ! $user test -x "$grade" 2>/dev/null || ! $user env KIT_SANDBOX=landlock "$grade" lab1 \
  --solution >"$work/said" 2>&1; then
  echo "skip threads: no other user can grade here in Landlock ($(tail -n 1 "$work/said"))"
else
  KIT_SANDBOX=landlock KIT_INSPECT=no $user "$grade" lab1 --file "$work/mine/threads.cu" \
    --folder >"$work/said" 2>&1
  status=$?
  if [ $status = 1 ] && grep -q 'every element\|no kernel' "$work/said"; then
    ok threads
  else
    fail threads "status $status: $(head -c 400 "$work/said")"
  fi
fi

# A grader that is killed takes everything with it.
cp tests/hostile/stops_itself.cu tests/hostile/attack.h "$work/mine/"
for level in bubblewrap landlock; do
  [ -f "$work/$level" ] || continue
  KIT_INSPECT=no KIT_SANDBOX=$level KIT_MARK=$work "$grade" lab1 \
    --file "$work/mine/stops_itself.cu" --folder >"$work/said" 2>&1 &
  grader=$!
  waited=0
  until grep -qx kit-submission /proc/[0-9]*/comm 2>/dev/null || [ $waited -gt 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  kill -KILL $grader
  wait $grader 2>/dev/null
  sleep 0.5
  left=0
  for process in /proc/[0-9]*; do
    case $({ tr '\0' '\n' <"$process/environ"; } 2>/dev/null) in *"KIT_MARK=$work"*) \
      left=$((left + 1)) ;; esac
  done
  if [ $left = 0 ]; then
    ok "killed_$level"
  else
    fail "killed_$level" "$left processes are left"
  fi
done
exit $failed
