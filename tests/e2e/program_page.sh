#!/bin/sh
# program_page.sh: pages and pictures of programs with a main of their own (./grade run --html,
# --picture): what is on them, and that nothing that a program says or is called runs there.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
. tests/e2e/lib/page.sh
programs=$root/tests/programs
cd "$work" || exit 2

# page STATUS NAME WORD...: ./grade run makes $work/NAME.html; its output is in 1 and 2.
page() {
  want=$1 shown=$2 got=0
  shift 2
  "$root/grade" run --html "$shown.html" "$@" >"$work/1" 2>"$work/2" </dev/null || got=$?
  equal "$shown: exit status as without a page" "$want" "$got"
  reason=$(wrong_with "$shown.html")
  [ -z "$reason" ] || fail "page of $shown is sound" "$reason"
  [ -n "$reason" ] || ok "page of $shown is sound"
  expect '  with no markup but ours' sh -c \
    "! grep -qiE '<(script|img src=x|svg|iframe|b>.r)|javascript:' '$shown.html'"
}
on() { has "$work/$shown.html" "$1"; }

page 4 scattered "$programs/scattered.cu" -- 3000
equal 'the output is passed on' '3000 1' "$(wc -l <"$work/1") $(grep -c 'img src' "$work/2")"
expect '  and stands there, its beginning' on \
  '00000 &lt;script&gt;alert(1)&lt;/script&gt; ⟨U+001B⟩[31m �'
expect '  and its end' on '02999 &lt;script&gt;'
expect '  without the middle' not on '01500 '
expect '    which is said' on ' bytes are not shown'
expect '  with what went to stderr' on '&lt;img src=x onerror=alert(2)&gt;'
expect 'the exit status' on 'exit status <b>4</b>'
expect 'hazards with their line as a link' on '">scattered.cu:10</a> and <a href="#'
expect '  and the code' on 'part[63 - threadIdx.x];</code></a>'
expect 'a kernel with all its launches' on '</th><td>1</td><td>64</td><td class="n">60</td>'
expect '  and where it was launched' on 'launched at <a href='
expect 'the worst line, in a header' on 'loads: 32 sectors per request, 12% of their bytes are used'
expect '  with remarks in the source' on 'neighbouring lanes are 256 bytes apart'
expect '  and a picture' on 'scattered.h:2</a> · one warp over the sectors of global memory'
expect 'how to make it again' on 'scattered.html '"$programs"'/scattered.cu -- 3000</code>'

# Files and names as hostile as a file system allows, and a file that is none of the program's.
mkdir -p '<b>&' other
printf '// secret\n// secret\n' >other/secret.h
cp "$programs/scattered.h" '<b>&/'
file="<b>&/it's \"<b>größe.cu"
{
  printf '#line 1 "%s/other/secret.h"\n__global__ void other(int *p) { p[1] = 1; }\n' "$work"
  printf '#line 3 "%s"\n' "<b>&/it's \\\"<b>größe.cu"
  sed -e 's/^int main.*/&\n  int *p; cudaMalloc(\&p, 4); other<<<1, 1>>>(p);/' \
    "$programs/scattered.cu"
} >"$file"
page 4 hostile "$file" -- 2
expect 'a hostile name is text' on '&lt;b&gt;größe.cu:12</a> and <a'
expect 'a file that the compiler names is named' on 'secret.h:1'
expect '  and not read' not on '// secret'

page 1 broken "$(printf 'int main() { return <b>x; }\n' >broken.cu && echo broken.cu)"
expect 'a program that does not compile: the messages' on 'expected expression'
expect '  and no output' not on 'id="output"'
page 139 crash "$programs/crash.cu"
expect 'a crash: the signal' on 'signal <b>11</b>'
expect '  and the call that failed first' on 'CUDA call that failed'
page 0 clean "$programs/clean.cu"
expect 'no hazards, which is said' on 'None: in what was run, every access'
echo 'int main() {}' >nothing.cu
page 0 nothing nothing.cu
expect 'no kernel' on 'No kernel was launched'
expect 'no output' on 'The program printed nothing'

exits '--html where no page can be' 2 '--html /nowhere/x.html: No such file' \
  "$root/grade" run --html /nowhere/x.html nothing.cu
expect '--html - is the page' sh -c "'$root/grade' run --html - nothing.cu | head -n 1 |
  grep -qF '<!DOCTYPE html>'"

# --- pictures ---
if command -v gnuplot >/dev/null 2>&1; then
  picture() { "$root/grade" run "--picture$1" "$programs/scattered.cu" >"$work/1" 2>"$work/2"; }
  said() { tr -s ' \n' '  ' <"$work/2" | grep -qF -e "$1"; }
  picture ''
  expect '--picture: the costliest line' said 'scattered.h:2 __device__ inline void put'
  expect '  in words' said 'Warp 0 reads 32 words of global memory from 32 sectors; 4 would do.'
  expect '  and in a file' test -s "$root/build/pictures/scattered_h-line2-global-load.svg"
  picture '=scattered.cu:10'
  expect '  another line' said 'writes 32 words of part in 1 wavefront'
  picture '=7'
  expect '  a line without accesses' said 'No picture: this is no line that reads or writes'
  exits '  no line' 2 'not the number of a line' "$root/grade" run --picture=x nothing.cu
else
  echo 'skip pictures: gnuplot is not there'
fi
exit $failed
