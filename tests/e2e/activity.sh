#!/bin/sh
# activity.sh: what a timeline measured by CUPTI holds (harness/gpu/activity.c), with a CUPTI that
# has recorded what tests/cupti/fake.c says. Needs CUPTI's header, and no GPU.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why` for each thing tried.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh

cuda=''
for folder in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda; do
  for header in "$folder/include/cupti.h" "$folder/extras/CUPTI/include/cupti.h"; do
    [ ! -f "$header" ] || cuda="$cuda -isystem $folder/include -isystem ${header%/cupti.h}"
  done
done

# build LIBRARY FLAG...: print, which opens this library.
build() {
  library=$1
  shift
  "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -I. "$@" "-DKIT_CUPTI=\"$library\"" \
    tests/cupti/print.c harness/gpu/activity.c harness/base/trace_events.c -pthread -ldl \
    -ljansson -lstdc++ -o "$work/print" 2>"$work/err"
}

if [ -z "$cuda" ]; then
  echo 'skip a trace of what CUPTI reports: there is no cupti.h'
  exit 0
fi
# shellcheck disable=SC2086 # words
"${CC:-cc}" -std=gnu17 -Wall -Wextra -Werror $cuda -fPIC -shared tests/cupti/fake.c \
  -o "$work/libcupti.so" 2>"$work/err" || fail 'the fake CUPTI compiles' "$(cat "$work/err")"
# shellcheck disable=SC2086
build "$work/libcupti.so" $cuda || fail 'it compiles with CUPTI' "$(cat "$work/err")"
"$work/print" >"$work/t.json" || fail 'a trace' "$(cat "$work/t.json")"

# Times are us from the beginning, at 1000 ns of CUPTI's clock; CUPTI's streams 7 (the default
# stream), 13 and 21 are 0, 1 and 2. A row: stream, category, name, ts, dur, bytes, issued_us,
# pageable.
cat >"$work/expected" <<'ROWS'
0 fill fill 9 0.5 256 9 null
0 pages in pages in 10 1 65536 10 null
1 copy in copy in 1 1 4096 0.5 null
1 kernel tile 2.5 6 null 1.5 null
2 copy out copy out 3 2 8192 3 true
ROWS
# Numbers to a ns: how jq writes 0.1 and 9.0 differs from version to version.
rounded='def rounded: if type == "number" then (. * 1000 | round) / 1000 else . end;'
jq -r "$rounded"' .traceEvents[] | select(.ph == "X" and .pid == 2) | [.tid, .cat, .name, .ts,
    .dur, .args.bytes, .args.issued_us, .args.pageable] | map(rounded | tostring) |
    join(" ")' "$work/t.json" | sort >"$work/work"
expect 'the work of each stream' cmp "$work/expected" "$work/work"
equal 'copies and pages are on their engines' '1:copy in 1:pages in 2:copy out' \
  "$(jq -r '[.traceEvents[] | select(.ph == "X" and .pid == 3) | "\(.tid):\(.cat)"] | sort |
    join(" ")' "$work/t.json")"
calls='call cudaLaunchKernel 0.5 1,call cudaMemcpyAsync 0.1 0.4,call cudaMemcpyAsync 1.6 4.4'
equal 'calls, and what the host waits for' "$calls,wait cudaDeviceSynchronize 6 5.5" \
  "$(jq -r "$rounded"' [.traceEvents[] | select(.ph == "X" and .pid == 1) |
    "\(.cat) \(.name) \(.ts | rounded) \(.dur | rounded)"] | sort | join(",")' "$work/t.json")"
equal 'tracks have names' 'default stream,stream 1,stream 2' \
  "$(jq -r '[.traceEvents[] | select(.name == "thread_name" and .pid == 2) | .args.name] |
    sort | join(",")' "$work/t.json")"

contains() { # NAME WORDS: what print says
  "$work/print" >"$work/said" && fail "$1" 'there is a trace'
  expect "$1" grep -q "$2" "$work/said"
}
KIT_FAKE_CUPTI=refuses contains 'another profiler is at work' 'a profiler or debugger is at work'
KIT_FAKE_CUPTI=newer contains 'a CUPTI of another CUDA' 'but the kit was built with the header'
# shellcheck disable=SC2086
build /nowhere/libcupti.so $cuda || fail 'it compiles' "$(cat "$work/err")"
case $(ldconfig -p) in
*libcupti.so*) echo 'skip no library: libcupti.so is installed' ;;
*) contains 'no library' 'install the CUDA Toolkit.s part cuda-cupti' ;;
esac
mkdir "$work/without"
for header in cuda_runtime_api.h builtin_types.h; do
  echo 'typedef int cudaError_t; enum { cudaSuccess };' >"$work/without/$header"
done
build '' -isystem "$work/without" || fail 'it compiles without CUPTI' "$(cat "$work/err")"
contains 'no header' 'part cuda-cupti-dev'
exit $failed
