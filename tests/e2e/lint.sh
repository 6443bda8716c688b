#!/bin/sh
# lint.sh: how the files are written: C as clang-format 14 writes it with the file .clang-format,
# no line over 100 columns in C, shell and make, and shell that shellcheck has nothing against.
#
#   tests/e2e/lint.sh            prints ok, FAIL and skip lines; exits with 1 if any failed
#   tests/e2e/lint.sh --format   has clang-format write the C anew (make format)
#
# `make lint` runs it, and shape.sh.
#
# Files that students hand in (labs, solutions, cheats, races) and CUDA's own headers keep the form
# that they have.
set -eu
cd "$(dirname "$0")/../.."
# Of Debian 12 and Ubuntu 22.04: another version writes some lines differently.
formatter=
for program in clang-format-14 clang-format; do
  if $program --version 2>/dev/null | grep -q ' version 14\.'; then formatter=$program && break; fi
done
work=$(mktemp -d "${TMPDIR:-/tmp}/kit-lint.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

find harness grader plots tests -type f -name '*.[ch]' ! -path 'harness/sim/include/*' \
  ! -path 'tests/cheats/*' ! -path 'tests/hostile/*' ! -path 'tests/races/pairs/*' |
  LC_ALL=C sort >"$work/c"
find harness/sim/gpus harness/problems -name '*.cu' >>"$work/c"
find . -path ./.git -prune -o -path ./build -prune -o -type f ! -name '*.[ch]' ! -name '*.cu' \
  -exec awk 'FNR == 1 && /^#!.*\/(env )?(sh|bash|dash)( |$)/ { print FILENAME } { nextfile }' {} + |
  sed 's|^\./||' >"$work/scripts"
find tests/e2e/lib -name '*.sh' >>"$work/scripts"
LC_ALL=C sort -u -o "$work/scripts" "$work/scripts"

if [ "${1-}" = --format ]; then
  [ -n "$formatter" ] ||
    { echo 'make format: this needs clang-format 14: ./setup --all' >&2 && exit 2; }
  xargs "$formatter" -i <"$work/c"
  exit
fi

failed=0
# says NAME HOW: fails with what is in $work/found, one thing a line, and how to fix it, if any is.
says() {
  if [ -s "$work/found" ]; then
    sed "s/^/FAIL lint: $1: /; 20q" "$work/found"
    echo "     $(wc -l <"$work/found") in all; $2"
    failed=1
  else
    echo "ok lint: $1 ($(wc -l <"$work/list") files)"
  fi
}

cp "$work/c" "$work/list"
if [ -n "$formatter" ]; then
  xargs "$formatter" --dry-run <"$work/list" 2>&1 | sed -n 's/^\([^:]*:[0-9]*\):.*/\1/p' |
    uniq >"$work/found"
  says 'clang-format' 'make format fixes them'
else
  echo 'skip lint: clang-format 14 is not installed (./setup --all)'
fi

# Of letters, not of bytes.
{ cat "$work/c" "$work/scripts" && ls Makefile mk/*.mk && find harness/sim/include -type f; } \
  >"$work/list"
xargs env LC_ALL=C.UTF-8 grep -nE '^.{101}' <"$work/list" | cut -d: -f 1,2 >"$work/found" || :
says 'lines of at most 100 columns' 'break them by hand'

# Most take shellcheck as long as a test: in make test those that tests are made of are left out,
# which make lint, before a commit, and make test-all look at.
cp "$work/scripts" "$work/list"
[ -z "${KIT_TEST_VERDICTS-}" ] || [ -n "${KIT_TEST_ALL-}" ] ||
  grep -v '^tests/' "$work/scripts" >"$work/list"
if command -v shellcheck >/dev/null; then
  ended=0
  xargs shellcheck --format=gcc <"$work/list" >"$work/found" || ended=$?
  case $ended in # xargs: 123 where it has found something
  0 | 123) ;;
  *) echo "shellcheck did not come to its end: xargs ended with $ended" >>"$work/found" ;;
  esac
  says 'shellcheck' 'https://www.shellcheck.net/wiki/ explains each SC number'
else
  echo 'skip lint: shellcheck is not installed (./setup --all)'
fi
exit $failed
