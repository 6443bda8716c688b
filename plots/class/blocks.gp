# blocks.gp: which shapes of a block a class has chosen, and how fast they are.
#     gnuplot -c plots/class/blocks.gp DATA OUTPUT FORMAT TITLE SOURCE COLUMNS ROWS [NOTE]
# DATA, tab-separated, as grader/class/report/report_chart_times.c writes it: rows
# `shape X Y STUDENTS TIME COLUMN ROW`: threads in x and y, the students' median time in words (- if
# none of theirs can be compared), and the tile's place, from 0.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
across = int(ARG6); down = int(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("blocks.gp")]
set datafile separator "\t"
ABSCISSA = "threads of a block in x"
ORDINATE = "threads of a block in y"
ROOM = 42 * down + 78
load folder."class.gp"

# The axes' words come from the same rows as the tiles: what a tile stands for is what they say.
most = 1
array xs[across]; array ys[down]
keep(x, y, students, column, row) = (xs[column + 1] = x, ys[row + 1] = y, most = students > most ? students : most, 1)
stats DATA using (is("shape") ? keep($2, $3, $4, $6, $7) : 1) nooutput
set xtics scale 0 (); set ytics scale 0 ()
do for [i = 1:across] { set xtics add (sprintf("%d", xs[i]) i - 1) }
do for [i = 1:down] { set ytics add (sprintf("%d", ys[i]) i - 1) }
set xrange [-0.5:across - 0.5]; set yrange [-0.5:down - 0.5]
set palette defined (0 "#EAF4FB", 0.5 "#4C9BCB", 1 "#00304D")
set cbrange [0:1]
unset colorbox
# A tile grows with the number of students. The smallest holds its two lines, of 36 pixels, and a time such as "12.3 us", of 54.
wide = (plot_right - plot_left) / real(across); high = (plot_bottom - plot_top) / real(down)
least(pixels, room) = pixels / room > 0.96 ? 0.48 : pixels / room > 0.48 ? 0.5 * pixels / room : 0.24
grown(n, from) = from + (0.48 - from) * sqrt((n - 1.0) / (most > 1 ? most - 1.0 : 1))
shade(n) = 0.12 + 0.88 * n / most
ink(n) = shade(n) > 0.45 ? 0xFFFFFF : 0x000000
set style fill solid 1 border rgb PAPER
plot DATA using (is("shape") ? $6 : NaN):7:(grown($4, least(54, wide))):(grown($4, least(36, high))):(shade($4)) with boxxyerror linecolor palette, \
     DATA using (is("shape") ? $6 : NaN):($7 + 8 / high):(sprintf("%d", $4)):(ink($4)) with labels textcolor rgb variable, \
     DATA using (is("shape") ? $6 : NaN):($7 - 9 / high):5:(ink($4)) with labels font SMALL textcolor rgb variable
