# copies.awk: has structures and arrays copied and set in words, as nvcc does, in the LLVM IR of device
# code that clang has optimised.
#
#   awk -f text.awk -f copies.awk device.ll >copies.ll
#
# Of 128 bytes and more both write a loop, clang of bytes, nvcc of what the type is aligned to: a
# structure of floats goes a float a turn. What calls memcpy and memset says nothing of that, and
# stays bytes. And where an array in local memory is a multiple of 2, 4, 8 or 16 bytes, nvcc has it
# begin at one, so that neighbours make a vector.
#
# A loop ends the block that it stands in: values that come from there then come from a new one.
# Pointers are typed (clang 14) or not; both are read.

BEGIN { LOOP = 128 } # bytes, from which on it is a loop

# What an argument is aligned to, in bytes.
function alignment(argument) {
  return match(argument, / align [0-9]+/) ? substr(argument, RSTART + 7, RLENGTH - 7) + 0 : 1
}

# The words of so many bytes: their type, and one of them filled with a byte.
function word_of(bytes) {
  return bytes == 16 ? "<4 x i32>" : bytes == 8 ? "<2 x i32>" : "i" bytes * 8
}
function filled(byte, bytes,    value, i, one) {
  byte = (byte + 256) % 256
  for (i = 0; i < (bytes < 4 ? bytes : 4); i++) value = value * 256 + byte
  if (bytes <= 4) return sprintf("%.0f", value)
  one = "i32 " sprintf("%.0f", value)
  return bytes == 8 ? "<" one ", " one ">" : "<" one ", " one ", " one ", " one ">"
}

# The pointer that is the argument, as one to words: sets `pointer`, and returns the line that it
# takes.
function to_words(argument, word, name,    type, value, before) {
  match(argument, /^[^ ]+( addrspace\([0-9]+\)[*]?)?/)
  type = substr(argument, 1, RLENGTH)
  match(argument, /(bitcast|addrspacecast|getelementptr|inttoptr) .*$|[%@]("[^"]*"|[^ ]+)$/)
  value = substr(argument, RSTART)
  if (type !~ /^ptr/) {
    before = "  %" name " = bitcast " type " " value
    value = "%" name
    sub(/^i8/, word, type)
    before = before " to " type "\n"
  }
  pointer = type " " value
  return before
}

# The address of a word behind `pointer`: its line; and such a pointer.
function address_of(name, word, turn) {
  return "  %" name " = getelementptr " word ", " pointer ", i64 " turn "\n"
}
function pointer_to(name) {
  match(pointer, / ([%@]("[^"]*"|[^ ]+)|(bitcast|addrspacecast|getelementptr|inttoptr) .*)$/)
  return substr(pointer, 1, RSTART) "%" name
}

# Words in place of the call of line n, if it is one that sets or copies: a loop, or, of what is set
# and is shorter, one store after another.
function in_words(n,    text, args, bytes, size, word, is_copy, debug, value, load, before, i) {
  text = line[n]
  if (text !~ /call void @llvm\.mem(set|cpy)\.p/) return
  debug = match(text, /, !dbg ![0-9]+/) ? substr(text, RSTART, RLENGTH) : ""
  is_copy = text ~ /@llvm\.memcpy/
  sub(/^[^(]*\(/, "", text)
  sub(/\)[^)]*$/, "", text)
  if (split_list(text, args) != 4 || args[4] !~ /false$/) return
  if (args[3] !~ /^i(32|64) [0-9]+$/ || (!is_copy && args[2] !~ /^i8 -?[0-9]+$/)) return
  size = args[3]
  sub(/^i[0-9]+ /, "", size)
  size += 0
  bytes = alignment(args[1])
  if (is_copy && alignment(args[2]) < bytes) bytes = alignment(args[2])
  if (bytes > 16) bytes = 16
  if (bytes < 2 || size % bytes || (size < LOOP && is_copy)) return
  if (becomes_registers(args[1]) || (is_copy && becomes_registers(args[2]))) return
  calls++
  word = word_of(bytes)
  if (is_copy) {
    before = to_words(args[2], word, "kit.from" calls)
    value = "%kit.word" calls
    load = address_of("kit.source" calls, word, "%kit.turn" calls) "  " value " = load " word ", " \
      pointer_to("kit.source" calls) ", align " bytes debug "\n"
  } else {
    value = filled(substr(args[2], 4), bytes)
  }
  before = before to_words(args[1], word, "kit.to" calls)
  if (size < LOOP) {
    line[n] = before
    for (i = 0; i < size / bytes; i++) {
      line[n] = line[n] address_of("kit.at" calls "." i, word, i) "  store " word " " value ", " \
        pointer_to("kit.at" calls "." i) ", align " bytes debug (i + 1 < size / bytes ? "\n" : "")
    }
    return
  }
  line[n] = before "  br label %kit.loop" calls debug "\n\nkit.loop" calls ":\n  %kit.turn" calls \
    " = phi i64 [ 0, %" block_name " ], [ %kit.next" calls ", %kit.loop" calls " ]\n" load \
    address_of("kit.target" calls, word, "%kit.turn" calls) "  store " word " " value ", " \
    pointer_to("kit.target" calls) ", align " bytes debug "\n  %kit.next" calls \
    " = add i64 %kit.turn" calls ", 1\n  %kit.more" calls " = icmp ult i64 %kit.next" calls ", " \
    size / bytes "\n  br i1 %kit.more" calls ", label %kit.loop" calls ", label %kit.end" calls \
    debug "\n\nkit.end" calls ":"
  block_name = "kit.end" calls
  now[block] = block_name
}

# ---- local arrays ----

# Is this a pointer into an array that goes into registers? All that is done with it is then known.
function becomes_registers(argument) {
  return match(argument, /%[^ ]+$/) && substr(argument, RSTART) in array_of && \
    !(array_of[substr(argument, RSTART)] in stays)
}

# Notes what line n does with pointers into arrays. One that is addressed by what a variable says, or
# whose address goes elsewhere, stays in memory.
function note_pointers(n,    text, name, made, moves) {
  text = line[n]
  match(text, /^  %[^ ]+ = /)
  made = RSTART ? substr(text, 3, RLENGTH - 5) : ""
  if (text ~ / = alloca /) {
    array_of[made] = made
    align_array(n)
    return
  }
  if (text ~ /call void @llvm\.(lifetime|mem|dbg)/ || text ~ / = load /) return
  moves = text !~ / = (getelementptr|bitcast) /
  if (!moves) moves = text ~ /, i(32|64) %/
  if (made != "") text = substr(text, length(made) + 6)
  if (text ~ /^  store /) sub(/, [^,]*, align .*$/, "", text) # what it stores
  while (match(text, /%("[^"]*"|[-a-zA-Z$._0-9]+)/)) {
    name = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (!(name in array_of)) continue
    if (moves) stays[array_of[name]]
    if (made != "") array_of[made] = array_of[name]
  }
}

# The local array of line n begins at a multiple of 16 bytes, or as many as divide its size.
function align_array(n,    text, count, size, aligned) {
  text = line[n]
  if (!match(text, / = alloca (\[[0-9]+ x )+(i(8|16|32|64)|half|float|double)\]+, align [0-9]+/))
    return
  text = substr(text, RSTART, RLENGTH)
  size = text ~ /i8]/ ? 1 : text ~ /(i16|half)]/ ? 2 : text ~ /(i32|float)]/ ? 4 : 8
  aligned = text
  sub(/.* align /, "", aligned)
  aligned += 0
  while (match(text, /\[[0-9]+ x /)) {
    size *= substr(text, RSTART + 1) + 0
    text = substr(text, RSTART + RLENGTH)
  }
  for (count = 16; size % count; count /= 2) {}
  if (count > aligned) sub(/, align [0-9]+/, ", align " count, line[n])
}

# The values of a phi come from the blocks that those before now end with.
function rename_blocks(text,    done, name) {
  while (match(text, /, %[^ ]+ \]/)) {
    name = substr(text, RSTART + 3, RLENGTH - 5)
    done = done substr(text, 1, RSTART + 2) (name in now ? now[name] : name)
    text = substr(text, RSTART + RLENGTH - 2)
  }
  return done text
}

/^define / {
  inside = 1
  line_count = 0
  split("", now)
  split("", array_of)
  split("", stays)
  block = 0 # without a label: the number behind those of the parameters
  text = $0
  while (match(text, /%[0-9]+[,)]/)) {
    block = substr(text, RSTART + 1) + 1
    text = substr(text, RSTART + RLENGTH)
  }
  block_name = block
  print
  next
}

!inside {
  print
  next
}

/^}/ {
  for (i = 1; i <= line_count; i++) note_pointers(i)
  for (i = 1; i <= line_count; i++) {
    if (match(line[i], /^("[^"]*"|[^ ":]+):/)) block_name = block = substr(line[i], 1, RLENGTH - 1)
    if (line[i] ~ /@llvm\.mem/) in_words(i)
  }
  for (i = 1; i <= line_count; i++)
    print line[i] ~ /^  %[^ ]+ = phi / ? rename_blocks(line[i]) : line[i]
  inside = 0
  print
  next
}

{ line[++line_count] = $0 }
