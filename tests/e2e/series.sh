#!/bin/sh
# series.sh: ./grade LAB --sweep of a lab with [series]: a row for each value, with the sectors that
# the addresses of a warp's lanes lie in, and what becomes of a file that is wrong.
#
# In make test-all the rows are recorded as tables, too.
#
#   tests/e2e/series.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh

# Lab 0 with vectors that take no time.
mkdir -p "$work/kit/labs/lab1_s" "$work/kit/solutions/lab1_s"
ln -s "$root/build" "$root/harness" "$root/plots" "$work/kit/"
sed 's/N=1048576/N=2048/' labs/lab0_first/lab.conf >"$work/kit/labs/lab1_s/lab.conf"
cp labs/lab0_first/lab0.cu "$work/kit/labs/lab1_s/lab1.cu"
good=$work/kit/solutions/lab1_s/lab1.cu
cp solutions/lab0_first/lab0.cu "$good"

# sweep NAME STATUS WORDS FILE [OPTION...]: exit status and words of a sweep of FILE.
sweep() {
  name=$1 expected=$2 words=$3 file=$4
  shift 4
  exits "$name" "$expected" "$words" env KIT_ROOT="$work/kit" build/grade lab1 \
    --sweep --file "$file" "$@"
}

# addresses: VALUE REQUESTS SECTORS of loads, then of stores, for 2048 elements: 64 warps.
addresses() {
  awk 'function sectors(step, offset,  lane, sector, seen, count) {
      for (lane = 0; lane < 32; lane++) {
        sector = int((step * lane + offset) * 4 / 32)
        count += !(sector in seen)
        seen[sector]
      }
      return count
    }
    BEGIN {
      for (s = 0; s <= 32; s++) print "offset", s, 64, 64 * sectors(1, s), 64, 64 * 4
      for (s = 1; s <= 32; s++) print "stride", s, 64, 64 * sectors(s, 0), 64, 64 * 4
    }'
}
# counted FILE: the same, of a sweep's JSON.
counted() {
  awk -F '[:," ]+' '$2 == "name" { name = $3 } $2 == "value" { value = $3 }
    $2 == "load_requests" || $2 == "load_sectors" || $2 == "store_requests" { row = row " " $3 }
    $2 == "store_sectors" { print name, value row, $3; row = "" }' "$1"
}
addresses >"$work/expected"
sweep 'every offset and every stride is run' 0 'sectors' "$good" --seed 1 --plot \
  --json "$work/series.json"
cp "$work/out" "$work/shown"
counted "$work/series.json" >"$work/counted"
expect 'requests and sectors are those of the addresses' cmp "$work/expected" "$work/counted"
equal 'the tables have a row for each value' 65 \
  "$(grep -cE '^ +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+$' "$work/shown")"
if command -v gnuplot >/dev/null 2>&1; then
  equal 'a chart of two panels for each series, in the terminal, too' 2 \
    "$(grep -c 'sectors per load request' "$work/shown")"
  expect '  and as SVG and PNG' test -s build/pictures/lab1-series-stride.svg -a \
    -s build/pictures/lab1-series-stride.png
  rm -f build/pictures/lab1-series-*
fi
if ! all; then
  :
elif [ -x build/record ]; then
  expect 'recorded as tables' env KIT_ROOT="$work/kit" build/record series lab1 "$work"
  for name in offset stride; do
    awk -v name=$name '!/^#/ { print name, $1, $2, $3, $4, $5 }' "$work/series-lab1-$name.tsv"
  done >"$work/recorded"
  expect '  with the same counts' cmp "$work/expected" "$work/recorded"
else
  echo 'skip recordings: build/record is not built'
fi

# --- files that are wrong, of which few values are enough ---
sed -i 's/^to = 32/to = 4/' "$work/kit/labs/lab1_s/lab.conf"
sed 's/in\[i + offset\]/in[i + offset - offset % 2]/' "$good" >"$work/odd.cu"
sweep 'values with a wrong result are marked' 0 \
  '2 of 5 values are wrong, the first at STEP=1: out[0]' "$work/odd.cu"
equal '  each of them' 2 "$(grep -cE '^ +[0-9]*[13579] +wrong$' "$work/out")"
sed 's/in\[i + offset\]/1/' "$good" >"$work/half.cu"
sweep 'one right kernel of two is compared' 0 '5 of 5 values are wrong' "$work/half.cu"
sed 's/^  offset_kernel<<<.*/  cudaMemcpy(out, in + offset, 4 * n, cudaMemcpyDeviceToDevice);/' \
  "$good" >"$work/no_kernel.cu"
sweep 'a copy without a kernel has no bandwidth' 0 'the result is right, but no' \
  "$work/no_kernel.cu"
sed 's/= in\[i + offset\]/= atomicAdd((float *)\&in[i + offset], 0.0f)/' "$good" >"$work/atomic.cu"
sweep 'a kernel without loads has no sectors' 0 'series-stride.svg' "$work/atomic.cu"
expect '  and no complaint' not grep -q 'grade:' "$work/out"
sweep 'a file without any right result is refused' 1 'Grade it first: ./grade lab1' \
  "$work/kit/labs/lab1_s/lab1.cu"
echo 'void offset_copy(' >"$work/broken.cu"
sweep 'a file that does not compile is refused, with its line' 1 'it does not compile: line 1' \
  "$work/broken.cu"
exit $failed
