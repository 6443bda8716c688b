# sizes.gp: what charts over size have in common: ranges, how each line looks, the values at the last size. For a chart that
# has set AXIS, ROLES, what style.gp wants, and
#     LOG          logarithmic in y
#     shown(v)     a value of DATA's second column as it is drawn
#     said(v)      the same in words
# A role is
#     own        the kernel that is graded
#     model      the lab's model solution
#     baseline   that of the lab it is compared with
#     cpu1 ...   a CPU, from the plainest code to the best
set datafile separator "\t"
width = 900; height = 480; columns = 78; rows = 26
load folder."style.gp"

blocks = words(ROLES)
role(i) = word(ROLES, i + 1)
is(i, name) = role(i) eq name
ink(i) = is(i, "own") ? BLUE : is(i, "model") ? GREEN : is(i, "baseline") ? VERMILLION : is(i, "cpu1") ? "#999999" : is(i, "cpu2") ? "#555555" : BLACK
mark(i) = is(i, "own") ? 7 : is(i, "model") ? 9 : is(i, "baseline") ? 5 : is(i, "cpu1") ? 4 : is(i, "cpu2") ? 8 : 6
dash(i) = is(i, "own") ? 1 : is(i, "model") ? 2 : is(i, "baseline") ? 5 : is(i, "cpu1") ? 3 : is(i, "cpu2") ? 4 : 1
letter(i) = is(i, "own") ? "Y" : is(i, "model") ? "M" : is(i, "baseline") ? "B" : role(i)[4:*]

lowest = 0; highest = 0; last = 0
found(n, v) = (last = n > last ? n : last, lowest = lowest == 0 || v < lowest ? v : lowest, highest = v > highest ? v : highest)
stats DATA using (found($1, shown($2) + (LOG ? 0 : $3))) nooutput
array LAST[blocks] # the value of each block at the last size
do for [i = 1:blocks] {
  value = NaN
  stats DATA index i - 1 using ($1 == last ? (value = $2) : 0) nooutput
  LAST[i] = value
}
# Above the highest value, room for the key.
bottom = LOG ? 10 ** floor(log10(lowest)) : 0
above = is_text ? 1.05 : 1.1 + 0.055 * blocks
top = LOG ? highest * (highest / bottom) ** (above - 1) : highest * above
set format y "%g"
if (LOG) {
  set logscale y
  set ytics ()
  do for [d = floor(log10(bottom) + 0.5):ceil(log10(highest))] { set ytics add (sprintf("%g", 10.0 ** d) 10.0 ** d) }
}
set yrange [bottom:top]
set xlabel AXIS
set xrange [0:last * (is_text ? 1.02 : 1.1)]
if (!is_text) { set grid ytics linetype 1 linecolor rgb FAINT }
set key top left Left reverse

# Those values beside their points, but moved apart where they would lie over one another.
share(v) = LOG ? log(v / bottom) / log(top / bottom) : v / top
GAP = 0.036
array PLACE[blocks]; array ORDER[blocks]
do for [i = 1:blocks] {
  PLACE[i] = LAST[i] == LAST[i] ? share(shown(LAST[i])) : -i # none: out of the others' way
  ORDER[i] = i
}
do for [i = 2:blocks] {
  do for [k = i:2:-1] {
    if (PLACE[ORDER[k]] < PLACE[ORDER[k - 1]]) { swap = ORDER[k]; ORDER[k] = ORDER[k - 1]; ORDER[k - 1] = swap }
  }
}
do for [again = 1:50] {
  do for [k = 2:blocks] {
    near = PLACE[ORDER[k - 1]] + GAP - PLACE[ORDER[k]]
    if (near > 0) { PLACE[ORDER[k]] = PLACE[ORDER[k]] + near / 2; PLACE[ORDER[k - 1]] = PLACE[ORDER[k - 1]] - near / 2 }
  }
}
if (!is_text) {
  do for [i = 1:blocks] {
    if (LAST[i] == LAST[i]) { set label i said(LAST[i]) at first last,graph PLACE[i] left offset 1,0 font SMALL }
  }
}
