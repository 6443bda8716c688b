# size_time.gp: time over the size of a problem, a line for each way to solve it.
#     gnuplot -c plots/size_time.gp DATA OUTPUT FORMAT TITLE SOURCE AXIS ROLES
# DATA, tab-separated: for each line a block (two empty lines between them), whose first row is its name for the key, with
# "modelled" or "measured"; the others are size, time in ns, standard deviation (0: none). AXIS: what the size is. ROLES:
# a word for each block, which sizes.gp explains.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; AXIS = ARG6; ROLES = ARG7
NOTE = ""; LOG = 1
folder = ARG0[1:strlen(ARG0) - strlen("size_time.gp")]
shown(ns) = ns / 1e6
said(ns) = ns < 999.5e3 ? sprintf("%.3g us", ns / 1e3) : ns < 999.5e6 ? sprintf("%.3g ms", ns / 1e6) : sprintf("%.3g s", ns / 1e9)
load folder."sizes.gp"

set ylabel is_text ? "ms" : "time (ms, logarithmic)"
if (is_text) {
  plot for [i = 0:blocks - 1] DATA index i using 1:(shown($2)) with points pointtype letter(i) title letter(i).": ".columnheader(1)
} else {
  plot for [i = 0:blocks - 1] DATA index i using 1:(shown($2)):(shown($3)) with yerrorbars linecolor rgb ink(i) pointtype 0 notitle, \
       for [i = 0:blocks - 1] DATA index i using 1:(shown($2)) with linespoints linecolor rgb ink(i) linewidth 2 dashtype dash(i) \
         pointtype mark(i) pointsize 1.1 title columnheader(1)
}
