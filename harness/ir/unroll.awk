# unroll.awk: has clang unroll loops of the LLVM IR of device code, before it optimises them, by as many
# turns as nvcc.
#
#   awk -f text.awk -f functions.awk -f unroll.awk source.ll source.ll >unroll.ll
#
#     for (int y = 0; y < n; y++)
#       for (int x = 0; x < m; x++)
#
# Of a loop around another one nvcc makes several turns one only where that leaves no outer loop, and
# its turns are few; clang would also make two or four of them one.
#
#     for (int k = 0; k < 1024; k++)
#
# Where nvcc knows how many turns there are, and they are too many to unroll all, it makes as many of
# them one as it takes to divide their number by a power of two, up to a number of instructions; clang
# makes at most so many one as of loops of which it knows nothing.
#
#     for (int y = row - 2; y <= row + 2; y++)
#
# The turns of such a window nvcc knows, if they are up to eight and, of an int, its last one is not that
# of row + 1; then it unrolls all of it, else nothing. clang does not see that row + 2 is no less than row - 2: for
# it y - row is compared with 2.
#
# Where such loops of unknown turns are in others, what is left of them is no loop in nvcc's, but up to
# three turns one after the other. For that clang has an option only for all loops: the last line, a
# comment, then asks for it.
#
# A loop is what lies between the block that a branch with metadata of a loop leads to and that branch.
# The IR is read twice: what a loop is to be is said behind it. The numbers were measured: loops of any
# kind, compiled with nvcc 13.

BEGIN {
  few_turns = 100           # that clang unrolls all of, and no loop is left
  outer_instructions = 140  # of the turns of a loop around another one that are unrolled
  asking_instructions = 75  # and if only a register knows the turns of that one
  array_instructions = 1500 # and if an array may be gone then
  whole_instructions = 650  # of the turns of any other loop that are
  surely = 0.6              # of what is counted is left: what does not depend on the turn is not
  part_instructions = 224   # of the turns that are made one
  most_turns = 32           # that are
  usual_turns = 4           # where nothing divides their number
  call_instructions = 80    # of a function that is not in functions.awk
  turns_around_call = 8     # of a loop around such a function, that are unrolled
  window_turns = 8          # of a window that is unrolled
  window_instructions = 700 # of all of it, with the loops in it
}

FNR == 1 && NR > 1 { decide() }
END {
  if (rests) print "; unroll-remainder"
}
NR != FNR {
  if (/^![0-9]+ = distinct !\{/ && $1 in says && !told())
    sub(/\}$/, ", !{!\"llvm.loop.unroll." says[$1] "}}")
  print FNR in counted ? counted[FNR] : $0
  next
}

/^define / {
  functions++
  name = $0
  sub(/^[^@]*/, "", name)
  sub(/\(.*/, "", name)
  number_of[name] = functions
  work_before_function = work
  function_begins[functions] = NR
  delete block_of
  delete is_address
  delete is_local
  block = ++blocks
}
/^}/ {
  work_in[functions] = work - work_before_function
  function_ends[functions] = NR
}

/^[0-9]+:/ {
  block_of[$1 + 0] = block = ++blocks
  begins[block] = NR
  work_before[block] = work
}

# A loop's counter is set to where it starts, and to itself with a step added; a condition compares it.
/^  store i[0-9]+ / {
  variable = functions SUBSEP bare($5)
  stores[variable]++
  if ((functions, bare($3)) in added && steps_from(variable, functions SUBSEP bare($3))) {
    step[variable] = added[functions, bare($3)]
    wraps[variable] = may_wrap[functions, bare($3)]
  } else {
    stored[variable] = bare($3)
  }
}
/^  %[0-9]+ = load i[0-9]+, / {
  loaded[functions, $1] = functions SUBSEP bare($6)
  load_of[functions, bare($6)] = $0
  sub(/^[^=]*= /, "", load_of[functions, bare($6)])
  sub(/, !.*/, "", load_of[functions, bare($6)])
}
/^  %[0-9]+ = [sz]ext i[0-9]+ %[0-9]+ to / {
  widened[functions, $1]
  if ($3 == "zext") never_negative[functions, $1]
  if ((functions, $5) in loaded) loaded[functions, $1] = loaded[functions, $5]
}
/^  %[0-9]+ = (add|sub) (nuw |nsw )*i[0-9]+ %[0-9]+, (%|-?[0-9])/ {
  right = bare($NF ~ /^![0-9]+$/ ? $(NF - 2) : $NF)
  if ($3 == "sub") right = right ~ /^-/ ? substr(right, 2) : "-" right
  if ($3 == "add" && right == "1") plus_one[functions, $1]
  added[functions, $1] = right
  added_to[functions, $1] = bare($NF ~ /^![0-9]+$/ ? $(NF - 3) : $(NF - 1))
  may_wrap[functions, $1] = !/ nsw /
}
/^  %[0-9]+ = icmp [a-z]+ i[0-9]+ / {
  compared[block] = $4
  comparison[block] = $1
  compared_at[block] = NR
  left_of[block] = bare($6)
  right_of[block] = bare($7)
}

# Work: the instructions that are left when local variables are registers, of this function or of the one
# that passes their addresses on.
/^  %[0-9]+ = alloca / { is_local[$1] }
/^  %[0-9]+ = (getelementptr|bitcast) / {
  match($0, /(\*+|ptr) %[0-9]+/)
  from = substr($0, RSTART, RLENGTH)
  sub(/.* /, "", from)
  if (/, i(32|64) %[0-9]+(,|$)/) {
    work++
    if (from in is_local) array_at[++arrays] = NR
    else is_address[$1]
  } else if (from in is_local) is_local[$1]
  else if (from in is_address) is_address[$1]
}
/^  %[0-9]+ = (add|sub|mul|f?neg|f(add|sub|mul|div|rem)|[su](div|rem)|shl|[la]shr|and|or|xor|[if]cmp|select|trunc|zext|[sufp]+to[sufipext]+) / || /^  br i1 / {
  work++
}
/^  %[0-9]+ = load / {
  match($0, /(\*+|ptr) %[0-9]+,/)
  from = substr($0, RSTART, RLENGTH - 1)
  sub(/.* /, "", from)
  if (from in is_address) work++
}
/^  (%[0-9]+ = (tail )?)?call / && !/lifetime/ {
  if (/ asm / || /@llvm\./ || !match($0, /@[^(]*\(/)) work++
  else {
    calls++
    called[calls] = substr($0, RSTART, RLENGTH - 1)
    calls_at[calls] = NR
    calls_from[calls] = functions
    if (!(functions in first_call)) first_call[functions] = calls
    last_call[functions] = calls
    arguments[calls] = substr($0, RSTART + RLENGTH)
  }
}

/!llvm\.loop/ && match($0, /label %[0-9]+/) {
  from = block_of[substr($0, RSTART + 7, RLENGTH - 7)]
  if (from == "") next
  loops++
  loop_block[loops] = from
  loop_begins[loops] = begins[from]
  loop_ends[loops] = NR
  loop_function[loops] = functions
  loop_work[loops] = work - work_before[from]
  match($0, /!llvm\.loop ![0-9]+/)
  loop_data[loops] = substr($0, RSTART + 11, RLENGTH - 11)
}

# Metadata that a pragma makes.
/^![0-9]+ = !\{!"llvm\.loop\.unroll/ { from_pragma[$1] }

function told(    i, node) {
  for (i = 4; i <= NF; i++) {
    node = $i
    gsub(/[^!0-9]/, "", node)
    if (node in from_pragma) return 1
  }
  return 0
}

# steps_from(VARIABLE, REGISTER): is the sum one of the variable itself?
function steps_from(variable, register,    at) {
  at = functions SUBSEP added_to[register]
  return !(at in loaded) || loaded[at] == variable
}

function bare(word) {
  sub(/,.*/, "", word)
  return word
}

# read_condition(LOOP): sets counter, bound and relation, as if the counter were on the left; false if
# there is no counter with a step.
function read_condition(loop,    at, left, right) {
  at = loop_block[loop]
  if (!(at in compared)) return 0
  relation = compared[at]
  left = loop_function[loop] SUBSEP left_of[at]
  right = loop_function[loop] SUBSEP right_of[at]
  if (left in loaded && loaded[left] in step) {
    counter = loaded[left]
    bound = right_of[at]
  } else if (right in loaded && loaded[right] in step) {
    counter = loaded[right]
    bound = left_of[at]
    if (!sub(/l/, "g", relation)) sub(/g/, "l", relation)
  } else return 0
  return 1
}

# turns_of(LOOP): how many it has, or 0 if a register knows.
function turns_of(loop,    to, from) {
  if (!read_condition(loop)) return 0
  if (stores[counter] == 2 && step[counter] == "1" && relation ~ /^sl/) {
    is_window[loop] = find_window(loop)
    if (is_window[loop]) return is_window[loop] > 0 ? is_window[loop] : 0
  }
  if (stores[counter] != 2 || stored[counter] !~ /^-?[0-9]+$/ || step[counter] !~ /^-?[0-9]+$/) return 0
  from = loop_function[loop] SUBSEP bound
  to = value_of(from in loaded ? loaded[from] : bound, 0)
  if (to == "" || step[counter] == 0) return 0
  if (relation ~ /e$/ && relation != "ne") to += step[counter] > 0 ? 1 : -1
  to = (to - stored[counter]) / step[counter]
  return to <= 0 ? 0 : int(to) + (to > int(to))
}

# find_window(LOOP): the turns of a loop from a variable to it, a constant subtracted and another one
# added, if nvcc unrolls it, -1 if not, 0 if it is none. One that is unrolled counts from the variable.
function find_window(loop,    from, last, base, type, at) {
  at = loop_block[loop]
  if (!find_place(loop_function[loop], stored[counter], 0)) return 0
  base = place_base
  from = place_offset
  if (!find_place(loop_function[loop], bound, 0) || place_base != base) return 0
  last = place_offset - (relation !~ /e$/)
  if (last < from || last == 0) return 0 # to the variable itself: clang would undo it
  type = load_of[base]
  sub(/^load /, "", type)
  sub(/,.*/, "", type)
  if ((last == 1 && type == "i32") || last - from + 1 > window_turns) return -1
  windows++
  counted[compared_at[at]] = sprintf("  %%base%d = %s\n  %%from%d = sub %s %s, %%base%d\n" \
    "  %s = icmp sle %s %%from%d, %d", windows, load_of[base], windows, type,
    bound == right_of[at] ? left_of[at] : right_of[at], windows, comparison[at], type, windows, last)
  return last - from + 1
}

# find_place(FUNCTION, REGISTER): sets place_base, a variable that is set once, and place_offset, what
# the register has more; false if it is no such sum.
function find_place(function_, register, depth,    at, variable) {
  at = function_ SUBSEP register
  if (depth > 6) return 0
  if (at in added) {
    if (added[at] !~ /^-?[0-9]+$/ || may_wrap[at]) return 0
    if (!find_place(function_, added_to[at], depth + 1)) return 0
    place_offset += added[at]
    return 1
  }
  if (!(at in loaded) || at in widened) return 0
  variable = loaded[at]
  if (stores[variable] != 1) return 0
  if (stored[variable] ~ /^%/ && find_place(function_, stored[variable], depth + 1)) return 1
  place_base = variable
  place_offset = 0
  return 1
}

# may_not_end(LOOP): does nvcc not count its turns, as the counter could step over the largest bound and
# begin anew? It never asks whether C++ lets it.
function may_not_end(loop,    by_one, at) {
  if (!read_condition(loop)) return 0
  by_one = step[counter] ~ /^-?1$/
  if (relation ~ /^s/ && wraps[counter] && !by_one) return 1
  if (bound ~ /^-?[0-9]+$/) return 0
  if (relation ~ /^u/) return relation ~ /e$/ || !by_one
  if (relation !~ /^s/ || by_one) return 0
  at = loop_function[loop] SUBSEP bound
  if (at in widened) return 0
  if (step[counter] ~ /^-?[0-9]+$/ &&
    (stored[counter] ~ /^-?[0-9]+$/ || (loop_function[loop], stored[counter]) in never_negative))
    return 0
  return relation ~ /e$/ ? added[at] !~ /^-[0-9]/ : at in plus_one
}

# value_of(BOUND): a number, or a variable that is set once, to a number or by whoever calls the function
# to numbers, then the largest; or "".
function value_of(bound, depth,    part, value, call, name) {
  if (bound ~ /^-?[0-9]+$/) return bound
  if (stores[bound] != 1 || depth > 8) return ""
  if (stored[bound] ~ /^-?[0-9]+$/) return stored[bound]
  split(bound, part, SUBSEP)
  for (call = 1; call <= calls; call++) {
    if (number_of[called[call]] != part[1]) continue
    split_list(arguments[call], part_of_call)
    name = part_of_call[substr(stored[bound], 2) + 1]
    sub(/\).*/, "", name)
    sub(/.* /, "", name)
    if ((calls_from[call], name) in loaded)
      name = value_of(loaded[calls_from[call], name], depth + 1)
    if (name !~ /^-?[0-9]+$/) return ""
    if (value == "" || name + 0 > value) value = name + 0
  }
  return value
}

# decide: what loops are to be, by those in them, of their own and of the functions that they call.
function decide(    loop, other, call, again, lasts, asks, most) {
  for (loop = 1; loop <= loops; loop++) {
    turns[loop] = turns_of(loop)
    if (turns[loop] == 0) asks_in[loop_function[loop]]
    if (turns[loop] == 0 || turns[loop] > few_turns) lasts_in[loop_function[loop]]
  }
  do {
    again = 0
    for (call = 1; call <= calls; call++) again += hand_on(asks_in, call) + hand_on(lasts_in, call)
  } while (again)
  find_repeated()
  for (loop = 1; loop <= loops; loop++) {
    lasts = asks = 0
    for (other = loop - 1; other > 0 && loop_begins[other] > loop_begins[loop]; other--) {
      if (turns[other] == 0) asks = 1
      if (turns[other] == 0 || turns[other] > few_turns) lasts = 1
    }
    for (call = first_call[loop_function[loop]]; call <= last_call[loop_function[loop]]; call++)
      if (calls_at[call] > loop_begins[loop] && calls_at[call] < loop_ends[loop]) {
        if (number_of[called[call]] in asks_in) asks = 1
        if (number_of[called[call]] in lasts_in) lasts = 1
      }
    computes = is_called = 0
    each = loop_work[loop]
    add_calls(loop_function[loop], loop_begins[loop], loop_ends[loop])
    most = has_array(loop) ? array_instructions : asks ? asking_instructions : outer_instructions
    if (is_window[loop] < 0 || (is_window[loop] && turns[loop] * all_work(loop) > window_instructions))
      say(loop, "disable\"")
    else if (!lasts) {
      say(loop, one_loop(loop, each))
      if (turns[loop] == 0 && read_condition(loop) && !may_not_end(loop) && is_repeated(loop))
        rests = 1
    } else if (turns[loop] == 0) say(loop, "runtime.disable\"")
    else if (turns[loop] * each <= most) say(loop, "full\"")
    else if (turns[loop] > 2) say(loop, "disable\"")
  }
}

# hand_on(FUNCTIONS, CALL): a function that calls one of these is one; 1 if it was not.
function hand_on(functions_with, call) {
  if (!(number_of[called[call]] in functions_with) || calls_from[call] in functions_with) return 0
  functions_with[calls_from[call]]
  return 1
}

# find_repeated: which functions are called in loops.
function find_repeated(    loop, call, again) {
  for (call = 1; call <= calls; call++)
    for (loop = 1; loop <= loops; loop++)
      if (calls_at[call] > loop_begins[loop] && calls_at[call] < loop_ends[loop])
        is_called_again[number_of[called[call]]]
  do {
    again = 0
    for (call = 1; call <= calls; call++)
      if (calls_from[call] in is_called_again && !(number_of[called[call]] in is_called_again)) {
        is_called_again[number_of[called[call]]]
        again = 1
      }
  } while (again)
}

function is_repeated(loop,    other) {
  for (other = 1; other <= loops; other++)
    if (loop_begins[other] < loop_begins[loop] && loop_ends[other] > loop_ends[loop]) return 1
  return loop_function[loop] in is_called_again
}

# all_work(LOOP): the instructions of a turn, those of loops in it as often as they turn.
function all_work(loop,    all, other) {
  all = loop_work[loop]
  for (other = loop - 1; other > 0 && loop_begins[other] > loop_begins[loop]; other--)
    if (turns[other] > 1) all += (turns[other] - 1) * loop_work[other]
  return all
}

# has_array(LOOP): is an element of a local array taken in it? Without the loop, it may be a register.
function has_array(loop,    array) {
  for (array = 1; array <= arrays; array++)
    if (array_at[array] > loop_begins[loop] && array_at[array] < loop_ends[loop]) return 1
  return 0
}

function say(loop, what) {
  if (what != "") says[loop_data[loop]] = what
}

# one_loop(LOOP, EACH): what a loop is to be that has no other in it, of so many instructions each turn.
function one_loop(loop, each,    all, count) {
  if (is_called) return turns[loop] > is_called ? "disable\"" : ""
  if (turns[loop] == 0) {
    if (may_not_end(loop) || (computes && 2 * each > part_instructions)) return "runtime.disable\""
    return computes && usual_turns * each > part_instructions ? "count\", i32 2" : ""
  }
  all = turns[loop] * each
  if (!computes) all *= turns[loop] > few_turns ? 1 : turns[loop] > most_turns ? surely : 0
  if (all <= whole_instructions || has_array(loop)) return ""
  count = most_turns
  while (count > 1 && (turns[loop] % count || count * each > part_instructions)) count /= 2
  if (count == 1 && turns[loop] % 2 && usual_turns * each <= part_instructions) count = usual_turns
  return "count\", i32 " count
}

# add_calls(FUNCTION, FROM, TO): adds to `each` what the functions called there have as instructions; and
# sets what they are: `computes`, of functions.awk, `is_called`, others of the runtime.
function add_calls(from_function, from, to,    call, number) {
  for (call = first_call[from_function]; call <= last_call[from_function]; call++) {
    if (calls_at[call] <= from || calls_at[call] >= to) continue
    number = number_of[called[call]]
    if (number != "") {
      find_whole(number)
      each += whole[number]
      if (whole_computes[number]) computes = 1
      if (whole_is_called[number]) is_called = whole_is_called[number]
    } else if (called[call] in instructions) {
      each += instructions[called[call]]
      computes = 1
    } else if (called[call] ~ /^@__kit_/) {
      each += call_instructions
      is_called = called[call] in is_whole ? 1 : turns_around_call
    }
  }
}

# find_whole(FUNCTION): the same of all of a function, with its own instructions; of one that calls itself
# once.
function find_whole(number,    each_before, computes_before, is_called_before) {
  if (number in whole) return
  each_before = each
  computes_before = computes
  is_called_before = is_called
  each = whole[number] = work_in[number]
  computes = is_called = 0
  add_calls(number, function_begins[number], function_ends[number])
  whole[number] = each
  whole_computes[number] = computes
  whole_is_called[number] = is_called
  each = each_before
  computes = computes_before
  is_called = is_called_before
}
