# divided_warp.awk: eight lanes of a warp at a branch: the condition of each lane, and the condition of each warp. Time runs to the right.

function run(x, lane, width, class) { box(x, Y + lane * 13, width, 11, class) }

function panel(top, title, text, class, divided, lane) {
  Y = top + 28
  words(4, top + 16, "start", "bold", title)
  words(300, top + 16, "start", class, text)
  for (lane = 0; lane < 16; lane++) {
    if (lane % 8 == 0) words(4, Y + lane * 13 + 55, "start", "muted", "warp " int(lane / 8))
    run(62, lane, 40, "lb")
    if (divided) {
      run(106, lane, 200, lane % 2 == 0 ? "a" : "off")
      run(310, lane, 200, lane % 2 == 1 ? "c" : "off")
      run(514, lane, 40, "lb")
    } else {
      run(106, lane, 200, lane < 8 ? "a" : "c")
      run(310, lane, 40, "lb")
    }
    if (lane == 7) Y += 8
  }
}

BEGIN {
  svg(720, 522, "A warp whose lanes go both ways executes both sides; two warps that go one way each execute one")
  panel(0, "if (i % 2 == 0): each thread's", "both sides, one after the other, half of the lanes idle", "bad", 1)
  panel(262, "if (i / 32 % 2 == 0): each warp's", "one side each", "good", 0)
  words(580, 60, "start", "muted", "blue: even")
  words(580, 78, "start", "muted", "green: odd")
  words(580, 96, "start", "muted", "grey: idle")
  words(580, 114, "start", "muted", "yellow: all lanes")
  words(580, 132, "start", "muted", "(8 of 32 are drawn)")
  done()
}
