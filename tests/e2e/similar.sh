#!/bin/sh
# similar.sh: ./grade class DIR --similar finds who handed in the same kernel, whatever was renamed,
# and nobody else; the list changes no score, and names from outside do nothing in it.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
[ -x build/class ] || { echo 'skip similar: build/class is not built (./setup --class)'; exit 0; }
command -v sim_c++ >/dev/null ||
  { echo 'skip similar: similarity-tester is not installed (./setup --class)'; exit 0; }
. tests/e2e/lib/check.sh

# A kit of its own, with one small case.
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

# Six students: one kernel; the same laid out otherwise; the same with other names; another one;
# what was handed out; and one of which some is the first one's.
class=$work/class
for student in anna bert carl dora '<b>emil&' fred; do mkdir -p "$class/$student"; done
cat >"$class/anna/lab1.cu" <<'CU'
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}
CU
sed 's/^  /\t\t/; s/ = /=/g; s|^{|// mine\n{|' "$class/anna/lab1.cu" >"$class/bert/lab1.cu"
sed 's/\brow\b/y/g; s/\bcolumn\b/x/g; s/\bsum\b/total/g; s/\bk\b/step/g; s/product/mine/' \
  "$class/anna/lab1.cu" >"$class/carl/lab1.cu"
sed 's/^  float sum = 0;/  __shared__ int seen[4]; \
if (threadIdx.x < 4 \&\& threadIdx.y == 0) seen[threadIdx.x] = row; __syncthreads();\n&/' \
  "$class/anna/lab1.cu" >"$class/fred/lab1.cu"
cp tests/e2e/styles/lab1/grid_stride.cu "$class/dora/lab1.cu"
cp labs/lab1_global/lab1.cu "$class/<b>emil&/lab1.cu"

# run STATUS OPTION...
run() {
  want=$1 got=0
  shift
  KIT_ROOT=$kit "$root/build/class" "$class" --lab lab1 --seed 1 "$@" \
    >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
  [ "$got" -eq "$want" ] || fail "./grade class $*" \
    "exit $got, wanted $want: $(tail -n 3 "$work/stderr")"
}
run 0
run 0 --dump
cp "$work/stdout" "$work/before"
run 0 --similar
table=$class/grades/report/similar.tsv page=$class/grades/report/similar.html
row() {
  awk -F '\t' -v kind="$1" -v a="$2" -v b="$3" \
    '$2 == kind && $5 == a && $6 == b { found = 1 } END { exit !found }' "$table"
}
expect 'other layout and comments: the same' row same anna bert
expect 'other names: alike' row alike anna carl
expect 'another kernel is not listed' not grep -q dora "$table"
expect 'nor one of which some is the same' not grep -q fred "$table"
expect 'what was handed out is not compared' not grep -q emil "$table"
expect 'that is said' has "$work/stdout" '1 of them hardly more than what was handed out'
expect 'the table says that it is for a person' has "$table" 'For a person to look at'
expect 'the page says so' has "$page" 'For a person to look at'
expect 'it lists those that are the same' grep -q 'anna.*bert' "$work/stdout"
expect 'the page has both kernels' test "$(grep -c '<pre>' "$page")" -ge 2
expect 'names do nothing in the page' not grep -q '<b>emil' "$page"
if command -v xmllint >/dev/null; then expect 'the page is well-formed' xmllint --noout "$page"; fi
run 0 --dump
expect 'no score depends on it' cmp "$work/before" "$work/stdout"
run 0 --similar=50
expect '--similar=50 lists more' row alike anna fred
mkdir "$work/bin"
cat >"$work/bin/sim_c++" <<'SH'
#!/bin/sh
files=$(($# - 6))
echo "Total input: $files files ($files new, 0 old), 9 tokens"
echo '0 consists for 100 % of everything'
SH
chmod +x "$work/bin/sim_c++"
PATH=$work/bin:$PATH
run 2 --similar
expect 'what the tester says is read strictly' has "$work/stderr" 'something unexpected'
exit $failed
