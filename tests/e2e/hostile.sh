#!/bin/sh
# hostile.sh: submissions that attack the grader change nothing but their own verdict.
#
# Each of hostile/*.cu says in its opening comment which verdict and which kind of hazard it gets;
# a few files that no editor writes are made here. harness/inspect, which would refuse many of them at sight, is out of the
# way: this is about what stands behind it. Always: exit status 1, JSON that says so, no raw control character on the
# terminal, nothing left running.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
grade=$PWD/build/grade
export KIT_INSPECT=no
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# A lab of its own with one small case and a short time limit.
mkdir "$work/kit" "$work/kit/labs"
for part in "$PWD"/*; do
  [ "${part##*/}" = labs ] || ln -s "$part" "$work/kit/"
done
cp -r labs/lab1_global "$work/kit/labs/"
cat >"$work/kit/labs/lab1_global/lab.conf" <<'CONF'
[lab]
title = Hostile
problem = matmul
time_limit = 3
memory_limit = 2048
[case 17]
dims = M=17 N=17 K=17
[item right]
class = correctness
title = The product is right
points = 1
cases = 17
CONF

fail() {
  printf 'FAIL %s: %s\n' "$1" "$2"
  failed=1
}

# attack FILE KIND: grades it and holds the grade against what it must be.
attack() {
  name=${1##*/}
  before=$failed failed=0
  KIT_ROOT=$work/kit timeout 40 "$grade" lab1 --file "$1" --json "$work/json" >"$work/card" 2>&1
  status=$?
  [ "$status" = 1 ] || fail "$name" "exit status $status, not 1 ($(head -c 300 "$work/card"))"
  grep -q '"verdict": *"fail"' "$work/json" 2>/dev/null || fail "$name" 'the verdict is not fail'
  grep -q "\"kind\": *\"$2\"" "$work/json" 2>/dev/null || fail "$name" "no hazard $2"
  tr -d '\t' <"$work/card" | grep -q '[[:cntrl:]]' && fail "$name" 'a control character on the terminal'
  rm -f "$work/json"
  [ "$failed" = 1 ] || printf 'ok %s\n' "$name"
  [ "$before" = 0 ] || failed=1
}

for file in tests/e2e/hostile/*.cu; do
  attack "$file" "$(sed -n 's|^// hazard: ||p' "$file" | head -n 1)"
done
pgrep kit-hostile >/dev/null 2>&1 && fail leaves_children 'they live on'

empty='void matmul(const float *A, const float *B, float *C, int M, int N, int K) {'
printf '%s\n}\n' "$empty" >"$work/a name's \"quotes\" \$(x) ; & *.cu"
attack "$work/a name's \"quotes\" \$(x) ; & *.cu" wrong
printf '\357\273\277%s\r\n}\r\n' "$empty" >"$work/bom_and_crlf.cu"
attack "$work/bom_and_crlf.cu" wrong
: >"$work/nothing.cu"
attack "$work/nothing.cu" build
head -c 5000 /dev/urandom >"$work/binary.cu"
attack "$work/binary.cu" build
exit "$failed"
