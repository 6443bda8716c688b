#!/bin/sh
# sweep.sh: ./grade LAB --sweep: its counts are those of an H100, and it says what is wrong with a
# file that cannot take part. The counts and the order of the times of 66 shapes are looked at in
# make test-all; counters.sh has counts of other kernels, and times of some of these shapes.
#
#   tests/e2e/sweep.sh   prints ok, FAIL and skip lines; exits with 1 if any failed
set -eu
cd "$(dirname "$0")/../.."
. tests/e2e/lib/check.sh
lab=$(grep -l '^\[sweep\]' labs/*/lab.conf | head -n 1)
folder=$(basename "$(dirname "$lab")")
lab=${folder%%_*}

if all; then
  # One value of the sweep's JSON a line: "8 32 4.0 8.0 6624".
  shapes() {
    awk '/"extent"/ { getline; x = $1 + 0; getline; y = $1 + 0 }
      /"load_sectors_per_request"/ { load = $2 + 0 }
      /"store_sectors_per_request"/ { store = $2 + 0 }
      /"time_ns"/ { print x, y, load, store, $2 + 0 }' "$1"
  }

  expect "$lab: the sweep of the solution succeeds" ./grade "$lab" --solution --sweep --seed 1 \
    --json "$work/sweep.json"
  shapes "$work/sweep.json" >"$work/shapes"

  # Nsight Compute's sectors and requests of the same kernel, 1024 x 1024, for the shapes recorded.
  awk -F '\t' '$1 == "tr_naive" { split($3, block, /[(), ]+/); print block[2], block[3], $7 / $6,
    $9 / $8 }' \
    tests/counters/counters.tsv >"$work/h100"
  as_recorded() {
    while read -r x y load store; do
      line=$(grep "^$x $y " "$work/shapes" || echo "$x $y is missing")
      case $line in "$x $y $load $store "*) ;; *) echo "an H100 has $load and $store: $line" ;; esac
    done <"$work/h100" >"$work/others"
    cat "$work/others"
    [ "$(wc -l <"$work/h100")" -ge 13 ] && ! [ -s "$work/others" ]
  }
  expect "$lab: sectors a request are an H100's, for $(wc -l <"$work/h100") shapes" as_recorded

  # Of two shapes whose times on an H100 differ by over 5%, the one that is faster there is so here.
  grep -v '^#\|^block' tests/model/shapes-h100.tsv | tr '\t' ' ' | cat "$work/shapes" - | awk '
    NF == 5 { here[$1 " " $2] = $5; next }
    { shape[++n] = $1 " " $2; there[n] = $3 }
    END {
      for (i = 1; i <= n; i++)
        for (k = 1; k < i; k++) {
          if (there[i] < 1.05 * there[k] && there[k] < 1.05 * there[i]) continue
          pairs++
          wrong += (there[i] - there[k]) * (here[shape[i]] - here[shape[k]]) <= 0
        }
      print wrong + 0 " of " pairs " pairs are the other way round"
      exit !(n == 66 && wrong <= 0.015 * pairs)
    }' >"$work/order" && status=0 || status=1
  expect "$lab: shapes are in the order of an H100 ($(cat "$work/order"))" [ "$status" -eq 0 ]

  # On an H100 the solution's shape is the best or within 5%.
  own=$(awk '/"own"/ { getline; x = $1 + 0; getline; print x "\t" $1 + 0 }' "$work/sweep.json")
  near_the_best() {
    awk -F '\t' -v own="$own" '/^[0-9]/ { time[$1 "\t" $2] = $3; if (!best || $3 < best) best = $3 }
      END { print "own " own ": " time[own] ", best: " best; exit !(time[own] &&
        time[own] <= 1.05 * best) }' \
      tests/model/shapes-h100.tsv
  }
  expect "$lab: the solution's shape is within 5% of an H100's best" near_the_best
fi

# In a copy of the lab with four shapes of a small case: what is wrong with a file.
mkdir -p "$work/kit/labs/lab1_s" "$work/kit/solutions/lab1_s"
ln -s "$root/build" "$root/harness" "$work/kit/"
sed 's/^values = .*/values = 8 32/; s/ROWS=1024 COLS=1024/ROWS=256 COLS=256/' \
  "labs/$folder/lab.conf" >"$work/kit/labs/lab1_s/lab.conf"
cp "solutions/$folder/$lab.cu" "$work/kit/labs/lab1_s/lab1.cu"
cp "solutions/$folder/$lab.cu" "$work/kit/solutions/lab1_s/lab1.cu"

# sweep NAME STATUS WORDS FILE [OPTION...]: exit status and words of a sweep of FILE.
sweep() {
  name=$1 expected=$2 words=$3 file=$4
  shift 4
  exits "$name" "$expected" "$words" env KIT_ROOT="$work/kit" build/grade lab1 \
    --sweep --file "$file" "$@"
}
good=$work/kit/solutions/lab1_s/lab1.cu
sweep 'a sweep ends with where the file stands' 0 'Yours, ' "$good"
{ echo '#pragma once'; cat "$good"; } >"$work/once.cu"
sweep 'a file that cannot be repeated in one program is built for each shape' 0 'Yours, ' \
  "$work/once.cu"
grep -v '^#ifndef BLOCK_\|^#endif' "$good" >"$work/fixed.cu"
sweep 'a file with fixed shapes is told what to write' 1 '#ifndef BLOCK_X' "$work/fixed.cu"
sed 's/if (.*) out/if (false) out/; s/__global__/__global__ /' "$good" |
  sed 's/out\[\(.*\)\] = in\[.*\];/out[\1] = 0;/' >"$work/wrong.cu"
sweep 'a file that is wrong is refused, with the reason' 1 \
  'is not right, so there is nothing to compare' "$work/wrong.cu"
echo 'void transpose(' >"$work/broken.cu"
sweep 'a file that does not compile is refused, with its line' 1 'it does not compile: line 1' \
  "$work/broken.cu"
sweep 'a sweep as JSON alone on stdout' 0 '"best"' "$good" --json -

exits 'a lab without a sweep says so' 2 'no [sweep]' ./grade lab1 --sweep
exit $failed
