# slurm-scaling.gp: how long a class takes in Slurm, over its size, a line for each number of nodes. Simulated: see the source line.
#     gnuplot -c plots/class/slurm-scaling.gp DATA OUTPUT FORMAT TITLE SOURCE SENTENCE
# DATA, tab-separated, as tests/slurm/scaling.awk writes it: students, nodes, CPUs a node, minutes.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; NOTE = ARG6
folder = ARG0[1:strlen(ARG0) - strlen("class/slurm-scaling.gp")]
set datafile separator "\t"
width = 900; height = 480; columns = 80; rows = 24
load folder."style.gp"

set logscale xy
set xrange [20:1000]; set yrange [0.1:*]
set xtics (20, 30, 50, 100, 200, 300, 500, 1000)
set xlabel "submissions (both axes are logarithmic)"
set ylabel "minutes until the last result, simulated"
set format y "%g"
if (!is_text) { set grid linetype 1 linecolor rgb FAINT }
set key top left Left reverse samplen 3

of(nodes, cpus) = sprintf("%d of %d CPU%s", nodes, cpus, cpus > 1 ? "s" : "")
minutes(nodes, cpus) = column(2) == nodes && column(3) == cpus ? column(4) : NaN
if (is_text) {
  plot for [n in "8 4 2 1"] DATA using 1:(minutes(n + 0, 8)) every ::1 with linespoints title of(n + 0, 8)
} else {
  plot DATA using 1:(minutes(1, 1)) every ::1 with linespoints linewidth 2 linecolor rgb BLACK pointtype 4 title "1 CPU alone", \
       DATA using 1:(minutes(1, 8)) every ::1 with linespoints linewidth 2 linecolor rgb VERMILLION pointtype 7 title "1 node of 8 CPUs", \
       DATA using 1:(minutes(2, 8)) every ::1 with linespoints linewidth 2 linecolor rgb ORANGE pointtype 5 dashtype (12,4) title "2 nodes", \
       DATA using 1:(minutes(4, 8)) every ::1 with linespoints linewidth 2 linecolor rgb GREEN pointtype 9 dashtype (6,4) title "4 nodes", \
       DATA using 1:(minutes(8, 8)) every ::1 with linespoints linewidth 2 linecolor rgb BLUE pointtype 13 dashtype (3,3) title "8 nodes"
}
