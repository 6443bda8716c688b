# new.sh: what mk/newlab and mk/newfamily share. To be sourced, in the kit's folder.
# shellcheck shell=sh disable=SC2154 # $words is the caller's

die() {
  printf '%s\n' "$1" >&2
  exit 2
}

# check_lab NAME: lab9_mine is a good name, and new.
check_lab() {
  printf '%s\n' "$1" | grep -qE '^lab[0-9]+_[a-z0-9_]+$' || die "$1: a lab is named as lab9_mine: lab, a number, _, and lower-case letters and digits"
  id=${1%%_*}
  for there in "labs/$id"_* "solutions/$id"_* "handouts/$id.md"; do
    [ ! -e "$there" ] || die "$1: there is a $id already: $there"
  done
}

# copy FILE TO: with the words that the sed script $words replaces.
copy() {
  mkdir -p "$(dirname "$2")"
  sed "$words" "$1" >"$2"
}

# copy_lab LAB_CONF SOLUTION WRONG_FOLDER HANDOUT NAME: a lab of that name, whose skeleton comes
# from the solution.
copy_lab() {
  copy "$1" "labs/$5/lab.conf"
  copy "$2" "solutions/$5/$id.cu"
  for file in "$3"/*.cu; do copy "$file" "solutions/$5/wrong/$(basename "$file")"; done
  [ ! -f "$4" ] || copy "$4" "handouts/$id.md"
  harness/skeleton "solutions/$5/$id.cu" >"labs/$5/$id.cu"
}
