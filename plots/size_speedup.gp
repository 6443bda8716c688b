# size_speedup.gp: how many times faster the GPU multiplies matrices than one thread of a CPU, over their size.
#     gnuplot -c plots/size_speedup.gp DATA OUTPUT FORMAT TITLE SOURCE CPU_DATA KIND
# Arguments and files as size_time.gp has them; the sizes of both files must be the same.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; CPU = ARG6; KIND = ARG7
NOTE = ""
folder = ARG0[1:strlen(ARG0) - strlen("size_speedup.gp")]
set datafile separator "\t"
width = 900; height = 480; columns = 80; rows = 26
load folder."style.gp"

# The CPU's table as a string of sizes, times and deviations, to look them up in.
table = ""
stats CPU using (table = table.sprintf("%d %.0f %.0f ", $1, $2, $3), $1) nooutput
column_of(size, c) = sum [i = 0:words(table) / 3 - 1] (int(word(table, 3 * i + 1)) == size ? real(word(table, 3 * i + 1 + c)) : 0)
cpu(size) = column_of(size, 1)
speedup(size, t) = cpu(size) > 0 ? cpu(size) / t : NaN
# Of a ratio: relative deviations add up as squares.
spread(size, t, d) = speedup(size, t) * sqrt((column_of(size, 2) / cpu(size)) ** 2 + (d / t) ** 2)
more(a, b) = a > b ? a : b
less(a, b) = a > b ? b : a
said(s) = s < 9.95 ? sprintf("%.1f", s) : sprintf("%.0f", s)

# Too near to the axis, and to the other point, for a number of its own.
low(s) = s < 0.04 * highest ? "" : said(s)

highest = 0
top(s) = (highest = s > highest ? s : highest)
stats DATA using (top(speedup($1, $2)), top(speedup($1, $4))) nooutput
set xlabel "size of the matrices (n x n)"
set ylabel "speedup over the CPU (times)"
set xrange [0:2150]
set yrange [0:highest * 1.15]
set format y "%g"
set xtics 0,500 add (100, 700)
set grid ytics linetype 1 linecolor rgb FAINT
set key top left Left reverse
if (is_text) {
  set ylabel "times"
  plot DATA using 1:(speedup($1, $2)) with points pointtype "G" title "G: GPU, global memory (".KIND.") over CPU (measured)", \
       DATA using 1:(speedup($1, $4)) with points pointtype "T" title "T: GPU, shared tiles (".KIND.") over CPU (measured)"
} else {
  plot DATA using 1:(speedup($1, $4)):(spread($1, $4, $5)) with yerrorbars linecolor rgb BLUE pointtype 0 notitle, \
       DATA using 1:(speedup($1, $2)):(spread($1, $2, $3)) with yerrorbars linecolor rgb VERMILLION pointtype 0 notitle, \
       DATA using 1:(speedup($1, $4)) with linespoints linecolor rgb BLUE linewidth 2 dashtype (3,3) pointtype 9 pointsize 1.3 \
         title "GPU, shared tiles (".KIND.") over CPU, one thread (measured)", \
       DATA using 1:(speedup($1, $2)) with linespoints linecolor rgb VERMILLION linewidth 2 dashtype (12,5) pointtype 7 \
         title "GPU, global memory (".KIND.") over CPU, one thread (measured)", \
       DATA using 1:(speedup($1, less($2, $4))):(said(speedup($1, less($2, $4)))) with labels right offset -1,0.6 font SMALL notitle, \
       DATA using 1:(speedup($1, more($2, $4))):(low(speedup($1, more($2, $4)))) with labels left offset 1,-0.6 font SMALL notitle
}
