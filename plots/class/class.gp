# class.gp: what the charts of a class have in common; a chart sets what ../style.gp asks for, but no size, and loads this file.
#
# All are 800 x 450 (PNG: 1600 x 900), the shape of a slide, with letters that are read from the back of a room: 15 pixels and
# more; a long list makes them longer, by LONG pixels. They are drawn as SVG and PNG. Their tables have the kind of a row in the first column, so that a table may have any
# number of each kind, none too.
SCALE = 1.15
width = 800; TOTAL = 450 + (exists("LONG") ? LONG : 0); columns = 80; rows = 24
load folder."../style.gp"

set lmargin at screen px(84); set rmargin at screen px(770)
set tmargin at screen py(head + 10); set bmargin at screen py(height - foot - 68)
# The x axis's words, ABSCISSA, are put where they are free of both tics and source, whatever a terminal takes for a line.
if (exists("ABSCISSA")) { set label 120 ABSCISSA at screen px((exists("CENTRE") ? CENTRE : 427)),py(height - foot - 10) center }
set tics scale 0.6
set key noautotitle # which would be in the SVG, unseen
unset key
# Points: a terminal's own size differs.
POINT = FORMAT eq "png" ? 1.7 : 0.85
# Colours with some of the paper showing through, where many dots lie on each other.
FAINT_BLUE = 0x900072B2; SOFT_BLUE = 0x500072B2; FAINT_GREY = 0xA0666666
# The n-th of a row of numbers that look random, from 0 to 1: the fractions of the golden ratio's multiples.
scatter(n) = n * 0.6180339887 - floor(n * 0.6180339887)
# Steps of an axis of whole numbers that goes up to this.
step(most) = most <= 6 ? 1 : most <= 12 ? 2 : most <= 30 ? 5 : most <= 60 ? 10 : most <= 120 ? 20 : most <= 300 ? 50 : \
             10 ** floor(log10(most)) / (most / 10 ** floor(log10(most)) < 3 ? 2 : 1)
is(kind) = strcol(1) eq kind
# Labels `boxed` hide the lines behind them.
set style textbox opaque noborder margins 0.3,0.1

# Swatches in a row under the title: MEANINGS = "SKY some|GREEN all", from pixel MEANINGS_AT on, MEANINGS_STEP apart.
if (exists("MEANINGS")) {
  set datafile separator "|"
  meanings = 1 + (sum [i = 1:strlen(MEANINGS)] (MEANINGS[i:i] eq "|"))
  array meaning[meanings]
  rest = MEANINGS
  do for [i = 1:meanings] {
    end = strstrt(rest."|", "|")
    meaning[i] = rest[1:end - 1]
    rest = end < strlen(rest) ? rest[end + 1:*] : ""
    left = MEANINGS_AT + MEANINGS_STEP * (i - 1)
    set object 110 + i rectangle from screen px(left),py(head + 14) to screen px(left + 16),py(head + 2) \
      fillcolor rgb value(word(meaning[i], 1)) fillstyle solid noborder
    set label 110 + i meaning[i][strlen(word(meaning[i], 1)) + 2:*] at screen px(left + 22),py(head + 8) left font SMALL
  }
  set datafile separator "\t"
}
