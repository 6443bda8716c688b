#!/bin/sh
# programs.sh: programs with a main of their own: kcc and ./grade run. The programs are in
# tests/programs; prints ok and FAIL lines; in make test-all with OpenMP and CMake, too. (What they
# may include and call is calls.sh's.)
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
. tests/e2e/lib/programs.sh

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

# --- options ---
echo 'int main() {}' >plain.cu
if ! all; then
  :
elif "$kcc" -Xcompiler -fopenmp plain.cu -o plain >/dev/null 2>&1; then
  runs 'OpenMP' 0 "$kcc" -run -Xcompiler -fopenmp "$programs/parallel.cu" -o parallel
  expect '  has its threads' printed 3
else
  echo 'skip OpenMP: this clang has no library for it (libomp-dev)'
fi
runs 'dependencies for make' 0 "$kcc" -M parts_kernel.cu
expect '  name the headers' grep -q 'parts.h' "$work/1"
while read -r expected options; do # of precision.cu; its comments say what each digit is
  case $options in -f* | -use*) all || continue ;; esac
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
if ! all; then
  :
elif command -v cmake >/dev/null 2>&1; then
  installed=$work/opt/lib/cuda-lab-kit/build/cuda/bin/nvcc
  for nvcc in "$root/build/cuda/bin/nvcc" "$installed"; do
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
if all; then
  runs 'a kernel that takes long: on a file' 0 grade run "$programs/slow.cu"
  expect '  there is no line of progress' sh -c "! grep -q 'spin: launch' '$work/2'"
fi
runs 'a kernel that takes long: on a terminal' 0 \
  env TERM=xterm script -qec "$root/grade run $programs/slow.cu" terminal
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
