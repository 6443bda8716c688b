# access_map.gp: what one warp does in one instruction.
#     gnuplot -c plots/access_map.gp DATA OUTPUT FORMAT TITLE SOURCE SPACE SENTENCE
# SPACE shared: a row a wavefront, a column a bank, a cell the lane that is served there.
# SPACE global: a row a lane, a column a 32-byte sector that is moved; above: how much of it is used.
# DATA, tab-separated, as grader/show/picture.c writes it:
#     shared   wavefront, bank, lanes ("7", "0-31" or "8x"), the same in one character, extra (1: a conflict's)
#     global   two blocks: number, x (numbers and room for gaps), offset of the sector in the array ("4K"), what lies
#              before it (0 a sector of its 128-byte line, 1 the line before, 2 a gap), words used of 8; and, for each lane,
#              number and x of the sector, lane, first byte used in the sector, byte after the last
DATA = ARG1; OUTPUT = ARG2; FORMAT = ARG3; TITLE = ARG4; SOURCE = ARG5; SPACE = ARG6; NOTE = ARG7
folder = ARG0[1:strlen(ARG0) - strlen("access_map.gp")]
set datafile separator "\t"
if (FORMAT eq "text") { NOTE = "" } # the caller says it

if (SPACE eq "shared") {
  stats DATA using 1 nooutput
  count = int(STATS_max) + 1
  CELL = 24
  width = 900; height = 66 + CELL * count
  columns = 80; rows = 5 + count
  LEGEND = "SKY needed"; LEGEND_2 = "VERMILLION extra: the bank is busy"
  load folder."style.gp"

  set xtics scale 0 0, is_text ? 4 : 1, 31
  set ytics scale 0 ("wavefront 1" 0)
  do for [i = 2:count] { if (count <= 8 || i % 4 == 0) { set ytics add (sprintf("%d", i) i - 1) } }
  set xlabel "bank (4 bytes wide)" offset 0, is_text ? 0 : 0.3
  if (is_text) {
    # Two columns a bank, one row a wavefront; the border takes one more on each side.
    set lmargin at screen px(12); set rmargin at screen px(12 + 66)
    set tmargin at screen py(head); set bmargin at screen py(head + count + 1)
    set xrange [-1:32]
    set yrange [count:-1]
    plot DATA using 2:1:4 with labels
  } else {
    set lmargin at screen px(100); set rmargin at screen px(100 + 32 * CELL)
    set tmargin at screen py(head); set bmargin at screen py(head + count * CELL)
    set xrange [-0.5:31.5]
    set yrange [count - 0.5:-0.5]
    set for [i = 1:31] arrow from i - 0.5, graph 0 to i - 0.5, graph 1 nohead back linecolor rgb FAINT
    if (count > 1) { set for [i = 1:count - 1] arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back linecolor rgb FAINT }
    set style fill solid 1 border rgb PAPER
    ink(extra) = extra == 1 ? 0xFFFFFF : 0x000000
    plot DATA using 2:1:(0.5):(0.5):($5 == 1 ? 0xD55E00 : 0x56B4E9) with boxxyerror linecolor rgb variable, \
         DATA using 2:1:(strlen(strcol(3)) < 3 ? strcol(3) : ""):(ink($5)) with labels font SMALL textcolor rgb variable, \
         DATA using 2:1:(strlen(strcol(3)) < 3 ? "" : strcol(3)):(ink($5)) with labels font TINY textcolor rgb variable
  }
} else {
  stats DATA index 0 using 1 nooutput
  count = int(STATS_max) + 1
  stats DATA index 0 using 2 nooutput
  last = STATS_max
  ROW = 13
  column = last < 8 ? 90 : 768.0 / (last + 1)
  width = 900; height = 34.5 * ROW + (count <= 8 ? 88 : 118)
  columns = 80; rows = 34 + 4
  LEGEND = "BLUE used"; LEGEND_2 = "MOVED moved for nothing"
  load folder."style.gp"

  set ytics scale 0 ("words used" is_text ? -1 : -2, "lane 0" 0, "31" 31)
  do for [i = 4:28:4] { set ytics add (sprintf("%d", i) i) }
  set xtics scale 0
  LABEL = "32-byte sectors that are moved, by their offset in the array (bytes; K = 1024)"
  if (is_text) {
    cell = count <= 8 ? 7 : 2
    set lmargin at screen px(11); set rmargin at screen px(11 + cell * (count + 1))
    set tmargin at screen py(head); set bmargin at screen py(head + 34)
    set xrange [-1:count]
    set yrange [32:-2]
    set label 1 LABEL at screen px(0),py(rows - 2) left
    plot DATA index 0 using 1:(-1):5 with labels, \
         DATA index 1 using 1:3:("#") with labels, \
         DATA index 0 every (count <= 8 ? 1 : 8) using 1:(-1):5:xtic(3) with labels
  } else {
    bottom = head + 20 + 34.5 * ROW
    set lmargin at screen px(100); set rmargin at screen px(100 + column * (last + 1))
    set tmargin at screen py(head + 20); set bmargin at screen py(bottom)
    set xrange [-0.5:last + 0.5]
    set yrange [31.5:-3] # the strip is from -3 to -1
    unset border
    if (count > 8) { set xtics rotate by 90 right font SMALL }
    set label 1 LABEL at screen px(100),py(legend) left font SMALL textcolor rgb "#333333"
    set for [i = 0:32:4] arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back linecolor rgb FAINT
    set style fill solid 1 noborder
    middle(x, from, to) = x - 0.5 + (from + to) / 64.0
    plot DATA index 0 using 2:(-2):(0.5):(1) with boxxyerror linecolor rgb MOVED, \
         DATA index 1 using (middle($2, $4, $5)):(-2):(($5 - $4) / 64):(1) with boxxyerror linecolor rgb BLUE, \
         DATA index 1 using 2:3:(0.5):(0.5) with boxxyerror linecolor rgb TOUCHED, \
         DATA index 1 using (middle($2, $4, $5)):3:(($5 - $4) / 64):(0.5) with boxxyerror linecolor rgb BLUE, \
         DATA index 0 using 2:(14.25):(0.5):(17.25) with boxxyerror linecolor rgb "#888888" fillstyle empty border, \
         DATA index 0 using ($2 - 0.5):(-3):(0):($4 == 1 ? 34.5 : 0) with vectors nohead linewidth 3 linecolor rgb "#444444", \
         DATA index 0 using 2:(-3):(column < 30 ? strcol(5) : strcol(5)." of 8"):xtic(3) with labels offset 0,0.6 font SMALL
  }
}
