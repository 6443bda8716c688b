#!/bin/sh
# fuzz.sh: the seeds of the fuzzers (tests/fuzz/seeds), and every input that ever crashed something,
# once under AddressSanitizer and UBSan; and a few of the random kernels, always the same.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
failed=0
seeds=build/fuzz/seeds
if [ ! -x build/tests/test_ptx ] && [ ! -x build/san/tests/test_ptx ]; then
  echo 'skip fuzz seeds: they come from unit tests, which need cmocka (./setup --all)'
elif ! words=$(tests/fuzz/seeds ptx "$seeds" 2>&1); then
  echo "FAIL fuzz seeds: $words"
  failed=1
fi
for target in ptx wire; do
  replay=build/san/fuzz/replay_$target
  if [ ! -x "$replay" ]; then
    echo "skip fuzz $target: $replay is missing (make test builds it)"
    continue
  fi
  set -- tests/fuzz/corpus/"$target"/*
  if [ "$target" = ptx ] && [ -d "$seeds" ]; then set -- "$@" "$seeds"/*; fi
  words=$(ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=1 "$replay" "$@" 2>&1) && status=0 ||
    status=$?
  if [ "$status" = 0 ]; then
    echo "ok fuzz $target: $(printf '%s\n' "$words" | tail -n 1)"
  else
    echo "FAIL fuzz $target: $(printf '%s\n' "$words" |
      grep -E '^(tests|build)/fuzz/|ERROR|error:|too long' | tail -n 3 | tr '\n' ' ')"
    failed=1
  fi
done
for run in 'build/tests/kernels 100' 'build/san/tests/kernels 10'; do
  program=${run% *}
  if [ ! -x "$program" ]; then
    echo "skip fuzz kernels: $program is missing (make test builds it)"
  elif words=$("$program" --seed 1 --count "${run#* }" --jobs 2 2>&1); then
    echo "ok fuzz $program: $words"
  else
    echo "FAIL fuzz $program: $(printf '%s\n' "$words" | grep -E '^seed|ERROR|error:|kernels in' |
      tail -n 3 | tr '\n' ' ')"
    failed=1
  fi
done
exit "$failed"
