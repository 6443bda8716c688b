# programs.sh: for tests that build programs with a main of their own and look at what they and the
# simulator say; to be sourced behind check.sh. The test goes on in $work.
# shellcheck shell=sh disable=SC2034,SC2154 # they are for the tests; check.sh sets root and work
kcc=$root/harness/kcc programs=$root/tests/programs

# runs NAME STATUS COMMAND...: the command ends with this status; its output is in $work/1 and 2.
runs() {
  name=$1 want=$2 got=0
  shift 2
  "$@" >"$work/1" 2>"$work/2" </dev/null || got=$?
  if [ "$got" -eq "$want" ]; then ok "$name"; else
    fail "$name" "$*: exit $got, wanted $want ($(head -c 500 "$work/2" | tr '\n' ' '))"
  fi
}
printed() { [ "$(cat "$work/1")" = "$1" ]; }
said() { tr -s ' \n' '  ' <"$work/2" | grep -qF -e "$1"; }
before() { tr -s ' \n' '  ' <"$work/2" | grep -q -e "$1.*$2"; }
silent() { [ ! -s "$work/2" ]; }
# json NAME FILTER FILE: the file is so; skipped where there is no jq.
json() {
  if command -v jq >/dev/null 2>&1; then
    expect "$1" jq -e "$2" "$3"
  else
    echo "skip $1: no jq (./setup --all)"
  fi
}
cd "$work" || exit 2
