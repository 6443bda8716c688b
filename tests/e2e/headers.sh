#!/bin/sh
# headers.sh: CUDA's names do not get in the way of the standard library's headers.
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
exit $failed
