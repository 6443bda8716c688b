# size_time.gp: time of the matrix product over its size: on a CPU, and on a GPU from global memory and from shared tiles.
#     gnuplot -c plots/size_time.gp DATA OUTPUT FORMAT TITLE SOURCE CPU_DATA KIND
# DATA, tab-separated: size, time from global memory and its deviation, time from tiles and its deviation, in ns.
# CPU_DATA: size, time, deviation in ns, measured. KIND says what the GPU's times are: modelled or measured.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; CPU = ARG6; KIND = ARG7
NOTE = ""
folder = ARG0[1:strlen(ARG0) - strlen("size_time.gp")]
set datafile separator "\t"
width = 900; height = 480; columns = 80; rows = 26
load folder."style.gp"

set logscale y
set xlabel "size of the matrices (n x n)"
set ylabel "time (ms, logarithmic)"
set xrange [0:2150]
set yrange [0.001:100000]
set format y "%g"
set xtics 0,500 add (100, 700)
set grid ytics linetype 1 linecolor rgb FAINT
set key top left Left reverse
more(a, b) = a > b ? a : b
less(a, b) = a > b ? b : a
ms(ns) = ns / 1e6
said(ns) = ns < 1e6 ? sprintf("%.3g us", ns / 1e3) : ns < 1e9 ? sprintf("%.3g ms", ns / 1e6) : sprintf("%.3g s", ns / 1e9)
if (is_text) {
  set ylabel "ms"
  plot CPU using 1:(ms($2)) with points pointtype "C" title "C: CPU, one thread (measured)", \
       DATA using 1:(ms($2)) with points pointtype "G" title "G: GPU, global memory (".KIND.")", \
       DATA using 1:(ms($4)) with points pointtype "T" title "T: GPU, shared tiles (".KIND.")"
} else {
  plot CPU using 1:(ms($2)):(ms($3)) with yerrorbars linecolor rgb BLACK pointtype 0 notitle, \
       DATA using 1:(ms($2)):(ms($3)) with yerrorbars linecolor rgb VERMILLION pointtype 0 notitle, \
       DATA using 1:(ms($4)):(ms($5)) with yerrorbars linecolor rgb BLUE pointtype 0 notitle, \
       CPU using 1:(ms($2)) with linespoints linecolor rgb BLACK linewidth 2 pointtype 5 title "CPU, one thread (measured)", \
       DATA using 1:(ms($2)) with linespoints linecolor rgb VERMILLION linewidth 2 dashtype (12,5) pointtype 7 \
         title "GPU, global memory (".KIND.")", \
       DATA using 1:(ms($4)) with linespoints linecolor rgb BLUE linewidth 2 dashtype (3,3) pointtype 9 pointsize 1.3 \
         title "GPU, shared tiles (".KIND.")", \
       CPU using 1:(ms($2)):(said($2)) with labels offset 0,1 font SMALL notitle, \
       DATA using 1:(ms(more($2, $4))):(said(more($2, $4))) with labels offset 0,1 font SMALL notitle, \
       DATA using 1:(ms(less($2, $4))):(said(less($2, $4))) with labels offset 0,-1 font SMALL notitle
}
