# traffic.gp: time over global memory traffic, a dot for every student.
#     gnuplot -c plots/class/traffic.gp DATA OUTPUT FORMAT TITLE SOURCE KIND [NOTE]
# DATA, tab-separated, as grader/class/report_tables.c writes it: rows `student MB US STUDENTS WORDS` (-: none), `mark MB US WORDS` (the reference, the
# baseline), `range MB MB US US` (least and most). KIND: modelled or measured.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; KIND = ARG6
NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("traffic.gp")]
set datafile separator "\t"
ABSCISSA = "global memory traffic of a call: sectors of 32 bytes, in MB (logarithmic)"
load folder."class.gp"

students = 0; x0 = 1.0; x1 = 1.0; y0 = 1.0; y1 = 1.0
keep(a, b, c, d) = (x0 = a, x1 = b, y0 = c, y1 = d, 1)
stats DATA using (is("student") ? (students = students + 1, 1) : is("range") ? keep($2, $3, $4, $5) : 1) nooutput
set logscale xy 10
set xrange [x0 / 2.2:x1 * 2.2]; set yrange [y0 / 1.5:y1 * 1.5]
set ylabel "time in us, ".KIND." (logarithmic)"
fine = "('0.001' 0.001, '0.002' 0.002, '0.005' 0.005, '0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100, '200' 200, '500' 500, '1000' 1000, '2000' 2000, '5000' 5000, '10000' 10000)"
set format "%g"
set tics out
if (x1 / x0 < 200) { eval "set xtics ".fine }
if (y1 / y0 < 200) { eval "set ytics ".fine }
set grid xtics ytics linetype 1 linecolor rgb FAINT
DOT = POINT * (students > 400 ? 0.35 : students > 150 ? 0.5 : students > 20 ? 0.7 : 1.0)
# The area grows with the students, as far as it hides nothing.
big(n) = DOT * (n < 16 ? sqrt(n) : 4)
right(mb) = mb > sqrt(x0 * x1)
plot DATA using (is("student") ? $2 : NaN):3:(big($4)) with points pointtype 7 pointsize variable linecolor rgb SOFT_BLUE, \
     DATA using (is("mark") ? $2 : NaN):3 with points pointtype 8 pointsize 1.5 * POINT linewidth 2.5 linecolor rgb VERMILLION, \
     DATA using (is("mark") && !right($2) ? $2 : NaN):3:4 with labels right offset -1.4,0 textcolor rgb "#A04000", \
     DATA using (is("mark") && right($2) ? $2 : NaN):3:4 with labels left offset 1.4,0 textcolor rgb "#A04000", \
     DATA using (is("student") && strcol(5) ne "-" ? $2 : NaN):3:5 with labels left offset 1.4,0.9 font SMALL
