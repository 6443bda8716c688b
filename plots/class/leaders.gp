# leaders.gp: the best of a class.
#     gnuplot -c plots/class/leaders.gp DATA OUTPUT FORMAT TITLE SOURCE ROWS MAX [NOTE]
# DATA, tab-separated, as grader/class/report/report_charts.c writes it: ROWS rows
# `leader RANK NAME SCORE WORDS`, the best first.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
count = int(ARG6); max = real(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("leaders.gp")]
set datafile separator "\t"
load folder."class.gp"

# x is in pixels: ranks and names stand before the bars, times behind them.
bar_left = 316; bar_right = 550
set lmargin at screen px(0); set rmargin at screen px(width)
set tmargin at screen py(head + 6); set bmargin at screen py(height - foot - 8)
set xrange [0:width]; set yrange [(count > 6 ? count : 6) - 0.4:-0.6]
unset xtics; unset ytics
unset border
set style fill solid 1 border rgb PAPER
end(score) = bar_left + (bar_right - bar_left) * score / max
plot DATA using (bar_left):0:(bar_left):(end($4)):($0 - 0.38):($0 + 0.38) with boxxyerror fillcolor rgb SKY, \
     DATA using (50):0:2 with labels right textcolor rgb GREY, \
     DATA using (bar_left - 10):0:3 with labels right, \
     DATA using (end($4) + 6):0:(sprintf("%g", $4)) with labels left, \
     DATA using (bar_right + 50):0:5 with labels left font SMALL textcolor rgb "#333333"
