#!/bin/sh
# curand.sh: cuRAND's numbers are NVIDIA's: tests/curand/README.md has what they are compared with.
# Prints ok and FAIL lines.
#
# test-all: run it after a change of the headers of cuRAND or of sim/runtime/curand*
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
kcc=$root/harness/kcc vectors=$root/tests/curand
said() { tr -s ' \n' '  ' <"$work/said" | grep -qF -e "$1"; }
cd "$work" || exit 2

for functions in device device_quasi; do
  expect "device functions, $functions" \
    sh -c "'$kcc' '$vectors/$functions.cu' -o $functions -lcurand && ./$functions >made 2>said"
  expect '  give the same numbers' diff "$vectors/$functions.txt" made
  expect '  without hazards' test ! -s said
done
for calls in host quasi poisson; do
  expect "the host API, $calls" \
    sh -c "'$kcc' '$vectors/$calls.cu' -o $calls -lcurand && ./$calls >made 2>said"
  expect '  gives the numbers in the same order' diff "$vectors/$calls.txt" made
  expect '  without hazards' test ! -s said
  expect '  a generator for memory of the host' \
    sh -c "'$kcc' -DON_HOST '$vectors/$calls.cu' -o $calls -lcurand && ./$calls >made"
  # which has no CURAND_ORDERING_PSEUDO_BEST for MT19937
  sed 's/^order: 104 0$/order: 0 0/' made >same
  expect '    gives the same' diff "$vectors/$calls.txt" same
  [ "$calls" != host ] || expect '    but for an order' test "$(grep -c '^order: 104' made)" -eq 2
done

expect 'far numbers of MT19937' \
  sh -c "'$kcc' -DON_HOST '$vectors/mt19937.cu' -o mt19937 -lcurand && ./mt19937 >made"
expect '  are the same' diff "$vectors/mt19937.txt" made
expect 'MTGP32 in kernels' sh -c "'$kcc' '$vectors/mtgp.cu' -o mtgp -lcurand && ./mtgp 2>said"
expect '  without hazards' test ! -s said

cat >version.cu <<'END'
#include <curand.h>
int main() {
  int whole, major, minor, patch;
  if (curandGetVersion(&whole) || curandGetProperty(MAJOR_VERSION, &major) ||
      curandGetProperty(MINOR_VERSION, &minor) || curandGetProperty(PATCH_LEVEL, &patch))
    return 1;
  if (whole != 10400 || whole != major * 1000 + minor * 100 + patch) return 2;
  return curandGetProperty((libraryPropertyType)3, &patch) != CURAND_STATUS_OUT_OF_RANGE;
}
END
expect 'cuRAND is 10.4.0, CUDA 13.0'"'"'s, and so say the parts' \
  sh -c "'$kcc' version.cu -lcurand -o version && ./version"

cat >short.cu <<'END'
#include <curand.h>
int main() {
  curandGenerator_t generator = (curandGenerator_t)16;
  float *out;
  if (curandGenerateUniform(generator, out, 1) != CURAND_STATUS_NOT_INITIALIZED) return 3;
  cudaMalloc(&out, 100 * sizeof *out);
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  return curandGenerateUniform(generator, out, 200) != CURAND_STATUS_LAUNCH_FAILURE;
}
END
expect 'more numbers than there is room for' sh -c "'$kcc' -run short.cu -lcurand -o short 2>said"
expect '  are said with the line' said 'short.cu:8: '

cat >order.cu <<'END'
#include <curand.h>
int main() {
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  return curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DYNAMIC) !=
         CURAND_STATUS_OUT_OF_RANGE;
}
END
expect 'an order that goes by the GPU' \
  sh -c "'$kcc' -run order.cu -lcurand -o order 2>said; ./order 2>said"
expect '  is named' said 'lacks cuRAND'"'"'s order CURAND_ORDERING_PSEUDO_DYNAMIC'

cat >lacking.cu <<'END'
#include <curand_kernel.h>
__global__ void draw(curandStateMtgp32 *b, unsigned *out) {
  curandState state;
  curand_mtgp32_single(b);
  *out = curand_discrete(&state, 0);
}
int main() { curandCreatePoissonDistribution(1.0, 0); }
END
expect 'what is missing does not compile' not sh -c "'$kcc' lacking.cu -o lacking 2>said"
for name in curand_mtgp32_single curandCreatePoissonDistribution; do
  expect "  and is named: $name" grep -q "'$name' is unavailable: not simulated: " said
done
expect '  and is named: curand_discrete' grep -q 'curand_discrete.*not simulated: ' said
exit $failed
