# warps.awk: which threads of a block are its first warp, for blocks of three shapes.

function panel(left, width, height, cell, title, x, y, thread) {
  words(left, 18, "start", "bold", title)
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++) {
      thread = y * width + x
      box(left + x * cell, TOP + y * cell, cell - 1.5, cell - 1.5, thread < 32 ? "a" : int(thread / 32) % 2 ? "off" : "la")
      if (cell > 17 && thread < 32)
        printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" class=\"white\" style=\"font-size:9.5px\">%d</text>\n",
          left + x * cell + cell / 2 - 0.8, TOP + y * cell + cell / 2 + 2.6, thread
    }
}

BEGIN {
  TOP = 30
  svg(720, 230, "The first warp of a block of 32 x 4, of 16 x 8 and of 8 x 8 threads")
  panel(4, 32, 4, 8.6, "dim3 block(32, 4)")
  panel(312, 16, 8, 11, "dim3 block(16, 8)")
  panel(540, 8, 8, 21.5, "dim3 block(8, 8)")
  words(4, 92, "start", "muted", "strong blue: warp 0, one row of the block")
  words(312, 142, "start", "muted", "strong blue: warp 0, two rows")
  words(540, 222, "start", "muted", "strong blue: warp 0, four rows")
  done()
}
