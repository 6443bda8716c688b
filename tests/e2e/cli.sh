#!/bin/sh
# tests/e2e/cli.sh: what people type: exit codes and messages of ./grade, make and ./setup.
#
# Prints `ok name`, `FAIL name` or `skip name` for each thing tried; after FAIL, what was printed.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
unset NO_COLOR
out=$work/out err=$work/err

# try STATUS COMMAND...: runs it, and keeps what it prints in $out and $err, and its status.
try() {
  want=$1
  shift
  got=0
  command_line="$*"
  "$@" >"$out" 2>"$err" </dev/null || got=$?
}

# verdict NAME CONDITION...: after try: the status was right and the condition holds.
verdict() {
  name=$1
  shift
  if [ "$got" -eq "$want" ] && "$@"; then
    ok "$name"
    return
  fi
  fail "$name" "$command_line: exit $got, wanted $want; and: $*"
  sed 's/^/    out: /' "$out" | head -n 30
  sed 's/^/    err: /' "$err" | head -n 30
}

says() { grep -qiE -e "$1" "$out" "$err"; }
says_out() { grep -qiE -e "$1" "$out"; }
same() { cmp "$1" "$2" >&2; }
colourless() { [ "$(tr -d '\033' <"$out" | wc -c)" -eq "$(wc -c <"$out")" ]; }

# --- make ---
try 0 make
verdict 'make alone says what to type next' says_out '^Next: '
try 0 make help
verdict 'make help lists the labs and the targets' says_out 'make lab1'
try 0 make lab1
verdict 'make lab1 builds the skeleton' [ -x build/sim/lab1 ]
try 0 make lab1
verdict 'make lab1 again compiles nothing' not says '  (CC|CUDA|AR) '

# --- headers ---
printf '%s\n' '#include <cufft.h>' \
  'void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}' >"$work/fp16.cu"
try 1 ./grade lab1 --file "$work/fp16.cu"
verdict 'a header of the toolkit that the simulator lacks is named' says \
  'fp16.cu:1: it does not compile: the simulator has no <cufft.h>'
sed -i 's/cufft.h/tiles.h/' "$work/fp16.cu"
try 1 ./grade lab1 --file "$work/fp16.cu"
verdict "any other header that is missing is the file's fault" says "'tiles.h' file not found"
printf '%s\n' 'char large[3ull << 30];' \
  'void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}' >"$work/large.cu"
try 1 ./grade lab1 --file "$work/large.cu"
verdict 'more global variables than a program can have' says \
  'it cannot be linked: its global variables'
printf '\377\376v\000o\000i\000d\000' >"$work/wide.cu"
try 1 ./grade lab1 --file "$work/wide.cu"
verdict 'a file in UTF-16' says 'it is UTF-16: save it as UTF-8'

# --- setup ---
try 0 ./setup --check
verdict 'setup --check: nothing is missing where tests run' says_out 'Nothing is missing'
try 0 ./setup --help
verdict 'setup --help' says_out 'usage: ./setup'
try 2 ./setup --what
verdict 'setup: unknown option' says 'usage: ./setup'
# A machine without clang, sudo and apt-get: a PATH with nothing but the rest.
mkdir "$work/bin"
for tool in sh make cc gcc as ld sed grep head printf id env; do
  ln -s "$(command -v $tool)" "$work/bin/$tool"
done
try 1 env PATH="$work/bin" ./setup --check
verdict 'setup --check names what is missing, and why' says_out '^  clang +compiles'
try 2 env PATH="$work/bin" ./setup
verdict 'setup without apt-get says what to install' says 'neither Debian nor Ubuntu'
ln -s /bin/false "$work/bin/apt-get"
rm "$work/bin/id"
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id" && chmod +x "$work/bin/id"
try 2 env PATH="$work/bin" ./setup
verdict 'setup without root and sudo gives the command for an administrator' \
  says '^apt-get update && apt-get install .*clang'

# --- grade: options ---
try 0 ./grade --help
verdict 'grade --help lists the options' says_out '--solution'
try 0 ./grade list
verdict 'grade list names the labs' says_out 'lab2'
verdict 'grade list says what comes first' \
  says_out 'labs/lab2_tiled/lab2.cu: 100 points, 90 minutes, after lab1'
try 0 ./grade doctor
verdict 'grade doctor names clang' says_out 'clang'
try 0 ./grade ceiling --backend sim
verdict 'grade ceiling: what the described GPU can do' says_out \
  "transpose .* the GPU's DRAM .* GB/s"
try 0 ./grade ceiling --backend sim --json -
verdict 'grade ceiling as JSON' says_out '"operations/ns"'
conf_lists() { for word; do grep -qE "^  $word +[a-zA-Z]" "$out" || return; done; }
try 0 ./grade conf --keys
# shellcheck disable=SC2046 # one word a key
verdict 'grade conf --keys: every key that the labs use' conf_lists $(sed -n \
  's/^\([a-z_]*\) = .*/\1/p' labs/*/lab.conf | sort -u)
verdict '  with its range and its default' says_out 'whole number from 64 to 1048576; default: 4096'
try 0 ./grade conf lab2
verdict 'grade conf LAB: the file is right' says_out \
  '^labs/lab2_tiled/lab.conf: [0-9]+ cases, [0-9]+ items, 100 points$'
# values FILTER JSON: what the filter makes of the last command's output.
values() { [ "$(jq -c "$1" "$out")" = "$2" ]; }
if command -v jq >/dev/null; then
  try 0 ./grade conf lab2 --json
  verdict '  --json: values, with defaults filled in' values \
    '[.conf.problem, .conf.entries, .conf.sleep_limit, .conf.title != null,
    (.cases[] | select(.name == "17") | .dims, .sets, .entry, .show),
    (.items | map(.points) | add), .sweep]' \
    '["matmul",["matmul"],20,true,{"M":17,"N":17,"K":17},3,"matmul",false,100,null]'
  try 0 ./grade conf lab3 --json
  verdict '  thresholds and the sweep' values \
    '[(.items[] | select(.id == "time") | .full, .half, .of), .sweep.max_threads]' \
    '[{"at_least":false,"value":1.15},{"at_least":false,"value":2.2},"reference",1024]'
else
  echo 'skip grade conf --json: jq is not installed (./setup --all)'
fi
try 2 ./grade conf lab2 --keys
verdict 'grade conf: a lab or --keys, not both' says 'give either a lab or --keys'
try 0 build/sim/lab1 --time=3 M=64 N=32 K=16
verdict 'a runner times a function by itself' says_out \
  "^[1-9][0-9]*	0	[0-9]+	[0-9]+	3	[0-9]+	simulated"
try 1 ./grade lab1 --solution --case 17
verdict 'grade --case: items that it says nothing about are only named' \
  eval "says_out '^  Not looked at: shapes, sizes, loads' && ! says_out ' loads  '"
try 0 ./grade lab1 --solution --dims N=40,M=33,K=7
verdict 'grade --dims: one run, its launch with counters, and the result' \
  eval "says_out '^lab1.cu, M=33 N=40 K=7 on simulated' && says_out 'grid 2 x 5, block 32 x 8' &&
    says_out 'global_load_sectors +[1-9]' && says_out '^result: right'"
try 1 ./grade lab1 --dims M=33,N=40,K=7
verdict '  of the skeleton: it is wrong' says_out '^result: wrong: C was not written'
try 1 ./grade lab1 --file solutions/lab1_global/wrong/no_bounds_check.cu --dims M=17,N=17,K=17
verdict '  of a file with hazards: it names them' says_out \
  '^hazard: no_bounds_check.cu:11: out of bounds'
try 0 ./grade lab4 --solution --case pad-33 --dims ROWS=40,COLS=20
verdict '  by the function of a case' says_out 'padded_kernel, grid 1 x 2'
try 0 ./grade lab6 --solution --case streams-1000 --dims N=1024,STREAMS=4
verdict '  launches alike are one, and the time is that of the whole call' \
  eval "says_out '4 launches alike' && says_out '^time of the call: [1-9][0-9.]* us modelled' &&
    [ \"\$(grep -c '^case N=1024' \"\$out\")\" -eq 1 ]"
for wrong in 'M=1,N=1:lacks K; write M=64,N=64,K=64' \
  'M=1,Q=1:.Q. is not a dimension of matmul, written as M=17; write M=64' \
  'M=1,M=1:M is there twice' \
  'M=0:a whole number from 1 to 268435456' 'M=1x:a whole number'; do
  try 2 ./grade lab1 --dims "${wrong%%:*}"
  verdict "grade --dims ${wrong%%:*}: refused" says "${wrong#*:}"
done
try 2 ./grade lab1 --dims M=1,N=1,K=1 --sweep
verdict 'grade --dims with --sweep: refused' says 'one run on the simulator'
try 2 build/sim/lab1 M=64 N=64 K=64
verdict 'a runner without --time names --dims' says './grade LAB --dims'
try 2 ./grade
verdict 'grade alone says how it is used' says 'usage|list'
try 2 ./grade lab99
verdict 'grade lab99: no such lab, and which there are' says 'lab99.*lab1|lab1.*lab99|no.*lab99'
try 2 ./grade lab1 --file "$work/none.cu"
verdict 'grade --file: no such file' says 'none\.cu'
try 2 ./grade lab1 --seed banana
verdict 'grade --seed: not a number' says 'seed'
try 2 ./grade lab1 --banana
verdict 'grade: unknown option' says 'banana'
try 2 ./grade lab1 --backend abacus
verdict 'grade: unknown backend' says 'abacus'

# --- README ---
# The card that README.md shows, by the command above it.
sed -n '/^\$ \.\/grade /,/^```/p' README.md | sed '/^```/d' >"$work/shown"
shown=$(sed -n '1s/^\$ //p' "$work/shown")
try 1 sh -c "$shown --backend sim"
sed 1d "$work/shown" >"$work/card"
verdict "README's card is what its command prints" cmp "$work/card" "$out"

# --- grade class ---
# A kit where nothing of class is built yet, by a compiler that does not find libarchive.
whole_kit
rm "$kit/build/grader"
cp -rp build/grader "$kit/build/"
(cd "$kit/build" && rm -rf class class-command class-ready libclass.a grader/class)
mkdir "$work/without"
echo '#error libarchive is not installed' >"$work/without/archive.h"
lacking() { env CPATH="$work/without" "$kit/grade" class "$@"; }
install='./grade class needs more packages: run ./setup --class to install them.'
ends_with() { [ "$(tail -n 1 "$out")" = "$1" ]; }
try 0 lacking --help
verdict 'grade class --help where its libraries are not installed' says_out '--canvas=FILE.csv'
verdict '  ends with what installs them' ends_with "$install"
if all; then
  try 0 lacking --usage
  verdict 'grade class --usage' says_out '^Usage: grade class .*'
  try 0 lacking --version
  verdict 'grade class --version' says_out '^grade class [0-9]'
  try 2 lacking "$work" --banana
  verdict 'grade class: unknown option' says "unrecognized option '--banana'"
fi
try 2 lacking
verdict 'grade class alone says how it is used' says '^Usage: grade class'
echo "grade: $install" >"$work/install"
try 2 lacking "$work"
verdict 'grade class DIR says what to install' same "$err" "$work/install"
if ./setup --class --check >/dev/null 2>&1; then
  try 0 "$kit/grade" class --help
  verdict 'grade class --help where they are installed' not says 'setup'
  verdict '  builds nothing that needs them' not [ -e "$kit/build/class" ]
  try 0 lacking --help
  cp "$out" "$work/help"
  try 0 ./grade class --help
  echo "$install" >>"$out"
  verdict 'build/class has the same help' same "$out" "$work/help"
else
  echo 'skip grade class --help where its libraries are installed: they are not (./setup --class)'
fi
rm -r "$kit/grader/class"
try 2 "$kit/grade" class --help
verdict "a student's copy does not grade a class" says "this is a student's copy"

# --- grade: a file that does not compile ---
printf 'void matmul(const float *A, const float *B, float *C, int M, int N, int K) { banana }\n' \
  >"$work/bad.cu"
try 1 ./grade lab1 --file "$work/bad.cu" --json "$work/bad.json"
verdict "a syntax error is the compiler's message" says 'bad\.cu:1:[0-9]+: error:.*banana'
verdict '  without our internals' not says 'harness/compile|cuda-device-only|fatbin|-Xclang'
verdict '  and a verdict in JSON' grep -qE '"verdict": ?"fail"' "$work/bad.json"

# --- grade: full marks, colours, JSON, the same bytes ---
try 0 env NO_COLOR=1 ./grade lab3 --solution
verdict 'the reference gets full marks' says_out 'lab ?3'
verdict '  NO_COLOR means none' colourless
try 0 env KIT_SIM_THREADS=1 ./grade lab3 --solution --seed 7 --json -
verdict '--json - writes JSON and nothing else to stdout' grep -qE '^\{' "$out"
cp "$out" "$work/one.json"
try 0 env KIT_SIM_THREADS=3 ./grade lab3 --solution --seed 7 --json -
cp "$out" "$work/three.json"
verdict 'the same seed gives the same bytes with 1 and with 3 threads' same "$work/one.json" \
  "$work/three.json"

# --- where the time goes ---
timed() {
  jq -e '.profile | .total.wall_s > 0 and .total.cpu_s > 0 and
    ([.phases[].phase] | contains(["build", "kernels", "model", "check", "rerun"])) and
    ([.processes[].cases] | contains(["n1024"]))' "$1" >/dev/null && says_out 'executing kernels' &&
    jq 'del(.profile)' "$1" >"$work/timeless.json" && jq . "$work/one.json" >"$work/same.json" &&
    same "$work/timeless.json" "$work/same.json"
}
try 0 ./grade lab3 --solution --seed 7 --profile --json "$work/profile.json"
if command -v jq >/dev/null; then
  verdict '--profile: a table, and JSON that has nothing else besides' timed "$work/profile.json"
else
  echo 'skip --profile: jq is not installed (./setup --all)'
fi
try 2 ./grade lab3 --sweep --profile
verdict '  not of a sweep' says '--profile is for grades'

# --- first results, on a terminal only ---
first_results() {
  tr '\r' '\n' <"$out" | grep -q '^.*small 3/3.*cases from 300' && grep -q '100 / 100' "$out"
}
if command -v script >/dev/null; then
  try 0 env TERM=xterm script -qec "./grade lab2 --solution" /dev/null
  verdict 'on a terminal the first results come before the card' first_results
  try 0 env TERM=xterm NO_COLOR=1 script -qec "./grade lab2 --solution" /dev/null
  verdict '  NO_COLOR: without colours' not grep -q "$(printf '\033')\[[0-9;]*m" "$out"
  printf '%s\n' 'void matmul(const float *A, const float *B, float *C, int M, int N, int K) {' \
    '  for (volatile int i = 0;;) i = 1;' '}' >"$work/endless.cu"
  try 130 env TERM=xterm \
    script -qec "timeout -s INT 3 ./grade lab1 --file $work/endless.cu" /dev/null
  want=$got # of timeout, or of grade
  verdict '  Ctrl-C wipes them' grep -q "$(printf '\033')\[Kgrade: interrupted" "$out"
else
  echo 'skip first results: script (of util-linux) is not installed'
fi
try 0 ./grade lab2 --solution
verdict 'without a terminal nobody sees them' not says '[0-9]/[0-9].*case '

# --- from elsewhere ---
cd / || exit 2
try 0 "$root/grade" lab3 --solution --seed 7 --json "$work/far.json"
verdict 'grade runs from another directory' same "$work/one.json" "$work/far.json"
try 1 "$root/grade" lab3 --file "$root/labs/lab3_transpose/lab3.cu"
verdict 'the skeleton loses points and says why' says 'hint|try|not written|never written'

exit $failed
