#!/bin/sh
# programs.sh: programs with a main of their own: kcc and ./grade run. The programs are in
# tests/programs; prints ok and FAIL lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc programs=$root/tests/programs

# runs NAME STATUS COMMAND...: the command ends with this status; its output is in $work/1 and 2.
runs() {
  name=$1 want=$2 got=0
  shift 2
  "$@" >"$work/1" 2>"$work/2" </dev/null || got=$?
  if [ "$got" -eq "$want" ]; then ok "$name"; else
    fail "$name" "$*: exit $got, wanted $want ($(head -c 500 "$work/2" | tr '\n' ' '))"
  fi
}
printed() { [ "$(cat "$work/1")" = "$1" ]; }
said() { tr -s ' \n' '  ' <"$work/2" | grep -qF -e "$1"; }
before() { tr -s ' \n' '  ' <"$work/2" | grep -q -e "$1.*$2"; }
silent() { [ ! -s "$work/2" ]; }
# json NAME FILTER FILE: the file is so; skipped where there is no jq.
json() {
  if command -v jq >/dev/null 2>&1; then
    expect "$1" jq -e "$2" "$3"
  else
    echo "skip $1: no jq (./setup --all)"
  fi
}
cd "$work" || exit 2

# --- kcc ---
runs 'kcc compiles and links' 0 "$kcc" "$programs/hello.cu" -o hello -arch=sm_90 -O2 -lineinfo
runs 'a program has its own status' 3 ./hello word
expect '  and its own output' printed '3 word'
expect '  what was found is said with its place' said "hello.cu:7: out of bounds: "
runs 'KIT_STRICT=1 makes it fail' 1 env KIT_STRICT=1 ./hello
runs 'KIT_REPORT takes what was found' 3 env KIT_REPORT=report.json ./hello
expect '  and leaves stderr alone' silent
json '  with kinds, lines and launches' '.schema == 1 and .hazards[0].kind == "oob" and
  .hazards[0].line == 7 and (.hazards[0].file | endswith("hello.cu")) and
  .launches[0].kernel == "add" and .launches[0].line == 19 and .totals.launches == 1' report.json
runs 'KIT_REPORT that cannot be written is said' 3 env KIT_REPORT=/nowhere/x ./hello
expect '  and what was found, too' said 'out of bounds'
runs 'a program without faults' 0 env KIT_STRICT=1 "$kcc" -run "$programs/clean.cu" -o clean
expect '  says nothing' silent
copies='warning: uninitialised read: copies'
runs 'memory that nothing has written is copied' 0 "$kcc" -run "$programs/unwritten.cu" \
  -o unwritten
for line in "45: $copies 1024 bytes" \
  "47: $copies 864 bytes to the host that nothing has written, from byte 160" \
  "49: $copies 96 bytes" "54: $copies 1 byte" \
  '11: uninitialised read: block (0,0) thread (40,0)'; do
  expect "  line ${line%%:*} is reported" said "unwritten.cu:$line"
done
expect '  and no other' test "$(grep -c 'uninitialised read' 2)" -eq 5
runs '  and what is written' 0 ./unwritten written
expect '  is not reported' silent
runs 'memory that copies use goes to the operating system' 0 env KIT_STRICT=1 "$kcc" -run \
  "$programs/system_calls.cu" -o system_calls
expect '  and nothing is reported' silent
runs '  too early' 0 ./system_calls reads
expect '    is said' said 'host code reads byte 100 of the pinned buffer that this copy still'
runs '  or over what a copy reads' 0 ./system_calls writes
expect '    is said' said 'host code writes byte 49990 of the pinned buffer that this copy still'
runs 'in steps, of several files' 0 sh -c "cp '$programs'/parts* . && '$kcc' -c parts_kernel.cu &&
  '$kcc' -c parts_main.cpp -o main.o && '$kcc' parts_kernel.o main.o -o parts && ./parts"
expect '  and the place is in the right one' said 'parts.h:6: out of bounds'
runs 'device code of several files' 0 sh -c "'$kcc' -dc '$programs'/linked*.cu &&
  '$kcc' linked*.o -o linked && KIT_STRICT=1 ./linked"
expect '  is linked' printed 47
runs '  without one of them' 0 "$kcc" -run "$programs/linked.cu" -o linked
expect '  what is missing is named' said 'linked.cu:7: not supported by the simulator: the function'
runs 'launches as they are spelled elsewhere' 0 "$kcc" -run "$programs/spelled.cu" -o spelled
expect '  are launches' printed 34
runs 'a kernel that waits by the clock' 0 timeout 60 "$kcc" -run "$programs/delay.cu" -o delay
expect '  waits so long and does not take as long' printed 'waited right, took right, work right'
expect '  and nothing is reported' silent

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

echo 'int main() {}' >plain.cu
if "$kcc" -Xcompiler -fopenmp plain.cu -o plain >/dev/null 2>&1; then
  runs 'OpenMP' 0 "$kcc" -run -Xcompiler -fopenmp "$programs/parallel.cu" -o parallel
  expect '  has its threads' printed 3
else
  echo 'skip OpenMP: this clang has no library for it (libomp-dev)'
fi
runs 'dependencies for make' 0 "$kcc" -M parts_kernel.cu
expect '  name the headers' grep -q 'parts.h' "$work/1"
while read -r expected options; do # of precision.cu; its comments say what each digit is
  # shellcheck disable=SC2086 # words
  runs "precision $options" 0 "$kcc" -run $options "$programs/precision.cu" -o precision
  expect '  is as nvcc has it' printed "$expected"
done <<'EOF'
11111111111
00000001110 -ftz=true
11111110111 -fmad=false
11111011111 -use_fast_math -ftz=false
00000001100 --use_fast_math
EOF
runs '-prec-div, -prec-sqrt' 0 "$kcc" -prec-div=false --prec-sqrt false -ptx \
  "$programs/precision.cu" -o precision.ptx
expect '  choose instructions' grep -qz 'div.full.f32.*sqrt.approx.f32' precision.ptx
runs '-ptx' 0 "$kcc" -ptx parts_kernel.cu -o parts.ptx
expect '  is PTX' grep -q 'entry.*last' parts.ptx
echo 'int main() { return x; }' >bad.cu
runs 'a file that does not compile' 1 "$kcc" bad.cu
expect '  is named' said "bad.cu:1:21: error: use of undeclared identifier 'x'"
runs 'a header that is not simulated' 1 \
  sh -c "printf '#include <cufft.h>\nint main() {}\n' >fft.cu && '$kcc' fft.cu"
expect '  is named' said 'not simulated: <cufft.h>'
runs 'calls that are not simulated' 1 "$kcc" "$programs/lacking.cu"
for call in 'removed in CUDA 12; use texture objects' "'cudaBindTexture'" \
  "'cudaMallocMipmappedArray'" "'cudaGraphDebugDotPrint'" "'cuMemMapArrayAsync'" \
  'tensor maps (TMA)' 'clusters; launch without'; do
  expect "  are named: $call" said "$call"
done
expect '  those without a name, too' said 'not simulated or misspelt'
runs 'an instruction that is not simulated' 0 sh -c "printf \
  '__global__ void f() { asm(\"wgmma.fence.sync.aligned;\"); }\\nint main() {}\\n' >wgmma.cu &&
  '$kcc' -run wgmma.cu -o wgmma"
expect '  is named' said 'not simulated: the instruction wgmma.fence.sync.aligned'
runs 'an unknown option' 2 "$kcc" --no-such-option bad.cu
expect '  is named' said '--no-such-option: not an option'
runs 'a missing file' 2 "$kcc" nowhere.cu
expect '  is named' said 'nowhere.cu: no such file'
printf '#include <cstdio>\nint main() { puts(WORD); }\n' >'a b.cu'
runs 'words with blanks and quotes' 0 "$kcc" -run '-DWORD="it is \"so\""' 'a b.cu' -o 'a b'
expect '  arrive' printed 'it is "so"'
runs '-run' 3 "$kcc" -run "$programs/hello.cu" -o hello2

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

# --- as others find it ---
cat >Makefile <<'END'
NVCC ?= nvcc
parts: parts_kernel.o parts_main.o
	$(NVCC) -o $@ $^
%.o: %.cu
	$(NVCC) -gencode arch=compute_80,code=sm_80 -c $< -o $@
parts_main.o: parts_main.cpp
	$(CXX) -I$(CUDA)/include -c $< -o $@
END
rm -f parts ./*.o
runs 'make NVCC=kcc' 0 make -s CXX=c++ NVCC="$kcc" CUDA="$root/build/cuda" parts
runs '  its program' 0 ./parts
runs 'the host linker with -lcudart' 0 \
  c++ parts_kernel.o parts_main.o -L"$root/build/cuda/lib64" -lcudart -o parts2
runs '  its program' 0 ./parts2
expect '  says the same' printed 7
runs 'make install' 0 make -s -C "$root" install PREFIX="$work/opt"
runs '  an installed kcc' 0 sh -c "opt/bin/kcc '$programs/clean.cu' -o clean2 && ./clean2"
expect '  whose programs start the installed device' grep -qF "$work/opt/lib" clean2
runs '  launches from kernels' 0 opt/bin/kcc -fsyntax-only "$programs/children/children.cu"

# --- CMake ---
if command -v cmake >/dev/null 2>&1; then
  for nvcc in "$root/build/cuda/bin/nvcc" "$work/opt/lib/cuda-lab-kit/build/cuda/bin/nvcc"; do
    runs "CMake with $nvcc" 0 sh -c "rm -rf made && CXX= cmake -S '$programs/cmake' -B made \
      -DCMAKE_CUDA_COMPILER='$nvcc' && cmake --build made"
    runs '  a program' 0 env KIT_STRICT=1 made/plain
    runs '  kernels in a library' 0 made/parts
    expect '    whose faults are said' said 'parts.h:6: out of bounds'
    runs '  device code of several files' 0 env KIT_STRICT=1 made/linked
    expect '    is linked' printed 47
  done
else
  echo 'skip CMake: it is not there'
fi

# --- ./grade run ---
grade() { "$root/grade" "$@"; }
runs 'a kernel that takes long: on a file' 0 grade run "$programs/slow.cu"
expect '  there is no line of progress' sh -c "! grep -q 'spin: launch' '$work/2'"
runs '  on a terminal' 0 env TERM=xterm script -qec "$root/grade run $programs/slow.cu" terminal
expect '  it is named, behind what the program prints' \
  grep -q 'Computing.*spin: launch [1-9]' terminal
runs './grade run: the status is the program'"'"'s' 3 grade run "$programs/hello.cu" -- 'a word'
expect '  the output is the program'"'"'s' printed '3 a word'
expect '  faults with file and line' said 'hello.cu:7: out of bounds in add, '
expect '  launches with time and bound' before 'add 4 256 1 2[.0-9]* us' launch
echo line >input
got=0
grade run "$programs/hello.cu" <input >printed 2>said || got=$?
equal '  stdin is the program'"'"'s' "3 -
read line" "$(cat printed)"
runs '  KIT_REPORT is for programs by hand' 3 \
  env KIT_REPORT="$work/other.json" "$root/grade" run "$programs/hello.cu"
expect '  what was found is told' said 'out of bounds in add'
runs '--timeline' 0 grade run --timeline=trace.json "$programs/overlap.cu"
expect '  the program measures it' printed 1.6
expect '  a row for each stream' said 'stream 4 '
expect '  what overlaps' grep -qE 'copies: [3-8][0-9]% of their time is hidden' 2
json '  and the trace, for other tools' '
  [.traceEvents[] | select(.ph == "X" and .pid == 2) | .cat] |
  (map(select(. == "kernel")) | length) == 8 and (map(select(. == "copy in")) | length) == 8' \
  trace.json
# shellcheck disable=SC2016 # $i is jq's
json '    in which the copies of a direction do not overlap' '
  [.traceEvents[] | select(.pid == 3 and .cat == "copy in")] | sort_by(.ts) |
  [range(1; length) as $i | .[$i].ts - .[$i - 1].ts - .[$i - 1].dur] | min > -0.001' trace.json
runs '  in one stream' 0 grade run --timeline "$programs/overlap.cu" -- one
expect '    nothing does' said 'copies: 0% of their time is hidden'
runs '    that cannot be written' 2 grade run --timeline=/nowhere/x "$programs/overlap.cu"
runs '  of a program that does nothing' 0 grade run --timeline "$programs/unread.cu"
expect '    is short' said 'Timeline'
runs '--sanitize: a fault is a failure' 3 grade run --sanitize "$programs/hello.cu"
runs '  also of a program that does not notice' 1 \
  grade run --sanitize parts_kernel.cu parts_main.cpp
expect '  and only faults are shown' not said 'modelled'
runs '  without faults' 0 grade run --sanitize "$programs/clean.cu"
expect '  nothing is' silent
runs '--json' 3 grade run --json found.json "$programs/hello.cu"
json '  has it all' '.exit_status == 3 and .hazards[0].kind == "oob"' found.json
runs 'a crash' 139 grade run "$programs/crash.cu"
expect '  the call that failed first comes before it' before \
  'crash.cu:6: warning: CUDA call that failed' 'crash.cu:7: the program crashed'
echo secret >"$work/secret"
runs 'the sandbox' 0 grade run "$programs/files.cu" -- "$work/secret"
expect '  keeps files from the program' printed 'wrote nothing'
mkdir -p shared && echo x >shared/x && chmod 777 shared
runs '--files' 0 grade run --files shared "$programs/files.cu" -- "$work/shared/x"
expect '  gives it a folder' printed 'wrote read'
expect '  and what it wrote is there' has shared/made made
runs '-O3 loses a store that nobody reads' 0 grade run --sanitize "$programs/unread.cu"
runs '  -G keeps it' 1 grade run -G --sanitize "$programs/unread.cu"
expect '  and names it' said 'unread.cu:4: out of bounds'
runs 'a file that does not compile' 1 grade run bad.cu
expect '  is named' said 'bad.cu:1:21: error:'
runs 'a missing file' 2 grade run nowhere.cu
expect '  is named' said 'nowhere.cu: No such file'
runs 'a folder in place of a file' 2 grade run .
expect '  is named' said '.: a folder, not a source file'
mkdir -p tmp
TMPDIR=$work/tmp timeout -s INT 4 "$root/grade" run "$programs/endless.cu" >printed 2>said
equal 'Ctrl-C leaves no files' '' "$(ls tmp)"
runs '  and the exit status of Ctrl-C' 130 \
  env TMPDIR="$work/tmp" timeout --preserve-status -s INT 3 "$root/grade" run \
  "$programs/waits_on_host.cu" --json found.json
expect '  what was found until then is told' said 'waits_on_host.cu:5: out of bounds'
expect '  and written' sh -c 'grep -q "\"exit_status\": 130" found.json'
equal '  and no files are left' '' "$(ls tmp)"
exit $failed
