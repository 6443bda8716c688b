# link.gp: bytes a ns over the link between host and device, over the size: lines are modelled, marks measured.
#     gnuplot -c plots/link.gp DATA OUTPUT FORMAT TITLE SOURCE SENTENCE
# DATA, tab-separated, made by plots/draw of two tables of tests/timeline/link.cu: memory (pageable, pinned, write-combined,
# mapped), direction (in, out, both), bytes, modelled ns, measured ns.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; NOTE = ARGC > 5 ? ARG6 : ""
folder = ARG0[1:strlen(ARG0) - strlen("link.gp")]
set datafile separator "\t"
set datafile missing NaN # one curve's rows are others' gaps
if (FORMAT eq "text") { NOTE = "" } # the caller says it

PANEL = 240; GAP = 60; HIGH = 12
width = 900; height = 2 * PANEL + GAP + 60
columns = 80; rows = 2 * HIGH + 6
load folder."style.gp"

array MEMORY[4] = ["pageable", "pinned", "write-combined", "mapped"]
array COLOUR[4] = [VERMILLION, BLUE, GREEN, ORANGE]
array MARK[4] = [7, 5, 4, 9]
array SIGN[4] = ["p", "P", "w", "m"]

rate(memory, direction, m, d, bytes, ns) = m eq memory && d eq direction ? (direction eq "both" ? 2 : 1) * bytes / ns : NaN

set logscale x 2
set xrange [512:134217728]
set xtics ("1 KiB" 2**10, "16 KiB" 2**14, "256 KiB" 2**18, "4 MiB" 2**22, "64 MiB" 2**26)
upper = is_text ? py(head + 1) : py(head + 14)
between = is_text ? py(head + HIGH) : py(head + 14 + PANEL)
below = is_text ? py(head + HIGH + 3) : py(head + 14 + PANEL + GAP)
lower = is_text ? py(head + 2 * HIGH + 2) : py(head + 14 + 2 * PANEL + GAP)
set yrange [0:105]
if (!is_text) { set rmargin at screen px(690) }

set multiplot
set tmargin at screen upper; set bmargin at screen between
if (is_text) {
  set label 1 "to the device, GB/s: p pageable, P pinned, w write-combined, m mapped, B both" at screen px(1),py(head) left
  plot for [i = 1:4] DATA using 3:(rate(MEMORY[i], "in", strcol(1), strcol(2), $3, $4)):(SIGN[i]) with labels, \
       DATA using 3:(rate("pinned", "both", strcol(1), strcol(2), $3, $4)):("B") with labels
} else {
  set grid ytics linetype 1 linecolor rgb FAINT
  set ylabel "to the device (GB/s)"
  set key at screen px(704),py(head + 14) left Left reverse top samplen 2 spacing 1.3
  plot for [i = 1:4] DATA using 3:(rate(MEMORY[i], "in", strcol(1), strcol(2), $3, $4)) with lines linecolor rgb COLOUR[i] linewidth 2 title MEMORY[i], \
       DATA using 3:(rate("pinned", "both", strcol(1), strcol(2), $3, $4)) with lines linecolor rgb PURPLE linewidth 2 title "pinned, both", \
       for [i = 1:4] DATA using 3:(rate(MEMORY[i], "in", strcol(1), strcol(2), $3, $5)) with points pointtype MARK[i] pointsize 0.8 linecolor rgb COLOUR[i] notitle, \
       DATA using 3:(rate("pinned", "both", strcol(1), strcol(2), $3, $5)) with points pointtype 13 pointsize 1 linecolor rgb PURPLE notitle, \
       NaN with lines linecolor rgb GREY linewidth 2 title "line: modelled", \
       NaN with points pointtype 7 pointsize 0.8 linecolor rgb GREY title "mark: measured"
}
# What stands around both panels is drawn once.
unset label
unset key
set tmargin at screen below; set bmargin at screen lower
if (is_text) {
  set label 1 "to the host, GB/s" at screen px(1),py(head + HIGH + 2) left
  plot for [i = 1:4] DATA using 3:(rate(MEMORY[i], "out", strcol(1), strcol(2), $3, $4)):(SIGN[i]) with labels
} else {
  set xlabel "size of one copy"
  set ylabel "to the host (GB/s)"
  plot for [i = 1:4] DATA using 3:(rate(MEMORY[i], "out", strcol(1), strcol(2), $3, $4)) with lines linecolor rgb COLOUR[i] linewidth 2, \
       for [i = 1:4] DATA using 3:(rate(MEMORY[i], "out", strcol(1), strcol(2), $3, $5)) with points pointtype MARK[i] pointsize 0.8 linecolor rgb COLOUR[i]
}
unset multiplot
