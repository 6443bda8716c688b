# model.gp: modelled against measured time, a mark a launch.
#     gnuplot -c plots/model.gp DATA OUTPUT FORMAT TITLE SOURCE SENTENCE
# DATA, tab-separated, as build/model --tsv writes it: family, kernel, arg, measured ns, modelled ns, bound. The line between the
# dashed ones is where both are the same.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; NOTE = ARG6
folder = ARG0[1:strlen(ARG0) - strlen("model.gp")]
set datafile separator "\t"
SIZE = 620
width = 900; height = SIZE + 58; columns = 80; rows = 40
load folder."style.gp"

# The families in their order, the shortest and the longest time.
families = ""; least = 1e99; most = 0
note(family, a, b) = (families = strstrt(" ".families, " ".family." ") ? families : families.family." ", \
                      least = a < least ? a : least, least = b < least ? b : least, most = a > most ? a : most, most = b > most ? b : most, a)
stats DATA using (note(strcol(1), $4, $5)) every ::1 nooutput
us(ns) = ns / 1000
of(i) = word(families, i)
its(i, family, ns) = family eq of(i) ? us(ns) : NaN

set logscale xy
low = us(least) / 1.3; high = us(most) * 1.3
set xrange [low:high]; set yrange [low:high]
set format "%g"
set xlabel "measured (us; both axes are logarithmic)"
set ylabel "modelled (us)"
if (is_text) {
  set rmargin at screen px(76)
  set key at screen px(99),py(head + 1) right Right
  plot for [i = 1:words(families)] DATA using (its(i, strcol(1), $4)):(us($5)) every ::1 with points pointtype of(i)[1:1] title of(i), \
       x with lines notitle
} else {
  set lmargin at screen px(80); set rmargin at screen px(80 + SIZE)
  set grid linetype 1 linecolor rgb FAINT
  set key at screen px(80 + SIZE + 16),py(head + 6) left Left reverse top vertical maxrows 24 samplen 1 spacing 1.25 width -2
  # 13 marks and 7 colours in turn: both differ from one family to the next, and no family has another one's pair.
  array mark[13] = [7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2, 3]
  array colour[7] = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK]
  from = low * 1.15
  set label 1 "25% more" at from * 1.08,from * 1.25 * 1.45 rotate by 45 left font SMALL textcolor rgb GREY
  set label 2 "25% less" at from * 1.9,from * 1.9 * 0.75 / 1.32 rotate by 45 left font SMALL textcolor rgb GREY
  plot 1.25 * x with lines linecolor rgb GREY linewidth 1 dashtype (6,5) notitle, \
       0.75 * x with lines linecolor rgb GREY linewidth 1 dashtype (6,5) notitle, \
       x with lines linecolor rgb GREY linewidth 1.5 notitle, \
       for [i = 1:words(families)] DATA using (its(i, strcol(1), $4)):(us($5)) every ::1 with points pointtype mark[(i - 1) % 13 + 1] \
         pointsize 1.5 linewidth 1.5 linecolor rgb colour[(i - 1) % 7 + 1] title of(i)
}
