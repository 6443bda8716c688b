# sum_steps.awk: 16 sums become one in four steps, by step 1, 2 and 3 of lab 7: which threads add, and what each adds to what.

function cell(x, row, class, text, ink) {
  box(LEFT + x * W, Y + row * H, W - 2, 20, class)
  words(LEFT + x * W + W / 2 - 1, Y + row * H + 14.5, "middle", ink, text)
}

# An arrow from element `from` in one row to element `to` in the next.
function added(from, to, row) {
  stroke(LEFT + from * W + W / 2 - 1, Y + row * H + 21, LEFT + to * W + W / 2 + 4, Y + (row + 1) * H - 1, "line")
}

function panel(top, kind, title, text, row, step, half, t, at, by, who) {
  Y = top + 24
  words(4, top + 14, "start", "bold", title)
  words(240, top + 14, "start", "muted", text)
  for (row = 0; row < 5; row++)
    for (t = 0; t < 16; t++) cell(t, row, "off", "", "")
  for (t = 0; t < 16; t++) cell(t, 0, "la", t, "muted")
  for (row = 1; row < 5; row++) {
    step = 2 ^ (row - 1)
    half = 8 / step
    for (t = 0; t < 8 / step; t++) {
      at = kind == 3 ? t : 2 * step * t
      by = kind == 3 ? half : step
      who = kind == 1 ? at : t
      cell(at, row, "a", "t" who, "white")
      added(at + by, at, row - 1)
    }
  }
}

BEGIN {
  W = 43.5; H = 36; LEFT = 14
  svg(720, 624, "16 sums become one in four steps: interleaved with divergence, interleaved with bank conflicts, sequential")
  panel(0, 1, "Step 1: every second thread", "t0, t2, t4, ..: all warps stay at work, with ever fewer lanes")
  panel(210, 2, "Step 2: the first threads", "t0, t1, t2, ..: whole warps, but their words lie 2, 4, 8 .. apart")
  panel(420, 3, "Step 3: neighbours", "the second half is added to the first: whole warps, neighbouring words")
  done()
}
