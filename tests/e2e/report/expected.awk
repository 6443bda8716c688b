# expected.awk: completes the rows of tables.sql with what SQL is no good at.
#     awk -f expected.awk ROWS >TABLE
# CHART point BYTES NS            -> CHART student MB US STUDENTS NUMBER: whoever is within 4% of a dot joins it; and the chart's range
# blocks block X Y Z STUDENTS TIME -> blocks shape X Y STUDENTS TIME COLUMN ROW: the most frequent in 12 columns and 10 rows
# leaders leader RANK NAME SCORE PRODUCT CASES -> leaders leader RANK NAME SCORE WORDS
# Charts without a row are left out.
BEGIN { FS = OFS = "\t" }

function near(a, b) { return a < b * 1.04 && b < a * 1.04 }
function wider(chart, mb, us) {
  if (!(chart in low_x) || mb < low_x[chart]) low_x[chart] = mb
  if (!(chart in low_y) || us < low_y[chart]) low_y[chart] = us
  if (mb > high_x[chart]) high_x[chart] = mb
  if (us > high_y[chart]) high_y[chart] = us
}
# The value's column or row, from 0, among those of this axis.
function rank(axis, value,    key, part, smaller) {
  for (key in axis_has) {
    split(key, part, SUBSEP)
    if (part[1] == axis && part[2] + 0 < value + 0) smaller++
  }
  return smaller + 0
}
function comes_before(chart, a, b) {
  if (dot_students[chart, a] != dot_students[chart, b]) return dot_students[chart, a] > dot_students[chart, b]
  if (dot_bytes[chart, a] + 0 != dot_bytes[chart, b] + 0) return dot_bytes[chart, a] + 0 < dot_bytes[chart, b] + 0
  return dot_ns[chart, a] + 0 < dot_ns[chart, b] + 0
}
# Largest first.
function print_dots(chart,    i, j, numbered, order, dot) {
  for (i = 1; i <= dots[chart]; i++) {
    numbered += (dot_students[chart, i] >= 3)
    for (j = i; j > 1 && comes_before(chart, i, order[j - 1]); j--) order[j] = order[j - 1]
    order[j] = i
  }
  for (i = 1; i <= dots[chart]; i++) {
    dot = chart SUBSEP order[i]
    print chart, "student", dot_bytes[dot] / 1e6, dot_ns[dot] / 1e3, dot_students[dot],
      (dot_students[dot] >= 3 && numbered <= 30 ? dot_students[dot] : "-")
  }
  print chart, "range", low_x[chart], high_x[chart], low_y[chart], high_y[chart]
}
function print_shapes(    i, shown) {
  for (i = 1; i <= shapes; i++) {
    if (flat[i] && (("x", x[i]) in axis_has) && (("y", y[i]) in axis_has)) {
      print "blocks", "shape", x[i], y[i], students[i], time[i], rank("x", x[i]), rank("y", y[i])
      shown++
    } else {
      left_out += students[i]
    }
  }
  return shown
}

$2 == "point" {
  rows[$1]++
  for (i = 1; i <= dots[$1]; i++) if (near(dot_bytes[$1, i], $3) && near(dot_ns[$1, i], $4)) break
  if (i > dots[$1]) { dots[$1] = i; dot_bytes[$1, i] = $3; dot_ns[$1, i] = $4; wider($1, $3 / 1e6, $4 / 1e3) }
  dot_students[$1, i]++
  next
}
$2 == "mark" && $1 ~ /^traffic/ { wider($1, $3, $4) }
$2 == "block" {
  x[++shapes] = $3; y[shapes] = $4; flat[shapes] = $5 == 1; students[shapes] = $6; time[shapes] = $7
  new_x = !(("x", $3) in axis_has); new_y = !(("y", $4) in axis_has)
  if ($5 != 1 || columns + new_x > 12 || lines + new_y > 10) next
  axis_has["x", $3]; axis_has["y", $4]
  columns += new_x; lines += new_y
  next
}
$2 == "leader" {
  rows[$1]++
  print $1, $2, $3, $4, $5, $6 == "" ? "-" : sprintf("%.2f x the reference's time", $6 ^ (1 / $7))
  next
}
$2 == "says" { chart_of[++says] = $1; where[says] = $3; words[says] = $4; next }
{ rows[$1]++; print }
END {
  CONVFMT = OFMT = "%.6g"
  for (chart in dots) if (rows[chart]) print_dots(chart)
  rows["blocks"] = print_shapes()
  for (i = 1; i <= says; i++) {
    if (chart_of[i] == "blocks" && where[i] == "note" && left_out)
      words[i] = words[i] " Not shown: " left_out " student" (left_out > 1 ? "s" : "") " with rarer or three-dimensional blocks."
    if (rows[chart_of[i]]) print chart_of[i], "says", where[i], words[i]
  }
}
