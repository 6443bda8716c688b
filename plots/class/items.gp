# items.gp: how many of a class get the points of each item, the most often missed at the top.
#     gnuplot -c plots/class/items.gp DATA OUTPUT FORMAT TITLE SOURCE ROWS [NOTE]
# DATA, tab-separated, as grader/class/report/report_charts.c writes it: ROWS rows
# `item TITLE NONE PART UNJUDGED FULL WORDS`, shares of the class in percent; unjudged: the results
# that the points are about are not right yet.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
count = int(ARG6)
NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("items.gp")]
set datafile separator "\t"
UNJUDGED = "#C8C8C8"
MEANINGS = "VERMILLION no points|ORANGE some|UNJUDGED not judged|TOUCHED all points"
MEANINGS_AT = 318; MEANINGS_STEP = 112
# Titles may have two lines.
pitch = 24
stats DATA using (strstrt(strcol(2), "\n") > 0 ? (pitch = 38, 1) : 1) nooutput
ROOM = pitch * count + 80
load folder."class.gp"

set lmargin at screen px(318); set rmargin at screen px(650)
plot_top = head + 34; plot_bottom = height - foot - 46; row = (plot_bottom - plot_top) / (count + 0.2)
set tmargin at screen py(plot_top); set bmargin at screen py(plot_bottom)
set xrange [0:100]; set yrange [count - 0.4:-0.6]
set xtics 0,25,100 format "%g %%" out
unset ytics
set border 1
set grid xtics linetype 1 linecolor rgb FAINT
set style fill solid 1 border rgb PAPER
plot DATA using (($3) / 2):0:(0):3:($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb VERMILLION, \
     DATA using (0):0:3:($3 + $4):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb ORANGE, \
     DATA using (0):0:($3 + $4):($3 + $4 + $5):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb UNJUDGED, \
     DATA using (0):0:($3 + $4 + $5):(100):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb TOUCHED, \
     DATA using (0):($0 - raised(strcol(2)) / row):2 with labels right offset -1,0 textcolor rgb "#444444", \
     DATA using (100):0:7 with labels left offset 1,0 font SMALL
