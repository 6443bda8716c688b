#!/bin/sh
# pairs.sh: tests the race checks with pairs of small programs that differ by one line: the racy one
# must be reported as its opening comment says, the right one must compute what it should without a
# word. README.md describes the format of pairs/*.cu.
#
#     tests/races/pairs.sh [WORD]...      all, or those with a WORD in their name; prints ok and
#                                         FAIL lines, two a pair; exits with 1 if any failed
#     tests/races/pairs.sh --some         a third of those of each rule
#     tests/races/pairs.sh --rules        the pairs, by the rule that they test
#     tests/races/pairs.sh --show NAME    what the simulator says of both programs of one pair
#     tests/races/pairs.sh --batches      only writes what is compiled, batch*.cu, and plan
#
# Both programs of a pair are compiled in namespaces of their own, some pairs a compilation,
# into build/races/pairs/ (those of --some: build/races/some/).
# shellcheck disable=SC3013 # dash and bash have -nt
set -eu
cd "$(dirname "$0")/../.."
build=build/races/pairs
[ -z "${KIT_RACES_SOME-}" ] || build=build/races/some
each=16 # pairs a compilation

case ${1-} in
--rules) exec awk -f tests/races/pairs_rules.awk tests/races/pairs/*.cu ;;
--compile) # NUMBER: the programs of one batch
  base=$build/batch$2 reporter=build/tests/races/report.o
  if [ ! -e "$base.o" ] || [ "$base.cu" -nt "$base.o" ] || [ build/headers/made -nt "$base.o" ] ||
    [ tests/races/pair.h -nt "$base.o" ]; then
    rm -f "$base.o" "$base"
    # its pairs will be missing
    CPATH=tests/races harness/compile --source "$base.cu" --object "$base.o" || exit 0
  fi
  for part in "$base.o" $reporter build/libsim.a; do
    if [ ! -e "$base" ] || [ "$part" -nt "$base" ]; then
      clang++ "$base.o" $reporter build/libsim.a -ljansson -linih -lpthread -lm -o "$base" || exit 0
      break
    fi
  done
  exit 0
  ;;
--execute) # BATCH NAME: both programs of a pair
  for variant in racy right; do
    base=$build/$3.$variant status=0
    rm -f "$base.tsv"
    KIT_RACES_REPORT=$base.tsv timeout --kill-after=1 "${KIT_PAIR_LIMIT:-20}" "$build/batch$2" \
      "$3.$variant" >"$base.log" 2>&1 || status=$?
    printf 'status\t%s\n' "$status" >>"$base.tsv"
  done
  exit 0
  ;;
esac

show=no batches=no
[ "${1-}" != --show ] || { show=yes && shift; }
[ "${1-}" != --batches ] || { batches=yes && shift; }
files=$(printf '%s\n' tests/races/pairs/*.cu)
if [ "${1-}" = --some ]; then
  export KIT_RACES_SOME=yes
  build=build/races/some
  # shellcheck disable=SC2086 # names without blanks
  files=$(awk '/^\/\/ rule: / && of[$0]++ % 3 == 0 { print FILENAME }' $files)
  shift
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
[ $batches = yes ] || make -s build/libsim.a build/headers/made build/tests/races/report.o >&2
mkdir -p $build

# Batches: all pairs in order, so that another choice of WORDs compiles nothing anew.
rm -f $build/plan $build/*.new
number=0 names='' count=0
write_batch() {
  [ -n "$names" ] || return 0
  # shellcheck disable=SC2086 # names without blanks
  awk -f tests/races/pairs_batch.awk $names >$build/batch$number.new
  cmp -s $build/batch$number.new $build/batch$number.cu ||
    mv $build/batch$number.new $build/batch$number.cu
  number=$((number + 1)) names='' count=0
}
for file in $files; do
  name=${file##*/} name=${name%.cu}
  if grep -q '^// alone' "$file"; then
    write_batch
    count=$each
  fi
  names="$names $file" count=$((count + 1))
  chosen=no
  [ $# -gt 0 ] || chosen=yes
  for word; do
    case $name in *"$word"*) chosen=yes ;; esac
  done
  [ $chosen = no ] || echo "$number $name" >>$build/plan
  [ $count -lt $each ] || write_batch
done
write_batch
[ -s $build/plan ] || { echo 'pairs.sh: no pair has such a name' >&2; exit 2; }
[ $batches = no ] || exit 0

jobs=$(nproc 2>/dev/null || echo 2)
export KIT_SIM_THREADS=1 KIT_SIM_BUDGET="${KIT_SIM_BUDGET:-2000000}"
cut -d ' ' -f 1 $build/plan | sort -un | xargs -P "$jobs" -n 1 tests/races/pairs.sh --compile
xargs -P "$jobs" -n 2 tests/races/pairs.sh --execute <$build/plan

if [ $show = yes ]; then
  while read -r number name; do
    for variant in racy right; do
      echo "--- $name, $variant"
      cat "$build/$name.$variant.tsv" "$build/$name.$variant.log"
    done
  done <$build/plan
fi
while read -r number name; do
  echo "tests/races/pairs/$name.cu" "$build/$name.racy.tsv" "$build/$name.right.tsv"
done <$build/plan | tr ' ' '\n' | xargs awk -f tests/races/pairs.awk tests/races/fixes.tsv
