# shellcheck shell=sh
# clang.sh: how clang compiles CUDA for the simulator. To be read by harness/compile, for students'
# files, and harness/kcc, for programs; both have set $kit, the kit's folder, and $work, a folder of
# their own, and define die, which ends them with a message.
#
# clang compiles a file twice at a time, for the device into PTX and for the host into an object,
# into which the PTX is put.

# find_clang: sets $clang to its path, and $headers_folder to where it compiles our CUDA headers.
# $CLANGXX names the one to use.
find_clang() {
  clang=''
  for name in ${CLANGXX:-} clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 \
    clang++-14 clang++-20; do
    clang=$(command -v "$name" 2>/dev/null) && break
  done
  [ -n "$clang" ] || die 'clang is missing: run ./setup'
  case $clang in /*) ;; *) clang=$PWD/$clang ;; esac
  headers_folder=$kit/build/headers$clang
  case $(readlink -f "$clang") in
  */llvm-[0-9]*/*) version=$(readlink -f "$clang") version=${version##*/llvm-} ;;
  *) version=$("$clang" -dumpversion) ;;
  esac
  case $version in
  14*) unset_values=-disable-noundef-analysis ;;
  *) unset_values=-no-enable-noundef-analysis ;;
  esac
  device_flags="$device_flags -Xclang $unset_values"
}

# find_headers: unsets $headers_folder unless they are there for this kit. What one clang has made of
# them is nothing to another, nor to a kit that has been copied or moved: it holds the kit's path.
find_headers() {
  { read -r place <"$headers_folder/made"; } 2>/dev/null || place=''
  [ "$place" = "$kit" ] || headers_folder=''
}

# is_about_pch FILE: are these messages about headers that another version of clang has compiled, or
# that have changed since?
is_about_pch() { grep -qi 'precompiled\|pch file\|ast file' "$1"; }

# clang_call SIDE FLAG...: clang on a .cu file, with the flags that both of its passes have. What it
# says goes into $work/SIDE.messages.
clang_call() {
  messages=$work/$1.messages
  shift
  "$clang" -x cuda --cuda-gpu-arch=sm_70 --cuda-path=/nonexistent -nocudainc -nocudalib \
    -Xclang -target-sdk-version=11.5 -Wno-unknown-cuda-version \
    -isystem "$kit/harness/sim/include" "$@" 2>"$messages" >&2
}

# Flags of each pass. With these thresholds clang unrolls loops as nvcc 13 does (100 loops of any
# length, of 4 to 1024 turns or as many as a parameter says: those four times; with the budget it
# may divide to find how many, where a register holds the step). Without sinking,
# the float4 load of one branch and the scalar loads of another stay apart; else clang merges what
# they have in common and splits the float4. Stores to neighbours stay what they are: of many that
# store the same, clang would make a memset, which is a loop of bytes on the device. ptx75 has the
# warp-level barrier. The pass for the host reads kernels, too, and warns of what they use before it
# has a value. find_clang adds the flag that keeps clang from concluding that whoever calls a
# function has values for it: where one lane has what a shuffle gives to all, the others call the
# shuffle with a variable that is not set.
device_flags='--cuda-device-only -S -gline-tables-only -w
  -fno-builtin-malloc -fno-builtin-free -Xclang -target-feature -Xclang +ptx75'
optimised='-O3 -mllvm -inline-threshold=5000 -mllvm -unroll-threshold=650 -mllvm -unroll-partial-threshold=215
  -mllvm -unroll-max-count=4 -mllvm -unroll-max-upperbound=0 -mllvm -scev-cheap-expansion-budget=40
  -mllvm -bonus-inst-threshold=4 -mllvm -sink-common-insts=0
  -fno-builtin-memset -fno-builtin-memcpy -mllvm -enable-memcpyopt-without-libcalls=0'
host_flags='--cuda-host-only -c -g1'

# The GPU is of compute capability 9.0, which not every clang knows: code that asks is told so.
device_flags="$device_flags -U__CUDA_ARCH__ -D__CUDA_ARCH__=900"

# to_clang FILE TO: nvcc takes kernel<<<{x, y}, {x, y}>>>, clang needs the dim3 in front of the
# braces; nvcc also takes kernel<< <x, y>> >, and __shared__ alignas(n) type, which clang takes the
# other way round, \ before a comment at the end of a line, and asm("mov.u32 %0, %laneid;"), where
# clang wants %%laneid (PTX in a string, with %r1 for %0, stays as it is). False: there are none,
# and no file TO.
to_clang() {
  register='n\{0,1\}\(warpid\|smid\|tid\|ctaid\)\|laneid\|gridid\|clock\|globaltimer\|lanemask_'
  register="\(mov\.[usb][36][24][[:blank:]]*%[0-9[][^;]*[^%]\)%\($register\)"
  grep -q -e '<<<[^;]*{' -e '<<[[:blank:]]\{1,\}<' -e '__shared__[[:blank:]]*alignas' \
    -e '\\[[:blank:]]\{1,\}//' -e "$register" "$1" || return
  alignas='alignas(\(\([^()]\|([^()]*)\)*\))'
  printf '# 1 "%s"\n' "$1" >"$2"
  sed -e '/<<[[:blank:]]\{1,\}</s/>>[[:blank:]]\{1,\}>/>>>/g' \
    -e 's/<<[[:blank:]]\{1,\}</<<</g' \
    -e 's/<<<[[:blank:]]*{/<<<dim3{/g' \
    -e 's/\(<<<dim3{[^{}]*},[[:blank:]]*\){/\1dim3{/g' \
    -e 's/\(<<<[^{};,]*,[[:blank:]]*\){/\1dim3{/g' \
    -e "s/\(\(\(extern\|static\)[[:blank:]]*\)\{0,1\}__shared__\)[[:blank:]]*$alignas/alignas(\4) \1/g" \
    -e 's|\\[[:blank:]]\{1,\}//.*||' -e "s/$register/\1%%\2/g" "$1" >>"$2"
}

# device_pass PASS FILE TO FLAG..., host_pass PASS FILE TO FLAG...: PASS SIDE FLAG... FILE, which makes
# the IR or the object of a file, and for the device PTX of that. clang knows no launches from kernels:
# then the file is compiled in a way of its own. False: it does not compile.
# shellcheck disable=SC2086 # lists of flags
device_pass() {
  pass=$1 file=$2 to=$3
  shift 3
  if ! "$pass" device $device_flags $optimised $only_ir -o "$work/source.ll" "$@" "$file"; then
    launches_from_device device || return
    launches_ir "$pass" "$file" "$work/source.ll" "$@" || return
  fi
  ptx_of_source "$work/source.ll" "$to"
}
only_ir='-emit-llvm -Xclang -disable-llvm-passes'

# ptx_of_source IR TO: PTX of what clang has read and not yet optimised.
ptx_of_source() {
  if [ "$optimised" = -O0 ]; then
    ir_call -o "$2" "$1"
    return
  fi
  ir=$kit/harness/ir
  awk -f "$ir/counters.awk" "$1" "$1" >"$work/counters.ll" &&
    awk -f "$ir/functions.awk" -f "$ir/calls.awk" "$work/counters.ll" >"$work/calls.ll" &&
    awk -f "$ir/text.awk" -f "$ir/functions.awk" -f "$ir/unroll.awk" "$work/calls.ll" \
      "$work/calls.ll" >"$work/unroll.ll" || return
  usual=$optimised
  [ "$(tail -n 1 "$work/unroll.ll")" != '; unroll-remainder' ] ||
    optimised="$optimised -mllvm -unroll-remainder"
  ptx_of_loops "$work/unroll.ll" "$2" && made=1 || made=''
  optimised=$usual
  [ "$made" ]
}

# ptx_of_loops IR TO: PTX of IR in which loops say how often they are to be unrolled. Where a local array
# is left, nvcc unrolls longer ones, as it may be gone then.
ptx_of_loops() {
  optimise_ir "$1" "$work/device.ll" && ptx_of_ir "$work/device.ll" "$2" || return
  kept=$(local_bytes "$2")
  [ "$kept" -gt 0 ] || return 0
  optimised=${optimised%"$unroll"*}$unroll_more${optimised#*"$unroll"}
  if optimise_ir "$1" "$work/device.ll" &&
    ptx_of_ir "$work/device.ll" "$work/more.ptx" &&
    [ "$(local_bytes "$work/more.ptx")" -lt "$kept" ]; then
    mv "$work/more.ptx" "$2"
  fi
}
unroll=-unroll-threshold=650 unroll_more=-unroll-threshold=1500

# local_bytes PTX: of the local memory of all its functions.
local_bytes() {
  awk '/^[[:blank:]]*\.local .*__local_depot/ { sub(/.*\[/, ""); bytes += $0 } END { print bytes + 0 }' "$1"
}

# optimise_ir IR TO: with all its loops. As C++ has it, a loop ends: clang counts more loops then, and
# takes those out that change nothing. But what follows a loop waits until it has ended, be it never,
# and nvcc keeps it. So where clang has taken any out, it optimises again without that rule, and if it
# then takes out others, what it made then counts.
optimise_ir() {
  read_ir=$1 made=$2
  set -- -emit-llvm -fsave-optimization-record -foptimization-record-passes=loop-delete
  ir_call "$@" -foptimization-record-file="$work/gone" -o "$made" "$read_ir" || return
  [ -s "$work/gone" ] || return 0
  sed -e 's/ mustprogress / /' -e 's/"llvm\.loop\.mustprogress"/"any"/' "$read_ir" >"$work/any.ll"
  ir_call "$@" -foptimization-record-file="$work/gone-at-any-rate" -o "$work/with-loops.ll" \
    "$work/any.ll" || return
  cmp -s "$work/gone" "$work/gone-at-any-rate" || mv "$work/with-loops.ll" "$made"
}

# ptx_of_ir IR TO: PTX of optimised IR, as nvcc has it (ir/*.awk); as it is, if they fail.
ptx_of_ir() {
  awk -f "$ir/text.awk" -f "$ir/copies.awk" "$1" >"$work/copies.ll" &&
    awk -f "$ir/text.awk" -f "$ir/vectors.awk" "$work/copies.ll" >"$work/vectors.ll" &&
    ir_call -Xclang -disable-llvm-passes -o "$2" "$work/vectors.ll" && return
  ir_call -Xclang -disable-llvm-passes -o "$2" "$1"
}

# ir_call FLAG...: clang on IR of the device; what it says goes into $work/device.messages. As for
# CUDA: of IR clang contracts less by itself.
# shellcheck disable=SC2086
ir_call() {
  case $optimised$device_flags in
  -O0* | *-ffp-contract=off*) contract='' ;;
  *) contract='-mllvm -nvptx-fma-level=1' ;;
  esac
  "$clang" -x ir --target=nvptx64-nvidia-cuda -march=sm_70 -fno-dwarf-directory-asm $contract \
    ${device_flags#--cuda-device-only} $optimised "$@" 2>"$work/device.messages"
}

# shellcheck disable=SC2086
host_pass() {
  pass=$1 file=$2 to=$3
  shift 3
  set -- $host_flags -Xclang -fcuda-include-gpubinary -Xclang "$work/no.ptx" "$@"
  "$pass" host -o "$to" "$@" "$file" && return
  launches_from_device host && launches_text "$pass" host bodies "$@" "$file" &&
    "${pass%_pass}_text" host $no_columns -o "$to" "$@" "$work/host.cu"
}

# Lines of what is preprocessed are those of its source, columns are not.
no_columns='-fno-caret-diagnostics -fno-show-column'

# launches_from_device SIDE: are the messages of this pass about code of the device that launches
# kernels, or calls functions of the runtime?
launches_from_device() {
  grep -q -e "reference to __global__ function .* in __[a-z]*__ function\$" \
    -e 'call to __global__ function from __' \
    -e "reference to __host__ function 'cuda[A-Z].* in __[a-z]*__ function\$" \
    -e "no matching function for call to 'cuda[A-Z]" "$work/$1.messages"
}

# launches_text PASS SIDE SCRIPT FLAG... FILE: preprocesses a file into $work/SIDE.cu, which SCRIPT
# (.awk) rewrites: for the device launches become calls, for the host they go.
launches_text() (
  pass=$1 side=$2 script=$3 headers_folder=''
  shift 3
  "$pass" "$side" -DKIT_DEVICE_LAUNCHES "$@" -E -o "$work/$side.i" &&
    awk -f "$kit/harness/launches/parts.awk" -f "$kit/harness/launches/$script.awk" \
      "$work/$side.i" >"$work/$side.cu"
)

# launches_ir PASS FILE TO FLAG...: what is preprocessed goes through x_text where PASS is x_pass, and
# its IR gets the kernels (launches/kernels.awk).
# shellcheck disable=SC2086
launches_ir() (
  pass=$1 file=$2 to=$3
  shift 3
  launches_text "$pass" device launches $device_flags "$@" "$file" &&
    "${pass%_pass}_text" device $device_flags $no_columns $optimised $only_ir \
      -o "$work/device.ll" "$work/device.cu" &&
    awk -f "$kit/harness/launches/kernels.awk" "$work/device.ll" "$work/device.ll" >"$to" && return
  # kernels are functions of both sides there
  sed 's/ in __host__ __device__ function$/ in device code/' "$work/device.messages" \
    >"$work/messages" && mv "$work/messages" "$work/device.messages"
  return 1
)

# both_passes PASS FILE OBJECT FLAG...: both passes at a time, with the PTX in $work/device.ptx. False,
# and $failed is the side, if one of them fails.
# The object gets its PTX, which takes as long, when both are there: until then a dot stands for it.
both_passes() {
  pass=$1 file=$2 to=$3
  shift 3
  printf . >"$work/no.ptx"
  host_pass "$pass" "$file" "$to" "$@" &
  host=$!
  device_pass "$pass" "$file" "$work/device.ptx" "$@" && failed='' || failed=device
  wait "$host" || failed=${failed:-host}
  [ -z "$failed" ]
}

# put_ptx OBJECT: $work/device.ptx into its place, which an object without kernels does not have.
# False: something else is there.
put_ptx() {
  printf '\0' >>"$work/device.ptx" # the NUL behind the text in the program
  LC_ALL=C objcopy --update-section ".nv_fatbin=$work/device.ptx" "$1" 2>"$work/put" && return
  grep -q 'not found' "$work/put"
}
