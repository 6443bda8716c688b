# boxes.gp: a figure of every student, and the class's quartiles, for one to three cases.
#     gnuplot -c plots/class/boxes.gp DATA OUTPUT FORMAT TITLE SOURCE AXIS SCALE [NOTE]
# DATA, tab-separated, as grader/class/report/report_chart_times.c writes it, has these rows:
#     case PLACE NAME                          places 0, 1, 2; NAME - if there is but one
#     student PLACE VALUE
#     box PLACE LOW QUARTILE MEDIAN UPPER HIGH
#     mark PLACE VALUE WORDS                   the reference, the baseline
#     range LEAST MOST
# AXIS: what the figure is; SCALE: log, or the end of the axis.
# A box has half of the class in it; its line is the median; the whiskers end at the outermost
# within 1.5 boxes of it.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
logarithmic = ARG7 eq "log"
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("boxes.gp")]
set datafile separator "\t"
ABSCISSA = ARG6
count = 0
stats DATA using (strcol(1) eq "case" ? (count = count + 1, 1) : 1) nooutput
ROOM = 110 * (count + 0.12) + 78
load folder."class.gp"

students = 0; low = 0.0; high = 1.0
array baseline[3]; array reference[3]
do for [i = 1:3] { baseline[i] = NaN; reference[i] = NaN }
keep_range(from, to) = (low = from, high = to, 1)
keep_mark(place, value, words) = (words eq "baseline" ? (baseline[place + 1] = value) : (reference[place + 1] = value), 1)
stats DATA using (is("student") ? (students = students + 1, 1) : is("mark") ? keep_mark($2, $3, strcol(4)) : \
                  is("range") ? keep_range($2, $3) : 1) nooutput

plot_left = count > 1 ? 140 : 40
set lmargin at screen px(plot_left)
if (logarithmic) {
  # Two tics at least, and room beside the outermost marks for their words.
  ratio = high / low
  beyond = ratio < 3 ? sqrt(5 / ratio) : ratio < 6.5 ? 1.3 : ratio ** 0.14
  low = low / beyond; high = high * beyond
  set logscale x 10
  set xtics out
  eval "set xtics ".log_tics(low, high)
} else {
  low = 0; high = real(ARG7)
  set xtics out
}
set xrange [low:high]
at_x(value) = plot_left + (plot_right - plot_left) * (logarithmic ? log(value / low) / log(high / low) : value / high)
# Where two marks of a case are near each other their words stand on either side, else above.
near(place) = abs(at_x(baseline[place + 1]) - at_x(reference[place + 1])) < 84
before(place, words) = baseline[place + 1] == reference[place + 1] ? words eq "baseline" : \
                       (baseline[place + 1] < reference[place + 1]) == (words eq "baseline")
above(place) = logarithmic && near(place) ? NaN : place
beside(place, words, left) = logarithmic && near(place) && before(place, words) == left ? place : NaN
set border 1
row = (plot_bottom - plot_top) / (count + 0.12)
set yrange [count - 0.5:-0.62]
set ytics scale 0
unset ytics
set grid xtics linetype 1 linecolor rgb FAINT
set style fill solid 1 border rgb "#333333"
DOT = POINT * (students > 400 ? 0.35 : students > 150 ? 0.5 : students > 20 ? 0.65 : 1.0)
tall = 0.09
plot DATA using (is("student") ? $3 : NaN):($2 - 0.02 - 0.28 * scatter($0)) with points pointtype 7 pointsize DOT linecolor rgb SOFT_BLUE, \
     DATA using (is("box") ? $3 : NaN):($2 + 0.2):($4 - $3):(0) with vectors nohead linecolor rgb "#333333" linewidth 1.5, \
     DATA using (is("box") ? $6 : NaN):($2 + 0.2):($7 - $6):(0) with vectors nohead linecolor rgb "#333333" linewidth 1.5, \
     DATA using (is("box") ? $4 : NaN):($2 + 0.2):4:6:($2 + 0.2 - tall):($2 + 0.2 + tall) with boxxyerror fillcolor rgb TOUCHED, \
     DATA using (is("box") ? $5 : NaN):($2 + 0.2 - tall):(0):(2 * tall) with vectors nohead linecolor rgb BLUE linewidth 3, \
     DATA using (is("box") ? $5 : NaN):($2 + 0.2 + tall + 10.0 / row):(sprintf("median %.3g", $5)) with labels font SMALL, \
     DATA using (is("mark") ? $3 : NaN):($2 + 0.3):(0):(-0.7) with vectors nohead linecolor rgb VERMILLION linewidth 2 dashtype (6,4), \
     DATA using (is("mark") ? $3 : NaN):(above($2) - 0.46):4 with labels textcolor rgb "#A04000", \
     DATA using (is("mark") ? $3 : NaN):(is("mark") ? beside($2, strcol(4), 1) - 0.46 : NaN):4 with labels right offset -0.4,0 textcolor rgb "#A04000", \
     DATA using (is("mark") ? $3 : NaN):(is("mark") ? beside($2, strcol(4), 0) - 0.46 : NaN):4 with labels left offset 0.4,0 textcolor rgb "#A04000", \
     DATA using (is("case") && strcol(3) ne "-" ? low : NaN):($2 + 0.05 - (is("case") ? raised(strcol(3)) : 0) / row):3 with labels right offset -1,0
