# leaders.gp: the best of a class.
#     gnuplot -c plots/class/leaders.gp DATA OUTPUT FORMAT TITLE SOURCE ROWS MAX [NOTE]
# DATA, tab-separated, as grader/class/report_tables.c writes it: ROWS rows `leader RANK NAME SCORE WORDS`, the best first.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
count = int(ARG6); max = real(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("leaders.gp")]
set datafile separator "\t"
load folder."class.gp"

set lmargin at screen px(270); set rmargin at screen px(540)
set tmargin at screen py(head + 6); set bmargin at screen py(height - foot - 8)
set xrange [0:max]; set yrange [(count > 6 ? count : 6) - 0.4:-0.6]
unset xtics; unset ytics
unset border
set style fill solid 1 border rgb PAPER
plot DATA using (0):0:(0):4:($0 - 0.38):($0 + 0.38) with boxxyerror fillcolor rgb SKY, \
     DATA using (0):0:2 with labels right offset -24,0 textcolor rgb GREY, \
     DATA using (0):0:3 with labels right offset -1,0, \
     DATA using 4:0:(sprintf("%g", $4)) with labels right offset -0.6,0, \
     DATA using (max):0:5 with labels left offset 1.2,0 font SMALL textcolor rgb "#333333"
