# items.gp: how many of a class get the points of each item, the most often missed at the top.
#     gnuplot -c plots/class/items.gp DATA OUTPUT FORMAT TITLE SOURCE ROWS [NOTE]
# DATA, tab-separated, as grader/class/report_tables.c writes it: ROWS rows `item TITLE NONE PART UNJUDGED FULL WORDS`, shares of the
# class in percent; unjudged: the results that the points are about are not right yet.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
count = int(ARG6)
NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("items.gp")]
set datafile separator "\t"
UNJUDGED = "#C8C8C8"
MEANINGS = "VERMILLION no points|ORANGE some|UNJUDGED not judged|TOUCHED all points"
MEANINGS_AT = 318; MEANINGS_STEP = 116
LONG = 26 * (count > 12 ? count - 12 : 0)
load folder."class.gp"

set lmargin at screen px(318); set rmargin at screen px(676)
set tmargin at screen py(head + 34); set bmargin at screen py(height - foot - 46)
set xrange [0:100]; set yrange [count - 0.4:-0.6]
set xtics 0,25,100 format "%g %%" out
set ytics scale 0
set border 1
set grid xtics linetype 1 linecolor rgb FAINT
set style fill solid 1 border rgb PAPER
plot DATA using (($3) / 2):0:(0):3:($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb VERMILLION, \
     DATA using (0):0:3:($3 + $4):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb ORANGE, \
     DATA using (0):0:($3 + $4):($3 + $4 + $5):($0 - 0.36):($0 + 0.36) with boxxyerror fillcolor rgb UNJUDGED, \
     DATA using (0):0:($3 + $4 + $5):(100):($0 - 0.36):($0 + 0.36):ytic(2) with boxxyerror fillcolor rgb TOUCHED, \
     DATA using (100):0:7 with labels left offset 1,0 font SMALL
