# timeline.gp: what was under way when: the host, the engines of the device, the streams.
#     gnuplot -c plots/timeline.gp DATA OUTPUT FORMAT TITLE SOURCE UNIT [SENTENCE]
# DATA, tab-separated, as grader/show/timeline_picture.c writes it, three blocks, times in UNIT from the first piece of work on:
#     rows     where its middle is, from 0 at the top on, name (or none). The first four are alike, and begin at -0.5; all below are 1 high
#     spans    where its row is, kind (0 kernel, 1 copy to the device, 2 copy to the host, 3 copy or fill on the device, 4 function of the host,
#              5 call, 6 the host waits), begin, end, since when it was ready, its name or -
#     waits    row and time of an event, row and time of the work that waited for it
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; UNIT = ARG6; NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("timeline.gp")]
set datafile separator "\t"
if (FORMAT eq "text") { NOTE = "" } # the caller says it

stats DATA index 0 using 1 nooutput
count = int(STATS_max) + 1
high = int(2 * STATS_min + 1.5) # of the four first rows
stats DATA index 1 using ($3 - $5) nooutput
waited = STATS_max
stats DATA index 1 using 4 nooutput
last = STATS_max
ROW = high > 1 ? 7 : count > 24 ? 16 : 22
KINDS = 7
width = 900; height = ROW * count + 92
columns = 80; rows = count + 4
half(y, part) = (y < 4 * high - 0.5 ? high : 1) * part
load folder."style.gp"

array COLOUR[KINDS] = [0x009E73, 0x0072B2, 0xE69F00, 0x56B4E9, 0xCC79A7, 0x777777, 0xDDDDDD]
array KIND[KINDS] = ["kernel", "copy to the device", "copy to the host", "on the device", "host function", "call", "host waits"]
array MARK[KINDS] = ["K", ">", "<", "=", "f", "c", "w"]
array SEEN[KINDS]
do for [i = 1:KINDS] { SEEN[i] = 0 }
see(k) = (SEEN[int(k) + 1] = 1, k)
stats DATA index 1 using (see($2)) nooutput

set xrange [0:last]
set yrange [count - 0.5:-0.5]
set xlabel UNIT offset 0, is_text ? 0 : 0.4
set xtics out
set ytics scale 0 ("" 0)

if (is_text) {
  set lmargin at screen px(16); set rmargin at screen px(77)
  plot DATA index 1 using 3:1:(MARK[int($2) + 1]) with labels left, \
       DATA index 0 using (0):1:ytic(2) with points pointtype " "
} else {
  set lmargin at screen px(130); set rmargin at screen px(880)
  set tmargin at screen py(head); set bmargin at screen py(head + ROW * count)
  # A line above each row; above those of streams that are low, above each that has a name (every eighth).
  do for [i = 1:count - 1] {
    if (i < 4 * high ? i % high == 0 : (high == 1 || (i - 4 * high) % 8 == 7 || i == 4 * high)) {
      set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back linecolor rgb FAINT
    }
  }
  x = 130
  line = head + ROW * count + 70
  do for [i = 1:KINDS] {
    if (SEEN[i]) {
      set object 200 + i rectangle from screen px(x),py(line + 6) to screen px(x + 16),py(line - 6) \
        fillcolor rgb COLOUR[i] fillstyle solid noborder
      set label 200 + i KIND[i] at screen px(x + 22),py(line) left font SMALL
      x = x + 40 + 6.4 * strlen(KIND[i])
    }
  }
  if (waited > last / 1000.0) {
    set object 210 rectangle from screen px(x),py(line + 1) to screen px(x + 16),py(line - 1) fillcolor rgb VERMILLION fillstyle solid noborder
    set label 210 "ready, but engine or SMs busy" at screen px(x + 22),py(line) left font SMALL
  }
  set style fill solid 1 noborder
  wide(from, to) = (to - from) / last * 750
  # A name that does not fit is cut, if enough of it would be left.
  fitting(s, from, to) = s eq "-" ? "" : 6.2 * strlen(s) + 4 < wide(from, to) ? s : \
    wide(from, to) > 80 ? s[1:int((wide(from, to) - 16) / 6.2)]."..." : ""
  ink(kind) = kind == 6 || kind == 2 || kind == 3 ? 0x000000 : 0xFFFFFF
  # At least a pixel wide, with a pixel of paper behind where there is room.
  right(from, to) = wide(from, to) > 3 ? to - last / 750.0 : from + last / 750.0 > to ? from + last / 750.0 : to
  set style arrow 1 head filled size screen 0.006,20 linecolor rgb BLACK linewidth 1
  plot DATA index 0 using (0):1:ytic(2) with points pointtype 0 linecolor rgb PAPER, \
       DATA index 1 using 5:1:5:3:($1 - (high > 1 ? 0.15 : 0.06)):($1 + (high > 1 ? 0.15 : 0.06)) with boxxyerror linecolor rgb VERMILLION, \
       DATA index 1 using 3:1:3:(right($3, $4)):($1 - half($1, 0.36)):($1 + half($1, 0.36)):(COLOUR[int($2) + 1]) with boxxyerror linecolor rgb variable, \
       DATA index 1 using (($3 + $4) / 2):1:(high == 1 || $1 < 4 * high ? fitting(strcol(6), $3, $4) : ""):(ink($2)) with labels font SMALL textcolor rgb variable, \
       DATA index 2 using 2:1:($4 - $2):($3 - $1) with vectors arrowstyle 1
}
