# scores.gp: how the scores of a class are distributed.
#     gnuplot -c plots/class/scores.gp DATA OUTPUT FORMAT TITLE SOURCE MAX [NOTE]
# DATA, tab-separated, as grader/class/report/report_charts.c writes it: rows
# `bin FROM TO STUDENTS`, one `full FROM TO STUDENTS` for those with all MAX points, drawn beyond
# them, and one `median SCORE WORDS`.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
max = real(ARG6)
NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("scores.gp")]
set datafile separator "\t"
ABSCISSA = sprintf("score (of %g points)", max)
ORDINATE = "students"
load folder."class.gp"

most = 1; last = max; median = -1; said = ""
note(n, to) = (most = n > most ? n : most, last = to > last ? to : last, 1)
keep(value, words) = (median = value, said = words, 1)
stats DATA using (is("median") ? keep($2, strcol(3)) : note($4, $3)) nooutput
# The median's line leaves a gap for a number on top of a bar that it would cross.
under = 0
crosses(from, to, n) = abs(median - (from + to) / 2) / last * (plot_right - plot_left) < small_digits_wide(strlen(sprintf("%d", n))) / 2 + 3
stats DATA using (!is("median") && crosses($2, $3, $4) ? (under = $4, 1) : 1) nooutput
gap = under > 0 ? 17 * most * 1.22 / (plot_bottom - plot_top) : 0

set xrange [0:last]; set yrange [0:most * 1.22]
tens = int(max) % 10 == 0 && max >= 20 ? max / 10.0 : step(max)
set xtics 0,tens,max - 0.7 * tens out
set xtics add ("all" (max + last) / 2)
set ytics 0,step(most)
set grid ytics linetype 1 linecolor rgb FAINT
set style fill solid 1 border rgb PAPER
if (median >= 0) {
  set label 1 said at first median,(most * 1.16) front offset (median > max * 0.6 ? -0.5 : 0.5),0
  if (median > max * 0.6) { set label 1 right } else { set label 1 left }
}
plot DATA using (is("bin") ? ($2 + $3) / 2 : NaN):($4 / 2.0):(($3 - $2) / 2):($4 / 2.0) with boxxyerror fillcolor rgb SKY, \
     DATA using (is("full") ? ($2 + $3) / 2 : NaN):($4 / 2.0):(($3 - $2) / 2):($4 / 2.0) with boxxyerror fillcolor rgb GREEN, \
     DATA using (is("median") ? $2 : NaN):(0):(0):(under) with vectors nohead linecolor rgb BLACK linewidth 2 dashtype (6,4), \
     DATA using (is("median") ? $2 : NaN):(under + gap):(0):(most * 1.12 - under - gap) with vectors nohead linecolor rgb BLACK linewidth 2 dashtype (6,4), \
     DATA using (is("median") || $4 == 0 ? NaN : ($2 + $3) / 2):4:(sprintf("%d", $4)) with labels boxed font SMALL offset 0,0.6
