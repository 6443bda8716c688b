#!/bin/sh
# calls.sh: launches from kernels, CUDA's headers, runtime and driver API in programs with a main of
# their own, built by kcc: results, codes, and what is said of wrong uses. The programs are in
# tests/programs; prints ok and FAIL lines.
#
# test-all: some fifty programs; test_sim_runtime and programs.sh have calls of each kind
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
. tests/e2e/lib/programs.sh

# --- launches with a configuration ---
runs 'cudaLaunchKernelEx' 0 sh -c "'$kcc' '$programs/launch_ex.cu' -o launch_ex && ./launch_ex"
said() { expect "  $1" grep -Fqx "$2" 1; }
said 'arguments become what parameters are, shared memory is as large as asked for' '126 0'
said 'all blocks run at a time where an attribute says so' '8 64'
said 'and are too many then' \
  'cudaLaunchKernelEx(&config, meet, counts): cudaErrorCooperativeLaunchTooLarge'
said 'no attributes where there should be' \
  'cudaLaunchKernelEx(&config, nothing): cudaErrorInvalidValue'
runs 'an attribute that is not simulated' 0 ./launch_ex by_number
said 'is refused' 'cudaLaunchKernelEx(&config, nothing): cudaErrorNotSupported'

# --- launches from kernels ---
runs 'kernels that launch kernels' 0 sh -c "'$kcc' -rdc=true -std=c++14 -MD -MF children.d \
  '$programs'/children/*.cu -o children && KIT_STRICT=1 KIT_REPORT=children.json ./children"
cat >children.txt <<'EOF'
launched: cudaSuccess
show 1 2.5 x 789 1 -3 it's <<<1>>>
nothing from 6 threads
nothing from 6 threads
nothing from 6 threads
nothing from 6 threads
nothing from 6 threads
nothing from 6 threads
last sees 1 1
no error: 32 1, 30 6, 56 56
by the host: 4
EOF
expect '  the children come after their parent, and before the host goes on' \
  cmp -s children.txt 1
json '  each is a launch, with who launched it' '[.launches[] | select(.kernel == "recurse")] |
  length == 6 and .[0].launched_by == "parent" and .[0].line == 66 and
  .[5].launched_by == "recurse" and .[5].line == 46 and .[5].time_ns > 0' children.json
expect '  dependencies are of the source' grep -q 'children/children.h' children.d
for threads in 2 4; do
  runs "  with $threads threads" 0 env KIT_SIM_THREADS=$threads KIT_STRICT=1 ./children
  expect '    it is the same' cmp -s children.txt 1
done
runs 'children that go wrong' 0 "$kcc" -rdc=true "$programs/children_faulty.cu" -o faulty
faulty() { # WHICH OUTPUT MESSAGE...
  runs "  $1" 0 timeout 60 env KIT_SIM_BUDGET=3000000 ./faulty "$1"
  expect "  $1: output" printed "$2"
  shift 2
  for message; do expect "    is reported: $message" said "$message"; done
}
runs 'without -rdc=true' 0 "$kcc" "$programs/children_faulty.cu" -o faulty
expect '  nvcc would want it' said 'nvcc compiles that with -rdc=true only'
faulty refused 'no blocks: 9
too many threads: 9
too much shared memory: cudaErrorInvalidValue
cleared: 0
cudaSuccess, 1' 'children_faulty.cu:10: launch refused' '12: launch refused' '14: launch refused'
faulty deeper 'too deep at 24
cudaSuccess, 24' 'children_faulty.cu:21: launch refused'
faulty many '52 launches failed
cudaSuccess, 1' '27: launch refused' '(52 times)'
faulty limit '0 launches failed
cudaSuccess, 1'
faulty outside 'cudaSuccess, 1' 'children_faulty.cu:7: out of bounds: block (0,0) thread (32,0)'
faulty asserts 'cudaErrorAssert, 0' 'children_faulty.cu:33: trap or failed assertion'
faulty endless 'cudaErrorLaunchTimeout, 0' 'over the budget'
runs 'a call that device code may not make' 1 sh -c "printf '%s\\n' '__global__ void a() {}' \
  '__global__ void b() { a<<<1, 1>>>(); cudaDeviceSynchronize(); }' >sync.cu; '$kcc' sync.cu"
expect '  is named' said \
  "sync.cu:2: error: 'cudaDeviceSynchronize' is unavailable: not simulated: cudaDeviceSynchronize"
# operations FILE.ptx: of the kernel, without registers, labels and lines
# shellcheck disable=SC2016 # a $ of sed
operations() {
  sed -e '/entry _Z10scaled_sum.*($/,/^}/!d' -e '/\.loc\|^[$L]/d' -e 's/%[a-z]*[0-9]*//g' \
    -e 's/[$]*L[A-Za-z]*[0-9_]*//g' -e 's,[[:blank:]]*//.*,,' "$1"
}
for option in -fmad=true -fmad=false -G; do
  "$kcc" "$option" -ptx "$programs/contracted.cu" -o plain.ptx
  "$kcc" "$option" -rdc=true -DNESTED -ptx "$programs/contracted.cu" -o nested.ptx
  operations plain.ptx >plain && operations nested.ptx >nested
  expect "a kernel's code, $option" grep -q 'add.*f32' plain
  expect '  is the same if a kernel launches it' cmp -s plain nested
done
echo '// nothing' >third.h
cat >third.cu <<'EOF'

#include "third.h"
template <class T> __global__ void inner(T) {}
__global__ void outer() { inner<<<1, 1>>>(1); }
EOF
runs 'a template that a kernel launches, behind an include' 0 "$kcc" -rdc=true -c third.cu
runs '-fsyntax-only' 0 "$kcc" -fsyntax-only "$programs/children/children.cu"

# --- what the headers have ---
for format in half bfloat16; do
  runs "$format" 0 "$kcc" -run "$programs/$format.cu" -o $format
  expect '  on the host, on the device and across lanes' test "$(grep -c ': 0 of [1-9]' 1)" -eq 3
  expect '  without hazards' silent
done
runs 'numbers of eight bits' 0 "$kcc" -run "$programs/fp8.cu" -o fp8
runs 'complex numbers' 0 "$kcc" -run "$programs/complex.cu" -o complex
runs 'special registers with one percent sign' 0 "$kcc" -run "$programs/percent.cu" -o percent
equal '  are those with two' '5 5 63 1' "$(cat 1)"
runs 'alignas behind __shared__' 0 "$kcc" -run "$programs/aligned.cu" -o aligned

# --- the runtime API ---
for table in device memory managed stream launch pool share; do
  runs "codes of calls: $table" 0 sh -c "'$kcc' '$programs/api/$table.cu' -o codes &&
    KIT_REPORT=codes.json ./codes"
  expect '  are as they should be' diff "$programs/api/$table.txt" 1
done
runs 'kernels use memory of the host' 0 sh -c "'$kcc' '$programs/mapped.cu' -o mapped && ./mapped"
expect '  rightly' printed 'pinned 111
copied 1111
registered 1
managed 103 108 3 0 100'
expect '  without faults' silent
runs '  which host code touches too early' 0 ./mapped x
expect '  a race' said 'mapped.cu:33: race: host code writes byte 20 of mapped host memory'
runs 'copies name managed variables' 0 env KIT_STRICT=1 "$kcc" -run \
  "$programs/managed_variable.cu" -o managed_variable
expect '  rightly' printed '0 11 18 18'
runs 'textures and surfaces' 0 sh -c "'$kcc' '$programs/texture.cu' -o texture &&
  KIT_STRICT=1 ./texture"
runs '  beyond their bounds' 0 \
  sh -c "'$kcc' '$programs/surface_bounds.cu' -o surface && ./surface"
expect '  the store is named' said 'surface_bounds.cu:6: out of bounds'
expect '  and the array that nobody has filled' said 'surface_bounds.cu:4: uninitialised read'
runs 'graphs' 0 sh -c "'$kcc' '$programs/graph.cu' -o graph && KIT_STRICT=1 ./graph"
expect '  with the right results and codes' printed ''
runs '  whose nodes race' 0 ./graph x
expect '  a race' said 'graph.cu:18: race: '
runs "graphs' nodes of any kind, also those that decide" 0 sh -c \
  "'$kcc' '$programs/graph_nodes.cu' -o graph_nodes && ./graph_nodes"
expect '  with the right results and codes' printed ''
expect '  and no race' not said 'race: '
runs '  whose deciding kernels race' 0 ./graph_nodes x
expect '  a race' said 'the copy to the host reads element 0 of the value of a conditional'
runs 'launches that are repeated' 0 env KIT_REPORT=on.json "$kcc" -run "$programs/repeats.cu" \
  -o repeats
expect '  do what they should' grep -qx "72 right" "$work/1"
runs '  and the same' 0 env KIT_SIM_REPEATS=off KIT_REPORT=off.json ./repeats
expect '  as if each were executed' cmp on.json off.json
for image in ptx fatbin; do
  runs "the driver API, with -$image" 0 sh -c "'$kcc' -$image '$programs/driver_kernel.cu' &&
    '$kcc' '$programs/driver.cu' -lcuda -o driver && ./driver driver_kernel.$image"
  expect '  with the right results and codes' printed ''
done
runs "the driver's graphs, arrays and textures" 0 sh -c \
  "'$kcc' '$programs/driver_graph.cu' -lcuda -o driver_graph && ./driver_graph"
expect '  with the right results and codes' printed ''
runs 'PTX that is linked, and libraries' 0 sh -c \
  "'$kcc' '$programs/driver_link.cu' -lcuda -o driver_link && ./driver_link driver_kernel.ptx"
expect '  with the right results and codes' printed ''
runs "the driver's functions, found by name" 0 sh -c \
  "'$kcc' '$programs/driver_found.cu' -o driver_found && ./driver_found"
expect '  with the right results and codes' printed ''
runs '  one that is not simulated' 0 ./driver_found x
expect '  is there, and refuses' printed 801
expect '  by name' said 'cuTensorMapEncodeTiled, of CUDA'
named() { # FILE: the driver's functions in a list of the kit
  grep -oE '[XVO][(]cu[A-Z][A-Za-z0-9]*' "$1" | cut -c 3- | LC_ALL=C sort -u
}
nm "$root/build/libremote.a" 2>/dev/null | grep -oE ' T cu[A-Z][A-Za-z0-9]*' | cut -c 4- |
  LC_ALL=C sort -u >there
named "$root/harness/sim/include/kit_driver_names.h" >by_name
named "$root/harness/sim/runtime/driver_lacking.h" >lacking
expect '  every function of the driver has a name' cmp -s there by_name
equal '    and none of them is lacking' '' "$(LC_ALL=C comm -12 there lacking)"
runs 'virtual memory management' 0 sh -c \
  "'$kcc' '$programs/virtual_memory.cu' -lcuda -o virtual_memory && ./virtual_memory"
expect '  with the right results and codes' printed ''
unmapped() { # MISTAKE WORDS
  ./virtual_memory "$1" >"$work/1" 2>"$work/2"
  expect "  $2" said "$2"
}
unmapped 1 'virtual_memory.cu:21: out of bounds: block (0,0) thread (0,0) reads byte 28 of'
unmapped 1 'where memory is mapped, but without access. Give it with cuMemSetAccess.'
unmapped 2 'use after cudaFree: block (0,0) thread (0,0) reads byte 28 of a range of'
unmapped 3 'where nothing is mapped. Map memory there with cuMemMap first.'
unmapped 4 'where memory is mapped to be read only.'
unmapped 5 'reads a range of cuMemAddressReserve after cuMemAddressFree.'
runs 'memory of graphs' 0 sh -c \
  "'$kcc' '$programs/graph_memory.cu' -o graph_memory && ./graph_memory"
expect '  with the right results and codes' printed ''
runs '  filled by a kernel that nothing orders' 0 ./graph_memory 1
expect '  is a race' said 'graph_memory.cu:17 and 16: race: '
runs '  after the launch' 188 ./graph_memory 2
expect '  is there no more' said 'graph_memory.cu:17: use after cudaFree: '
runs 'the legacy default stream' 0 "$kcc" -run "$programs/per_thread.cu" -o legacy
expect '  orders the work of all threads' silent
runs '  one for each thread' 0 \
  "$kcc" --default-stream per-thread -run "$programs/per_thread.cu" -o per_thread
expect '  does not' said 'per_thread.cu:5: race: '

runs 'the thread of the first call ends' 0 "$kcc" -run "$programs/first_call.cu" -o first_call
expect '  and leaves the device' printed cudaSuccess
if awk '/^MemAvailable/ { exit $2 > 100e6 }' /proc/meminfo; then
  runs 'arrays that are too large' 0 "$kcc" -run "$programs/too_large.cu" -o too_large
  expect '  are refused' printed "$(printf 'cudaErrorMemoryAllocation %.0s' 1 2 3)cudaSuccess"
  expect '  by the machine' \
    said 'too_large.cu:8: not supported by the simulator: an array of 83.8 GB'
else
  echo 'skip arrays that are too large: this machine has room for them'
fi

runs 'the device ends before the program' 0 "$kcc" "$programs/gone.cu" -o gone
runs '  killed' 2 ./gone 9
expect '  for want of memory' said 'it was killed, as a rule because this machine has too little'
runs '  by a crash' 2 ./gone 11
expect '  of the kit' said 'it has crashed (Segmentation fault), which is a fault of the kit'

runs 'prefetch and advice by location, as in CUDA 13' 0 \
  "$kcc" -run "$programs/locations.cu" -o locations
expect '  are as by device' printed '0 0 0 101 0 -1'
runs 'host and kernel at one word, by atomics' 0 "$kcc" -run "$programs/host_atomic.cu" -o atomic
expect '  count all' printed 138
expect '  which is no race' silent
runs '  but by a store of the host' 0 ./atomic x
expect '  it is' said 'host_atomic.cu:11: race: host code'

cat >lab.cu <<'END'
#include <cuda_runtime.h>
__managed__ int calls;
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K,
                        const float *one) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row == 0 && column == 0) calls++;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum * *one;
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  static float *one;
  if (!one) cudaMallocHost(&one, 100);
  *one = 1;
  int before = calls;
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K, one);
  cudaDeviceSynchronize();
  if (calls != before + 1) *(volatile int *)8 = 1;
}
END
runs 'a graded function has them, too' 0 "$root/grade" lab1 --backend sim --file lab.cu
exit $failed
