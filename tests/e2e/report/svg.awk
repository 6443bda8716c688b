# svg.awk: what gnuplot has drawn, for words.awk and drawn.awk, which come after it on the command line.
#
# Reads .svg files of charts. All in pixels from the picture's upper left corner:
#     texts: text_words[i], text_x[i], text_y[i] (of the baseline), text_size[i], text_anchor[i] (start, middle, end), text_turned[i],
#            text_colour[i]; text_axis[i]: "x" or "y" for a tic's words, and text_tic[i] the tic's place
#     dots:  dot_x[i], dot_y[i], dot_colour[i], dot_mark[i] (the name of what is drawn)
#     boxes: box_left[i], box_top[i], box_right[i], box_bottom[i], box_colour[i]: filled rectangles
#     lines: line_points[i] ("x,y x,y ..."), line_colour[i]
#     picture_width, picture_height, plot_top, plot_bottom (where gridlines or the border end)

# What stands between two strings; "" if it is not there.
function between(line, before, after,    at) {
  at = index(line, before)
  if (!at) return ""
  line = substr(line, at + length(before))
  return substr(line, 1, index(line, after) - 1)
}
function without_blanks(words) { gsub(/ /, "", words); return words }
function plain(words) {
  gsub(/&lt;/, "<", words); gsub(/&gt;/, ">", words); gsub(/&quot;/, "\"", words); gsub(/&apos;/, "'", words); gsub(/&amp;/, "\\&", words)
  return words
}
function abs(value) { return value < 0 ? -value : value }

# About the width of words in letters of this size, in a font such as DejaVu Sans. Bytes that go on with a character have none.
function words_width(words, size,    i, letter, sum) {
  for (i = 1; i <= length(words); i++) {
    letter = substr(words, i, 1)
    if (letter >= "\200" && letter < "\300") continue
    if (letter >= "\342") sum += 1 # ideographs
    else if (letter >= "\300") sum += 0.65
    else if (index("ijlI' ", letter)) sum += 0.3
    else if (index("ft.,:;!|()[]-/\\r", letter)) sum += 0.37
    else if (index("mwMW%@+=<>~", letter)) sum += 0.9
    else if (index("ABCDGHNOQRUVX&", letter)) sum += 0.73
    else sum += 0.62
  }
  return sum * size
}

FILENAME !~ /\.svg$/ { next_is_svg = 0 }
FILENAME ~ /\.svg$/ {
  if (/^ width="/) { picture_width = between($0, "width=\"", "\"") + 0; picture_height = between($0, "height=\"", "\"") + 0 }
  tic = ""
  if (/<path /) {
    points = between($0, " d='", "'")
    gsub(/[MLZ]/, " ", points)
    split(points, point, /[ ,]+/)
    first = point[1] == "" ? 2 : 1
    tic = point[first] " " point[first + 1]
    if (/gridline/ || (/rgb\( 68,  68,  68\)/ && split(points, point, /,/) > 3)) note_plot(points)
    if (!/gridline/) { line_points[++lines] = points; line_colour[lines] = without_blanks(between($0, "stroke='", "'")) }
  }
  if (/<polygon /) {
    boxes++
    split(between($0, "points = '", "'"), point, /[ ,]+/)
    box_left[boxes] = box_right[boxes] = point[1] + 0; box_top[boxes] = box_bottom[boxes] = point[2] + 0
    for (i = 3; i <= 7; i += 2) {
      if (point[i] + 0 < box_left[boxes]) box_left[boxes] = point[i] + 0
      if (point[i] + 0 > box_right[boxes]) box_right[boxes] = point[i] + 0
      if (point[i + 1] + 0 < box_top[boxes]) box_top[boxes] = point[i + 1] + 0
      if (point[i + 1] + 0 > box_bottom[boxes]) box_bottom[boxes] = point[i + 1] + 0
    }
    box_colour[boxes] = without_blanks(between($0, "fill = '", "'"))
  }
  if (/<use .*transform='translate/) {
    split(between($0, "translate(", ")"), point, ",")
    dot_x[++dots] = point[1] + 0; dot_y[dots] = point[2] + 0
    dot_colour[dots] = without_blanks(between($0, "color='", "'")); dot_mark[dots] = between($0, "href='#", "'")
  }
  if (/<g transform="translate/) {
    hidden = /filter:url/ # the paper behind words, which are drawn once more
    split(between($0, "translate(", ")"), point, ",")
    x = point[1] + 0; y = point[2] + 0
    turned = /rotate\(/
    colour = between($0, " fill=\"", "\""); size = between($0, "font-size=\"", "\"") + 0; anchor = between($0, "text-anchor=\"", "\"")
    split(tic, point, " ")
    axis = tic == "" || turned || colour != "rgb(68,68,68)" ? "" : anchor == "middle" ? "x" : "y"
    tic_at = axis == "x" ? point[1] + 0 : point[2] + 0
  }
  if (/<text/ && !hidden) {
    texts++
    sub(/^.*<text[^>]*>/, ""); sub(/<\/text>.*$/, "")
    text_words[texts] = plain($0); text_x[texts] = x; text_y[texts] = y; text_size[texts] = size; text_anchor[texts] = anchor
    text_turned[texts] = turned; text_colour[texts] = colour; text_axis[texts] = axis; text_tic[texts] = tic_at
    axis = ""; tic = ""
  }
}
# The plot's upper and lower ends: those of the longest vertical gridline or of the border.
function note_plot(points,    part, count, i, at) {
  count = split(points, part, " ")
  for (i = 1; i <= count; i++) {
    split(part[i], at, ",")
    if (plot_bottom == "" || at[2] + 0 > plot_bottom) plot_bottom = at[2] + 0
    if (plot_top == "" || at[2] + 0 < plot_top) plot_top = at[2] + 0
  }
}
