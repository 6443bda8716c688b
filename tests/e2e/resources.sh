#!/bin/sh
# resources.sh: ./grade LAB --resources and --roofline, ./grade run --resources, make lab2.ptx and
# make lab2.sass.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why` for each thing tried.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

# A PATH without the CUDA Toolkit: folders with ptxas or nvcc in them are left out.
bare=$(printf '%s' "$PATH" | tr : '\n' | while IFS= read -r folder; do
  [ -x "$folder/ptxas" ] || [ -x "$folder/nvcc" ] || printf '%s\n' "$folder"
done | paste -sd : -)

# --- a kernel whose occupancy is known ---

# 100 threads are 4 warps; 40000 + 8000 bytes and 1 KiB more are 49024 of 233472: 4 blocks.
cat >"$work/p.cu" <<'EOF'
#include <cstdio>
__global__ void fills(float *a) {
  __shared__ float fixed[10000];
  extern __shared__ float rest[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fixed[threadIdx.x * 3] = a[i];
  rest[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = fixed[(99 - threadIdx.x) * 3] + rest[99 - threadIdx.x];
}
int main() {
  float *a;
  cudaMalloc(&a, 132 * 400 * sizeof *a);
  cudaMemset(a, 0, 132 * 400 * sizeof *a);
  fills<<<132 * 4, 100, 8000>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
EOF
./grade run "$work/p.cu" --resources --json "$work/p.json" >"$work/shown" 2>"$work/err"
equal 'run --resources: what a kernel takes, and what limits it' \
  'fills 100 40000 8000 4 64/4=16 32 4 16 25 shared memory 1' \
  "$(jq -r '.resources[] | "\(.kernel) \(.block[0]) \(.static_shared_bytes)"
    + " \(.dynamic_shared_bytes) \(.limits.shared_memory) 64/4=\(.limits.warps)"
    + " \(.limits.blocks) \(.blocks_per_sm) \(.warps_per_sm) \(.occupancy_percent)"
    + " \(.limited_by) \(.waves)"' "$work/p.json")"
expect '  the same in words' grep -q 'fills: 4 blocks and 16 warps an SM, occupancy 25%' "$work/err"
expect '  registers are estimated, it says' grep -q 'registers estimated from the PTX' "$work/err"
expect '  a last warp that is not full is pointed out' \
  grep -q '28 of 32 lanes stay idle' "$work/err"

# --- a lab ---

PATH=$bare ./grade lab2 --solution --resources --json "$work/lab2.json" >"$work/shown" 2>&1
equal '--resources: the kernels of shown cases' 'n512 matmul_tiled' \
  "$(jq -r '.resources[] | "\(.case) \(.kernel)"' "$work/lab2.json")"
equal '  estimated without the CUDA Toolkit' null \
  "$(jq -r '.resources[0].registers_by' "$work/lab2.json")"
expect '  which it says' grep -q 'registers estimated from the PTX' "$work/shown"
equal '  the table agrees with the launch' true "$(jq '.resources[0] as $r | .launches[] |
  select(.case == "n512") | .shared_bytes == $r.static_shared_bytes + $r.dynamic_shared_bytes and
  .registers == $r.registers' "$work/lab2.json")"
./grade lab2 --solution --json "$work/plain.json" >/dev/null 2>&1
equal 'a grade that nobody asks has neither resources nor a roofline' 'false false' \
  "$(jq -r '"\(has("resources")) \(has("roofline"))"' "$work/plain.json")"
./grade lab2 --solution --resources --case 17 >"$work/shown" 2>&1
expect '--case: of this one' grep -q 'matmul_tiled in case 17' "$work/shown"
./grade lab2 --resources --sizes 100 >"$work/shown" 2>&1
equal '--resources is for grades' 2 $?

# As the assembler gives them, in the sandbox; nvcc's, and those of clang's PTX.
if command -v ptxas >/dev/null 2>&1; then
  mkdir "$work/bin"
  ln -s "$(command -v ptxas)" "$work/bin/ptxas"
  # Of the tiles' 8192 bytes none spills; over 32 registers a thread one block fits in place of two.
  counted() { awk -F '\t' '$1 == "matmul_tiled" { print ($2 <= 32 && $2 > 16), $3, $4 }' "$1"; }
  PATH=$work/bin:$bare harness/compile --source solutions/lab2_tiled/lab2.cu \
    --registers "$work/registers" 2>"$work/err"
  equal "registers by ptxas, of clang's PTX" '# ptxas 1 8192 0' \
    "$(head -n 1 "$work/registers" | cut -d ' ' -f 1,2) $(counted "$work/registers")"
  harness/compile --source solutions/lab2_tiled/lab2.cu --registers "$work/registers"
  equal 'registers by what there is' '1 8192 0' "$(counted "$work/registers")"
  ./grade lab2 --solution --case n512 --resources --json "$work/g.json" >"$work/shown" 2>&1
  equal '  in the grade, from the sandbox' \
    "$(sed -n '1s/^# //p' "$work/registers") $(sed -n 2p "$work/registers" | cut -f 2)" \
    "$(jq -r '.resources[0] | "\(.registers_by) \(.registers)"' "$work/g.json")"
  expect '  which it says' grep -qE 'registers by (nvcc|ptxas)' "$work/shown"
else
  echo 'skip registers by the assembler: ptxas is not installed'
fi

# --- roofline ---

./grade lab2 --solution --roofline="$work/r.svg" --json "$work/r.json" >"$work/shown" 2>"$work/err"
# n = 512: 2 n^3 operations over three matrices of 4 n^2 bytes.
equal '--roofline: operations and bytes of a product' '268435456 3145728 85.3 modelled' \
  "$(jq -r '.roofline.points[0] | "\(.fp32_ops) \(.dram_bytes)"
    + " \(.intensity * 10 | floor / 10) \(.time_kind)"' "$work/r.json")"
equal '  operations over time, as the launch has them' true "$(jq '.roofline.points[0] as $p |
  .launches[] | select(.case == "n512") | ($p.gflops * .time_ns - .counters.fp32_ops | fabs) < 1' \
  "$work/r.json")"
equal '  under the roof of fp32, right of the ridge' true "$(jq '.roofline |
  .points[0].intensity > .roofs.fp32_gflops / .roofs.dram_gb_per_s and
  (.points[0].percent_of_roof - 100 * .points[0].gflops / .roofs.fp32_gflops | fabs) < 0.001' \
  "$work/r.json")"
expect '  in words' \
  grep -qE 'n512 matmul_tiled +85.3 +[0-9]+ GFLOP/s +[0-9.]+% of fp32' "$work/shown"
if command -v gnuplot >/dev/null 2>&1; then
  expect '  the SVG that was asked for' grep -q '1</text>' "$work/r.svg"
  expect '  with its kernel' grep -q 'n512 matmul_tiled: [0-9.]* TFLOP/s, [0-9.]*% of fp32' \
    "$work/r.svg"
  expect '  drawn in the terminal' grep -q 'fp32 operations per byte' "$work/shown"
  ./grade lab4 --solution --roofline="$work/r.png" >"$work/shown" 2>&1
  equal '  a PNG' PNG "$(head -c 4 "$work/r.png" | tail -c 3)"
  expect '  kernels without operations by their bandwidth' \
    grep -qE 'padded_kernel +- +[0-9]+ GB/s +[0-9.]+% of DRAM' "$work/shown"
  ./grade lab2 --solution --html "$work/p.html" >/dev/null 2>&1
  expect '  on the page' grep -q '<section id="roofline"' "$work/p.html"
else
  echo 'skip pictures: gnuplot is not installed'
fi
./grade lab2 --solution --roofline=r.pdf >"$work/shown" 2>&1
equal '--roofline=r.pdf: that is no picture it draws' 2 $?
./grade lab2 --solution --roofline=/nowhere/r.svg >"$work/shown" 2>&1
equal 'a picture that cannot be written is said at once' 2 $?
./grade lab6 --solution --case mapped-1M --roofline >"$work/shown" 2>&1
expect 'data in the host memory: not DRAM' grep -q 'waits for the link' "$work/shown"
./grade lab7 --solution --case many-1M >"$work/shown" 2>&1
expect 'few bytes of shared memory are no 0.0 KiB' grep -q ', 32 bytes shared' "$work/shown"

# --- listings ---

make -s lab2.ptx FILE=solutions/lab2_tiled/lab2.cu >"$work/shown" 2>&1
equal 'make lab2.ptx' 'Wrote build/lab2.ptx' "$(cat "$work/shown")"
line=$(grep -n '__syncthreads' solutions/lab2_tiled/lab2.cu | head -n 1 | cut -d: -f1)
expect '  lines of the source stand before their instructions' \
  sh -c "sed -n '/lab2.cu:$line  __syncthreads/,/lab2.cu:/p' build/lab2.ptx | grep -q bar.sync"
expect '  of the loop over k, unrolled, there are 32 products' [ \
  "$(grep -c 'fma.rn.f32' build/lab2.ptx)" -eq 32 ]
if command -v ptxas >/dev/null 2>&1; then
  expect '  it is still PTX' ptxas -arch=sm_90 -o /dev/null build/lab2.ptx
fi
make -s lab2.ptx FILE="$work/nowhere.cu" >"$work/shown" 2>&1
expect '  of a file that is not there' grep -q 'no such file' "$work/shown"
PATH=$bare make -s lab2.sass >"$work/shown" 2>&1
expect 'make lab2.sass without the CUDA Toolkit says what is missing' \
  grep -q 'nvdisasm is missing: the CUDA Toolkit' "$work/shown"
if command -v nvdisasm >/dev/null 2>&1 || command -v cuobjdump >/dev/null 2>&1; then
  make -s lab2.sass FILE=solutions/lab2_tiled/lab2.cu >"$work/shown" 2>&1
  expect 'make lab2.sass' grep -q FFMA build/lab2.sass
else
  echo 'skip make lab2.sass: there is no disassembler'
fi
exit $failed
