# warp_directions.awk: one load of a warp from a row-major matrix, along a row and along a column, and the 32-byte sectors
# that each moves.

# One panel at x: the lanes of the warp stand at (y0 + lane * dy, x0 + lane * dx) of a matrix of WIDTH columns.
function panel(left, x0, y0, dx, dy, title, lane, i, j, sector, moved, at) {
  words(left, 18, "start", "bold", title)
  for (at in touched) delete touched[at]
  for (at in lanes) delete lanes[at]
  for (lane = 0; lane < 32; lane++) {
    i = y0 + lane * dy
    j = x0 + lane * dx
    lanes[i, j] = 1
    touched[i, int(j / 8)] = 1
  }
  moved = 0
  for (i = 0; i < HEIGHT; i++)
    for (sector = 0; sector < WIDTH / 8; sector++) {
      if ((i, sector) in touched) moved++
      for (j = sector * 8; j < sector * 8 + 8; j++)
        box(left + j * CELL, TOP + i * CELL, CELL - 1, CELL - 1,
            (i, j) in lanes ? "a" : (i, sector) in touched ? "la" : "off")
    }
  for (j = 0; j <= WIDTH; j += 8)
    stroke(left + j * CELL - 0.5, TOP - 3, left + j * CELL - 0.5, TOP + HEIGHT * CELL + 2, "thin")
  words(left, TOP + HEIGHT * CELL + 22, "start", moved == 4 ? "good" : "bad", moved " sectors")
  words(left + 90, TOP + HEIGHT * CELL + 22, "start", "", moved * 32 " bytes moved, 128 used")
}

BEGIN {
  WIDTH = 40; HEIGHT = 34; CELL = 8.4; TOP = 32
  svg(720, 356, "A warp reads along a row: 4 sectors; down a column: 32 sectors")
  panel(4, 8, 5, 1, 0, "Lanes along a row")
  panel(380, 19, 1, 0, 1, "Lanes down a column")
  done()
}
