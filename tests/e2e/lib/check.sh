# check.sh: what the tests of tests/e2e share: a folder to work in, `ok` and `FAIL` lines, and
# copies of the kit to grade in.
#
# To be sourced in the kit's folder; a test ends with `exit $failed`. It sets:
#   $root    the kit's folder
#   $work    a folder of the test's own, removed when it ends
#   $failed  0, and 1 once something has failed
# shellcheck shell=sh disable=SC2034 # they are for the tests
root=$PWD
work=$(mktemp -d) || exit 2
chmod 755 "$work" # submissions are run by users of their own, who must get to the kit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset MAKEFLAGS MAKELEVEL MFLAGS KIT_ROOT
failed=0

# all: is everything wanted (make test-all), and not only what make test runs?
all() { [ -n "${KIT_TEST_ALL-}" ]; }

ok() { echo "ok $1"; }
# fail NAME WHY
fail() {
  printf 'FAIL %s: %s\n' "$1" "$2"
  failed=1
}
# expect NAME COMMAND...: the command succeeds.
expect() {
  name=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    ok "$name"
  else
    fail "$name" "$* ($(head -c 500 "$work/out" | tr '\n' ' '))"
  fi
}
# exits NAME STATUS WORDS COMMAND...: the command ends with this status and prints the words.
exits() {
  name=$1 want=$2 words=$3 got=0
  shift 3
  "$@" >"$work/out" 2>&1 || got=$?
  if [ "$got" -eq "$want" ] && grep -qF -e "$words" "$work/out"; then
    ok "$name"
  else
    fail "$name" \
      "$*: exit $got, wanted $want and '$words' ($(head -c 500 "$work/out" | tr '\n' ' '))"
  fi
}
# equal NAME WANTED GOT
equal() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "wanted $2, got $3"; fi; }

# Conditions for expect: has FILE WORDS, not COMMAND...
has() { grep -qF -e "$2" "$1"; }
not() { ! "$@"; }

# small_kit: $kit is a kit with lab1 alone, whose lab.conf is read from stdin; all else is this
# kit's, by links.
small_kit() {
  kit=$work/kit
  mkdir -p "$kit/labs" "$kit/build"
  for part in "$root"/* "$root"/build/*; do
    case ${part#"$root/"} in
      labs | build | handouts | build/cache | build/handouts) ;;
      *) ln -s "$part" "$kit/${part#"$root/"}" ;;
    esac
  done
  cp -r labs/lab1_global "$kit/labs/"
  cat >"$kit/labs/lab1_global/lab.conf"
}

# linked_kit: $kit is this kit by links, but for labs/, which is a copy.
linked_kit() {
  kit=$work/kit
  mkdir "$kit"
  cp -r labs "$kit/"
  for part in "$root"/*; do [ -e "$kit/${part##*/}" ] || ln -s "$part" "$kit/"; done
}

# quick_kit: the same, its labs with smaller large cases, and ./grade uses it.
quick_kit() {
  linked_kit
  export KIT_ROOT="$kit"
  sed -i -e 's/=512/=128/g; s/=500/=50/g; s/=700/=70/g; s/=1000/=100/g' \
    -e 's/=1024/=128/g; s/=1500/=150/g; s/=4096/=160/g' "$kit"/labs/*/lab.conf
}

# whole_kit: $kit is a copy of all files of this kit, with what is built here.
whole_kit() {
  kit=$work/kit
  mkdir "$kit"
  find . -path ./build -prune -o -path ./.git -prune -o -type f -print | tar -cf - -T - |
    tar -xf - -C "$kit"
  what_is_built "$kit"
}

# what_is_built FOLDER: this kit's build/ in another, but for what gradings leave there.
what_is_built() {
  mkdir -p "$1/build"
  for part in "$root"/build/*; do
    case ${part##*/} in
      # headers: of where they were compiled
      cache | dist | gradescope | handouts | headers | grading-*) ;;
      # found beside harness/compile, inside the sandbox
      harness | libremote.a) cp -rp "$part" "$1/build/" ;;
      *) ln -s "$part" "$1/build/" ;;
    esac
  done
}
