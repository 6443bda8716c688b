#!/bin/sh
# cheats.sh: known ways to cheat a timer or the grade gain nothing, and harmless files are not
# accused: one file of each kind, and what can be shown without a GPU; in make test-all some more of
# a kind. tests/cheats/run grades all of them in full.
#
# Prints `ok ...` and `FAIL ...` lines; exit status 1 if anything failed.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
folder=tests/cheats

# --built FILE: is it refused, or let through, when it is built?
if [ "${1-}" = --built ]; then
  file=$folder/$2
  work=$(mktemp -d) || exit 2
  trap 'rm -rf "$work"' EXIT
  status=0
  harness/compile --lab lab3 --source "$file" --output "$work/runner" >"$work/words" 2>&1 ||
    status=$?
  says=$(sed -n 's|^// says: ||p' "$file")
  if grep -q '^// most: refused' "$file"; then
    [ "$status" = 1 ] && grep -qF -- "$says" "$work/words" && echo "ok $file: refused" && exit
  else
    [ "$status" = 0 ] && echo "ok $file: let through" && exit
  fi
  echo "FAIL $file: status $status, $(head -c 300 "$work/words")"
  exit
fi

# --timed FILE WORDS: does a measurement say so of it?
if [ "${1-}" = --timed ]; then
  said=$(build/timed lab3 "$folder/$2" 64 2>&1)
  case $said in
  *"$3"*) echo "ok $2: $3" ;;
  *) echo "FAIL $2: it should say '$3', not: $said" ;;
  esac
  exit
fi

. tests/e2e/lib/check.sh
{
  cat <<'LIST'
--timed lab3/thread_before_main.cu "a thread was started before the function was called"
--timed lab3/thread_later.cu "threads that it started still ran"
--timed lab3/overwrites_inputs.cu "wrong, off by"
--timed harmless/lab3/joined_threads.cu measured
--built lab3/defines_write.cu
--built lab3/init_array.cu
--built lab3/kernels_elsewhere.cu
--built lab3/self_memory_stream.cu
--built lab3/system_call.cu
--built harmless/lab3/globals.cu
LIST
  ! all || cat <<'LIST'
--built lab3/defines_nanosleep.cu
--built lab3/preinit_array.cu
--built lab3/code_elsewhere.cu
--built harmless/lab3/async_task.cu
LIST
} >"$work/list"
xargs -P 2 -L 1 "$0" <"$work/list" >"$work/lines"
kit=$(build/verdicts -k) # whose large cases are small, where nothing is measured in them
# A host that does the work beside a kernel that looks good: no points for the kernel's looks. None
# for tiles that are not there or turn nothing, nor for bad loads beside useless good ones.
words='lab3/host_loop lab4/tile_for_show lab1/same_instruction'
! all || words="$words lab2/no_tiles harmless/lab1/odd_block"
for word in $words; do
  KIT_ROOT=$kit $folder/run --only "$word" >"$work/graded"
  grep '^ok \|^FAIL ' "$work/graded" >>"$work/lines"
  echo "$word" >>"$work/list"
done
cat "$work/lines"
! grep -q '^FAIL ' "$work/lines" &&
  [ "$(grep -c '^ok ' "$work/lines")" = "$(wc -l <"$work/list")" ]
