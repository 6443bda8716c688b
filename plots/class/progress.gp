# progress.gp: scores over attempts, a line for every student, and the class's median.
#     gnuplot -c plots/class/progress.gp DATA OUTPUT FORMAT TITLE SOURCE ATTEMPTS MAX [NOTE]
# DATA, tab-separated, as grader/class/report/report_charts.c writes it: `student NUMBER SCORE`, a
# blank line between students; then, after two blank lines, `median NUMBER SCORE`.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
attempts = int(ARG6); max = real(ARG7)
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("progress.gp")]
set datafile separator "\t"
ABSCISSA = "attempt"
ORDINATE = sprintf("score (of %g points)", max)
load folder."class.gp"

stats DATA index 0 using 2 nooutput
faint = STATS_records > 600 ? 0xE80072B2 : STATS_records > 150 ? 0xC00072B2 : 0x900072B2
set xrange [0.7:attempts + 0.6]; set yrange [-max * 0.03:max * 1.18]
set xtics 1,(attempts > 40 ? 10 : attempts > 15 ? 5 : 1)
set ytics 0,max / 5.0,max
set grid ytics linetype 1 linecolor rgb FAINT
# The median's numbers, as far as they have room; the last one has.
pitch = (plot_right - plot_left) / (attempts - 0.1)
apart = ceil((digits_wide(4) + 8) / pitch)
said(n) = (attempts - n) % apart == 0
plot DATA index 0 using 2:3 with linespoints pointtype 7 pointsize 0.4 * POINT linewidth 1 linecolor rgb faint, \
     DATA index 1 using 2:3 with linespoints pointtype 7 pointsize 0.9 * POINT linewidth 4 linecolor rgb VERMILLION, \
     DATA index 1 using (said(int($2)) ? $2 : NaN):3:(sprintf("%g", $3)) with labels boxed offset 0,1.2 textcolor rgb "#A04000"
