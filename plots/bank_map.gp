# bank_map.gp: how a block's warps load the banks of shared memory in one instruction: a row a warp, a column a bank.
#     gnuplot -c plots/bank_map.gp DATA OUTPUT FORMAT TITLE SOURCE SENTENCE
# A number says how many different words of that bank the warp needs: a bank gives one a wavefront, so the largest number
# of a row is how many wavefronts it takes (where a lane takes more than 4 bytes: at least that many).
# DATA, tab-separated, as grader/show/picture.c writes it, two blocks: number of the row, bank, words (more than 0);
# and number of the row, warp, wavefronts.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; NOTE = ARG6
folder = ARG0[1:strlen(ARG0) - strlen("bank_map.gp")]
set datafile separator "\t"
if (FORMAT eq "text") { NOTE = "" } # the caller says it

stats DATA index 1 using 1 nooutput
count = int(STATS_max) + 1
CELL = 23; HIGH = 19
width = 900; height = 20 + 62 + HIGH * count
columns = 80; rows = 5 + count
load folder."style.gp"

set xtics scale 0 0, is_text ? 4 : 1, 31
set ytics scale 0
set y2tics scale 0
set xlabel "bank (4 bytes wide)".(is_text ? "; a to w: 10 to 32 words; right: wavefronts" : "") offset 0, is_text ? 0 : 0.3
name(row, warp) = row == 0 ? "warp ".warp : (count <= 8 || int(row) % 4 == 0) ? warp : ""
if (is_text) {
  # Two columns a bank; 10 to 32 words are a to w.
  digit(n) = n > 32 ? "+" : substr("123456789abcdefghijklmnopqrstuvw", int(n), int(n))
  set lmargin at screen px(9); set rmargin at screen px(9 + 66)
  set tmargin at screen py(head); set bmargin at screen py(head + count + 1)
  set xrange [-1:32]
  set yrange [count:-1]; set y2range [count:-1]
  plot for [b = 0:31] DATA index 1 using (b):1:(".") with labels, \
       DATA index 0 using 2:1:(digit($3)) with labels, \
       DATA index 1 using (0):1:(""):ytic(name($1, strcol(2))):y2tic(3) with labels
} else {
  # From light to nearly black, so that grey tells the same; blue is as it should be, the rest are conflicts.
  shade(n) = n < 2 ? 0xC6E2F5 : n < 4 ? 0xF3C76B : n < 8 ? 0xE69F00 : n < 16 ? 0xD55E00 : n < 32 ? 0x9E3D00 : 0x5C2200
  ink(n) = n < 8 ? 0x000000 : 0xFFFFFF
  right = 90 + 32 * CELL
  set lmargin at screen px(90); set rmargin at screen px(right)
  set tmargin at screen py(head + 20); set bmargin at screen py(head + 20 + HIGH * count)
  set xrange [-0.5:31.5]
  set yrange [count - 0.5:-0.5]; set y2range [count - 0.5:-0.5]
  set label 1 "wavefronts" at screen px(right + 8),py(head + 8) center textcolor rgb "#333333"
  set for [i = 1:31] arrow from i - 0.5, graph 0 to i - 0.5, graph 1 nohead back linecolor rgb FAINT
  if (count > 1) {
    set for [i = 1:count - 1] arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back linecolor rgb FAINT
  }
  set style fill solid 1 border rgb FAINT
  plot DATA index 0 using 2:1:(0.5):(0.5):(shade($3)) with boxxyerror linecolor rgb variable, \
       DATA index 0 using 2:1:3:(ink($3)) with labels font SMALL textcolor rgb variable, \
       DATA index 1 using (0):1:(""):ytic(name($1, strcol(2))):y2tic(3) with labels
}
