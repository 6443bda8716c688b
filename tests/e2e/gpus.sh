#!/bin/sh
# gpus.sh: grading and running on other simulated GPUs than the built-in one: --gpu, ./grade gpus,
# what the card, the page and JSON say of a GPU that nobody has measured, and that model solutions
# get full marks on all of them.
#
#   tests/e2e/gpus.sh         lab 2 on two GPUs; in make test-all on all, and lab 6, too
#   tests/e2e/gpus.sh full    all labs on all GPUs, in their own sizes: minutes
#
# Prints `ok name` or `FAIL name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
command -v jq >/dev/null || { echo 'skip gpus: jq is not installed (./setup --all)'; exit 0; }
. tests/e2e/lib/check.sh
unset KIT_SIM_GPU
full=${1:-}
here=$PWD

# --- which there are ---

exits 'gpus: a table' 0 'NVIDIA GeForce RTX 3060    28  1.78' ./grade gpus
exits 'gpus: what was measured' 0 'measured' sh -c './grade gpus | grep "^h100 .* measured$"'
exits 'gpus: what was not' 0 'published' sh -c './grade gpus | grep "^t4 .* published$"'
exits '--gpu list' 0 'rtx4060' ./grade --gpu list
exits 'an unknown name lists those there are' 2 'there are h100, h200, rtx3060, rtx4060, t4' \
  ./grade lab1 --gpu gtx1080
exits 'no such file' 2 'No such file' ./grade lab1 --gpu "$work/none.ini"
echo 'no description' >"$work/bad.ini"
exits 'a faulty file: its line' 2 'bad.ini:1: ' ./grade lab1 --gpu "$work/bad.ini"
exits 'not with a real GPU' 2 '--gpu is for the simulator' ./grade lab1 --gpu t4 --backend gpu
exits 'the ceiling is the GPU'\''s own' 0 '8.141 TFLOP/s' ./grade ceiling --gpu T4

# --- a class is graded on one ---

if [ -x build/class ]; then
  exits 'a class: not with --gpu' 2 'a class is graded on one simulated GPU' \
    ./grade class "$work" --gpu t4
  exits 'a class: not with KIT_SIM_GPU' 2 'a class is graded on one simulated GPU' \
    env KIT_SIM_GPU="$here/harness/sim/gpus/t4.ini" ./grade class "$work"
else
  echo 'skip a class is graded on one GPU: ./grade class is not built'
fi

# --- grades ---

[ "$full" = full ] || quick_kit
solution() { # LAB GPU
  ./grade "$1" --solution --gpu "$2" --seed 1 --json "$work/$1-$2.json" >"$work/$1-$2.txt" 2>&1
}
labs=lab2
! all || labs='lab2 lab6'
[ "$full" != full ] || labs=$(cd labs && for lab in lab*_*; do echo "${lab%%_*}"; done)
gpus='t4 rtx4060'
! all && [ "$full" != full ] || gpus="$gpus rtx3060"
for lab in $labs; do
  for gpu in $gpus; do
    expect "$lab's solution gets full marks on $gpu" solution "$lab" "$gpu"
  done
done

expect 'the card names the GPU and what its figures are' has "$work/lab2-t4.txt" \
  'Modelled for: Tesla T4 (published figures, not measured).'
expect 'the card says what is known of its error' has "$work/lab2-t4.txt" 'How far its times are'
equal 'JSON does' 'simulated Tesla T4 (published figures, not measured)' \
  "$(jq -r .device "$work/lab2-t4.json")"
./grade lab2 --solution --gpu RTX3060 --seed 1 --html "$work/page.html" >/dev/null 2>&1
expect 'the page does' has "$work/page.html" \
  'Modelled for: NVIDIA GeForce RTX 3060 (published figures, not measured).'
./grade lab2 --solution --seed 1 >"$work/h100.txt" 2>&1
expect 'the built-in GPU needs no such words' not has "$work/h100.txt" 'Modelled for'
./grade lab2 --solution --gpu h100 --seed 1 >"$work/named.txt" 2>&1
expect 'its name is the same as none' cmp "$work/h100.txt" "$work/named.txt"

# Counts are the same on all GPUs, times are not.
counts() { jq -c '[.launches[] | .counters // empty]' "$1"; }
equal 'counts do not depend on the GPU' "$(counts "$work/lab2-t4.json")" \
  "$(counts "$work/lab2-rtx4060.json")"
time_of() { jq '[.cases[] | .time_ns // 0] | max' "$1"; }
expect 'times do' [ "$(time_of "$work/lab2-t4.json")" != "$(time_of "$work/lab2-rtx4060.json")" ]

# What a model solution measures is kept, for each GPU.
kept() { find "${KIT_ROOT:-.}/build/cache" -name 'lab2-*' -newer "$work/mark" | wc -l; }
touch "$work/mark"
sleep 1
expect 'graded again' solution lab2 t4
equal 'nothing is measured again' 0 "$(kept)"

# --- what a GPU lacks ---

cat >"$work/copy.cu" <<'CUDA'
#include <cstdio>
#include <cuda_pipeline.h>
__global__ void copy(float *to, const float *from) {
  __shared__ float row[32];
  __pipeline_memcpy_async(&row[threadIdx.x], &from[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  to[threadIdx.x] = row[threadIdx.x];
}
int main() {
  float *from, *to;
  cudaMalloc(&from, 128);
  cudaMalloc(&to, 128);
  cudaMemset(from, 0, 128);
  copy<<<1, 32>>>(to, from);
  puts(cudaGetErrorName(cudaGetLastError()));
  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  printf("%s, %d.%d, %d\n", gpu.name, gpu.major, gpu.minor, gpu.maxThreadsPerMultiProcessor);
}
CUDA
run() { ./grade run --gpu "$1" "$work/copy.cu"; }
exits 'run: cp.async needs 8.0' 0 cudaErrorNoKernelImageForDevice run t4
exits 'run: where and why' 0 'cp.async.ca.shared.global needs a GPU of compute capability 8.0' \
  run t4
exits 'run: 8.6 has it' 0 cudaSuccess run rtx3060
exits 'run: properties are the GPU'\''s' 0 'Tesla T4, 7.5, 1024' run t4
exits 'run: the summary names it' 0 \
  'simulated NVIDIA GeForce RTX 4060 (published figures, not measured); times are modelled' \
  run RTX4060
exits 'run: an unknown name' 2 'there are h100' run voodoo2
exit $failed
