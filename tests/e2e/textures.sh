#!/bin/sh
# textures.sh: fetches from textures against an H100 (tests/textures/h100.tsv), bit for bit; prints
# ok, skip and FAIL lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
record=$root/tests/textures/h100.tsv
cd "$work" || exit 2
expect 'record.cu builds' "$root/harness/kcc" -o record "$root/tests/textures/record.cu"
./record >rows 2>said # its last launch traps
# Of a name the first rows are compared, as many as are recorded.
awk -F '\t' 'NR == FNR { rows[$1] = $2; next } $2 < rows[$1]' "$record" rows >recorded
"$root/tests/textures/sums" recorded >sums
awk -F '\t' 'NR == FNR { sum[$1] = $2 " " $3; next }
  { print sum[$1] == $2 " " $3 ? "ok " $1 : "FAIL " $1 ": other bits than those of an H100" }
  ' sums "$record" >lines
cat lines
if grep -q '^FAIL' lines; then failed=1; fi
expect '  all of the record' test "$(grep -c '^ok' lines)" -ge 31
others=$(cut -f 1 rows | uniq | grep -vxF "$(cut -f 1 "$record")" | tr '\n' ' ')
[ -z "$others" ] || echo "skip not recorded on an H100 (tests/textures/record.cu): $others"
exit $failed
