# blocks.gp: which shapes of a block a class has chosen, and how fast they are.
#     gnuplot -c plots/class/blocks.gp DATA OUTPUT FORMAT TITLE SOURCE COLUMNS ROWS [NOTE]
# DATA, tab-separated, as grader/class/report_tables.c writes it: rows `shape COLUMN ROW STUDENTS US` (places from 0; the students'
# median time, or - if none of theirs can be compared), and the places' names, `x COLUMN THREADS` and `y ROW THREADS`.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
across = int(ARG6); down = int(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("blocks.gp")]
set datafile separator "\t"
ABSCISSA = "threads of a block in x"
load folder."class.gp"

most = 1
stats DATA using (is("shape") && $4 > most ? (most = $4, 1) : 1) nooutput
set xrange [-0.5:across - 0.5]; set yrange [-0.5:down - 0.5]
set ylabel "threads of a block in y"
set xtics scale 0 (); set ytics scale 0 ()
set palette defined (0 "#EAF4FB", 0.5 "#4C9BCB", 1 "#00304D")
set cbrange [0:1]
unset colorbox
# The area of a tile, not its side, grows with the number of students; the smallest holds its numbers, which takes more of a low row.
least = down > 4 ? 0.38 : 0.24
side(n) = least + (0.48 - least) * sqrt((n - 1.0) / (most > 1 ? most - 1.0 : 1))
shade(n) = 0.12 + 0.88 * n / most
ink(n) = shade(n) > 0.45 ? 0xFFFFFF : 0x000000
set style fill solid 1 border rgb PAPER
crowded = across > 9 || down > 7
plot DATA using 2:(is("x") ? -0.5 : NaN):xtic(3) with points pointtype 0 linecolor rgb PAPER, \
     DATA using (is("y") ? -0.5 : NaN):2:ytic(3) with points pointtype 0 linecolor rgb PAPER, \
     DATA using (is("shape") ? $2 : NaN):3:(side($4)):(side($4)):(shade($4)) with boxxyerror linecolor palette, \
     DATA using (is("shape") ? $2 : NaN):($3 + (crowded ? 0 : 0.16)):(sprintf("%d", $4)):(ink($4)) with labels textcolor rgb variable, \
     DATA using (is("shape") && !crowded ? $2 : NaN):($3 - 0.18):5:(ink($4)) with labels font SMALL textcolor rgb variable
