# races.awk: two warps and one tile, without the first barrier, without the second, and with both. Time runs to the right.

function act(x, width, row, class, text) {
  round_box(x, Y + row * 34, width, 27, class)
  words(x + width / 2, Y + row * 34 + 18, "middle", "", text)
}

function barrier(x) { stroke(x, Y - 6, x, Y + 67, "strong") }

function panel(top, title, text, class) {
  Y = top + 28
  words(4, top + 16, "start", "bold", title)
  words(226, top + 16, "start", class, text)
  words(4, Y + 18, "start", "muted", "warp 0")
  words(4, Y + 52, "start", "muted", "warp 1")
}

BEGIN {
  svg(720, 376, "What goes wrong without each of the two barriers of the tile loop")
  panel(0, "No barrier after loading", "warp 0 reads elements that warp 1 has not written yet", "bad")
  act(60, 100, 0, "la", "load tile 0")
  act(166, 150, 0, "ld", "read tile 0")
  act(190, 100, 1, "la", "load tile 0")
  act(296, 150, 1, "lc", "read tile 0")

  panel(122, "No barrier after reading", "warp 0 overwrites elements that warp 1 still has to read", "bad")
  act(60, 100, 0, "la", "load tile 0")
  act(60, 100, 1, "la", "load tile 0")
  barrier(168)
  act(176, 150, 0, "lc", "read tile 0")
  act(332, 100, 0, "ld", "load tile 1")
  act(250, 150, 1, "lc", "read tile 0")
  act(406, 100, 1, "la", "load tile 1")

  panel(244, "Both barriers", "no warp passes the line before all have reached it", "good")
  act(60, 100, 0, "la", "load tile 0")
  act(84, 100, 1, "la", "load tile 0")
  barrier(192)
  act(200, 150, 0, "lc", "read tile 0")
  act(240, 150, 1, "lc", "read tile 0")
  barrier(398)
  act(406, 100, 0, "la", "load tile 1")
  act(430, 100, 1, "la", "load tile 1")
  barrier(538)
  act(546, 150, 0, "lc", "read tile 1")
  act(556, 150, 1, "lc", "read tile 1")
  words(192, Y + 86, "middle", "muted", "first")
  words(398, Y + 86, "middle", "muted", "second")
  words(538, Y + 86, "middle", "muted", "first")
  done()
}
