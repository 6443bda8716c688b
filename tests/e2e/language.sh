#!/bin/sh
# language.sh: CUDA C++ in kernels, in programs of tests/programs/device that compare results with
# those that the host works out; prints ok and FAIL lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc programs=$root/tests/programs/device
cd "$work" || exit 2

# runs NAME PROGRAM: compiles and runs it; its output is in printed, what the simulator says in
# said.
runs() {
  if "$kcc" "$programs/$2.cu" -o "$2" >printed 2>&1 && "./$2" >printed 2>said; then ok "$1"; else
    fail "$1" "$(head -c 500 printed) $(head -c 500 said)"
  fi
}
# says NAME WORDS PROGRAM ARGUMENT: so it does, with that argument.
says() {
  name=$1 words=$2
  "./$3" "$4" >printed 2>said
  cat said >>printed
  expect "$name" grep -q "$words" printed
}
runs 'functions as values, virtual calls, recursion' pointers
expect '  without hazards' test ! -s said
says 'a recursion without end' 'pointers.cu:[0-9]*: .*calls functions too deeply' pointers overflow
says 'a call through a wild pointer' 'pointers.cu:[0-9]*: .*which is no function' pointers wild
says '  its code' cudaErrorInvalidPc pointers wild
runs 'malloc, free, new and delete' heap
expect '  without hazards' test "$(grep -cv cudaDeviceSetLimit said)" -eq 0
says '  memory that was freed' 'heap.cu:[0-9]*: uninitialised read' heap misuse
says '  freed twice' 'heap.cu:[0-9]*: .*freed before' heap misuse
runs 'integer, SIMD and warp intrinsics' intrinsics
expect '  without hazards' test ! -s said
runs 'SIMD and DPX intrinsics by the checksum' simd
expect '  all of them' test "$(grep -c '^[a-z_0-9]* [0-9a-f]\{8\}$' printed)" -eq 125
runs 'erfinv, erfcinv, normcdf, normcdfinv, erfcx' erf
expect '  without hazards' test ! -s said
# Which accesses a kernel has, "name: ld.global.f32 ...": as its comment says ("3 x": so many of
# them), and in PTX, where clang 19 takes four bytes for a word, clang 14 for four.
said_accesses() {
  awk '/^\/\/.*(ld|st)\./ {
      sub(/^[^.]*[.:] /, "")
      sub(/^\/\/ /, "")
      list = ""
      for (i = 1; i <= NF; i++)
        if ($(i + 1) == "x") {
          for (n = $i; n > 1; n--) list = list $(i + 2) " "
          i++
        } else {
          list = list $i (i < NF ? " " : "")
        }
    }
    /^__global__/ {
      match($0, /void [a-z_]+/)
      print substr($0, RSTART + 5, RLENGTH - 5) ": " list
    }' "$1"
}
ptx_accesses() {
  c++filt <"$1" | awk '/\.entry/ {
      match($0, /[a-z_]+\(/)
      name = substr($0, RSTART, RLENGTH - 1)
      list = ""
    }
    match($0, /(ld|st)\.(global|shared|local)[.a-z0-9]*/) {
      list = list " " substr($0, RSTART, RLENGTH)
    }
    /^}/ && name != "" { gsub(/\.[fsu]/, ".b", list); gsub(/\.bhared/, ".shared", list)
      gsub(/v4\.b8/, "b32", list)
      print name ":" list; name = "" }'
}
# accesses_are NAME PROGRAM: it runs, and its kernels have the accesses that it says.
accesses_are() {
  runs "$1" "$2"
  expect '  without hazards' test ! -s said
  "$kcc" -ptx "$programs/$2.cu" -o "$2.ptx"
  said_accesses "$programs/$2.cu" | sort >right
  ptx_accesses "$2.ptx" | sort >found
  expect '  kernel by kernel' diff right found
}
accesses_are 'accesses to neighbours are one, as with nvcc' vectors
accesses_are 'what is copied and set goes in words, as with nvcc' copies
accesses_are 'loops are unrolled as with nvcc' loops
cat >conditions.cu <<'EOF'
__global__ void shifted(const float *x, float *to, int n, int down, int right) {
  int i = threadIdx.y + blockIdx.y * blockDim.y - down, j = threadIdx.x - right;
  int from = threadIdx.y * n + threadIdx.x;
  if (i >= 0 && i < n && j >= 0 && j < n) from = i * n + j;
  to[threadIdx.x] = x[from];
}
EOF
"$kcc" -ptx conditions.cu -o conditions.ptx
expect 'conditions with && need no branches, as with nvcc' \
  test "$(grep -c '@.*bra' conditions.ptx)" -eq 0
cat >endless.cu <<'EOF'
__global__ void waits(int *p) {
  while (*p == 0);
  p[1] = 1;
}
EOF
"$kcc" -ptx endless.cu -o endless.ptx
expect 'a loop that might never end stays, as with nvcc' grep -q bra endless.ptx
# sets INDEX: IR of a kernel that sets a local array and loads that element of it.
sets() {
  cat <<EOF
define void @set(float* %0, i64 %1) {
  %3 = alloca [40 x float], align 4
  %4 = bitcast [40 x float]* %3 to i8*
  call void @llvm.memset.p0i8.i64(i8* align 4 %4, i8 0, i64 160, i1 false)
  %5 = getelementptr [40 x float], [40 x float]* %3, i64 0, i64 $1
  %6 = load float, float* %5, align 4
  store float %6, float* %0, align 4
  ret void
}
EOF
}
ir=$root/harness/ir
sets '%1' | awk -f "$ir/text.awk" -f "$ir/copies.awk" >varies.ll
sets 7 | awk -f "$ir/text.awk" -f "$ir/copies.awk" >constant.ll
expect '  an array in memory' grep -q 'store i32 0' varies.ll
expect '  not one that goes into registers' grep -q 'llvm.memset' constant.ll
runs 'loops that are left in the middle' leaving
runs 'padding in structures' padding
expect '  is reported, and nothing else' test "$(grep -c 'uninitialised read' said)" -eq 2
runs 'printf' print
expect '  its conversions' grep -qxF \
  '  123|abc     |0x10|-5|     42|1.500|c|ff|%|4|3|3.14|+5|010' printed
expect '  32 arguments' grep -q '^1 2 .* 31 32$' printed
expect '  what it returns' test "$(tail -n 1 printed)" = 32
assertion='print.cu:[0-9]*: .*check(int): block: .1,0,0., thread: .2,0,0. Assertion .t < n. failed'
says 'assert' "$assertion" print x
says '  its code' cudaErrorAssert print x
echo '__global__ void f(int n) { f_(__builtin_alloca(n)); }' >alloca.cu
sed -i '1i __device__ void f_(void *);' alloca.cu
"$kcc" -c alloca.cu >printed 2>&1
expect 'alloca is named' grep -q '^alloca.cu:2: error: not simulated: alloca' printed
expect '  in one line' test "$(wc -l <printed)" -eq 1
exit "$failed"
