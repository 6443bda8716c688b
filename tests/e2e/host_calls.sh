#!/bin/sh
# host_calls.sh: what host code does with the CUDA API and what that costs: memory, events and
# streams that are never given back, where an item lists `leak`.
#
# Prints `ok name`, `FAIL name` or `skip name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
command -v jq >/dev/null || { echo 'skip host_calls: jq is not installed (./setup --all)'; exit 0; }
. tests/e2e/lib/check.sh

small_kit <<'CONF'
[lab]
title = A lab
problem = matmul
memory_limit = 2048
[case small]
dims = M=33 N=33 K=33
sets = 3
[item right]
class = correctness
title = The product is right
points = 6
cases = small
[item clean]
class = hazard
title = No hazards
points = 2
[item freed]
class = hazard
title = All is given back
points = 2
kinds = leak
CONF

# grade NAME: grades $work/NAME.cu; its card is $work/NAME.txt, its JSON $work/NAME.json.
grade() {
  KIT_ROOT=$kit NO_COLOR=1 COLUMNS=200 build/grade lab1 --backend sim --seed 1 \
    --file "$work/$1.cu" --json "$work/$1.json" >"$work/$1.txt" 2>"$work/$1.err" </dev/null
}
# points NAME: those of every item, in order: 6 2 2.
points() { jq -r '[.items[].points] | join(" ")' "$work/$1.json"; }
# reason NAME ITEM WORDS: the item's reason matches.
reason() {
  jq -r --arg id "$2" '.items[] | select(.id == $id).reason' "$work/$1.json" | grep -q "$3"
}

# program NAME BEFORE AFTER: a right product with other code in the lines before it (20) and after.
program() {
  cat >"$work/$1.cu" <<CU
// A product.
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *scratch;
  cudaEvent_t start, stop;
  cudaStream_t stream;
  (void)scratch, (void)start, (void)stop, (void)stream;


  $2
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
  $3
}
CU
}

program tidy 'cudaMalloc(&scratch, 1 << 22); cudaEventCreate(&start); cudaStreamCreate(&stream);' \
  'cudaFree(scratch); cudaEventDestroy(start); cudaStreamDestroy(stream);'
grade tidy
equal 'what is given back costs nothing' '6 2 2' "$(points tidy)"
program memory 'cudaMalloc(&scratch, 1 << 22);' ''
grade memory
equal 'memory that is never freed loses the item that lists leak, and no other' '6 2 0' \
  "$(points memory)"
expect 'the reason names line, bytes and how often' reason memory freed \
  'memory.cu:20: leak: the array of 4.0 MiB made here is never freed.*cudaFree.*; 3 times'
program events \
  'cudaEventCreate(&start), cudaEventCreateWithFlags(&stop, cudaEventDisableTiming);' ''
grade events
equal 'events that are never destroyed' '6 2 0' "$(points events)"
expect 'are counted' reason events freed \
  'events.cu:20: leak: 2 events made here are never destroyed.*; 6 times'
program stream 'cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);' ''
grade stream
expect 'a stream that is never destroyed' reason stream freed \
  'stream.cu:20: leak: the stream made here is never destroyed'
program kept 'static float *kept; if (!kept) cudaMalloc(&kept, 1 << 22);' ''
grade kept
equal 'a buffer that is kept for the next call is one, too' '6 2 0' "$(points kept)"
program wrong 'cudaMalloc(&scratch, 1 << 22); M--;' ''
grade wrong
expect 'a wrong result is explained by its own cause' reason wrong right 'rows 0 to 31 of 33'
expect 'and the leak is reported beside it' reason wrong freed 'is never freed'
sed -i 's/^kinds = leak/kinds = oob/' "$kit/labs/lab1_global/lab.conf"
grade memory
equal 'a lab that lists no leak looks for none' '6 2 2' "$(points memory)"
exit $failed
