# svg.awk: what the diagrams are drawn with. A diagram is a program of its own, which has these functions:
#
#   awk -f svg.awk -f tiles.awk </dev/null >tiles.svg
#
# Colours are classes, so that a diagram follows the page into the dark:
#   a b c    strong fills: what a warp touches (blue, orange, green);  la lb lc  the same, light: what is moved for it
#   off      empty cells;  frame  an outline;  bold, muted  kinds of text

function svg(width, height, title) {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
    width, height, width, height
  print "<title>" escaped(title) "</title>"
  print "<style>"
  print "text { font: 14px 'Source Sans 3', 'Segoe UI', 'Helvetica Neue', Roboto, 'DejaVu Sans', Arial, sans-serif;"
  print "  fill: #1d2129; }"
  print ".bold { font-weight: 700; } .muted { fill: #5c6470; font-size: 12.5px; }"
  print ".code { font-family: Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 12.5px; }"
  print ".white { fill: #fff; }"
  print ".a { fill: #0072b2; } .b { fill: #e69f00; } .c { fill: #009e73; } .d { fill: #d55e00; }"
  print ".la { fill: #b5d7ee; } .lb { fill: #fae3ae; } .lc { fill: #b3e2d3; } .ld { fill: #f6cdb3; }"
  print ".off { fill: #eceef1; } .frame { fill: none; stroke: #1d2129; stroke-width: 1.4; }"
  print ".thin { fill: none; stroke: #8d95a1; stroke-width: 1; }"
  print ".strong { fill: none; stroke: #d55e00; stroke-width: 2.4; }"
  print ".line { fill: none; stroke: #5c6470; stroke-width: 1.6; } .tip { fill: #5c6470; }"
  print ".bad { fill: #b03a00; font-weight: 700; } .good { fill: #00664a; font-weight: 700; }"
  print "@media (prefers-color-scheme: dark) {"
  print "  text { fill: #e4e6ea; } .muted { fill: #9aa3b0; } .white { fill: #fff; }"
  print "  .a { fill: #3a9bdc; } .b { fill: #e69f00; } .c { fill: #1cb58a; }"
  print "  .la { fill: #1d4563; } .lb { fill: #5e4612; } .lc { fill: #12503f; } .ld { fill: #5b2f16; }"
  print "  .off { fill: #262c34; } .frame { stroke: #e4e6ea; } .thin { stroke: #6b7480; }"
  print "  .line { stroke: #9aa3b0; } .tip { fill: #9aa3b0; }"
  print "  .bad { fill: #ff9a62; } .good { fill: #58d3ac; }"
  print "}"
  print "</style>"
}

function done() { print "</svg>" }

function escaped(s) {
  gsub(/&/, "\\&amp;", s)
  gsub(/</, "\\&lt;", s)
  gsub(/>/, "\\&gt;", s)
  return s
}

function box(x, y, w, h, class) {
  printf "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"%s\"/>\n", x, y, w, h, class
}
function round_box(x, y, w, h, class) {
  printf "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"5\" class=\"%s\"/>\n", x, y, w, h, class
}

# anchor: start, middle or end.
function words(x, y, anchor, class, s) {
  printf "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, escaped(s)
}

function stroke(x1, y1, x2, y2, class) {
  printf "<path d=\"M%.2f %.2fL%.2f %.2f\" class=\"%s\"/>\n", x1, y1, x2, y2, class
}

# A line with a tip at its second end.
function arrow(x1, y1, x2, y2, length_, dx, dy) {
  length_ = sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  dx = (x2 - x1) / length_
  dy = (y2 - y1) / length_
  stroke(x1, y1, x2 - 6 * dx, y2 - 6 * dy, "line")
  printf "<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fZ\" class=\"tip\"/>\n", x2, y2,
    x2 - 9 * dx - 4.5 * dy, y2 - 9 * dy + 4.5 * dx, x2 - 9 * dx + 4.5 * dy, y2 - 9 * dy - 4.5 * dx
}
