# footprints.awk: what the first warp of a block touches in a transpose, for three shapes of blocks: a load from `in` above,
# the store to `out` below. One row of a panel is a line of 128 bytes: four sectors.

function panel(left, top, bx, store, lane, x, y, i, j, sector, at, sectors, lines) {
  for (at in lanes) delete lanes[at]
  for (at in touched) delete touched[at]
  for (at in rows) delete rows[at]
  for (lane = 0; lane < 32; lane++) {
    x = lane % bx
    y = int(lane / bx)
    i = store ? x : y
    j = store ? y : x
    lanes[i, j] = 1
    touched[i, int(j / 8)] = 1
    rows[i] = 1
  }
  for (i = 0; i < 32; i++)
    for (sector = 0; sector < 4; sector++) {
      if ((i, sector) in touched) sectors++
      for (j = sector * 8; j < sector * 8 + 8; j++)
        box(left + j * CELL, top + i * CELL, CELL - 0.8, CELL - 0.8,
            (i, j) in lanes ? (store ? "b" : "a") : (i, sector) in touched ? (store ? "lb" : "la") : "off")
    }
  for (at in rows) lines++
  for (j = 0; j <= 32; j += 8)
    stroke(left + j * CELL - 0.4, top - 2, left + j * CELL - 0.4, top + 32 * CELL + 1, "thin")
  words(left, top + 32 * CELL + 17, "start", sectors == 4 ? "good" : sectors > 8 ? "bad" : "bold", sectors " sectors")
  words(left + 32 * CELL, top + 32 * CELL + 17, "end", "muted", "in " lines (lines == 1 ? " line" : " lines"))
}

BEGIN {
  CELL = 5.9
  svg(720, 514, "The sectors that one warp loads and stores in a transpose, for blocks of 32 x 8, 8 x 32 and 2 x 32 threads")
  split("32 8 2", shape, " ")
  split("32 x 8|8 x 32|2 x 32", name, "|")
  for (p = 1; p <= 3; p++) {
    left = 76 + (p - 1) * 220
    words(left + 16 * CELL, 16, "middle", "bold", "block " name[p])
    panel(left, 30, shape[p], 0)
    panel(left, 280, shape[p], 1)
  }
  words(62, 30 + 16 * CELL, "end", "bold", "in")
  words(62, 48 + 16 * CELL, "end", "muted", "load")
  words(62, 280 + 16 * CELL, "end", "bold", "out")
  words(62, 298 + 16 * CELL, "end", "muted", "store")
  done()
}
