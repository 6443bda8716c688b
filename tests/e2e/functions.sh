#!/bin/sh
# functions.sh: the math functions are no farther off than NVIDIA says that a GPU's are
# (tests/functions).
#
#   tests/e2e/functions.sh           prints ok and FAIL lines; exits with 1 if any failed
#   tests/e2e/functions.sh --table   prints the table of tests/functions/README.md
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
record=tests/functions/h100.tsv

if ! harness/kcc tests/functions/functions.cu -o "$work/functions" >"$work/made" 2>&1 ||
  ! "$work/functions" >"$work/seen" 2>"$work/said"; then
  fail functions "$(cat "$work/made" "$work/said" 2>/dev/null | head -c 800)"
  exit 1
fi

table() {
  printf '| function | bound | H100 | exactly rounded | simulator | exactly rounded |\n'
  printf '| --- | --- | --- | --- | --- | --- |\n'
  awk -F '\t' '
    function share(thousandths) { return sprintf("%.1f%%", thousandths / 10) }
    NR == FNR { worst[$1] = $3; right[$1] = $5; next }
    {
      printf "| `%s` | %d | %s | %s | %s | %s |\n",
        $1, $2, worst[$1], share(right[$1]), $3, share($5)
    }
  ' $record "$work/seen"
}
[ "${1-}" != --table ] || { table && exit; }

cut -f 1,2 $record >"$work/recorded"
cut -f 1,2 "$work/seen" >"$work/known"
expect 'functions: those of the record, with its bounds' cmp "$work/recorded" "$work/known"
while IFS='	' read -r name bound worst argument _; do
  [ "$worst" = 0 ] || [ "$worst" -le "$bound" ] 2>/dev/null ||
    fail "functions: $name" "off by $worst units in the last place for $argument; bound: $bound"
done <"$work/seen"
ok "functions: $(wc -l <"$work/seen") within their bounds"
exit $failed
