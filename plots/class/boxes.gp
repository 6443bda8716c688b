# boxes.gp: a figure of every student, and the class's quartiles, for one to three cases.
#     gnuplot -c plots/class/boxes.gp DATA OUTPUT FORMAT TITLE SOURCE AXIS SCALE [NOTE]
# DATA, tab-separated, as grader/class/report_tables.c writes it: rows `case PLACE NAME` (places 0, 1, 2; NAME - if there is but one), `student PLACE VALUE`,
# `box PLACE LOW QUARTILE MEDIAN UPPER HIGH`, `mark PLACE VALUE WORDS` (the reference, the baseline), `range LEAST MOST`. AXIS: what the
# figure is; SCALE: log, or the end of the axis.
# A box has half of the class in it; its line is the median; the whiskers end at the outermost within 1.5 boxes of it.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
logarithmic = ARG7 eq "log"
NOTE = ARGC > 7 ? ARG8 : ""
folder = ARG0[1:strlen(ARG0) - strlen("boxes.gp")]
set datafile separator "\t"
ABSCISSA = ARG6
load folder."class.gp"

count = 0; students = 0; least = 0.0; most = 1.0
keep(low, high) = (least = low, most = high, 1)
stats DATA using (is("case") ? (count = count + 1, 1) : is("student") ? (students = students + 1, 1) : \
                  is("range") ? keep($2, $3) : 1) nooutput

set lmargin at screen px(count > 1 ? 140 : 40)
if (logarithmic) {
  set logscale x 10
  set xrange [least / 1.3:most * 1.3]
  # Ones, twos and fives where there are few tens.
  set xtics out format "%g"
  if (most / least < 100) {
    set xtics ("0.01" 0.01, "0.02" 0.02, "0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1, "2" 2, "5" 5, "10" 10, "20" 20, \
               "50" 50, "100" 100, "200" 200, "500" 500, "1000" 1000)
  }
} else {
  set xrange [0:real(ARG7)]
  set xtics out
}
set border 1
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
     DATA using (is("box") ? $5 : NaN):($2 + 0.2 + tall):(sprintf("median %.3g", $5)) with labels font SMALL offset 0,-0.8, \
     DATA using (is("mark") ? $3 : NaN):($2 + 0.3):(0):(-0.7) with vectors nohead linecolor rgb VERMILLION linewidth 2 dashtype (6,4), \
     DATA using (is("mark") ? $3 : NaN):($2 - 0.46):4 with labels textcolor rgb "#A04000", \
     DATA using (is("case") ? (logarithmic ? least / 1.3 : 0) : NaN):($2 + 0.05):(strcol(3) eq "-" ? "" : strcol(3)) with labels right offset -1,0
