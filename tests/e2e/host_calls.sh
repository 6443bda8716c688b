#!/bin/sh
# host_calls.sh: what host code does with the CUDA API and what that costs: memory, events and
# streams that are never given back, where an item lists `leak`; calls that are made to fail and
# must be noticed, in cases with a `fail`.
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

cat >"$kit/labs/lab1_global/lab.conf" <<'CONF'
[lab]
title = A lab
problem = matmul
memory_limit = 2048
[case small]
dims = M=33 N=33 K=33
[case no_memory]
dims = M=33 N=33 K=33
fail = malloc
[case no_copy]
dims = M=33 N=33 K=33
sets = 2
fail = copy
[case no_launch]
dims = M=33 N=33 K=33
fail = launch
[item right]
class = correctness
title = The product is right
points = 2
cases = small
[item memory]
class = correctness
title = cudaMalloc is checked
points = 2
cases = no_memory
[item copy]
class = correctness
title = cudaMemcpy is checked
points = 2
cases = no_copy
[item launch]
class = correctness
title = Launches are checked
points = 2
cases = no_launch
[item clean]
class = hazard
title = No hazards
points = 2
CONF
# checked NAME CHECK: all calls go through CHECK(call).
checked() {
  program "$1" "float host[33 * 33]; CHECK(cudaMalloc(&scratch, sizeof host));
  CHECK(cudaMemcpy(host, A, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(scratch, host, sizeof host, cudaMemcpyHostToDevice)); cudaFree(scratch);" \
    'CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());'
  sed -i "s|^// A product.|$2|" "$work/$1.cu"
}
checked unchecked '#define CHECK(call) call'
grade unchecked
equal 'what is not noticed loses its item, and no other' '2 0 0 0 2' "$(points unchecked)"
expect 'cudaMalloc: the reason names line, error and function' reason unchecked memory \
  'line 20: this cudaMalloc was made to fail (cudaErrorMemoryAllocation), and a kernel was launched'
expect 'cudaMemcpy' reason unchecked copy \
  'line 21: this cudaMemcpy was made to fail (cudaErrorInvalidValue), and matmul returned as if'
expect 'a launch' reason unchecked launch \
  'line 23: this launch was made to fail (cudaErrorLaunchOutOfResources).*cudaGetLastError'
checked exits '#include <cstdio>\n#define CHECK(call) if ((call) != cudaSuccess) exit(EXIT_FAILURE)'
grade exits
equal 'a program that ends with an error has noticed' '2 2 2 2 2' "$(points exits)"
equal 'and nothing is held against it' '[]' "$(jq -c .hazards "$work/exits.json")"
checked asserts '#include <cassert>\n#define CHECK(call) assert((call) == cudaSuccess)'
grade asserts
equal 'so has one that is aborted' '2 2 2 2 2' "$(points asserts)"
checked throws '#include <stdexcept>\n#define CHECK(call) if (call) throw std::logic_error("x")'
grade throws
equal 'or that throws' '2 2 2 2 2' "$(points throws)"
checked zero '#define CHECK(call) if ((call) != cudaSuccess) exit(0)'
grade zero
equal 'one that ends as if all were well has not' '2 0 0 0 2' "$(points zero)"
expect 'which the reason says' reason zero memory 'the program then ended with status 0'
checked crashes '#define CHECK(call) if ((call) != cudaSuccess) *(volatile int *)8 = 1'
grade crashes
equal 'nor has one that crashes' '2 0 0 0 2' "$(points crashes)"
program none '' ''
grade none
equal 'without such calls the result counts, but launches there are' '2 2 2 0 2' "$(points none)"
expect 'which the reason says, too' reason none launch 'this launch was made to fail'
cat >"$kit/labs/lab1_global/lab.conf" <<'CONF'
[lab]
title = A lab
problem = vector_add
[case no_copy]
dims = N=1000
sets = 2
fail = copy
[case small]
dims = N=1000
sets = 2
[item right]
class = correctness
title = The sum is right
points = 4
cases = small
[item copy]
class = correctness
title = cudaMemcpy is checked
points = 2
cases = no_copy
[item freed]
class = hazard
title = All is given back
points = 4
kinds = leak
CONF
sed 's/CHECK(cudaFree([^;]*;//' solutions/lab0_first/lab0.cu >"$work/sum.cu"
grade sum
equal 'of a function on the host the first copy of its own fails' '4 2 0' "$(points sum)"
sed 's/^#define CHECK(.*/#define CHECK(call) (void)(call)\n#define CHECKED(call) \\/' \
  solutions/lab0_first/lab0.cu >"$work/blind.cu"
grade blind
equal 'and is to be noticed' '4 0 4' "$(points blind)"
sed -i 's/^fail = copy/&\nshow = yes/' "$kit/labs/lab1_global/lab.conf"
grade none
expect 'a case in which a call fails cannot be shown' has "$work/none.err" "('fail = copy')"
exit $failed
