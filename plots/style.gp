# style.gp: what all charts have in common: terminal, fonts, colours, title, source line. A chart sets
#     OUTPUT FORMAT TITLE SOURCE     as it got them
#     NOTE                           a sentence under the title ("" for none; may have several lines)
#     width height                   of the whole picture in pixels, without title, sentence and source line
#     TOTAL                          in place of height: the height with all of these
#     ROOM                           with TOTAL: what the chart itself must have, even if TOTAL is too little for that; left out: 0
#     SCALE                          larger letters (1.2), for slides; left out: 1
#     columns rows                   the same for FORMAT text, in characters
# and loads this file. Everything is noenhanced: strings are shown as they are.
#
# Colours are those of Okabe and Ito (Color Universal Design), which people with any colour vision tell apart; they also
# differ in lightness, marks and dashes, so that a grey print says the same. The background is always there: the
# charts also stand on dark pages.
BLACK = "#000000"; ORANGE = "#E69F00"; SKY = "#56B4E9"; GREEN = "#009E73"
MOVED = "#F7DCB0"; TOUCHED = "#BFE1F6"
BLUE = "#0072B2"; VERMILLION = "#D55E00"; PURPLE = "#CC79A7"
PAPER = "#FFFFFF"; FAINT = "#DDDDDD"; GREY = "#666666"

set encoding utf8
is_text = FORMAT eq "text"

# Lines of a string.
lines(s) = s eq "" ? 0 : 1 + (strlen(s) > 0 ? (sum [i = 1:strlen(s)] (s[i:i] eq "\n")) : 0)

# Pixels (or rows) above and below the chart itself.
if (!exists("SCALE")) { SCALE = 1.0 }
head = is_text ? 1 + lines(NOTE) : SCALE * (44 + 18 * lines(NOTE))
foot = is_text ? lines(SOURCE) : SCALE * (10 + 16 * lines(SOURCE))
height = exists("TOTAL") ? TOTAL : height + head + foot
if (exists("ROOM") && height < head + ROOM + foot) { height = head + ROOM + foot }
rows = rows + head + foot

if (FORMAT eq "svg") {
  set terminal svg noenhanced size width,height background PAPER font sprintf("sans-serif,%g", 13 * SCALE) linewidth 1 butt
} else { if (FORMAT eq "png") {
  # Twice the pixels: sharp on slides and on dense screens.
  set terminal pngcairo noenhanced size 2*width,2*height background PAPER font sprintf("Sans,%g", 9.75 * SCALE) fontscale 2 linewidth 2
} else {
  set terminal dumb noenhanced mono size columns,rows aspect 1
}}
if (OUTPUT ne "-") { set output OUTPUT }

# Fonts of 9, 11 and 16 pixels; the others have 13. PNG counts in points, 3/4 of them.
points = SCALE * (FORMAT eq "png" ? 0.75 : 1.0)
TINY = sprintf(",%.2f", 9 * points); SMALL = sprintf(",%.2f", 11 * points); LARGE = sprintf(",%.2f", 16 * points)

# Screen coordinates of a pixel (or character), from the left and from the top.
px(x) = real(x) / (is_text ? columns - 1 : width)
py(y) = 1.0 - real(y) / (is_text ? rows - 1 : height)

if (is_text) {
  set label 101 TITLE at screen px(0),py(0) left
  if (NOTE ne "") { set label 102 NOTE at screen px(0),py(1) left }
  set label 103 SOURCE at screen px(0),py(rows - lines(SOURCE)) left
} else {
  set label 101 TITLE at screen px(14),py(24 * SCALE) left font LARGE
  if (NOTE ne "") { set label 102 NOTE at screen px(14),py(48 * SCALE) left textcolor rgb "#333333" }
  set label 103 SOURCE at screen px(14),py(height - SCALE * (14 + 16 * (lines(SOURCE) - 1))) left font SMALL textcolor rgb GREY
}

# Swatches for one or two colours at the right above the source line, LEGEND = "SKY what it means" and LEGEND_2: where a key stands and whether
# its words fit depends on the plot's size, here they do not.
legend = height - foot - 10
if (!is_text && exists("LEGEND")) {
  set object 101 rectangle from screen px(570),py(legend + 6) to screen px(586),py(legend - 6) \
    fillcolor rgb value(word(LEGEND, 1)) fillstyle solid noborder
  set label 104 LEGEND[strlen(word(LEGEND, 1)) + 2:*] at screen px(592),py(legend) left font SMALL
}
if (!is_text && exists("LEGEND_2")) {
  set object 102 rectangle from screen px(670),py(legend + 6) to screen px(686),py(legend - 6) \
    fillcolor rgb value(word(LEGEND_2, 1)) fillstyle solid noborder
  set label 105 LEGEND_2[strlen(word(LEGEND_2, 1)) + 2:*] at screen px(692),py(legend) left font SMALL
}

# For charts with ordinary axes; maps set their own margins.
set tmargin at screen py(head + (is_text ? 0 : 6)); set bmargin at screen py((is_text ? rows : height) - foot - (is_text ? 3 : 52))
set lmargin at screen px(is_text ? 11 : 90); set rmargin at screen px(is_text ? 76 : 870)

set tics noenhanced nomirror
set border linecolor rgb "#444444"
unset key
