# hazards.gp: which hazards how many of a class have.
#     gnuplot -c plots/class/hazards.gp DATA OUTPUT FORMAT TITLE SOURCE ROWS MOST [NOTE]
# DATA, tab-separated, as grader/class/report/report_charts.c writes it: ROWS rows
# `hazard TITLE STUDENTS WARNED WORDS`; WARNED: others, who have it as a warning only. MOST: the
# largest sum of both.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
count = int(ARG6); most = real(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("hazards.gp")]
set datafile separator "\t"
MEANINGS = "VERMILLION costs points|ORANGE a warning only"
MEANINGS_AT = 318; MEANINGS_STEP = 150
ROOM = 38 * count + 102 # titles may have two lines
ABSCISSA = "students"; CENTRE = 489
load folder."class.gp"

set lmargin at screen px(318); set rmargin at screen px(660)
plot_top = head + 34; down = count > 5 ? count : 5; row = (plot_bottom - plot_top) / (down + 0.2)
set tmargin at screen py(plot_top)
set xrange [0:most]; set yrange [down - 0.4:-0.6]
set xtics 0,step(most) out
unset ytics
set border 1
set grid xtics linetype 1 linecolor rgb FAINT
set style fill solid 1 border rgb PAPER
plot DATA using (0):0:(0):3:($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb VERMILLION, \
     DATA using (0):($0 - raised(strcol(2)) / row):2 with labels right offset -1,0 textcolor rgb "#444444", \
     DATA using (0):0:3:($3 + $4):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb ORANGE, \
     DATA using ($3 + $4):0:5 with labels left offset 0.6,0 font SMALL
