#!/bin/sh
# dist.sh: the students' copy that `make dist` packs: the same bytes each time, nothing of the
# solutions and nothing hidden in it, and it grades as the whole kit does.
#
#   tests/e2e/dist.sh         with what is built here, and smaller cases
#   tests/e2e/dist.sh full    also builds the unpacked copy from nothing and runs its tests: minutes
#
# Prints `ok name` or `FAIL name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
unset DIST_LABS

# An instructor's kit: this one with smaller cases, a hidden.conf, and a lab that somebody has
# solved in place.
whole_kit
lab=labs/lab2_tiled
sed -i -e 's/=512/=128/g; s/=500/=50/g; s/=700/=70/g; s/=1000/=100/g' "$kit/$lab/lab.conf"
cp "$kit/solutions/lab2_tiled/lab2.cu" "$kit/$lab/lab2.cu"
cat >"$kit/$lab/hidden.conf" <<'CONF'
[case unheard_of]
dims = M=91 N=77 K=59
[item sizes]
cases = 100 unheard_of
CONF
mkdir -p "$kit/build/dist" "$kit/build/handouts"
echo '<p>What to read <span>first</span></p>' >"$kit/build/handouts/start.html"
measured_long_ago() { # NAME
  echo '{"measurements": []}' >"$kit/build/dist/$1.json"
  touch -d '+1 hour' "$kit/build/dist/$1.json"
}
for other in labs/lab*_*; do
  other=${other#labs/} other=${other%%_*}
  case $other in
    lab2) ;;
    lab[1345]) measured_long_ago "$other" ;;
    *) all || measured_long_ago "$other" ;;
  esac
  for gpu in harness/sim/gpus/*.ini; do
    gpu=${gpu##*/} gpu=${gpu%.ini}
    [ "$other-$gpu" = lab2-t4 ] || measured_long_ago "$other-$gpu"
  done
done

"$kit/harness/compile" --headers # many gradings follow
export SOURCE_DATE_EPOCH=1700000000
pack() { (cd "$kit" && dist/make); }
expect 'make dist packs' pack
archive=$(find "$kit/build/dist" -name '*.tar.gz')
cp "$archive" "$work/first"
touch "$kit/README.md"
again() { (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 pack); }
expect 'make dist packs again' again
expect 'the bytes are the same' cmp "$archive" "$work/first"

tar -xf "$archive" -C "$work"
copy=$(echo "$work"/cuda-lab-kit-*)
(cd "$copy" && find . -type f | sort) >"$work/list"
for part in '/solutions/' hidden.conf '/cheats/' '/wrong/' '/grader/class/' '/gradescope/' \
  '/docs/' '/dist/' '/styles/' \
  '/verdicts' '/plots/data/' '/harness/skeleton' '.cu.old'; do
  expect "nothing of $part is in it" not has "$work/list" "$part"
done
for part in ./README.md ./setup ./grade ./Makefile ./handouts/start.html "./$lab/reference.json" \
  "./$lab/reference-t4.json" ./harness/sim/gpus/t4.ini \
  ./labs/lab4_padding/lab4.cu; do
  expect "$part is in it" grep -qxF "$part" "$work/list"
done
expect 'no line of a solution is in it' "$kit/dist/leaks" "$copy"
expect 'the skeleton is in it, not what was made of it' has "$copy/$lab/lab2.cu" 'TODO(1)'
expect 'no hidden case is named in it' not grep -rq unheard_of "$copy"

# The check itself sees a line, however it is written.
plant() {
  cp -r "$copy/labs" "$work/planted" && printf '%s\n' "$1" >"$work/planted/$2"
  ! "$kit/dist/leaks" "$work/planted" >"$work/found"
}
expect 'a line of a solution is found' plant '    C[row*N + column]   = sum; // here' notes.txt
expect 'and named' has "$work/found" 'notes.txt:1:'
rm -r "$work/planted"
expect 'in a page, too' plant \
  '<b>if</b> (row &lt; M &amp;&amp; column &lt; N) C<i>[row * N + column]</i> = sum;' page.html
rm -r "$work/planted"
picture=$(printf \
  '<svg><text>out[(out_row + j) * rows + out_column] = <b>tile[x][y + j];</b></text></svg>' |
  base64 -w 0)
expect 'in a picture inside of a page, too' plant \
  "<img src=\"data:image/svg+xml;base64,$picture\"/>" page.html
echo 'b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0.0f;' \
  >>"$kit/dist/README.md"
refused() { ! pack 2>"$work/said"; }
expect 'make dist packs no such line' refused
expect 'and says where it is' has "$work/said" 'README.md:'

# --- it works -------------------------------------------------------------------------------------
what_is_built "$copy"
"$copy/harness/compile" --headers
makes() { make -C "$copy" -n grade labs; }
expect 'all that the Makefile needs is in it' makes
no_dist() { ! make -C "$copy" dist 2>"$work/said"; }
expect 'make dist is not for students' no_dist
expect "and says that this is their copy" has "$work/said" "a student's copy"

# grade STATUS KIT NAME OPTION...: ./grade lab2 of that kit: card and errors are in $work/NAME.txt.
grade() {
  want=$1 in=$2 name=$3 got=0
  shift 3
  KIT_ROOT=$in NO_COLOR=1 "$in/build/grade" lab2 --backend sim --seed 7 "$@" >"$work/$name.txt" \
    2>&1 </dev/null || got=$?
  [ "$got" -eq "$want" ] || fail "$name" "exit $got, wanted $want: $(head -c 500 "$work/$name.txt")"
}
grade 1 "$copy" skeleton
expect 'a first ./grade lab2 gets 0 points' has "$work/skeleton.txt" ' 0 / 100'

count=0
for file in solutions/lab2_tiled/lab2.cu solutions/lab2_tiled/wrong/pad_in_the_wrong_place.cu \
  tests/e2e/styles/lab2/tile_8.cu; do
  case $file in */styles/*) all || continue ;; esac
  count=$((count + 1)) status=1
  [ $count -ne 1 ] || status=0
  cp "$file" "$work/lab2.cu"
  grade $status "$copy" theirs --file "$work/lab2.cu" --json "$work/theirs.json"
  grade $status "$kit" ours --file "$work/lab2.cu" --json "$work/ours.json" --public
  expect "the grade of $(basename "$file") is that of the whole kit" cmp "$work/theirs.json" \
    "$work/ours.json"
done
expect 'with a note about nothing' not has "$work/theirs.txt" 'clang'

cp solutions/lab2_tiled/lab2.cu "$work/lab2.cu"
grade 0 "$copy" t4 --file "$work/lab2.cu" --gpu t4
expect 'it grades on a T4, too' has "$work/t4.txt" 'Modelled for: Tesla T4'

grade 2 "$copy" solution --solution
expect '--solution says that there is none' has "$work/solution.txt" 'has no solutions'
cp "$copy/$lab/reference.json" "$work/reference.json"
sed -i 's/"compiler": "[^"]*"/"compiler": "13.0.1"/' "$copy/$lab/reference.json"
cp solutions/lab2_tiled/lab2.cu "$work/lab2.cu"
grade 1 "$copy" compiler --file "$work/lab2.cu" --case n512
expect 'measured with another clang: the grade says so' has "$work/compiler.txt" \
  'measured with clang 13.0.1'
cp "$work/reference.json" "$copy/$lab/reference.json"
sed -i 's/^dims = M=128 N=128 K=128/dims = M=96 N=128 K=128/' "$copy/$lab/lab.conf"
grade 2 "$copy" changed --file "$work/lab2.cu" --case n512
expect 'a case of another size has no measurement' has "$work/changed.txt" 'no measurement'
echo '{' >"$copy/$lab/reference.json"
grade 2 "$copy" damaged --file "$work/lab2.cu" --case n512
expect 'a damaged reference.json is the kit'"'"'s fault' has "$work/damaged.txt" 'reference.json'

if [ "${1-}" = full ]; then
  rm -rf "$copy"
  tar -xf "$archive" -C "$work"
  # never measured here
  for folder in lab1_global lab3_transpose lab4_padding lab5_panels; do
    rm -r "${copy:?}/labs/$folder"
  done
  expect 'built from nothing, all its tests pass' make -C "$copy" test
fi
exit $failed
