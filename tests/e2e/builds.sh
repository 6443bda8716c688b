#!/bin/sh
# builds.sh: kcc in builds as other people write them: nvcc's options, the linker's messages, CMake.
# tests/projects has such builds themselves. Prints ok, skip and FAIL lines.
#
# test-all: programs.sh has the main options; run it after a change of harness/kcc
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc builds=$root/tests/programs/builds
export CUDA_PATH="$root/build/cuda"
cd "$work" || exit 2
echo 'int main() { return 0; }' >plain.cu
# makes NAME WORD...: kcc makes a program of these.
makes() {
  name=$1
  shift
  expect "$name" "$kcc" "$@" -o program
}

# --- options ---
cat >words.cu <<'EOF'
#include <cstring>
#if A != 1 || B != 2
#error the words of -Xcompiler
#endif
int main() { return strcmp(TEXT, "a,b"); }
EOF
makes '-Xcompiler, as FindCUDA writes it' plain.cu -Xcompiler ',"-O3","-g"'
while read -r words; do
  makes "-Xcompiler $words" words.cu -Xcompiler "$words"
  expect '  arrives' ./program
done <<'EOF'
-DA=1,-DB=2,'-DTEXT="a\,b"'
-DA=1 -DB=2 '-DTEXT="a,b"'
EOF
makes '-pg' plain.cu -pg
makes 'options that change nothing here' plain.cu --extra-device-vectorization -Xfatbin \
  -compress-all --compress-mode=size -brief-diag=true -diag-warn 20 -save-temps
mkdir objects
expect '-odir' "$kcc" -c plain.cu words.cu -odir objects -DA=1 -DB=2 -DTEXT='"a"'
expect '  names the folder of the objects' test -f objects/plain.o -a -f objects/words.o
mkdir toolkit
echo '#error the headers of the Toolkit' | tee toolkit/cuda_runtime_api.h >toolkit/cuda_runtime.h
echo '#include <cuda_runtime.h>' | cat - plain.cu >includes.cu
makes "-I of a Toolkit's folder" -Itoolkit -isystem toolkit includes.cu
printf 'int main() {\n  return 1 - \\ // a remark\n      1;\n}\n' >remark.cu
makes 'a backslash before a remark' remark.cu
echo 'int main() { register int i = 0; return i; }' >register.cu
makes 'register, which C++17 has given up' register.cu -std=c++17
cat >optimised.cu <<'EOF'
#include <climits>
int main() {
#ifdef __OPTIMIZE__
  int failed = 0;
#else
  int failed = 1;
#endif
  volatile int largest = INT_MAX;
  int n = largest;
  return n + 1 < n ? failed : 2; // it wraps around
}
EOF
for words in '' '-O3' '-Xcompiler -O2'; do
  # shellcheck disable=SC2086 # a list of words
  makes "host code is optimised: $words" optimised.cu $words
  expect '  and signed integers wrap around' ./program
done
makes '  unless -Xcompiler says otherwise' optimised.cu -Xcompiler -O0
expect '  which then it is not' test "$(./program; echo $?)" -eq 1

# --- without a program ---
expect '-fsyntax-only' "$kcc" -fsyntax-only includes.cu -Itoolkit
expect '  writes nothing' test ! -e includes.o -a ! -e a.out
printf '__global__ void k(int *p) { *p = absent; }\n' >wrong.cu
exits '  says what is wrong' 1 "wrong.cu:1:34: error: use of undeclared identifier 'absent'" \
  "$kcc" -fsyntax-only wrong.cu
printf '__device__ int f() { int n = 3; asm("absent %%0;" : "=q"(n)); return n; }\n' >device.cu
exits '  also if only the pass for the device sees it' 1 'device.cu:1' \
  "$kcc" -fsyntax-only device.cu
printf 'int f() { return absent; }\n' >wrong.cpp
exits '  and in C++' 1 'wrong.cpp:1' "$kcc" -fsyntax-only wrong.cpp

# --- what cannot be linked ---
exits 'two main()' 1 'second.cu:1: error: a second main(); the first one: ' \
  sh -c "cp plain.cu second.cu && '$kcc' plain.cu second.cu"
printf 'void other();\nvoid f() { other(); }\n' >part.cu
exits 'no main()' 1 'error: no main()' "$kcc" part.cu
exits '  and what else is missing, with its place' 1 'part.cu:2: undefined reference' "$kcc" part.cu
makes 'a library that is not simulated, and not used' plain.cu -lcufft -lcusparse
exits '  one that may be used is named' 1 'error: not simulated: -lcufft' \
  "$kcc" part.cu plain.cu -lcufft

# --- what is found has its place ---
makes 'a program with new and delete in kernels' "$builds/world.cu"
exits '  one that deletes twice is named' 0 'world.cu:20: trap' ./program
exits '  and the array, by its line' 0 'the array of cudaMallocManaged at world.cu:27' ./program

# --- CMake ---
if command -v cmake >/dev/null 2>&1; then
  expect 'a project for FindCUDA' sh -c "cmake -S '$builds/findcuda' -B old && cmake --build old"
  exits '  its program' 0 42 ./old/old
  expect 'one with libraries that are not simulated' \
    cmake -S "$builds/libraries" -B libraries -DCMAKE_CUDA_COMPILER="$root/build/cuda/bin/nvcc"
  expect '  what uses none builds' cmake --build libraries --target plain
  exits '  its program' 0 42 ./libraries/plain
  exits '  what does is named' 2 'not simulated: <cufft.h>' cmake --build libraries --target fft
else
  echo 'skip CMake: it is not there'
fi
exit $failed
