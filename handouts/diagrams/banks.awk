# banks.awk: the bank of every element of a 32 x 32 tile stored in three ways, and what reading column 0 costs.
# The stronger the blue of a cell, the higher its bank's number.

function exclusive_or(p, q, bit, result) {
  result = 0
  for (bit = 1; bit < 32; bit *= 2)
    if (int(p / bit) % 2 != int(q / bit) % 2) result += bit
  return result
}

# layout: 0 [32][32], 1 [32][33], 2 swizzled: element (y, x) stands in column x ^ y.
function word(layout, y, x) { return layout == 1 ? y * 33 + x : layout == 2 ? y * 32 + exclusive_or(x, y) : y * 32 + x }

function panel(left, layout, title, y, x, bank, most, at) {
  words(left, 16, "start", "code", title)
  for (y = 0; y < 32; y++)
    for (x = 0; x < 32; x++) {
      bank = word(layout, y, x) % 32
      printf "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"a\" opacity=\"%.3f\"/>\n",
        left + x * CELL, TOP + y * CELL, CELL, CELL, 0.06 + 0.94 * bank / 31
    }
  box(left - 1, TOP - 1, CELL + 2, 32 * CELL + 2, "strong")
  words(left, TOP + 32 * CELL + 22, "start", "muted", "column 0 over the 32 banks:")
  for (at in load) delete load[at]
  for (y = 0; y < 32; y++) load[word(layout, y, 0) % 32]++
  most = 0
  for (bank = 0; bank < 32; bank++) {
    if (load[bank] > most) most = load[bank]
    box(left + bank * CELL, FLOOR - 1, CELL - 1, 1, "off")
    if (load[bank]) box(left + bank * CELL, FLOOR - load[bank] * 2.2 - 1.5, CELL - 1, load[bank] * 2.2 + 1.5, most > 1 ? "d" : "c")
  }
  words(left, FLOOR + 20, "start", most == 1 ? "good" : "bad", most (most == 1 ? " wavefront" : " wavefronts"))
}

BEGIN {
  CELL = 6.6; TOP = 28; FLOOR = 348
  svg(720, 376, "Banks of a tile of 32 x 32 without padding, with padding, and swizzled")
  panel(6, 0, "tile[32][32]")
  panel(254, 1, "tile[32][33]")
  panel(502, 2, "tile[y][x ^ y]")
  done()
}
