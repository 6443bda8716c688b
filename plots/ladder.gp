# ladder.gp: how near each lab's reference kernel comes to what the device can do.
#     gnuplot -c plots/ladder.gp DATA OUTPUT FORMAT TITLE SOURCE
# DATA, tab-separated: name, time in ns, bytes that must move (each array once), fp32 operations, and the share in percent
# of what the device could move and compute in that time. The thick bar is the nearer ceiling, the thin one the other.
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5
NOTE = ""
folder = ARG0[1:strlen(ARG0) - strlen("ladder.gp")]
set datafile separator "\t"
stats DATA using 2 nooutput
count = int(STATS_records)
HIGH = 56
width = 900; height = 90 + HIGH * count
columns = 80; rows = 5 + 3 * count
LEGEND = "BLUE fp32 rate"; LEGEND_2 = "ORANGE DRAM rate"
load folder."style.gp"

flops_nearer(bytes, flops) = flops > bytes
nearer(bytes, flops) = flops > bytes ? flops : bytes
farther(bytes, flops) = flops > bytes ? bytes : flops
percent(p) = p == 0 ? "0" : p < 9.95 ? sprintf("%.1f", p) : sprintf("%.0f", p)
# 16.9 Tflop/s, 1270 GB/s: operations and bytes a ns.
rate(t, bytes, flops, is_flops) = is_flops ? sprintf("%.3g Tflop/s", flops / t / 1000) : sprintf("%.0f GB/s", bytes / t)
said(t, bytes, flops, b, f) = percent(nearer(b, f))." % of ".(flops_nearer(b, f) ? "fp32: " : "DRAM: ").\
  rate(t, bytes, flops, flops_nearer(b, f))
other(t, bytes, flops, b, f) = percent(farther(b, f))." % of ".(flops_nearer(b, f) ? "DRAM: " : "fp32: ").\
  rate(t, bytes, flops, !flops_nearer(b, f))
set xrange [0:100]
set yrange [count - 0.5:-0.5]
set xlabel "share of the device's ceiling (%)" offset is_text ? 0 : -22,0
set ytics scale 0
if (is_text) {
  bar(p) = substr("==================================================", 1, int(p / 2 + 0.5))
  set lmargin at screen px(24); set rmargin at screen px(76)
  set tmargin at screen py(head); set bmargin at screen py(head + 3 * count)
  set xrange [-2:102]
  set xtics scale 0 0,20,100
  set yrange [3 * count - 1:-1]
  plot DATA using (0):(3 * $0):(bar(nearer($5, $6))):ytic(1) with labels left, \
       DATA using (0):(3 * $0 + 1):(said($2, $3, $4, $5, $6)) with labels left
} else {
  set lmargin at screen px(200)
  set style fill solid 1 noborder
  set grid xtics linetype 1 linecolor rgb FAINT
  paint(is_flops) = is_flops ? 0x0072B2 : 0xE69F00
  # Numbers stand behind the bars, or on a long one.
  plot DATA using (nearer($5, $6) / 2):($0 - 0.1):(nearer($5, $6) / 2):(0.22):(paint(flops_nearer($5, $6))) \
         with boxxyerror linecolor rgb variable, \
       DATA using (farther($5, $6) / 2):($0 + 0.24):(farther($5, $6) / 2):(0.08):(paint(!flops_nearer($5, $6))) \
         with boxxyerror linecolor rgb variable, \
       DATA using (nearer($5, $6) > 65 ? 1 : nearer($5, $6) + 1):($0 - 0.1):(said($2, $3, $4, $5, $6)): \
         (nearer($5, $6) > 65 && flops_nearer($5, $6) ? 0xFFFFFF : 0x000000):ytic(1) with labels left textcolor rgb variable, \
       DATA using (farther($5, $6) + 1):($0 + 0.26):(farther($5, $6) == 0 ? "" : other($2, $3, $4, $5, $6)) with labels left font SMALL textcolor rgb "#333333"
}
