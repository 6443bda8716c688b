# traffic.gp: time over global memory traffic, a dot for every student.
#     gnuplot -c plots/class/traffic.gp DATA OUTPUT FORMAT TITLE SOURCE KIND [NOTE]
# DATA, tab-separated, as grader/class/report/report_chart_times.c writes it: rows
# `student MB US STUDENTS WORDS` (-: none), the largest first, `mark MB US WORDS`
# (the reference, the baseline), `range MB MB US US` (least and most). KIND: modelled or measured.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; KIND = ARG6
NOTE = ARGC > 6 ? ARG7 : ""
folder = ARG0[1:strlen(ARG0) - strlen("traffic.gp")]
set datafile separator "\t"
ABSCISSA = "global memory traffic of a call: sectors of 32 bytes, in MB"
ORDINATE = "time in us, ".KIND
load folder."class.gp"
plot_left = 100
set lmargin at screen px(plot_left)

students = 0; x_low = 1.0; x_high = 1.0; y_low = 1.0; y_high = 1.0
keep(a, b, c, d) = (x_low = a, x_high = b, y_low = c, y_high = d, 1)
stats DATA using (is("student") ? (students = students + 1, 1) : is("range") ? keep($2, $3, $4, $5) : 1) nooutput
# Room around the outermost points for their words, and for two tics at least.
max(a, b) = a > b ? a : b
beyond_x = max(2.2, (x_high / x_low) ** 0.09)
beyond_y = max(max(1.5, sqrt(5 * y_low / y_high)), (y_high / y_low) ** 0.13)
x_low = x_low / beyond_x; x_high = x_high * beyond_x; y_low = y_low / beyond_y; y_high = y_high * beyond_y
set logscale xy 10
set xrange [x_low:x_high]; set yrange [y_low:y_high]
set tics out
eval "set xtics ".log_tics(x_low, x_high)
eval "set ytics ".log_tics(y_low, y_high)
set grid xtics ytics linetype 1 linecolor rgb FAINT
DOT = POINT * (students > 400 ? 0.35 : students > 150 ? 0.5 : students > 20 ? 0.7 : 1.0)
# The area grows with the students, as far as it hides nothing.
big(n) = DOT * (n < 16 ? sqrt(n) : 4)

# Words stand beside their points, where they are over no other words and no point. Numbers that find no such place are left out; a mark
# says what it is in any case, over points without a number if it must be. All in pixels, from the middle of a rectangle to its sides.
array word_x[40]; array word_y[40]; array word_room[40]; array word[40]; array word_is_mark[40]
array taken_x[80]; array taken_y[80]; array taken_wide[80]; array taken_high[80]
array dot_x[500]; array dot_y[500]; array dot_room[500]
words = 0; taken = 0; dots = 0
at_x(mb) = plot_left + (plot_right - plot_left) * log(mb / x_low) / log(x_high / x_low)
at_y(us) = plot_bottom - (plot_bottom - plot_top) * log(us / y_low) / log(y_high / y_low)
take(x, y, wide, high) = (taken = taken + 1, taken_x[taken] = x, taken_y[taken] = y, taken_wide[taken] = wide, taken_high[taken] = high, 1)
add(mb, us, string, room, is_mark) = (words = words + 1, word_x[words] = at_x(mb), word_y[words] = at_y(us), word[words] = string, \
                                      word_room[words] = room, word_is_mark[words] = is_mark, take(at_x(mb), at_y(us), room, room))
add_dot(mb, us, room) = dots == 500 ? 1 : (dots = dots + 1, dot_x[dots] = at_x(mb), dot_y[dots] = at_y(us), dot_room[dots] = room, 1)
radius(n) = 5.6 * big(n) / (FORMAT eq "png" ? 2 : 1)
stats DATA using (is("mark") ? add($2, $3, strcol(4), 9, 1) : 1) nooutput
stats DATA using (is("student") && strcol(5) ne "-" ? add($2, $3, strcol(5), radius($4), 0) : 1) nooutput
stats DATA using (is("student") ? add_dot($2, $3, radius($4)) : 1) nooutput
over_taken(x, y, wide, high, i) = abs(x - taken_x[i]) < wide + taken_wide[i] && abs(y - taken_y[i]) < high + taken_high[i]
over_dot(x, y, wide, high, i) = abs(x - dot_x[i]) < wide + dot_room[i] && abs(y - dot_y[i]) < high + dot_room[i]
free(x, y, wide, high) = (sum [i = 1:taken] over_taken(x, y, wide, high, i)) == 0 && \
                         x - wide > plot_left && x + wide < plot_right && y - high > plot_top && y + high < plot_bottom
clear(x, y, wide, high) = free(x, y, wide, high) && (sum [i = 1:dots] over_dot(x, y, wide, high, i)) == 0
# To the right, left, above, below, and between these, near and not so near.
step_x(place) = word("1 -1 0 0 0.8 -0.8 0.8 -0.8", place)
step_y(place) = word("0 0 -1 1 -0.8 -0.8 0.8 0.8", place)
far(try) = 6 * (try / 8 % 2)
do for [i = 1:words] {
  wide = word_is_mark[i] ? 4.7 * strlen(word[i]) : small_digits_wide(strlen(word[i])) / 2.0
  high = word_is_mark[i] ? 8 : 7
  do for [try = 0:31] {
    x = word_x[i] + step_x(try % 8 + 1) * (word_room[i] + wide + 2 + far(try))
    y = word_y[i] + step_y(try % 8 + 1) * (word_room[i] + high + 1 + far(try))
    if (try < 16 ? clear(x, y, wide, high) : word_is_mark[i] && free(x, y, wide, high)) {
      done = take(x, y, wide, high)
      set label 200 + i word[i] at screen px(x),py(y) center front
      if (word_is_mark[i]) { set label 200 + i textcolor rgb "#A04000" } else { set label 200 + i font SMALL }
      break
    }
  }
}
plot DATA using (is("student") ? $2 : NaN):3:(big($4)) with points pointtype 7 pointsize variable linecolor rgb SOFT_BLUE, \
     DATA using (is("mark") ? $2 : NaN):3 with points pointtype 8 pointsize 1.5 * POINT linewidth 2.5 linecolor rgb VERMILLION
