# sweep.gp: time of a kernel over block shapes.
#     gnuplot -c plots/sweep.gp DATA OUTPUT FORMAT TITLE SOURCE [BLOCK_X BLOCK_Y [SENTENCE]]
# DATA, tab-separated, as grader/show/sweep_table.c writes it: block_x, block_y (powers of two), sectors per load request, per
# store request, time in ns. Shapes that are not there (illegal ones) stay blank. BLOCK_X x BLOCK_Y is the file's own
# choice (0 0: none).
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
mine_x = ARGC > 5 ? real(ARG6) : 0; mine_y = ARGC > 6 ? real(ARG7) : 0
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("sweep.gp")]
set datafile separator "\t"
if (FORMAT eq "text") { NOTE = "" } # the caller says it

# The fastest shape, the largest and the smallest time.
best = 0; slowest = 0; best_x = 0; best_y = 0; most_x = 1; most_y = 1
note(x, y, t) = (most_x = x > most_x ? x : most_x, most_y = y > most_y ? y : most_y, slowest = t > slowest ? t : slowest, \
                 best == 0 || t < best ? (best_x = x, best_y = y, best = t) : 0, t)
stats DATA using (note($1, $2, $5)) nooutput
side(v) = int(log(v) / log(2) + 0.5)
across = side(most_x) + 1; down = side(most_y) + 1

CELL = 70; HIGH = 38
width = 900; height = 76 + HIGH * down
columns = 80; rows = 6 + down
load folder."style.gp"

us(t) = t < 9995 ? sprintf("%.2f", t / 1000) : t < 99950 ? sprintf("%.1f", t / 1000) : sprintf("%.0f", t / 1000)
is_mine(x, y) = x == mine_x && y == mine_y
is_best(x, y) = x == best_x && y == best_y
set xtics scale 0; set ytics scale 0
set for [i = 0:across - 1] xtics add (sprintf("%d", 2 ** i) i)
set for [i = 0:down - 1] ytics add (sprintf("%d", 2 ** i) i)
if (is_text) {
  mark(x, y) = (is_mine(x, y) ? "*" : "").(is_best(x, y) ? "!" : "")
  set lmargin at screen px(10); set rmargin at screen px(10 + 6 * across)
  set tmargin at screen py(head); set bmargin at screen py(head + down + 1)
  set xrange [-0.5:across - 0.5]
  set yrange [-1:down]
  set label 1 "BLOCK_Y" at screen px(0),py(head) left
  set label 2 "BLOCK_X; time in us; ".(mine_x > 0 ? "*: the file's choice; " : "")."!: the fastest" at screen px(10),py(rows - 2) left
  plot DATA using (side($1)):(side($2)):(us($5).mark($1, $2)) with labels
} else {
  set lmargin at screen px(90); set rmargin at screen px(90 + CELL * across)
  set tmargin at screen py(head); set bmargin at screen py(head + HIGH * down)
  set xrange [-0.5:across - 0.5]
  set yrange [-0.5:down - 0.5]
  set xlabel "BLOCK_X (threads)" offset 0,0.3
  set ylabel "BLOCK_Y (threads)"
  # Light is fast, dark is slow, on a logarithmic scale.
  where(t) = slowest > best ? log(t / best) / log(slowest / best) : 0
  set palette defined (0 "#EAF4FB", 0.5 "#4C9BCB", 1 "#00304D")
  set cbrange [0:1]
  unset colorbox
  ink(t) = where(t) > 0.45 ? 0xFFFFFF : 0x000000
  word_of(x, y) = is_mine(x, y) && is_best(x, y) ? "both" : is_mine(x, y) ? "chosen" : is_best(x, y) ? "best" : ""
  set style fill solid 1 border rgb PAPER
  set label 1 "time in microseconds; light: fast, dark: slow (logarithmic)".\
              (mine_x > 0 ? "; solid frame: the file's choice" : "")."; dashed frame: best" \
    at screen px(90),py(height - 36) left textcolor rgb "#333333"
  if (mine_x > 0) {
    set object 1 rectangle center side(mine_x),side(mine_y) size 0.96,0.94 front fillstyle empty border rgb VERMILLION linewidth 3
  }
  set object 2 rectangle center side(best_x),side(best_y) size 0.88,0.84 front fillstyle empty border rgb BLACK linewidth 2 dashtype (6,4)
  plot DATA using (side($1)):(side($2)):(0.5):(0.5):(where($5)) with boxxyerror linecolor palette, \
       DATA using (side($1)):(side($2) + (word_of($1, $2) eq "" ? 0 : 0.14)):(us($5)):(ink($5)) with labels textcolor rgb variable, \
       DATA using (side($1)):(side($2) - 0.22):(word_of($1, $2)):(ink($5)) with labels font TINY textcolor rgb variable
}
