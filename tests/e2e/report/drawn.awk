# drawn.awk: does a chart show what the gradebook says? Every figure must be drawn where the axes' words put it, with its words beside
# it, and there must be no other words and no other dots.
#     awk -v chart=ID -f svg.awk -f drawn.awk EXPECTED LAB-ID.svg
# EXPECTED as expected.awk writes it. The axes are taken from what is drawn: a tic's words must lie where the others put them. Prints a line
# for each figure that is not there.
BEGIN {
  FS = "\t"
  VERMILLION = "rgb(213,94,0)"; ORANGE = "rgb(230,159,0)"; GREY = "rgb(200,200,200)"; PALE = "rgb(191,225,246)"
  SKY = "rgb(86,180,233)"; GREEN = "rgb(0,158,115)"; BLUE = "rgb(0,114,178)"
}
FILENAME !~ /\.svg$/ && $1 == chart {
  rows++
  for (i = 2; i <= 8; i++) cell[rows, i - 1] = $i
}

function squash(words) { gsub(/[ "']/, "", words); return words }
# Is this what is drawn? Long words may be cut.
function same_words(wanted, got,    start) {
  wanted = squash(wanted); got = squash(got)
  start = length(got) - length("…")
  return wanted == got || (start >= 12 && substr(got, start + 1) == "…" && substr(wanted, 1, start) == substr(got, 1, start))
}
# Finds words around a place, in up to three lines, which are not found a second time. far_x, far_y: how far off the middle of their
# baselines may be. The words' number; 0: not there.
function find_words(wanted, x, y, far_x, far_y,    i, last, joined, k) {
  for (i = 1; i <= texts; i++) {
    joined = ""
    for (last = i; last < i + 3 && last <= texts && !text_used[last]; last++) {
      if (last > i && (text_x[last] != text_x[i] || abs(text_y[last] - text_y[last - 1] - 1.5 * text_size[i]) > 0.5)) break
      joined = joined text_words[last]
      if (!same_words(wanted, joined) || abs(text_x[i] - x) > far_x || abs((text_y[i] + text_y[last]) / 2 - y) > far_y) continue
      for (k = i; k <= last; k++) text_used[k] = 1
      return i
    }
  }
  return 0
}
function need_words(wanted, x, y, far_x, far_y,    found) {
  found = find_words(wanted, x, y, far_x, far_y)
  if (!found) printf "\"%s\" is not at %d, %d\n", wanted, x, y
  return found
}
function need_box(colour, left, right, top, bottom, what,    i) {
  if (right - left < 0.6 || bottom - top < 0.6) return # nothing to see
  for (i = 1; i <= boxes; i++) {
    if (box_colour[i] == colour && abs(box_left[i] - left) < 1.5 && abs(box_right[i] - right) < 1.5 &&
        abs(box_top[i] - top) < 1.5 && abs(box_bottom[i] - bottom) < 1.5) return
  }
  printf "%s: there is no box from %d to %d and %d to %d\n", what, left, right, top, bottom
}
# A bar of any height around this y.
function need_bar(colour, left, right, y, what,    i) {
  if (right - left < 0.6) return
  for (i = 1; i <= boxes; i++)
    if (box_colour[i] == colour && abs(box_left[i] - left) < 1.5 && abs(box_right[i] - right) < 1.5 && abs((box_top[i] + box_bottom[i]) / 2 - y) < 6) return
  printf "%s: there is no bar from %d to %d at %d\n", what, left, right, y
}
function need_dot(colour, x, y, far_y,    i) {
  for (i = 1; i <= dots; i++) {
    if (dot_used[i] || dot_colour[i] != colour || abs(dot_x[i] - x) > 0.7 || abs(dot_y[i] - y) > far_y) continue
    dot_used[i] = 1
    return
  }
  printf "there is no dot at %d, %d\n", x, y
}
function need_line(x1, y1, x2, y2, far, what,    i, part, point, k, n, previous_x, previous_y) {
  if (abs(x1 - x2) < 0.6 && abs(y1 - y2) < 0.6) return
  for (i = 1; i <= lines; i++) {
    n = split(line_points[i], part, " ")
    for (k = 1; k <= n; k++) {
      split(part[k], point, ",")
      if (k > 1 && abs(previous_x - x1) < 1 && abs(previous_y - y1) < far && abs(point[1] - x2) < 1 && abs(point[2] - y2) < far) return
      previous_x = point[1]; previous_y = point[2]
    }
  }
  printf "%s: there is no line from %d, %d to %d, %d\n", what, x1, y1, x2, y2
}

# Reads an axis ("x" or "y") off its tics: px() then places values. scale: log, linear.
function scaled(value, scale) { return scale == "log" ? log(value) : value + 0 }
function read_axis(axis, scale,    i, value, low, high) {
  axis_scale[axis] = scale
  for (i = 1; i <= texts; i++) {
    if (text_axis[i] != axis || text_words[i] !~ /^[-+.0-9e]+( %)?$/) continue
    if (!low || text_words[i] + 0 < text_words[low] + 0) low = i
    if (!high || text_words[i] + 0 > text_words[high] + 0) high = i
  }
  if (low == high) { print "axis " axis " has no two tics"; exit }
  axis_at[axis] = text_tic[low]; axis_from[axis] = scaled(text_words[low] + 0, scale)
  axis_step[axis] = (text_tic[high] - text_tic[low]) / (scaled(text_words[high] + 0, scale) - axis_from[axis])
  for (i = 1; i <= texts; i++) {
    if (text_axis[i] != axis || text_words[i] !~ /^[-+.0-9e]+( %)?$/) continue
    if (abs(px(axis, text_words[i] + 0) - text_tic[i]) > 1) printf "tic %s of %s is at another place\n", text_words[i], axis
    text_used[i] = 1
  }
}
function px(axis, value) { return axis_at[axis] + axis_step[axis] * (scaled(value, axis_scale[axis]) - axis_from[axis]) }

function check_scores(    i, top, x) {
  read_axis("x", "linear"); read_axis("y", "linear")
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] == "full") need_words("all", px("x", (cell[i, 2] + cell[i, 3]) / 2), plot_bottom, 1, 60)
    if (cell[i, 1] == "median") {
      x = px("x", cell[i, 2])
      need_words(cell[i, 3], x, plot_top, 12, 40)
    }
    if (cell[i, 1] !~ /^(bin|full)$/ || cell[i, 4] == 0) continue
    top = px("y", cell[i, 4])
    need_box(cell[i, 1] == "bin" ? SKY : GREEN, px("x", cell[i, 2]), px("x", cell[i, 3]), top, px("y", 0), "students " cell[i, 2] " to " cell[i, 3])
    need_words(cell[i, 4], px("x", (cell[i, 2] + cell[i, 3]) / 2), top - 6, 1, 10)
  }
}

# The middles of `count` rows of bars: of the words to the right of them, the only small ones in the plot.
function read_rows(count,    i, k, found) {
  for (k = 1; k <= count; k++) row_y[k] = -1
  for (i = 1; i <= texts; i++) {
    if (text_anchor[i] != "start" || text_size[i] > 14 || text_y[i] <= plot_top || text_y[i] >= plot_bottom) continue
    if (found < count) row_y[++found] = text_y[i] - 4.5
  }
}
function check_items(    i, x, k) {
  read_axis("x", "linear")
  read_rows(rows)
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] != "item") continue
    k++
    x = cell[i, 3]
    need_bar(VERMILLION, px("x", 0), px("x", x), row_y[k], cell[i, 2])
    need_bar(ORANGE, px("x", x), px("x", x + cell[i, 4]), row_y[k], cell[i, 2])
    x += cell[i, 4]
    need_bar(GREY, px("x", x), px("x", x + cell[i, 5]), row_y[k], cell[i, 2])
    need_bar(PALE, px("x", x + cell[i, 5]), px("x", 100), row_y[k], cell[i, 2])
    need_words(cell[i, 2], px("x", 0), row_y[k] + 4.5, 16, 6)
    need_words(cell[i, 7], px("x", 100), row_y[k] + 4.5, 16, 4)
  }
}
function check_hazards(    i, x, k) {
  read_axis("x", "linear")
  read_rows(rows)
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] != "hazard") continue
    k++
    x = cell[i, 3] + cell[i, 4]
    need_bar(VERMILLION, px("x", 0), px("x", cell[i, 3]), row_y[k], cell[i, 2])
    need_bar(ORANGE, px("x", cell[i, 3]), px("x", x), row_y[k], cell[i, 2])
    need_words(cell[i, 2], px("x", 0), row_y[k] + 4.5, 16, 6)
    need_words(cell[i, 5], px("x", x), row_y[k] + 4.5, 16, 4)
  }
}

# A case's row is between the gridlines' ends, as boxes.gp divides it.
function case_y(place, cases) { return plot_top + (place + 0.62) / (cases + 0.12) * (plot_bottom - plot_top) }
function check_boxes(scale,    i, cases, pitch, y) {
  read_axis("x", scale)
  for (i = 1; i <= rows; i++) cases += (cell[i, 1] == "case")
  pitch = (plot_bottom - plot_top) / (cases + 0.12)
  for (i = 1; i <= rows; i++) {
    y = case_y(cell[i, 2], cases)
    if (cell[i, 1] == "case" && cell[i, 3] != "-") need_words(cell[i, 3], 126, y + 6, 16, 8)
    if (cell[i, 1] == "student") need_dot(BLUE, px("x", cell[i, 3]), y - 0.16 * pitch, 0.15 * pitch)
    if (cell[i, 1] == "mark") need_words(cell[i, 4], px("x", cell[i, 3]), y - 0.46 * pitch + 5, 8, 4)
    if (cell[i, 1] != "box") continue
    y += 0.2 * pitch
    need_line(px("x", cell[i, 3]), y, px("x", cell[i, 4]), y, 1, "lower whisker")
    need_line(px("x", cell[i, 6]), y, px("x", cell[i, 7]), y, 1, "upper whisker")
    need_box(PALE, px("x", cell[i, 4]), px("x", cell[i, 6]), y - 0.09 * pitch, y + 0.09 * pitch, "box of case " cell[i, 2])
    need_line(px("x", cell[i, 5]), y - 0.09 * pitch, px("x", cell[i, 5]), y + 0.09 * pitch, 1, "median")
    need_words(sprintf("median %.3g", cell[i, 5]), px("x", cell[i, 5]), y + 0.09 * pitch + 14, 1, 2)
  }
}

function check_traffic(    i, x, y) {
  read_axis("x", "log"); read_axis("y", "log")
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] !~ /^(student|mark)$/) continue
    x = px("x", cell[i, 2]); y = px("y", cell[i, 3])
    need_dot(cell[i, 1] == "mark" ? VERMILLION : BLUE, x, y, 0.7)
    if (cell[i, 1] == "mark") need_words(cell[i, 4], x, y + 5, 60, 24)
    else if (cell[i, 5] != "-") need_words(cell[i, 5], x, y + 4, 46, 36)
  }
}

# The tic with these words.
function tic_of(axis, words,    i) {
  for (i = 1; i <= texts; i++) if (text_axis[i] == axis && text_words[i] == words) return text_tic[i]
  printf "no tic of %s says %s\n", axis, words
  return -1
}
function check_blocks(    i, k, x, y, tile, found, wide) {
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] != "shape") continue
    x = tic_of("x", cell[i, 2]); y = tic_of("y", cell[i, 3])
    columns[x]; heights[y]
    tile = 0
    for (k = 1; k <= boxes; k++) if (abs((box_left[k] + box_right[k]) / 2 - x) < 1 && abs((box_top[k] + box_bottom[k]) / 2 - y) < 1) tile = k
    if (!tile) { printf "block %s x %s has no tile\n", cell[i, 2], cell[i, 3]; continue }
    found = need_words(cell[i, 4], x, y - 3, 1, 4)
    if (found && text_y[found] - 0.72 * text_size[found] < box_top[tile]) printf "%s students of %s x %s look out of the tile\n", cell[i, 4], cell[i, 2], cell[i, 3]
    found = need_words(cell[i, 5], x, y + 13, 1, 4)
    wide = words_width(cell[i, 5], 12.65)
    if (found && (wide > box_right[tile] - box_left[tile] || text_y[found] > box_bottom[tile])) printf "%s of %s x %s looks out of the tile\n", cell[i, 5], cell[i, 2], cell[i, 3]
  }
  for (i = 1; i <= texts; i++) if ((text_axis[i] == "x" && text_tic[i] in columns) || (text_axis[i] == "y" && text_tic[i] in heights)) text_used[i] = 1
}

function check_progress(    i, last, x, y) {
  read_axis("x", "linear"); read_axis("y", "linear")
  for (i = 1; i <= rows; i++) if (cell[i, 1] == "median" && cell[i, 2] > last) last = cell[i, 2]
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] !~ /^(student|median)$/) continue
    x = px("x", cell[i, 2]); y = px("y", cell[i, 3])
    need_dot(cell[i, 1] == "median" ? VERMILLION : BLUE, x, y, 0.7)
    if (cell[i, 1] == "student") continue
    if (last <= 10 || cell[i, 2] == last) need_words(cell[i, 3], x, y - 20, 1, 8)
    else find_words(cell[i, 3], x, y - 20, 1, 8)
  }
}

# Ranks are in the first column, from which the rows are read.
function check_leaders(    i, k, found, left, right, per_point, points, y) {
  for (i = 1; i <= texts; i++) if (text_anchor[i] == "end" && text_x[i] < 60) row_y[++k] = text_y[i]
  for (i = 1; i <= boxes; i++) if (box_colour[i] == SKY && box_right[i] > right) { left = box_left[i]; right = box_right[i] }
  for (i = 1; i <= rows; i++) if (cell[i, 1] == "leader" && cell[i, 4] > points) points = cell[i, 4]
  if (points > 0) per_point = (right - left) / points
  else left = 316
  k = 0
  for (i = 1; i <= rows; i++) {
    if (cell[i, 1] != "leader") continue
    y = row_y[++k]
    need_words(cell[i, 2], 50, y, 4, 1)
    need_words(cell[i, 3], left - 10, y, 4, 1)
    need_words(cell[i, 4], left + per_point * cell[i, 4] + 6, y, 2, 1)
    need_words(cell[i, 5], 600, y, 2, 2)
    need_bar(SKY, left, left + per_point * cell[i, 4], y - 5, cell[i, 3])
  }
}

END {
  if (rows == 0) print "the gradebook has nothing to show here"
  if (chart == "scores") check_scores()
  if (chart == "items") check_items()
  if (chart == "hazards") check_hazards()
  if (chart == "speed") check_boxes("log")
  if (chart == "ceiling") check_boxes("linear")
  if (chart ~ /^traffic/) check_traffic()
  if (chart == "blocks") check_blocks()
  if (chart == "progress") check_progress()
  if (chart == "leaders") check_leaders()
  for (i = 1; i <= rows; i++) if (cell[i, 1] == "says") need_words(cell[i, 3], picture_width / 2, picture_height / 2, picture_width, picture_height)
  for (i = 1; i <= texts; i++) if (!text_used[i]) printf "what says \"%s\" at %d, %d?\n", text_words[i], text_x[i], text_y[i]
  for (i = 1; i <= dots; i++) if (!dot_used[i]) printf "what is the dot at %d, %d?\n", dot_x[i], dot_y[i]
}
