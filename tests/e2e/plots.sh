#!/bin/sh
# plots.sh: the charts of plots/, and ./grade --picture: what they show, in which time, and that no
# word of a submission does anything in them.
#
# Prints `ok name`, `FAIL name: why` or `skip name: why` for each thing tried.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
sim=plots/data/sim
# What lab 4's two functions do to their tile.
unpadded=$(find $sim -name 'access-lab4-tiled*.tsv') padded=$(find $sim \
  -name 'access-lab4-pad*.tsv')
unpadded_banks=$(find $sim -name 'banks-lab4-tiled*.tsv') padded_banks=$(find $sim \
  -name 'banks-lab4-pad*.tsv')

# check NAME WHY CONDITION...: ok if the condition holds.
check() {
  name=$1 why=$2
  shift 2
  if "$@"; then ok "$name"; else fail "$name" "$why"; fi
}

# --- without gnuplot ---
# A PATH with what a grading needs, and no gnuplot; nor ccache, whose names for compilers do not
# work by another path.
PATH=$(printf '%s' "$PATH" | tr : '\n' | grep -v '/ccache$' | paste -sd : -)
mkdir "$work/bin"
for tool in sh make cc gcc as ld sed grep head tail printf id env uname clang++ mktemp mkdir rm mv \
  cp cat dirname basename \
  find readlink ls sort tr nproc awk od nm objdump readelf c++filt; do
  ln -s "$(command -v $tool)" "$work/bin/$tool" 2>/dev/null
done
wrong=solutions/lab2_tiled/wrong/pad_in_the_wrong_place.cu
PATH="$work/bin" ./setup --check >"$work/out" 2>&1
equal 'setup --check: gnuplot is optional' '0, gnuplot-nox' \
  "$?, $(grep -o 'gnuplot-nox' "$work/out")"
PATH="$work/bin" ./grade lab2 --file $wrong --case n512 --picture >"$work/out" 2>"$work/err"
equal '--picture without gnuplot grades as ever' 1 $?
check '  and says how to get it' "$(cat "$work/err")" has "$work/err" './setup installs it'
check '  and says what the picture would show' "$(tail -n 5 "$work/out")" has "$work/out" \
  'in 32 wavefronts; 4 would do.'

if ! command -v gnuplot >/dev/null 2>&1; then
  echo 'skip charts: gnuplot is not installed'
  exit $failed
fi

# --- every chart, in every format ---

# draw CHART FORMAT OUTPUT TITLE SOURCE: draws it from recorded data; status 3: there is none.
draw() {
  plot=$1 format=$2 output=$3 title=$4 source=$5
  set --
  case $plot in
    access_map) data=$unpadded && set -- shared "$title" ;;
    bank_map) data=$unpadded_banks && set -- "$title" ;;
    sweep) data=$sim/sweep-lab3.tsv && set -- 8 32 "$title" ;;
    timeline) data=$work/timeline.tsv && set -- 'time (us)' "$title" ;;
    series) data=$sim/series-lab0-offset.tsv && set -- STEP "$title" ;;
    ladder) data=$sim/ladder.tsv ;;
    roofline) data=$sim/roofline.tsv ;;
    link)
      data=$work/link.tsv
      sed '/^#/d; s/$/\t1000/' $sim/link.tsv >"$data"
      set -- "$title"
      ;;
    model) data=$work/model.tsv && set -- "$title" ;;
    size_time | size_speedup)
      data=$work/$plot.tsv
      awk -v what="${plot#size_}" -v kind=modelled -f plots/sizes.awk $sim/sizes.tsv \
        plots/data/cpu.tsv >"$data"
      set -- "$title" "$(sed -n 's/^# roles: //p' "$data")" "$title"
      ;;
    *) return 3 ;;
  esac
  gnuplot -d -c "plots/$plot.gp" "$data" "$output" "$format" "$title" "$source" "$@" 2>"$work/err"
}

well_formed() {
  if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout --nonet "$1" 2>"$work/err"
  else
    head -c 5 "$1" | grep -q '<?xml' && tail -n 2 "$1" | grep -q '</svg>'
  fi
}
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }

printf 'copy\ta\tn 1\t2000\t2500\tL1\nproduct\tb\tn 2\t90000\t70000\tDRAM\n' >"$work/model.tsv"

# Two streams, of which the second waits for an event of the first; three blocks.
{
  printf '%s\t%s\n' 0 host 1 'copies in' 2 kernels 3 'copies out' 4 'stream 1' 5 'stream 2'
  printf '\n\n'
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' 0 5 0 2 0 launch 0 6 2 30 2 wait 4 1 0 10 0 'copy in' \
    4 0 12 20 12 '@ARG1 "add"' 5 2 20 30 15 'copy out'
  printf '\n\n4\t10\t5\t11\n'
} >"$work/timeline.tsv"

# What gnuplot could run or take for markup; an array's or a file's name may be anything.
hostile="\`touch $work/harm\` \$(touch $work/harm) \"; system('touch $work/harm')"
hostile="$hostile @ARG1 {/Bold x}_2^3 <script>&amp; %s é"
for file in plots/*.gp; do
  plot=$(basename "$file" .gp)
  grep -q "gnuplot -c $file" "$file" || continue # what others load
  for format in svg png text; do
    out=$work/$plot.$format
    to=$out
    [ "$format" != text ] || to=-
    draw "$plot" $format "$to" "$hostile" "| touch $work/harm" >"$work/printed"
    status=$?
    [ "$format" != text ] || tr -d '\f' <"$work/printed" >"$out"
    [ $status -ne 3 ] || { fail "$plot" 'this test knows no data for it' && break; }
    check "$plot.$format is drawn without a word of complaint" "$(head -n 3 "$work/err")" \
      [ "$status-$(wc -c <"$work/err")" = 0-0 ]
    case $format in
      svg)
        check "$plot.svg is well-formed" "$(head -n 3 "$work/err")" well_formed "$out"
        check "$plot.svg shows hostile words as they are" 'the title is not there' has "$out" \
          "{/Bold x}_2^3 &lt;script>&amp;amp; %s é"
        check "$plot.svg has a background" 'none' has "$out" 'fill="#ffffff"'
        ;;
      png) check "$plot.png is a PNG" "$(head -c 20 "$out")" is_png "$out" ;;
      text) equal "$plot.text fits 80 columns" 0 "$(LC_ALL=C.UTF-8 grep -cE '.{81}' "$out")" ;;
    esac
    check "$plot.$format runs no word of its title" 'a command was executed' [ ! -e "$work/harm" ]
  done
done

# --- what they show ---

# In the terminal's picture a row of wavefronts is `| 0 1 2 ... |`, two columns a bank.
cells='^[ a-z0-9]*\| [0-9a-v* ]{63} \|'
gnuplot -d -c plots/access_map.gp "$unpadded" - text T S shared - >"$work/tower" 2>&1
equal 'an unpadded column read: 32 wavefronts' 32 "$(grep -cE "$cells" "$work/tower")"
equal '  each with one lane' 32 "$(grep -cE '\| +[0-9a-v] +\|' "$work/tower")"
equal '  all in bank 0' 32 "$(grep -cE '\| [0-9a-v] {62}\|| [0-9a-v] {63}\|' "$work/tower")"
gnuplot -d -c plots/access_map.gp "$unpadded" "$work/tower.svg" svg T S shared - 2>&1
equal '  in the SVG: 31 of them extra, and the legend' 32 \
  "$(grep -c "fill = 'rgb(213,  94,   0)'" "$work/tower.svg")"
gnuplot -d -c plots/access_map.gp "$padded" - text T S shared - >"$work/row" 2>&1
equal 'a padded column read: 1 wavefront' 1 "$(grep -cE "$cells" "$work/row")"
equal '  with a lane in each bank' 1 "$(grep -cE '\|( [0-9a-v]){32} \|' "$work/row")"
gnuplot -d -c plots/bank_map.gp "$unpadded_banks" - text T S - >"$work/banks" 2>&1
warps=$(grep -cE '\|32$|\|32 ' "$work/banks")
check 'the bank map of the unpadded read: 32 wavefronts for each warp' "$(cat "$work/banks")" [ \
  "$warps" -gt 0 ]
equal '  all 32 words in one bank (w)' "$warps" "$(grep -cE '\| [. ]*w[. ]* \|32' "$work/banks")"
gnuplot -d -c plots/bank_map.gp "$padded_banks" - text T S - >"$work/banks" 2>&1
equal 'the bank map of the padded read: 1 everywhere' "$warps" \
  "$(grep -cE '\|( 1){32} \|1' "$work/banks")"

draw sweep text - T S >"$work/sweep"
equal 'the heat map has every shape up to 1024 threads' 66 \
  "$(grep -E '^ +[0-9]+ \|' "$work/sweep" | cut -d'|' -f2 | grep -oE '[0-9.]+' | wc -l)"
draw size_time svg "$work/size_time.svg" T S
for words in 'CPU: i-j-k loop, 1 thread (measured)' 'CPU: OpenBLAS, all cores (measured)' \
  'GPU, shared tiles (modelled)'; do
  check "time over size says: $words" 'it does not' has "$work/size_time.svg" "$words"
done
draw ladder svg "$work/ladder.svg" T S
# Of a lab with both, the other ceiling has a number, too.
rows=$(grep -vc '^#' $sim/ladder.tsv)
numbers=$(grep -cE '<text>[0-9.]+ % of (fp32|DRAM): [0-9.]+ (Tflop|GB)/s' "$work/ladder.svg")
check 'the ladder says for each row of which ceiling' "$numbers for $rows rows" [ "$numbers" \
  -ge "$rows" ]

# Of each kernel a number and a line; with a modelled and a measured time two marks and two rates.
draw roofline svg "$work/roofline.svg" T S
kernels=$(grep -c '^lab' $sim/roofline.tsv)
equal 'the roofline lists every kernel, with its share of a roof' "$kernels" \
  "$(grep -cE '[a-z_>;]+: [0-9.]+ ((G|T)FLOP/s|GB/s), [0-9.]+% of (fp32|DRAM)<' \
    "$work/roofline.svg")"
awk -F '\t' -v OFS='\t' '/^#/ { next } { print } /^lab2/ { $6 = 2 * $6; $7 = 1; more = $0 }
  END { print more }' $sim/roofline.tsv >"$work/both.tsv"
gnuplot -d -c plots/roofline.gp "$work/both.tsv" "$work/both.svg" svg T S 2>"$work/err"
rates=$(awk -F '\t' '$1 ~ /^lab2/ { rate[$7] = sprintf("%.3g", $2 / $6 / 1000) }
  END { print rate[0] " / " rate[1] }' "$work/both.tsv")
check 'modelled beside measured: one line with both' "$rates $(cat "$work/err")" \
  grep -qE "matmul_tiled: $rates TFLOP/s, [0-9.]+% of fp32<" "$work/both.svg"
check '  and what the marks mean' 'it does not say' has "$work/both.svg" 'modelled /'
equal '  the same kernels' "$kernels" "$(grep -cE '% of (fp32|DRAM)<' "$work/both.svg")"

# --- tables ---
for file in "$sim"/*.tsv plots/data/cpu.tsv; do
  said=$(grep -cE '^# (command: make data|source: .*(modelled|measured|counted))' "$file")
  equal "${file##*/} says how it was made, on what, and whether it was measured" 2 "$said"
done
if [ -x build/record ]; then
  KIT_SIM_THREADS=1 build/record accesses lab2 "$work" && cp "$work"/access-lab2-*.tsv "$work/one"
  KIT_SIM_THREADS=3 build/record accesses lab2 "$work" && cp "$work"/access-lab2-*.tsv "$work/three"
  check 'two recordings give the same bytes' 'they differ' cmp -s "$work/one" "$work/three"
else
  echo 'skip recordings: build/record is not built'
fi
# All tables, or the first of a kind and a GPU's sizes.
tables=$(for file in plots/data/*/*.tsv; do echo "$file"; done)
all || tables=$(echo "$tables" | awk '{ kind = $0; sub(/.*\//, "", kind); sub(/-.*/, "", kind) }
  /h100\/sizes/ || !seen[kind]++')
drawn=0
for file in $tables; do
  plots/draw "$work/all" "$file" >"$work/out" 2>&1 || drawn=$?
done
# A table that has a title has a chart; that of sizes has two, one of rungs as many as rungs.
# shellcheck disable=SC2086 # names without blanks
titles=$(grep -l '^# title: ' $tables | wc -l)
for file in $tables; do
  case $file in
    */sizes.tsv) titles=$((titles + 1)) ;;
    */sim/rungs-*) titles=$((titles - 1 + $(grep -vc '^#' "$file"))) ;;
  esac
done
equal 'make plots draws every table with a title' "0, $titles" \
  "$drawn, $(find "$work/all" -name '*.svg' | wc -l)"

check '  measured speedups, too, with the name of what they are over' 'not' \
  has "$work/all/h100/size_speedup.svg" 'GPU, shared tiles (measured)'
check '    on the axis' 'not' has "$work/all/h100/size_speedup.svg" 'speedup over CPU: OpenBLAS'

# --- ./grade --picture ---
cp $wrong "$work/harm \$(touch x).cu"
./grade lab2 --file "$work/harm \$(touch x).cu" --case n512 --picture --plot >"$work/out" 2>&1
equal '--picture keeps the status of the grade' 1 $?
check '  shows the line that wastes most' "$(tail -n 20 "$work/out")" has "$work/out" \
  'touch x).cu:17  for (int k'
check '  shows it in the terminal' "$(tail -n 20 "$work/out")" has "$work/out" \
  'wavefront 1 | 0 0 0 0'
svg=$(sed -n 's/^ *\(build\/pictures\/.*-b-load\.svg\) and \.png$/\1/p' "$work/out")
check '  says where the files are' "$(tail -n 20 "$work/out")" [ -f "${svg:-none}" ]
check '  the SVG is well-formed' "$(head -n 3 "$work/err")" well_formed "${svg:-none}"
check '  and shows the line as it is' 'the line is not in it' has \
  "${svg:-/dev/null}" 'touch x).cu:17  for (int k'
./grade lab2 --file $wrong --case n512 --picture=1 >"$work/out" 2>&1
check '--picture of a line without accesses says which have some' "$(tail -n 3 "$work/out")" \
  has "$work/out" 'the most wasteful first: 17'
if ! all; then
  :
elif [ -d labs/lab4_padding ]; then
  ./grade lab4 --solution --picture --plot >"$work/out" 2>&1
  check "--picture of lab4's solution: 32 wavefronts in the unpadded tile" \
    "$(tail -n 20 "$work/out")" \
    has "$work/out" '32 words of tile in 32 wavefronts; 1 would do.'
else
  echo 'skip lab4: it is not there'
fi

exit $failed
