#!/bin/sh
# waiting.sh: programs whose kernels wait for what the host, or work in another stream, stores while
# they run, or that the host follows while they do. They are in tests/programs/waiting; prints ok
# and FAIL lines.
#
#   tests/e2e/waiting.sh [NAME...]
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
programs=$root/tests/programs/waiting
wanted=" $* "

chosen() { [ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) false ;; esac }
# prints NAME TEXT: the program ends in time, with this output, and nothing was found.
prints() {
  chosen "$1" || return 0
  got=0
  harness/kcc "$programs/$1.cu" -o "$work/$1" >"$work/made" 2>&1 || got=$?
  [ "$got" -ne 0 ] || KIT_STRICT=1 timeout 100 "$work/$1" >"$work/printed" 2>"$work/said" || got=$?
  if [ "$got" -eq 0 ] && [ "$(cat "$work/printed")" = "$2" ] && [ ! -s "$work/said" ]; then
    ok "$1"
  else
    fail "$1" "exit $got, $(cat "$work/made" "$work/printed" "$work/said" | head -c 800)"
  fi
}
# found NAME WORDS: it is among what the last program was told.
found() { expect "$1" has "$work/said" "$2"; }

prints latch "cudaErrorNotReady 0 cudaSuccess cudaSuccess 2 1998 1
cudaErrorNotReady 1 cudaSuccess cudaSuccess 4 3996 2
cudaErrorNotReady 2 cudaSuccess cudaSuccess 8 7992 3"
prints mailbox '496 992 1488 1984 2480 cudaSuccess'
prints pingpong "57 0 cudaSuccess
7 cudaSuccess"
prints persistent 'cudaSuccess 1'
prints progress '99 cudaSuccess'
prints stop "cudaSuccess 1
cudaSuccess 1"
prints streams "cudaSuccess 1
cudaErrorNotReady 1 cudaSuccess 3
cudaSuccess 9"
prints monitor "cudaErrorNotReady cudaSuccess 1
20000 cudaSuccess
cudaSuccess"
prints threads 'cudaSuccess 7'
prints updates 'cudaSuccess 1 1 0'
prints beside '1 1 600 cudaSuccess 2 1'

# In the sandbox.
if chosen sandbox; then
  exits 'sandbox: a thread' 0 'cudaSuccess 7' ./grade run "$programs/threads.cu"
  exits 'sandbox: a mailbox' 0 '2480 cudaSuccess' ./grade run "$programs/mailbox.cu"
fi

# For what nobody stores.
if chosen never; then
  harness/kcc "$programs/never.cu" -o "$work/never"
  for how in '' threads; do
    # shellcheck disable=SC2086 # an argument, or none
    timeout 30 "$work/never" $how >"$work/printed" 2>"$work/said"
    equal "never: $how waits in vain" cudaErrorLaunchTimeout "$(cat "$work/printed")"
    found '  and where is said' 'never.cu:6: threads that wait for each other'
  done
  exits 'never: the program ends first' 0 'never.cu:6: threads that wait' \
    timeout 30 "$work/never" end
fi

# From outside.
if chosen killed; then
  harness/kcc "$programs/stop.cu" -o "$work/stop"
  mkfifo "$work/lines"
  "$work/stop" for ever >"$work/lines" 2>"$work/said" &
  program=$!
  while read -r line && [ "$line" != waits ]; do :; done <"$work/lines"
  device=$(cat "/proc/$program/task/$program/children")
  kill -TERM "$program"
  wait "$program" 2>"$work/ended"
  equal 'killed: ends the program' 143 $?
  tries=0
  while [ -d "/proc/${device% }" ] && [ $((tries += 1)) -le 50 ]; do sleep 0.1; done
  expect '  and its device' [ ! -d "/proc/${device% }" ]
fi
exit $failed
