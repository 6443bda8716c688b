# roofline.gp: kernels under the roofs of a GPU: operations a second over operations per byte of DRAM traffic.
#     gnuplot -c plots/roofline.gp DATA OUTPUT FORMAT TITLE SOURCE
# DATA, tab-separated, as grader/show/roofline.c writes it, two blocks:
#     roofs    name (fp32, DRAM, L2, L1), operations or bytes a ns
#     points   name, operations, bytes between L2 and DRAM, L1 and L2, SM and L1, time in ns, measured (1) or modelled (0)
# Points of one name are one kernel, and have one number. Kernels without operations stand in a strip at the left, where height
# is bandwidth. Of few kernels the operations per byte of L2 and of L1 are marked, too.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
NOTE = ""
folder = ARG0[1:strlen(ARG0) - strlen("roofline.gp")]
set datafile separator "\t"

# ---- what there is ----
stats DATA index 0 using 2 nooutput
ROOFS = int(STATS_records)
stats DATA index 1 using 2 nooutput
POINTS = int(STATS_records)
array ROOF[ROOFS]; array ROOFNAME[ROOFS]
array NAME[POINTS]; array OPS[POINTS]; array BYTES[POINTS]; array L2[POINTS]; array L1[POINTS]; array NS[POINTS]; array REAL[POINTS]
roof(i, name, v) = (ROOF[i] = v, ROOFNAME[i] = name, v)
point(i, name, ops, dram, b, c, ns, real) = (NAME[i] = name, OPS[i] = ops, BYTES[i] = dram, L2[i] = b, L1[i] = c, NS[i] = ns, REAL[i] = real, i)
stats DATA index 0 using (roof(int($0) + 1, strcol(1), $2)) nooutput
stats DATA index 1 using (point(int($0) + 1, strcol(1), $2, $3, $4, $5, $6, $7)) nooutput
# The number of each point's kernel; the first point of each kernel; whether any has no operations, no time of one kind.
array NUMBER[POINTS]; array FIRST[POINTS]
kernels = 0; strip = 0; modelled = 0; measured = 0
do for [i = 1:POINTS] {
  NUMBER[i] = 0
  do for [k = 1:i - 1] { if (NAME[k] eq NAME[i]) { NUMBER[i] = NUMBER[k] } }
  if (NUMBER[i] == 0) { kernels = kernels + 1; NUMBER[i] = kernels; FIRST[kernels] = i; strip = strip + (OPS[i] <= 0) }
  if (REAL[i] != 0) { measured = 1 } else { modelled = 1 }
}
FEW = kernels <= 6

# ---- the picture ----
PLOT = 360; LINE = 17; STRIP = 120
listed = (kernels + 1) / 2
width = 900; height = PLOT + 70 + LINE * listed
columns = 80; rows = 24
load folder."style.gp"
left = is_text ? 9 : 84; right = is_text ? 78 : 880; upper = is_text ? head + 1 : head + 8; lower = is_text ? rows - foot - 4 : head + 8 + PLOT
STRIP = strip == 0 ? 0 : is_text ? 12 : STRIP

# ---- ranges ----
fp32 = ROOF[1]; dram = ROOF[2]
x_low = fp32 / ROOF[ROOFS] / 2; x_high = fp32 / dram * 8; y_low = fp32
do for [i = 1:POINTS] {
  if (OPS[i] > 0) {
    at = BYTES[i] > 0 ? OPS[i] / BYTES[i] : fp32 / dram
    x_low = at < x_low ? at : x_low
    x_high = 2 * at > x_high ? 2 * at : x_high
    if (FEW && L1[i] > 0) { x_low = OPS[i] / L1[i] < x_low ? OPS[i] / L1[i] : x_low }
    y_low = OPS[i] / NS[i] < y_low ? OPS[i] / NS[i] : y_low
  }
}
x_low = x_low / 1.6
do for [i = 1:POINTS] { if (OPS[i] <= 0) { y_low = BYTES[i] / NS[i] * x_low < y_low ? BYTES[i] / NS[i] * x_low : y_low } }
y_low = (y_low < dram * x_low ? y_low : dram * x_low) / 2; y_high = fp32 * 2.5
decades = log10(x_high / x_low) / (right - left - STRIP) # a pixel
x_left = x_low / 10 ** (decades * STRIP)
X(x) = left + STRIP + log10(x / x_low) / decades
Y(y) = lower - (lower - upper) * log10(y / y_low) / log10(y_high / y_low)
set logscale xy
set xrange [x_left:x_high]; set yrange [y_low:y_high]
set xtics (); set ytics ()
if (!is_text) { set tics out }
do for [d = ceil(log10(x_low)):floor(log10(x_high))] { set xtics add (sprintf("%g", 10.0 ** d) 10.0 ** d) }
do for [d = ceil(log10(y_low)):floor(log10(y_high))] { set ytics add (sprintf("%g", 10.0 ** d) 10.0 ** d) }
set lmargin at screen px(left); set rmargin at screen px(right); set tmargin at screen py(upper); set bmargin at screen py(lower)
set xlabel "fp32 operations per byte of DRAM traffic" offset 0,is_text ? 0 : 0.4
set ylabel is_text ? "" : "GFLOP/s" offset 1,0
if (is_text) { set label 110 "GFLOP/s" at screen px(0),py(upper - 1) left }

# ---- where each point lies, in pixels and on the axes ----
array AX[POINTS]; array AY[POINTS]
placed = 0
do for [i = 1:POINTS] {
  AY[i] = OPS[i] > 0 ? OPS[i] / NS[i] : BYTES[i] / NS[i] * x_low
  if (OPS[i] > 0) { AX[i] = BYTES[i] > 0 ? OPS[i] / BYTES[i] : fp32 / dram }
  if (OPS[i] <= 0) {
    if (FIRST[NUMBER[i]] == i) { placed = placed + 1 }
    AX[i] = FIRST[NUMBER[i]] == i ? x_left * 10 ** (decades * STRIP * placed / (strip + 1.0)) : AX[FIRST[NUMBER[i]]]
  }
}
# Numbers stand beside their points: where there is no point, and no number yet.
array LX[POINTS]; array LY[POINTS]
DX = "13 -13 0 0 13 -13 13 -13 24 -24 0 0 30 -30"
DY = "0 0 -14 14 -12 -12 12 12 0 0 -26 26 -14 14"
taken(x, y, n) = (sum [k = 1:POINTS] (abs(X(AX[k]) - x) < 11 && abs(Y(AY[k]) - y) < 10)) + (n < 1 ? 0 : sum [k = 1:n] (LX[k] >= 0 && abs(LX[k] - x) < 15 && abs(LY[k] - y) < 12))
do for [i = 1:POINTS] {
  LX[i] = -1
  if (FIRST[NUMBER[i]] == i) {
    best = -1; fewest = 1000
    do for [c = 1:words(DX)] {
      x = X(AX[i]) + word(DX, c); y = Y(AY[i]) + word(DY, c)
      n = taken(x, y, i - 1)
      if (n < fewest && x > left + 6 && x < right - 6) { fewest = n; best = c }
    }
    LX[i] = X(AX[i]) + word(DX, best < 0 ? 1 : best); LY[i] = Y(AY[i]) + word(DY, best < 0 ? 1 : best)
  }
}

# ---- drawing ----
bandwidth(v) = v < 9999.5 ? sprintf("%.0f GB/s", v) : sprintf("%.1f TB/s", v / 1000)
rate(v) = v < 999.5 ? sprintf("%.3g GFLOP/s", v) : sprintf("%.3g TFLOP/s", v / 1000)
slanted(x, b) = x < x_low ? b * x_low : b * x
under(x, b) = slanted(x, b) < fp32 ? slanted(x, b) : NaN
flat(x) = x >= fp32 / dram ? fp32 : NaN
before(x) = x >= fp32 / ROOF[ROOFS] && x < fp32 / dram ? fp32 : NaN
# A kernel's share of the roof over it.
limit(i) = OPS[i] <= 0 || BYTES[i] <= 0 ? dram : (OPS[i] / BYTES[i] * dram < fp32 ? OPS[i] / BYTES[i] * dram : fp32)
done(i) = OPS[i] > 0 ? OPS[i] / NS[i] : BYTES[i] / NS[i]
reached(i) = OPS[i] > 0 ? rate(done(i)) : bandwidth(done(i))
percent(p) = p < 9.95 ? sprintf("%.2g", p) : sprintf("%.0f", p)
roofed(i) = OPS[i] > 0 && BYTES[i] > 0 && OPS[i] / BYTES[i] * dram >= fp32 ? "fp32" : "DRAM"
set samples 400
if (is_text) {
  letter(n) = n < 10 ? sprintf("%d", n) : n < 36 ? substr("abcdefghijklmnopqrstuvwxyz", n - 9, n - 9) : "+"
  do for [i = 1:POINTS] { set label 200 + i letter(NUMBER[i]) at first AX[i],AY[i] center front }
  if (STRIP) { set label 111 "no operations" at screen px(left + 1),py(lower - 1) left }
  set label 112 "fp32 ".rate(fp32) at first x_high,fp32 right offset 0,1
  set label 113 "DRAM ".bandwidth(dram) at screen px(right),py(lower - 1) right
  plot flat(x) with lines linetype 1, under(x, dram) with lines linetype 1
} else {
  per_decade = (lower - upper) / log10(y_high / y_low)
  SIZE = FORMAT eq "png" ? 1.7 : 0.9
  slope = atan((lower - upper) / log10(y_high / y_low) * decades) * 180 / pi
  do for [r = 2:ROOFS] {
    set label 120 + r ROOFNAME[r]." ".bandwidth(ROOF[r]) at first x_low * 1.15,ROOF[r] * x_low * 1.15 * 10 ** (11 / per_decade) left rotate by slope font SMALL textcolor rgb r == 2 ? BLACK : GREY
  }
  set label 112 "fp32 ".rate(fp32) at first x_high,fp32 right offset -0.5,0.6 font SMALL
  if (STRIP) {
    set arrow 1 from first x_low,graph 0 to first x_low,graph 1 nohead linecolor rgb FAINT dashtype 2
    set label 111 "no fp32 operations:\nheight is bandwidth" at screen px(left + 6),py(upper + 14) left font SMALL textcolor rgb GREY
  }
  set grid xtics ytics linetype 1 linecolor rgb "#EEEEEE"
  do for [i = 1:POINTS] {
    if (LX[i] >= 0) { set label 200 + i sprintf("%d", NUMBER[i]) at screen px(LX[i]),py(LY[i]) center front font SMALL }
    if (FEW && OPS[i] > 0 && REAL[i] == 0) {
      from = L1[i] > 0 ? OPS[i] / L1[i] : AX[i]
      set arrow 300 + i from first from,AY[i] to first AX[i],AY[i] nohead linecolor rgb SKY linewidth 1
    }
  }
  below = lower + 62
  do for [n = 1:kernels] {
    i = FIRST[n]
    other = 0
    do for [k = i + 1:POINTS] { if (NUMBER[k] == n) { other = k } }
    # 8.49 / 7.08 TFLOP/s: modelled / measured
    said = other ? (word(reached(i), 2) eq word(reached(other), 2) ? word(reached(i), 1) : reached(i))." / ".reached(other) : reached(i)
    name = strlen(NAME[i]) > 44 ? NAME[i][1:43]."…" : NAME[i]
    set label 600 + n sprintf("%d", n) at screen px(n <= listed ? 32 : 470),py(below + LINE * ((n - 1) % listed)) right font SMALL
    set label 700 + n sprintf("%s: %s, %s%% of %s", name, said, percent(100 * done(other ? other : i) / limit(i)), roofed(i)) \
      at screen px(n <= listed ? 38 : 476),py(below + LINE * ((n - 1) % listed)) left font SMALL
  }
  # What the marks mean, at the left and the right of the axis' label.
  if (modelled && measured) {
    set label 130 "modelled /" at screen px(left + 6),py(lower + 34) left font SMALL point pointtype 7 pointsize SIZE linecolor rgb BLUE offset 0.8,0
    set label 131 "measured" at screen px(left + 86),py(lower + 34) left font SMALL point pointtype 6 pointsize 1.2 * SIZE linecolor rgb VERMILLION offset 0.8,0
  }
  if (FEW && strip < kernels) {
    set label 132 "per byte of L2" at screen px(right - 210),py(lower + 34) left font SMALL point pointtype 12 pointsize SIZE linecolor rgb BLUE offset 0.8,0
    set label 133 "of L1" at screen px(right - 90),py(lower + 34) left font SMALL point pointtype 8 pointsize SIZE linecolor rgb BLUE offset 0.8,0
  }
  plot for [r = 3:ROOFS] under(x, ROOF[r]) with lines linecolor rgb "#999999" dashtype 3 linewidth 1, \
       under(x, dram) with lines linecolor rgb BLACK linewidth 2, \
       flat(x) with lines linecolor rgb BLACK linewidth 2, \
       before(x) with lines linecolor rgb "#999999" dashtype 3 linewidth 1, \
       for [r = 3:ROOFS] DATA index 1 using (FEW && OPS[int($0) + 1] > 0 && REAL[int($0) + 1] == 0 ? OPS[int($0) + 1] / (r == 3 ? L2[int($0) + 1] : L1[int($0) + 1]) : NaN):(AY[int($0) + 1]) with points pointtype (r == 3 ? 12 : 8) linecolor rgb BLUE pointsize SIZE, \
       DATA index 1 using (REAL[int($0) + 1] == 1 ? NaN : AX[int($0) + 1]):(AY[int($0) + 1]) with points pointtype 7 linecolor rgb BLUE pointsize SIZE, \
       DATA index 1 using (REAL[int($0) + 1] == 1 ? AX[int($0) + 1] : NaN):(AY[int($0) + 1]) with points pointtype 6 linecolor rgb VERMILLION linewidth 2 pointsize 1.2 * SIZE
}
