# tiles.awk: the walk of a block along K: tiles of A from left to right, tiles of B from top to bottom.

function grid(left, top, columns, rows, name, i, j) {
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++) box(left + j * T, top + i * T, T - 1.5, T - 1.5, "off")
  words(left - (name == "B" ? 24 : 10), top + (name == "B" ? 12 : rows * T / 2 + 5), "end", "bold", name)
}

function cells(left, top, row, column, i, j, class) { # the elements of one tile, 8 x 8 of them drawn
  for (i = 0; i < 8; i++)
    for (j = 0; j < 8; j++)
      box(left + column * T + j * (T - 1.5) / 8, top + row * T + i * (T - 1.5) / 8, (T - 1.5) / 8 - 0.7, (T - 1.5) / 8 - 0.7,
          class == "c" ? (i == 3 && j == 5 ? "d" : "lc") : class == "a" ? (i == 3 ? "a" : "la") : (j == 5 ? "b" : "lb"))
}

BEGIN {
  T = 46; AX = 74; AY = 252; BX = 338; BY = 34
  svg(720, 432, "A block of C needs one row of tiles of A and one column of tiles of B, a pair of tiles a step")
  grid(AX, AY, 4, 3, "A")
  grid(BX, BY, 4, 4, "B")
  grid(BX, AY, 4, 3, "C")
  for (s = 0; s < 4; s++) {
    if (s != 1) {
      box(AX + s * T, AY + T, T - 1.5, T - 1.5, "la")
      box(BX + 2 * T, BY + s * T, T - 1.5, T - 1.5, "lb")
    }
    words(AX + s * T + T / 2, AY - 8, "middle", "muted", "step " s)
    words(BX + 4 * T + 8, BY + s * T + T / 2 + 5, "start", "muted", "step " s)
  }
  cells(AX, AY, 1, 1, 0, 0, "a")
  cells(BX, BY, 1, 2, 0, 0, "b")
  cells(BX, AY, 1, 2, 0, 0, "c")
  box(AX + T - 1, AY + T - 1, T + 0.5, T + 0.5, "frame")
  box(BX + 2 * T - 1, BY + T - 1, T + 0.5, T + 0.5, "frame")
  box(BX + 2 * T - 1, AY + T - 1, T + 0.5, T + 0.5, "frame")
  arrow(AX, AY + 3 * T + 14, AX + 4 * T - 2, AY + 3 * T + 14)
  words(AX + 2 * T, AY + 3 * T + 32, "middle", "muted", "along K")
  arrow(BX - 14, BY, BX - 14, BY + 4 * T - 2)
  words(BX - 22, BY + 2 * T + 5, "end", "muted", "along K")
  words(BX, 20, "start", "muted", "N columns")
  words(AX - 10, AY + 3 * T - 6, "end", "muted", "M rows")
  words(BX + 4 * T + 12, AY + T + 2, "start", "", "one block: TILE x TILE")
  words(BX + 4 * T + 12, AY + T + 20, "start", "", "threads, each with one")
  words(BX + 4 * T + 12, AY + T + 38, "start", "", "element of C (red)")
  words(AX, 52, "start", "bold", "In one step")
  words(AX, 74, "start", "", "each thread loads one element")
  words(AX, 92, "start", "", "of A's tile and one of B's;")
  words(AX, 110, "start", "", "then it reads a row of one and")
  words(AX, 128, "start", "", "a column of the other:")
  words(AX, 146, "start", "", "2 x TILE reads for 2 loads")
  done()
}
