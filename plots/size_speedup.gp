# size_speedup.gp: how many times faster some ways to solve a problem are than another, over its size.
#     gnuplot -c plots/size_speedup.gp DATA OUTPUT FORMAT TITLE SOURCE AXIS ROLES OVER
# Arguments and DATA as size_time.gp has them, but for the values: times as fast as OVER, the other's name.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; AXIS = ARG6; ROLES = ARG7; OVER = ARG8
NOTE = ""; LOG = 0
folder = ARG0[1:strlen(ARG0) - strlen("size_speedup.gp")]
shown(s) = s
said(s) = s < 9.995 ? sprintf("%.2f", s) : s < 99.95 ? sprintf("%.1f", s) : sprintf("%.0f", s)
load folder."sizes.gp"

set ylabel is_text ? "times" : "speedup over ".OVER." (times)"
if (is_text) {
  plot for [i = 0:blocks - 1] DATA index i using 1:2 with points pointtype letter(i) title letter(i).": ".columnheader(1)
} else {
  plot for [i = 0:blocks - 1] DATA index i using 1:2:3 with yerrorbars linecolor rgb ink(i) pointtype 0 notitle, \
       for [i = 0:blocks - 1] DATA index i using 1:2 with linespoints linecolor rgb ink(i) linewidth 2 dashtype dash(i) \
         pointtype mark(i) pointsize 1.1 title columnheader(1)
}
