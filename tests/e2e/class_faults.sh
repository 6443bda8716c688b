#!/bin/sh
# class_faults.sh: ./grade class on a full disk, in a read-only folder, moved, and started twice:
# the gradebook is that of an undisturbed run.
#
#   tests/e2e/class_faults.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
#
# Kills are in class.sh, and by the dozen in tests/class/kills.
set -eu
cd "$(dirname "$0")/../.."
[ -x build/class ] ||
  { echo 'skip class_faults: it is not built (./setup --class, then make class)'; exit 0; }
. tests/e2e/lib/check.sh

# class STATUS ARGUMENT...: output in $work/log; false unless it ends so.
class() {
  wanted=$1 status=0
  shift
  build/class "$work/class" "$@" >"$work/log" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] ||
    { echo "exit status $status, not $wanted" >>"$work/log"; return 1; }
}
check() { if "$@"; then result=0; else result=1; fi; }
also() { "$@" || { echo "not so: $*" >>"$work/log"; result=1; }; }
report() {
  if [ "$2" -eq 0 ]; then ok "$1"; else fail "$1" "$(tail -n 6 "$work/log" | tr '\n' ' ')"; fi
}
# same STATE: its gradebook is the undisturbed one's.
same() {
  build/class "$work/class" --state "$1" --dump >"$work/dump" && cmp -s "$work/expected" \
    "$work/dump"
}

for i in 1 2 3 4 5 6; do
  mkdir -p "$work/class/student$i"
  echo "#error $i" >"$work/class/student$i/lab3.cu"
done
class 0 --state "$work/quiet" --seed 1
build/class "$work/class" --state "$work/quiet" --dump >"$work/expected"

# --- a disk that fills up: files may grow to so many blocks of 512 bytes only ---
# shellcheck disable=SC3045 # dash has ulimit -f
for blocks in 0 8 100 200 250 300 400; do
  (trap '' XFSZ && ulimit -f $blocks &&
    { build/class "$work/class" --state "$work/full" --seed 1 2>&1; echo $? >&3; }) \
    3>"$work/status" | cat >"$work/log"
  status=$(cat "$work/status" || :)
  case ${status:-2} in
    0) break ;;
    2) [ $blocks = 0 ] || grep -q 'File too large\|disk is full\|disk I/O error' "$work/log" ||
      { status=9; break; } ;;
    *) break ;;
  esac
done
check [ "${status:-2}" -le 2 ]
also class 0 --state "$work/full" --seed 1
also same "$work/full"
report 'files that cannot grow: told, and the next run goes on' $result

in_small_disk() { # KILOBYTES COMMAND: in a disk of so many kilobytes at $work/disk
  unshare -m sh -c "mount -t tmpfs -o size=$1k none '$work/disk' && $2" 2>"$work/unshare"
}
mkdir "$work/disk"
if in_small_disk 64 true; then
  # The state is kept in a bundle between disks, as each is gone with its namespace.
  for kilobytes in 64 200 400 600 800 2000; do
    # shellcheck disable=SC2016
    in_small_disk $kilobytes \
      "[ ! -f '$work/bundle' ] || tar -C '$work/disk' -xf '$work/bundle' 2>/dev/null
      build/class '$work/class' --state '$work/disk/state' --seed 1 >'$work/log' 2>&1
      echo \$? >'$work/status'
      [ ! -d '$work/disk/state' ] || tar -C '$work/disk' -cf '$work/bundle.new' state &&
        mv '$work/bundle.new' '$work/bundle'" || :
    echo "$kilobytes: $(cat "$work/status"): $(tail -n 1 "$work/log")" >>"$work/disks"
    case $(cat "$work/status") in
      0) break ;;
      1 | 2) grep -q 'No space\|disk is full' "$work/log" || break ;;
      *) break ;;
    esac
  done
  mkdir -p "$work/large" && tar -C "$work/large" -xf "$work/bundle"
  cp "$work/disks" "$work/log"
  check [ "$(cat "$work/status")" -eq 0 ]
  also same "$work/large/state"
  also [ "$(grep -c 'No space\|disk is full' "$work/disks")" -ge 1 ]
  report 'a disk that is full: told, and the next run with more room goes on' $result

  in_small_disk 4000 \
    "cp -R '$work/quiet' '$work/disk/state' && mount -o remount,ro none '$work/disk' &&
    { build/class '$work/class' --state '$work/disk/state' >'$work/log' 2>&1
      echo \$? >'$work/status'; }" || :
  check [ "$(cat "$work/status")" -eq 2 ]
  also grep -q 'Read-only file system' "$work/log"
  report 'a folder that is read-only: told' $result
else
  echo "skip a disk that is full: no disk can be mounted here ($(head -n 1 "$work/unshare"))"
fi

# --- moved, with a run in between that was stopped ---
class 0 --state "$work/first" --seed 1 --jobs 1 &
pid=$!
sleep 0.7
pkill -9 -P $pid 2>/dev/null || :
kill -9 $pid 2>/dev/null || :
wait $pid 2>/dev/null || :
[ -d "$work/first" ] || mkdir "$work/first"
mv "$work/first" "$work/second"
check class 0 --state "$work/second" --seed 1
also same "$work/second"
ln -s "$work/second" "$work/linked"
also class 0 --state "$work/linked"
also same "$work/linked"
report 'a gradebook that was moved' $result

# --- two instructors at once ---
rm -rf "$work/shared"
build/class "$work/class" --state "$work/shared" --seed 1 >"$work/one" 2>&1 & one=$!
build/class "$work/class" --state "$work/shared" --seed 1 >"$work/two" 2>&1 & two=$!
first=0 second=0
wait $one || first=$?
wait $two || second=$?
cat "$work/one" "$work/two" >"$work/log"
check [ $((first + second)) -eq 2 ]
also grep -q 'is in use by another ./grade class' "$work/log"
also same "$work/shared"
report 'two at once: one is refused, and says so' $result
exit $failed
