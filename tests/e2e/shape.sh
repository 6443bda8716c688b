#!/bin/sh
# shape.sh: the folders of harness/ and grader/ depend on each other as the map in CONTRIBUTING.md
# says: each includes headers of the folders that its row names, all of which stand above it, and of
# no others; and includes name the folder.
#
#   tests/e2e/shape.sh          prints ok and FAIL lines; exits with 1 if any failed
#   tests/e2e/shape.sh --map    prints the map as the includes draw it: each folder, its lines of C,
#                               and whose headers it includes
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d "${TMPDIR:-/tmp}/kit-shape.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# All C but CUDA's own headers, which students' code includes as it would the Toolkit's.
find harness grader -name '*.[ch]' ! -path 'harness/sim/include/*' | sort >"$work/files"
# FILE LINE HEADER of every include in quotes.
xargs grep -nE '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]*"' <"$work/files" |
  sed -E 's/^([^:]*):([0-9]*):[^"]*"([^"]*)".*/\1 \2 \3/' >"$work/includes"
# The map: FOLDER and those whose headers it includes, from top to bottom.
awk -F'|' '/^## The map/ { here = 1; next } /^## / { here = 0 }
  here && $2 ~ /`/ { gsub(/[`,]/, "", $2); gsub(/[`,]/, "", $4); print $2, $4 }' CONTRIBUTING.md |
  tr -s ' ' | sed 's/^ //; s/ $//' >"$work/map"

if [ "${1-}" = --map ]; then
  xargs wc -l <"$work/files" | grep -v ' total$' >"$work/lines"
fi

# A folder is known by the last two parts of its path: sim/exec. All problem families are one: a new
# one is a folder and no row.
awk -v lines="${1:+$work/lines}" -v map="$work/map" -v files="$work/files" '
  function folder(path) {
    sub(/\/[^\/]*$/, "", path)
    sub(/^harness\/problems\/.*/, "harness/problems/NAME", path)
    return path
  }
  function room(path,   part, n) {
    n = split(folder(path), part, "/")
    return n == 1 ? part[1] : part[n - 1] "/" part[n]
  }
  function bad(text) { print "FAIL shape: " text; failed = 1 }
  # Depth first; a folder that is met again before it is left is part of a cycle.
  function visit(r,   i, n, to) {
    state[r] = 1
    n = split(sees[r], to, " ")
    for (i = 1; i <= n; i++) {
      if (state[to[i]] == 1)
        bad("a cycle: " r " includes headers of " to[i] " (" why[r, to[i]] "), which depends on it")
      else if (!state[to[i]]) visit(to[i])
    }
    state[r] = 2
    height[r] = 0
    for (i = 1; i <= n; i++) if (height[to[i]] >= height[r]) height[r] = height[to[i]] + 1
  }
  BEGIN {
    while ((getline line < map) > 0) {
      n = split(line, word, " ")
      if (word[1] in place) bad("the map has " word[1] " twice")
      place[word[1]] = ++rooms
      for (i = 2; i <= n; i++) may[word[1], word[i]] = 1
      names[rooms] = line
    }
    while ((getline path < files) > 0) {
      there[path] = 1
      here[room(path)] = 1
      n = split(path, part, "/")
      if (path ~ /\.h$/ && part[n] in whose)
        bad("two headers share a name: " whose[part[n]] " and " path)
      if (path ~ /\.h$/) whose[part[n]] = path
    }
  }
  {
    from = room($1); to = room($3); count++
    if ($3 !~ /\//)
      bad($1 ":" $2 ": \"" $3 "\" does not name its folder: write the path from the top")
    else if (!($3 in there) && $3 !~ /^harness\/sim\/include\//) bad($1 ":" $2 ": there is no " $3)
    if (from == to) next
    if (!((from, to) in why)) sees[from] = sees[from] " " to
    if (!((from, to) in why)) why[from, to] = $1 ":" $2
  }
  END {
    for (r in here) visit_list[++visits] = r
    for (i = 1; i <= visits; i++) if (!state[visit_list[i]]) visit(visit_list[i])
    if (lines) {
      while ((getline line < lines) > 0) { split(line, word, " "); size[room(word[2])] += word[1] }
      for (r in here) printf "%d %s %d%s\n", height[r], r, size[r], sees[r]
      exit
    }
    for (r in here) if (!(r in place)) bad(r " is not on the map in CONTRIBUTING.md")
    for (i = 1; i <= rooms; i++) {
      n = split(names[i], word, " ")
      if (!(word[1] in here) && word[1] != "sim/include")
        bad("the map has " word[1] ", which is not there")
      for (k = 2; k <= n; k++) {
        pair = "the map has " word[1] " include " word[k]
        if (!(word[k] in place)) bad(pair ", which has no row")
        else if (place[word[k]] >= i) bad(pair ", which is not above it")
        if (!((word[1], word[k]) in why)) bad(pair ", which it does not")
      }
    }
    for (pair in why) {
      split(pair, word, SUBSEP)
      if ((word[1] in place) && !((word[1], word[2]) in may))
        bad(why[pair] ": " word[1] " includes a header of " word[2] \
            ", which the map does not allow")
    }
    if (!rooms) bad("there is no map in CONTRIBUTING.md")
    if (!failed)
      printf "ok shape: %d folders, %d includes, 0 cycles, 0 upward dependencies\n", rooms, count
    exit failed
  }' "$work/includes" >"$work/result" || status=$?
[ "${1-}" = --map ] || { cat "$work/result"; exit "${status:-0}"; }
sort -k 1n -k 2 "$work/result" | awk '{
  rooms = ""
  for (i = 4; i <= NF; i++) rooms = rooms " " $i
  printf "%d  %-16s %6d %s\n", $1, $2, $3, rooms
}'
