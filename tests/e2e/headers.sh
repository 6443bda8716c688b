#!/bin/sh
# headers.sh: CUDA's headers do not get in the way of the standard library's, and as compiled
# beforehand (harness/compile --headers) they are used in a copy of the kit, too, but never where
# they are out of date.
#
#   tests/e2e/headers.sh   prints ok and FAIL lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# From libstdc++ 13 on these use __noinline__ as the name of an attribute: a library that is older
# here stands for it.
mkdir -p "$work/cxx/bits"
for header in basic_string.h basic_string.tcc shared_ptr_base.h; do
  printf '#ifdef __noinline__\n#error %s sees our __noinline__\n#endif\n#include_next <bits/%s>\n' \
    "$header" "$header" >"$work/cxx/bits/$header"
done
cat >"$work/all.cu" <<'END'
#include <cuda_runtime.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
__noinline__ __device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int *out) { *out = twice(*out); }
END
expect 'strings and pointers of libstdc++ 13 compile' \
  env CPLUS_INCLUDE_PATH="$work/cxx" harness/compile --source "$work/all.cu" --object "$work/all.o"

# Half and bfloat16, as each standard of C++ and each clang reads them, by nvcc's names and alone.
printf '#include <cuda_%s>\n' fp16.h bf16.h fp16.hpp bf16.hpp >"$work/halves.cu"
cat >>"$work/halves.cu" <<'END'
__global__ void halves(half2 *a, nv_bfloat162 *b) {
  __shared__ half row[32];
  row[threadIdx.x] = a->x * a->y;
  *a = __hfma2(*a, *a, half2(row[0], row[1]));
  *b = *b + __bfloat162bfloat162((nv_bfloat16)row[2]);
}
END
sed '/^#/!d' "$work/halves.cu" >"$work/halves.cpp"
echo 'float twice(__half x) { return __half2float(__hadd(x, __float2half(1.0f))); }' \
  >>"$work/halves.cpp"
for clang in clang++-14 clang++-19; do
  command -v $clang >"$work/where" || { echo "skip halves, $clang: not here" && continue; }
  for standard in 11 14 17 20; do
    for source in halves.cu halves.cpp; do
      case $standard$source in 20halves.cu) ;; *) all || continue ;; esac
      expect "$source, $clang, C++$standard" env CLANGXX=$clang harness/kcc -Wall -Werror \
        -std=c++$standard -c "$work/$source" -o "$work/halves.o"
    done
  done
done
printf '#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__half_raw x; __nv_bfloat162_raw y;\n' \
  >"$work/halves.c"
expect 'halves.c' harness/kcc -c "$work/halves.c" -o "$work/halves.o"

cat >"$work/quotient.cu" <<'END'
#include <cuda_fp16.h>
__global__ void quotient(half *a) { *a = __hdiv(a[0], a[1]); }
END
harness/kcc -c "$work/quotient.cu" -o "$work/quotient.o"
expect 'a quotient of halves takes none of floats that is precise' \
  grep -aq 'div.full.f32' "$work/quotient.o"

# NVTX, where CUDA 12 has it and where it was before.
printf '#include <%s>\n' nvtx3/nvToolsExt.h nvtx3/nvToolsExtCuda.h nvtx3/nvToolsExtCudaRt.h \
  nvToolsExt.h nvToolsExtCuda.h nvToolsExtCudaRt.h >"$work/ranges.cu"
cat >>"$work/ranges.cu" <<'END'
int main() {
  cudaStream_t stream = 0;
  nvtxNameCudaStreamA(stream, "copies");
  nvtxNameCuStreamA(stream, "copies");
  return nvtxRangePushA("all") < 0 && nvtxRangePop() > 0;
}
END
expect 'NVTX' harness/kcc -run "$work/ranges.cu" -o "$work/ranges"

# A copy of the kit, not made again yet; and a clang that notes how it is called.
whole_kit
cp -r build/headers "$kit/build/"
mkdir "$work/bin"
printf '#!/bin/sh\necho "$*" >>%s/calls\nexec clang++ "$@"\n' "$work" >"$work/bin/clang++"
chmod 755 "$work/bin/clang++"
compile() {
  : >"$work/calls"
  (cd "$kit" && CLANGXX=$work/bin/clang++ harness/compile --source "$work/all.cu" --object \
    "$work/all.o")
}
# calls HOW COUNT: so often was clang called with these words in the arguments.
calls() { [ "$(grep -c -e "$1" "$work/calls")" -eq "$2" ]; }
edit() { printf '%s\n' "$1" >>"$kit/harness/sim/include/cuda_runtime.h"; }

edit '#define KIT_COPY 1'
printf '#ifndef KIT_COPY\n#error the headers of another kit\n#endif\n' >>"$work/all.cu"
expect 'a copy of the kit has its own headers' "$kit/harness/compile" --source "$work/all.cu" \
  --object "$work/all.o"
(cd "$kit" && CLANGXX=$work/bin/clang++ harness/compile --headers)
expect '  which are used as compiled' compile
expect '  by both passes' calls '-include-pch' 2
expect '  at once' calls '^-x cuda' 2
mv "$kit" "$work/moved" && kit=$work/moved
expect 'a kit that was moved compiles' compile
expect '  without them' calls '-include-pch' 0
(cd "$kit" && CLANGXX=$work/bin/clang++ harness/compile --headers)
edit '#define KIT_EDITED 1'
printf '#ifndef KIT_EDITED\n#error headers from before\n#endif\n' >>"$work/all.cu"
expect 'headers that were edited since are read' compile

# ./grade has them compiled where they are for another place, or older than they were written.
expect 'a grading in a copy' "$kit/grade" lab3 --solution
equal '  compiles them for it' "$kit" "$(head -n 1 "$kit/build/headers/made")"
all || exit $failed # make works out what is older than what
touch "$kit/build/before"
edit '#define KIT_EDITED 2'
expect 'a grading after an edit' "$kit/grade" lab3 --solution
expect '  compiles them again' test "$kit/build/headers/made" -nt "$kit/build/before"
exit $failed
