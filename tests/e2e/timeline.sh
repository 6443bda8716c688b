#!/bin/sh
# timeline.sh: ./grade LAB --timeline: the chart, its picture, the trace, the page; and what lab 6
# says of work that does not overlap.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why` for each thing tried.
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v jq >/dev/null || { echo 'skip timeline: jq is not installed (./setup --all)'; exit 0; }
. tests/e2e/lib/check.sh
solution=solutions/lab6_overlap/lab6.cu
KIT_ROOT=$(build/verdicts -k) && export KIT_ROOT # large cases are small

# --- a trace that others open ---

# three TRACE OPTION...: grades three cases: without streams, eight of them, two that wait.
three() {
  trace=$1
  shift
  ./grade lab6 --solution --case pinned-1M --case streams-2M --case halves-2M \
    --timeline="$trace" "$@"
}
three "$work/t.json" >"$work/shown" 2>"$work/err"
three "$work/again.json" --html "$work/p.html" >/dev/null 2>&1
expect 'a trace is the same each time' cmp "$work/t.json" "$work/again.json"
# Trace Event Format: complete events, metadata, flows from s to f with the same id.
equal 'all events have what the format asks for' 0 "$(jq '[.traceEvents[] | select(
    (.name | type) != "string" or (.pid | type) != "number" or (.tid | type) != "number" or
    (.ph | IN("X", "M", "s", "f") | not) or
    (.ph != "M" and (.ts | type) != "number") or
    (.ph == "X" and ((.dur | type) != "number" or .dur < 0)))] | length' "$work/t.json")"
equal 'flows have two ends' '1 1' "$(jq -r '[.traceEvents[] | select(.ph == "s" or .ph == "f")] |
    group_by(.id) | map(map(.ph) | sort == ["f", "s"]) | "\(length) \(map(select(.)) | length)"' \
  "$work/t.json")"
equal 'every process of the cases has its name' \
  'halves-2M: engines,halves-2M: host,halves-2M: streams,pinned-1M: engines,pinned-1M: host' \
  "$(jq -r '[.traceEvents[] | select(.name == "process_name") | .args.name] | sort | .[:5] |
    join(",")' "$work/t.json")"
# 8 pieces of a, b, out, and the harness's own copies of a, b, out and the time around them.
equal 'every copy is there' 28 "$(jq '[.traceEvents[] |
    select(.pid == 5 and .ph == "X" and (.cat | startswith("copy")))] | length' "$work/t.json")"
equal 'work of a stream is in order' true "$(jq '[.traceEvents[] |
    select(.ph == "X" and .pid == 5)] | group_by(.tid) |
    all(sort_by(.args.issue) | . == sort_by(.ts))' "$work/t.json")"

# --- for people ---

sed -n '/in case streams-2M/,/us in all/p' "$work/shown" >"$work/chart"
equal 'a row for each stream' \
  'stream 1 stream 2 stream 3 stream 4 stream 5 stream 6 stream 7 stream 8' \
  "$(grep -o '^stream [0-9]' "$work/chart" | paste -sd ' ')"
expect 'the overlap in numbers' grep -q '% of their time is hidden behind other work' "$work/shown"
sed -n '/<section id="timelines"/,/<.section>/p' "$work/p.html" >"$work/section"
equal 'the page has both shown cases' 2 "$(grep -o '<figure>' "$work/section" | wc -l)"
./grade lab1 --solution --html "$work/lab1.html" >/dev/null 2>&1
equal 'a single kernel has none there' 0 "$(grep -c 'id="timelines"' "$work/lab1.html")"
if command -v gnuplot >/dev/null 2>&1; then
  grep -o 'base64,[^"]*' "$work/section" | tail -n 1 | cut -c8- | base64 -d >"$work/p.svg"
  equal 'the picture has the streams' 8 "$(grep -c 'stream [1-8]<' "$work/p.svg")"
fi
./grade lab6 --solution --case streams-4 --timeline=/nowhere/t.json >"$work/out" 2>&1
equal 'a trace that cannot be written is said at once' 2 $?

# --- many streams, and names that are too long ---

cat >"$work/many.cu" <<'CODE'
__global__ void a_kernel_whose_name_is_longer_than_its_bar_will_ever_be_in_a_picture() {
  for (long long from = clock64(); clock64() - from < 100000;) {
  }
}
__global__ void tiny() {}
int main() {
  cudaStream_t streams[50];
  for (auto &s : streams) cudaStreamCreate(&s);
  a_kernel_whose_name_is_longer_than_its_bar_will_ever_be_in_a_picture<<<1, 32, 0, streams[0]>>>();
  cudaDeviceSynchronize();
  for (auto &s : streams) tiny<<<1, 32, 0, s>>>();
  cudaDeviceSynchronize();
}
CODE
small_kit </dev/null # with pictures of its own
rm -f "$kit/build/pictures" && mkdir "$kit/build/pictures"
KIT_ROOT=$kit build/grade run --timeline="$work/many.json" "$work/many.cu" >"$work/many" 2>&1
picture=$kit/build/pictures/timeline.svg
equal 'of many streams neighbours share a row' '1 to 3,4 to 6,7 to 9,46 to 48,49 to 50' \
  "$(grep -o '^[0-9]* to [0-9]*' "$work/many" | sed -n '1,3p;16,17p' | paste -sd ,)"
if command -v gnuplot >/dev/null 2>&1; then
  equal 'a picture names every eighth' 'stream 8,stream 16,stream 48' \
    "$(grep -o 'stream [0-9]*<' "$picture" | tr -d '<' | sed -n '1,2p;6p' |
      paste -sd ,)"
  expect 'a name is cut where its bar ends' grep -q '>a_kernel_whose[a-z_]*[.][.][.]<' "$picture"
fi

# --- why work does not overlap; wrong/one_stream.cu, which make test grades, says so of streams ---

# why NAME SED WORDS: the reason of "bothways" in the solution changed so in add_streams.
why() {
  sed "/^void add_streams/,/^}/{$2}" $solution >"$work/lab6.cu"
  ./grade lab6 --file "$work/lab6.cu" --case streams-2M --json "$work/g.json" >/dev/null 2>&1
  reason=$(jq -r '.items[] | select(.id == "bothways") | .reason' "$work/g.json")
  case $reason in
    *"$3"*) ok "$1" ;;
    *) fail "$1" "$reason" ;;
  esac
}
all || exit $failed
why 'pageable memory' 's/pinned\.\([ab]\) + first/\1 + first/' 'copies from pageable memory'
why 'a wait in the loop' 's/^ *auto .*/&CHECK(cudaDeviceSynchronize());/' \
  'is followed by a wait of the host'
exit $failed
