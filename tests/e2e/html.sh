#!/bin/sh
# html.sh: the page of ./grade LAB --html FILE: whatever a submission holds, it is well-formed,
# holds no script, and says what the score card says. In headless Chromium, where it is installed:
# it is shown, without errors, on a phone, too.
#
# Prints `ok name`, `FAIL name` or `skip name: why`.
set -u
cd "$(dirname -- "$0")/../.." || exit 2
. tests/e2e/lib/check.sh
. tests/e2e/lib/page.sh
grade=$root/build/grade

# A kit of its own: one lab with two small cases, and a handout.
small_kit <<'CONF'
[lab]
title = A < B & "C"
problem = matmul
memory_limit = 2048
[case 17]
dims = M=17 N=17 K=17
[case 64]
dims = M=64 N=64 K=64
show = yes
[item right]
class = correctness
title = The product is right
points = 6
cases = 17 64
hint = Look at <b>this</b>.
[item clean]
class = hazard
title = No hazards
points = 2
[item loads]
class = technique
title = Loads are coalesced
points = 2
case = 64
metric = global_load_sectors_per_request
full = <= 4
zero = >= 8
CONF
mkdir "$kit/handouts" "$kit/build/handouts"
echo '<html><h2 id="direction">The way of a warp</h2></html>' >"$kit/build/handouts/lab1.html"

# page STATUS NAME FILE OPTION...: grades FILE and makes $work/NAME.html of it; its status is that.
page() {
  want=$1 name=$2 file=$3
  shift 3
  rm -f "$work/$name.html"
  got=0
  KIT_ROOT=$kit "$grade" lab1 --file "$file" --seed 1 --html "$work/$name.html" "$@" \
    >"$work/card" 2>"$work/err" || got=$?
  [ "$got" = "$want" ] || fail "$name: the exit status is what it is without a page" \
    "$got, not $want: $(cat "$work/err")"
  sane "$name"
}

# sane NAME: what is true of every page.
sane() {
  reason=$(wrong_with "$work/$1.html")
  ! grep -qiE '<(script|img src=x|svg|!--|iframe)|javascript:[^<]*"' "$work/$1.html" ||
    reason='markup that is not ours'
  if [ -z "$reason" ]; then
    ok "page of $1 is sound"
  else
    fail "page of $1 is sound" "$reason ($(cat "$work/err"))"
  fi
}

# --- what it says ---
page 1 scattered solutions/lab1_global/wrong/exchanged.cu
page=$work/scattered.html
expect 'the score and the verdict' has "$page" '<b>8</b> / 10'
expect 'the reason of a lost point, its line a link' has "$page" \
  '<a href="#L12" class="line">exchanged.cu:12</a> has 8.5'
expect 'a scattered line is marked and says so' has "$page" \
  '8.5 sectors per load on average; 32 neighbouring floats lie in 4.'
expect 'how far the lanes are apart' has "$page" 'lanes 0 and 1 are 256 bytes apart (array A).'
expect 'the counters in the margin' has "$page" '<i>sectors/load</i> ▲8.5'
expect "the launch's grid and block" has "$page" '16 × 16'
expect "a title's signs are text" has "$page" 'A &lt; B &amp; &quot;C&quot;'
expect 'the command to repeat' has "$page" \
  './grade lab1 --file solutions/lab1_global/wrong/exchanged.cu --seed 1'
expect 'the handout, where it is' has "$page" \
  'href="./kit/build/handouts/lab1.html#direction">The way of a warp</a>'
if command -v gnuplot >/dev/null 2>&1; then
  expect 'pictures are in the page' has "$page" '<img src="data:image/svg+xml;base64,'
else
  expect 'without gnuplot it says that pictures are missing' has "$page" 'No picture: '
fi
expect 'nothing may be fetched or run, says the page itself' has "$page" \
  "content=\"default-src &#39;none&#39;; style-src"
mv "$page" "$work/first.html"
page 1 scattered solutions/lab1_global/wrong/exchanged.cu
expect 'the same seed gives the same bytes' cmp "$page" "$work/first.html"
page 0 right solutions/lab1_global/lab1.cu
expect 'a right solution has no marked line' not has "$work/right.html" 'class="bad"'
expect 'hazards: none, and what was looked for' has "$work/right.html" 'None: in what was run'

# --- hostile text: in the source, in names, in what is printed, in messages of the compiler ---
attack='</script><script>document.title=1</script></code></td></style>'
attack=$attack'<img src=x onerror="document.title=1">'
marks="'\"]]><!-- &lt; &amp; javascript:alert(1)"
cat >"$work/\"><img src=x onerror=alert(1)>.cu" <<CU
// $attack
// $marks
// a long line: $(head -c 10000 /dev/zero | tr '\0' '<')
#include <cstdio>
__shared__ extern float tile[];
__global__ void evil(const float *A, float *C, int n) { C[n + threadIdx.x] = A[0]; } /* $attack */
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  puts(R"($attack $marks)");
  evil<<<1, 32>>>(A, C, M * N - 16);
}
CU
{
  printf '// \355\240\200 \377\376 \300\274b> \033[31m \342\200\256 \001\177\302\233 \0 NUL\r\n'
  printf '// after it\t<b>\r\n'
} >>"$work/\"><img src=x onerror=alert(1)>.cu"
page 1 hostile "$work/\"><img src=x onerror=alert(1)>.cu"
page=$work/hostile.html
expect 'the attack is there, as text' has "$page" \
  '&lt;/script&gt;&lt;script&gt;document.title=1&lt;/script&gt;'
expect 'what was text before stays so' has "$page" '&amp;lt; &amp;amp; javascript:alert(1)'
expect 'a long line is cut, and says so' has "$page" '… and 9'
expect 'what is no UTF-8, and what nobody sees, is marked' has "$page" '⟨U+202E⟩'
expect 'the lines after a NUL are there' has "$page" '// after it'
expect 'a hazard is marked in the source' has "$page" '<b>✗ out of bounds</b>'
expect 'what the program printed' has "$page" 'Printed by the program itself'

printf '#error %s %s\nint x = "\n' "$attack" "$marks" >"$work/refused.cu"
page 1 refused "$work/refused.cu"
expect 'a file that does not compile: the line' has "$work/refused.html" '<tr id="L1" class="bad"'
expect '  and what the compiler said' has "$work/refused.html" 'Messages of the compiler'

# --- files that no editor writes ---
: >"$work/empty.cu"
page 1 empty "$work/empty.cu"
expect 'an empty file is said to be empty' has "$work/empty.html" 'the file is empty'
head -c 5000 /dev/urandom >"$work/binary.cu"
page 1 binary "$work/binary.cu"
body='void matmul(const float *A, const float *B, float *C, int M, int N, int K) {}'
{ echo "$body" && seq -f 'int x%.0f;' 50000; } >"$work/long.cu"
page 1 long "$work/long.cu"
expect '50,000 lines: those that are left out are named' has "$work/long.html" 'are not shown'
expect '  and the page stays small' [ "$(wc -c <"$work/long.html")" -lt 1000000 ]

# --- the option ---
try() {
  want=$1
  shift
  got=0
  KIT_ROOT=$kit "$@" >"$work/out.html" 2>"$work/err" || got=$?
  [ "$got" = "$want" ]
}
quick="$work/refused.cu" # is judged at once
expect '--html -: the page alone on stdout' try 1 "$grade" lab1 --file "$quick" --html -
expect '  and nothing before or after it' test \
  "$(head -c 15 "$work/out.html")$(tail -n 1 "$work/out.html")" = '<!DOCTYPE html></body></html>'
expect '  without links to files: it may end up anywhere' not has "$work/out.html" 'href="./'
expect '--html - and --json - exclude each other' try 2 "$grade" lab1 --file "$quick" --html - \
  --json -
for option in html json gradescope; do
  expect "--$option into a folder that is not there: an error" try 2 env PATH=/nowhere \
    "$grade" lab1 --solution --$option "$work/none/x"
  expect '  that names it, before any work is done' test "$(cat "$work/err")" = \
    "grade: --$option $work/none/x: No such file or directory"
done
expect '--html onto a folder: an error' try 2 "$grade" lab1 --solution --html "$work"
expect '--html to a full disk: an error' try 2 "$grade" lab1 --file "$quick" --html /dev/full

# --- every lab has one, here of its first case ---
for folder in labs/*; do
  lab=$(basename "${folder%%_*}")
  first=$(sed -n 's/^\[case \(.*\)\]$/\1/p' "$folder/lab.conf" | head -n 1)
  expect "$lab has a page" try 1 env KIT_ROOT="$root" "$grade" "$lab" --solution --case "$first" \
    --html "$work/$lab.html"
  sane "$lab"
  sed "s/&#39;/'/g" "$work/$lab.html" >"$work/shown"
  items='/^\[/ {item = /^\[item/} item && sub(/^title = /, "")'
  missing=$(awk "$items" "$folder/lab.conf" | while read -r title; do
    has "$work/shown" "$title" || echo "'$title'"
  done)
  expect "  with each of its items${missing:+, but not $missing}" test -z "$missing"
done

mkdir "$work/pages"
echo old >"$work/pages/real.html"
ln -s real.html "$work/pages/link.html"
(umask 027 && try 1 "$grade" lab1 --file "$quick" --html "$work/pages/link.html")
expect 'a link is followed, not replaced' test -L "$work/pages/link.html"
expect '  and what it leads to is the page' has "$work/pages/real.html" '<!DOCTYPE html>'
expect '  with the rights that a new file gets' test "$(stat -c %a "$work/pages/real.html")" = 640
expect '  and nothing else is left there' test "$(find "$work/pages" | wc -l)" -eq 3
rm "$kit/build/libremote.a"
page 2 error "$work/empty.cu"
expect 'a fault of the kit: no score, no blame' has "$work/error.html" \
  'This is the fault of the kit or the machine'

# --- in a browser ---
browser=
for candidate in chromium chromium-browser google-chrome; do
  command -v $candidate >/dev/null 2>&1 && browser=$candidate && break
done
[ -n "$browser" ] || {
  echo 'skip pages in a browser: Chromium is not installed'
  exit $failed
}
sandbox=
[ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
# browse FILE: the document as the browser has it, in $work/dom; its complaints, in $work/console.
browse() {
  timeout 60 "$browser" --headless $sandbox --disable-gpu --user-data-dir="$work/profile" \
    --enable-logging=stderr --v=0 \
    --virtual-time-budget=3000 --dump-dom "file://$1" >"$work/dom" 2>"$work/log"
  grep 'CONSOLE' "$work/log" >"$work/console"
  [ -s "$work/dom" ]
}
for name in scattered hostile; do
  if ! browse "$work/$name.html"; then
    fail "$name in Chromium" "$(tail -n 3 "$work/log")"
    continue
  fi
  expect "$name in Chromium: it is all there" has "$work/dom" 'CUDA lab kit'
  expect '  and nothing is wrong with it' test ! -s "$work/console"
  expect '  and nothing ran' has "$work/dom" '<title>lab1: '
  [ $xml = no ] || expect '  and nothing in the document could' test \
    "$(xmllint --html --huge --xpath "$nothing_runs" "$work/dom" 2>/dev/null)" = true
done
# A phone, 390 pixels wide: the page in a frame, where a script of ours (the copy has no policy)
# tells its width.
report='<script>parent.postMessage(document.documentElement.scrollWidth, "*")</script></body>'
sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' \
  -e "s|</body>|$report|" "$work/hostile.html" >"$work/framed.html"
echo '<title>none</title><script>onmessage = e => document.title = e.data</script>' \
  '<iframe src="framed.html" width="390" height="800" style="border: 0"></iframe>' \
  >"$work/phone.html"
browse "$work/phone.html"
width=$(sed -n 's|.*<title>\([0-9]*\)</title>.*|\1|p' "$work/dom")
expect "on a phone nothing is wider than the screen (${width:-unknown} of 390)" test \
  "${width:-9999}" -le 390
exit $failed
