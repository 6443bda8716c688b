# class.gp: what the charts of a class have in common; a chart sets what ../style.gp asks for, but no size, and loads this file.
#
# All are 800 x 450 (PNG: 1600 x 900), the shape of a slide, with letters that are read from the back of a room: 15 pixels and
# more; a long list, which needs more ROOM, makes them longer. They are drawn as SVG and PNG. Their tables have the kind of a row
# in the first column, so that a table may have any number of each kind, none too; lines that begin with # say what is in them.
# Labels are taken from columns by their number alone: gnuplot reads what strcol() has read once more, and cuts it at quotation marks.
# It crashes (5.4) where a table has one row and a plot `with labels` takes nothing of it.
SCALE = 1.15
width = 800; TOTAL = 450; columns = 80; rows = 24
load folder."../style.gp"

plot_left = 84; plot_right = 770; plot_top = head + 10; plot_bottom = height - foot - 68
set lmargin at screen px(plot_left); set rmargin at screen px(plot_right)
set tmargin at screen py(plot_top); set bmargin at screen py(plot_bottom)
# The x axis's words, ABSCISSA, are put where they are free of both tics and source, whatever a terminal takes for a line.
if (exists("ABSCISSA")) { set label 120 ABSCISSA at screen px((exists("CENTRE") ? CENTRE : 427)),py(height - foot - 10) center }
# The y axis's words, ORDINATE, in the same way: gnuplot would move them out of the picture for the sake of long tics.
if (exists("ORDINATE")) { set label 121 ORDINATE at screen px(22),py((plot_top + plot_bottom) / 2.0) center rotate by 90 }
set tics scale 0.6; set format "%g"
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
# Tics of a logarithmic axis, as `set xtics (...)` takes them: ones, twos and fives; of many powers of ten, these alone.
tic(digit, power) = abs(power) < 5 ? sprintf("'%.10g' %.10g", digit * 10.0**power, digit * 10.0**power) : \
                                     sprintf("'%ge%g' %.10g", digit, power, digit * 10.0**power)
tics_of(power, all) = tic(1, power).(all ? ", ".tic(2, power).", ".tic(5, power) : "")
tics_from(power, last, all) = tics_of(power, all).(power < last ? ", ".tics_from(power + 1, last, all) : "")
log_tics(low, high) = "(".tics_from(int(floor(log10(low))), int(ceil(log10(high))), high / low < 1000).")"
is(kind) = strcol(1) eq kind
# Words of several lines hang from their first one; they are in the middle of a row if that is raised by so many pixels.
raised(words) = (lines(words) - 1) / 2.0 * (FORMAT eq "png" ? 17.8 : 22.4)
# About the width in pixels of so many digits, in the letters of tics and in small ones.
digits_wide(n) = 9.6 * n
small_digits_wide(n) = 8.1 * n
# Labels `boxed` hide the lines behind them.
set style textbox opaque noborder margins 1.5,0.1

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
