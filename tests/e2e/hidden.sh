#!/bin/sh
# hidden.sh: hidden.conf beside a lab.conf: cases and items that only the instructor has; what
# students read of them tells which case and what kind of mistake, and no sizes.
#
# Prints `ok name`, `FAIL name` or `skip name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
command -v jq >/dev/null || { echo 'skip hidden: jq is not installed (./setup --all)'; exit 0; }
. tests/e2e/lib/check.sh

# A kit of its own: one lab with a small case, and a hidden one whose sizes are seen nowhere else.
small_kit <<'CONF'
[lab]
title = A lab
problem = matmul
memory_limit = 2048
[case even]
dims = M=32 N=32 K=32
show = yes
[item right]
class = correctness
title = The product is right
points = 6
cases = even
[item clean]
class = hazard
title = No hazards
points = 2
[item time]
class = performance
title = Time
points = 2
case = even
metric = time_ns
of = reference
full = <= 2
CONF
lab=$kit/labs/lab1_global
cat >"$lab/hidden.conf" <<'CONF'
[case odd]
dims = M=143 N=211 K=97
[item right]
points = 3
[item edges]
class = correctness
title = Sizes that are no multiple of a block's
points = 3
cases = odd
[item time]
case = odd
CONF

# Sizes, and what is counted from them: 143 rows, 30173 elements, 142 the last row, ...
tells_sizes() { grep -nE '\b(143|142|211|210|97|30173|13871|20467)\b' "$@"; }

# run STATUS NAME OPTION...: ./grade lab1 --seed 1 OPTION... in that kit; its card: $work/NAME.txt.
run() {
  want=$1 name=$2
  shift 2
  got=0
  KIT_ROOT=$kit NO_COLOR=1 COLUMNS=200 build/grade lab1 --backend sim --seed 1 "$@" \
    >"$work/$name.txt" 2>"$work/$name.err" \
    </dev/null || got=$?
  [ "$got" -eq "$want" ] || fail "$name" "exit $got, wanted $want: $(head -c 300 "$work/$name.err")"
}

# A grid that is rounded down: right for 32, wrong at the edges; and it prints its arguments.
sed 's/^void matmul(.*/#include <cstdio>\n&\n  printf("M = %d, N = %d, K = %d\\n", M, N, K);/' \
  solutions/lab1_global/wrong/floor_grid.cu >"$work/edges.cu"
run 1 student --file "$work/edges.cu" --json "$work/student.json" --html "$work/student.html"
expect 'a hidden item loses its points' has "$work/student.txt" '(hidden)'
expect 'the reason names the case and the mistake' has "$work/student.txt" \
  'hidden case odd: not all of its outputs are right'
expect 'the score is of as many points as before' has "$work/student.txt" '/ 10'
expect 'the card tells no sizes' not tells_sizes "$work/student.txt" "$work/student.err"
sed 's/<style>.*<\/style>//' "$work/student.html" | tr '\n' ' ' |
  sed 's|<style>.*</style>||; s/L[0-9]*//g' >"$work/page.txt"
expect 'the page tells no sizes' not tells_sizes "$work/page.txt"
expect 'the page marks hidden cases' has "$work/student.html" 'hidden'
reasons() { jq -r '(.items[] | .reason, .hint), (.hazards[].message) | strings' "$1"; }
reasons "$work/student.json" >"$work/reasons.txt"
expect 'reasons and hazards in the JSON tell no sizes' not tells_sizes "$work/reasons.txt"
expect 'the JSON has no counters, launches or times of a hidden case' jq -e \
  '[.cases[] | select(.case == "odd") | keys] == [["case", "kind", "name", "of", "reason", "state"]]
   and ([.launches[], .shares[] | select(.case == "odd")] == []) and ([.items[] |
     select(.id == "time").value] == [null])' \
  "$work/student.json"
expect 'the JSON marks the item' jq -e '[.items[] | select(.hidden).id] == ["edges"]' \
  "$work/student.json"

# What fails at a line, in a kernel and on an array that say which size it was.
cat >"$work/tells.cu" <<'CU'
#include <cuda_runtime.h>
__global__ void rows_143(float *columns_211) { columns_211[-1] = 1; }
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
  if (M == 143) rows_143<<<1, 1>>>(C);
}
CU
run 1 tells --file "$work/tells.cu" --json "$work/tells.json" --html "$work/tells.html"
expect 'a hazard of a hidden case is named' has "$work/tells.txt" 'out of bounds'
expect 'a hazard of a hidden case has no line' not has "$work/tells.txt" 'tells.cu:2'
expect 'nor a kernel or an array' not grep -E 'rows_143|columns_211' "$work/tells.txt" \
  "$work/tells.json"
expect 'nor a line in the JSON' jq -e '[.hazards[] | select(.kind == "oob").line] == [0]' \
  "$work/tells.json"

run 1 instructor --file "$work/edges.cu" --case odd
expect 'with --case the instructor sees all' tells_sizes "$work/instructor.txt"

run 0 public --file "$work/edges.cu" --public --case even
expect '--public leaves hidden.conf out' not has "$work/public.txt" edges
run 2 public --file "$work/edges.cu" --public --case odd
expect '--public: there is no such case' has "$work/public.err" "no case 'odd'"

# A reference measured for one size is not used for another.
run 1 first --solution --case odd --json "$work/first.json"
sed -i 's/^dims = .*/dims = M=287 N=211 K=97/' "$lab/hidden.conf"
run 1 second --solution --case odd --json "$work/second.json"
ratio() { jq '.items[] | select(.id == "time").value' "$1"; }
expect 'the reference is measured anew when hidden.conf changes' [ "$(ratio "$work/first.json")" \
  = "$(ratio "$work/second.json")" ]

sed -i 's/^points = 3/pionts = 3/' "$lab/hidden.conf"
run 2 misspelt --solution
expect 'a misspelt key is an error with its line' has "$work/misspelt.err" \
  "labs/lab1_global/hidden.conf:4: unknown key 'pionts' in [item right]; did you mean 'points'?"

exit $failed
