# two_steps.awk: a transpose through a tile in shared memory: rows in, rows out, the turn is made inside the tile.

function matrix(left, top, size, name, note) {
  box(left, top, size, size, "off")
  words(left + size / 2, top - 12, "middle", "bold", name)
  words(left + size / 2, top + size + 20, "middle", "muted", note)
}

function square(left, top, size, class, horizontal, k) {
  box(left, top, size, size, class)
  for (k = 1; k < 5; k++)
    if (horizontal) stroke(left, top + k * size / 5, left + size, top + k * size / 5, "thin")
    else stroke(left + k * size / 5, top, left + k * size / 5, top + size, "thin")
}

BEGIN {
  svg(720, 262, "A block copies a tile's rows into shared memory, then writes the tile's columns as rows of the result")
  matrix(10, 40, 150, "in", "rows x cols")
  matrix(560, 40, 150, "out", "cols x rows")
  square(100, 70, 30, "la", 1)
  square(590, 130, 30, "lb", 1)
  words(115, 118, "middle", "muted", "block (x, y)")
  words(605, 178, "middle", "muted", "block (y, x)")
  words(270, 28, "middle", "bold", "tile, written by row")
  words(450, 28, "middle", "bold", "tile, read by column")
  square(220, 60, 100, "la", 1)
  square(400, 60, 100, "lb", 0)
  arrow(134, 85, 216, 105)
  arrow(324, 110, 396, 110)
  arrow(504, 115, 586, 142)
  words(360, 98, "middle", "muted", "barrier")
  words(270, 182, "middle", "", "a warp: one row of the tile")
  words(450, 182, "middle", "", "a warp: one column")
  words(175, 246, "middle", "good", "coalesced load")
  words(360, 246, "middle", "bad", "32 words apart: same bank?")
  words(545, 246, "middle", "good", "coalesced store")
  done()
}
