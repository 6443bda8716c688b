# warp_sectors.awk: where the 32 words that a warp reads lie in memory, over sectors of 32 bytes and lines of 128 bytes:
# side by side from a line's beginning on, from a few words behind it, and every third word.

# Lane l reads word first + l * step.
function panel(top, title, first, step, lane, word, sector, moved, lines, wanted, at, at_line) {
  for (lane = 0; lane < 32; lane++) {
    word = first + lane * step
    wanted[word] = 1
    if (!(int(word / 8) in at)) moved++
    at[int(word / 8)] = 1
    if (!(int(word / 32) in at_line)) lines++
    at_line[int(word / 32)] = 1
  }
  words(LEFT, top + 14, "start", "bold", title)
  for (word = 0; word < WORDS; word++)
    box(LEFT + word * CELL, top + 26, CELL - 0.8, HIGH,
        (word in wanted) ? "a" : (int(word / 8) in at) ? "la" : "off")
  for (word = 0; word <= WORDS; word += 8)
    stroke(LEFT + word * CELL - 0.4, top + (word % 32 ? 24 : 20), LEFT + word * CELL - 0.4,
           top + 28 + HIGH + (word % 32 ? 0 : 4), word % 32 ? "thin" : "frame")
  words(LEFT, top + HIGH + 48, "start", moved == 4 ? "good" : "bad", moved " sectors, " lines (lines == 1 ? " line" : " lines"))
}

BEGIN {
  LEFT = 6; CELL = 7.3; HIGH = 22; WORDS = 96
  svg(716, 330, "The 32 words of a warp over sectors and lines: 4 sectors in a row, 5 if they begin within a sector, 12 if every third word is read")
  panel(0, "in[i]: lane 0 at byte 0", 0, 1)
  panel(92, "in[i + 5]: lane 0 at byte 20", 5, 1)
  panel(184, "in[i * 3]: lanes 12 bytes apart", 0, 3)
  for (LINE = 0; LINE < 3; LINE++)
    words(LEFT + (LINE * 32 + 16) * CELL, 284, "middle", "muted", "bytes " LINE * 128 " to " LINE * 128 + 127 ": a line")
  words(LEFT, 312, "start", "muted", "A cell is a word of 4 bytes. Short strokes: borders of sectors, every 32 bytes. Long strokes: borders of lines.")
  done()
}
