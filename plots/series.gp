# series.gp: bandwidth, and a metric (sectors per load request), of one function over the values of a dimension.
#     gnuplot -c plots/series.gp DATA OUTPUT FORMAT TITLE SOURCE DIMENSION [SENTENCE [UNIT]]
# DATA, tab-separated, as grader/show/series_table.c writes it: value, load requests, sectors of loads, store requests, sectors of
# stores, time in ns, bytes that the problem needs, the metric. Values that are not there (wrong results) stay blank. UNIT: the metric's.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; DIMENSION = ARG6
NOTE = ARGC > 6 ? ARG7 : ""
UNIT = ARGC > 7 && ARG8 ne "" ? ARG8 : "sectors per load request"
folder = ARG0[1:strlen(ARG0) - strlen("series.gp")]
set datafile separator "\t"
if (FORMAT eq "text") { NOTE = "" } # the caller says it

bandwidth(t, bytes) = bytes / t
first = 0; last = 0; fastest = 0; most = 0; rows_read = 0
see(v, b, s) = (first = rows_read == 0 ? v : first, last = v, rows_read = rows_read + 1, \
                fastest = b > fastest ? b : fastest, most = s > most ? s : most, v)
stats DATA using (see($1, bandwidth($6, $7), $8)) nooutput
# Marks on the axis: at most 17.
step = 1
while ((last - first) / step > 16) { step = 2 * step }

PANEL = 190; GAP = 50; HIGH = 9
width = 900; height = 2 * PANEL + GAP + 56
columns = 80; rows = 2 * HIGH + 5
load folder."style.gp"

# Doubled from each value to the next: on a logarithmic axis.
if (last > 2 * rows_read) {
  set logscale x 2
  set xrange [first / 1.2:last * 1.2]
  set xtics first, 2, last
} else {
  set xrange [first - 0.5:last + 0.5]
  set xtics int(first / step) * step, step add (first)
}
set style data linespoints
upper = is_text ? py(head + 1) : py(head + 12)
between = is_text ? py(head + HIGH) : py(head + 12 + PANEL)
below = is_text ? py(head + HIGH + 3) : py(head + 12 + PANEL + GAP)
lower = is_text ? py(head + 2 * HIGH + 2) : py(head + 12 + 2 * PANEL + GAP)

set multiplot
set tmargin at screen upper; set bmargin at screen between
set yrange [0:1.1 * fastest]
set format y "%g"
if (!is_text) { set grid ytics linetype 1 linecolor rgb FAINT }
if (is_text) {
  set label 1 "bandwidth (GB/s)" at screen px(11),py(head) left
  plot DATA using 1:(bandwidth($6, $7)) with points pointtype "*"
} else {
  set ylabel "bandwidth (GB/s)"
  plot DATA using 1:(bandwidth($6, $7)) linecolor rgb BLUE linewidth 2 pointtype 7 pointsize 0.7
}
# What stands around both panels is drawn once.
unset label
set tmargin at screen below; set bmargin at screen lower
set yrange [0:most > 0 ? 1.1 * most : 1]
if (is_text) {
  set label 1 UNIT at screen px(11),py(head + HIGH + 2) left
  set label 2 DIMENSION at screen px(44),py(head + 2 * HIGH + 4) center
  plot DATA using 1:8 with points pointtype "*"
} else {
  set xlabel DIMENSION
  set ylabel UNIT
  plot DATA using 1:8 linecolor rgb VERMILLION linewidth 2 dashtype (6,3) pointtype 5 pointsize 0.7
}
unset multiplot
