#!/bin/sh
# blas.sh: cuBLAS for programs that kcc and ./grade run build (harness/sim/libraries): results,
# statuses, times, and what is reported of wrong calls. The programs are in tests/programs/blas;
# prints ok and FAIL lines.
#
# test-all: run it after a change of sim/libraries; programs.sh has programs of other kinds
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc programs=$root/tests/programs/blas
cd "$work" || exit 2

for name in results statuses lt faults captured; do
  expect "$name.cu builds" "$kcc" "$programs/$name.cu" -o $name -lcublas -lcublasLt
done
right() { ./results >printed 2>said && [ "$(cat printed)" = '0 wrong' ] && [ ! -s said ]; }
expect 'results are those of plain loops' right
# Where OpenBLAS is not installed a loop multiplies.
cat >without.c <<'END_OF_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *dlopen(const char *name, int how) {
  void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  return name && strstr(name, "openblas") ? NULL : next(name, how);
}
END_OF_C
expect 'a library that hides OpenBLAS' cc -shared -fPIC without.c -o without.so -ldl
without() { (LD_PRELOAD=$work/without.so && export LD_PRELOAD && right); }
expect '  also without OpenBLAS' without

expect 'calls in streams that are captured are nodes of graphs' ./captured
KIT_REPORT=$work/report.json ./statuses >printed
expect 'statuses are as they should be' diff "$programs/statuses.txt" printed
./lt >printed 2>&1
equal 'cublasLt: epilogues; times at the ceiling' "1 algorithm, CUBLAS_STATUS_SUCCESS
bias right, gelu right
another epilogue: 0 algorithms, CUBLAS_STATUS_NOT_SUPPORTED
0.034 ms, 0.070 ms" "$(cat printed)"

# fault NUMBER STATUS WORDS: status of CUDA, and what is reported ('' nothing).
fault() {
  ./faults "$1" >printed 2>said
  if [ "$(cat printed)" = "CUBLAS_STATUS_SUCCESS $2" ] &&
    if [ "$3" ]; then grep -q -e "$3" said; else [ ! -s said ]; fi; then
    ok "fault $1: ${3:-none}"
  else
    fail "fault $1" "$(cat printed said)"
  fi
}
fault 0 cudaSuccess ''
fault 1 cudaSuccess \
  'faults.cu:20: out of bounds: cublasSgemm writes elements 0 to 4095 of .*operand C'
fault 2 cudaSuccess 'faults.cu:23: uninitialised read: cublasSgemm .*operand B'
fault 3 cudaSuccess 'faults.cu:33 and 31: race: kernel cublasSscal writes'
fault 4 cudaErrorIllegalAddress 'faults.cu:37: host pointer in a kernel: cublasSaxpy .*operand x'
fault 5 cudaErrorIllegalAddress 'faults.cu:41: use after cudaFree: cublasSaxpy .*operand y'
fault 6 cudaSuccess ''

cat >lacking.cu <<'END_OF_CU'
#include <cublas_v2.h>
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasStrmm(handle);
  cublasCgemm(handle);
  cublasSomething(handle);
}
END_OF_CU
"$kcc" -c lacking.cu 2>said
for call in "'cublasStrmm' is unavailable: not simulated" "'cublasCgemm' is unavailable" \
  'not simulated or misspelt'; do
  expect "what is lacked is named: $call" has said "$call"
done
cat >plain.c <<'END_OF_C'
#include <cublas_v2.h>
#include <stdio.h>
int main(void) {
  cublasHandle_t handle;
  float x[2] = {3, -4}, *d, norm;
  if (cublasCreate_v2(&handle) || cudaMalloc((void **)&d, sizeof x)) return 1;
  if (cublasSetVector(2, sizeof *x, x, 1, d, 1) || cublasSnrm2(handle, 2, d, 1, &norm)) return 1;
  printf("%g\n", norm);
  return cublasDestroy(handle);
}
END_OF_C
expect 'a program in C' "$kcc" plain.c -o plain -lcublas
equal '  computes' 5 "$(./plain)"
expect 'the host linker with -lcublas' cc -I"$root/build/cuda/include" plain.c -o plain2 \
  -L"$root/build/cuda/lib64" -lcublas -lcudart
equal '  computes' 5 "$(./plain2)"
expect './grade run' "$root/grade" run -l cublas "$programs/results.cu"
"$root/grade" run -l cublas "$programs/lt.cu" >printed 2>said
said() { tr -s ' ' <said | grep -qxE "$1"; }
expect '  shows calls among the launches' said 'cublasSgemm - - 1 3[34][.0-9]* us fp32 arithmetic'
expect '  with what limits them' said 'cublasSaxpy - - 1 6[789][.0-9]* us DRAM'
exit $failed
