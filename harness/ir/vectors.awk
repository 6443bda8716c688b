# vectors.awk: makes one load or store of those of neighbours, as nvcc does, in the LLVM IR of device
# code that clang has optimised.
#
#   awk -f text.awk -f vectors.awk device.ll >vectors.ll
#
# clang takes a float4 apart into four floats, and a later pass of it, which puts them together, does
# not see that they are neighbours where their address is a long sum. And where three of four are
# used, nvcc loads all four, clang two and one. As nvcc: a vector begins at an address that is known
# to be a multiple of its size, of at most 16 bytes and four elements; a load may read past the third
# of four. In between nothing writes memory, and, for stores, nothing reads it.
#
# And #pragma unroll 1 is said as clang 14 understands it where it writes PTX: .pragma "nounroll".
#
# A line is an instruction. Pointers are typed (clang 14) or not; both are read.

# ---- operands ----

# The value behind the type of "float* %5", and the type.
function value_of(operand) {
  match(operand, /[^ ]+$/)
  return operand ~ /[)]$/ ? operand : substr(operand, RSTART)
}
function type_of(operand,    type) {
  type = operand
  sub(/ [^ ]+$/, "", type)
  return type
}

# ---- types ----

# Sets size and align, both in bytes, of a type; size is 0 if it is not known.
function measure(type,    parts, count, i, inner, whole, largest) {
  if (type in known_size) {
    size = known_size[type]
    align = known_align[type]
    return
  }
  size = align = 0
  if (type ~ /^i[0-9]+$/) {
    size = align = int((substr(type, 2) + 7) / 8)
    if (size == 3 || size > 4) size = align = 8
    if (substr(type, 2) + 0 > 64) size = align = 0
  } else if (type == "half" || type == "bfloat") {
    size = align = 2
  } else if (type == "float") {
    size = align = 4
  } else if (type == "double" || type ~ /^ptr/ || type ~ /[*]$/) {
    size = align = 8
  } else if (type ~ /^%/) {
    if (type in body) measure(body[type])
  } else if (match(type, /^[[<][0-9]+ x /)) {
    inner = substr(type, RLENGTH + 1, length(type) - RLENGTH - 1)
    count = substr(type, 2) + 0
    measure(inner)
    size *= count
    if (type ~ /^</) align = size
  } else if (type ~ /^<?[{]/) {
    inner = type
    gsub(/^<?[{] *| *[}]>?$/, "", inner)
    count = inner == "" ? 0 : split_list(inner, parts)
    largest = 1
    for (i = 1; i <= count; i++) {
      measure(parts[i])
      if (size == 0) return
      if (type ~ /^</) align = 1
      whole = int((whole + align - 1) / align) * align
      field_at[type, i - 1] = whole
      field_type[type, i - 1] = parts[i]
      whole += size
      if (align > largest) largest = align
    }
    align = largest
    size = int((whole + align - 1) / align) * align
  }
  known_size[type] = size
  known_align[type] = align
}

# ---- addresses: a root, sums of values that vary, and a constant ----

function root_of(pointer) { return pointer in root ? root[pointer] : pointer }
function constant_of(pointer) { return pointer in root ? constant[pointer] : 0 }

# %to = getelementptr T, T* %p, i64 %i, i32 2: all but constants becomes part of the root.
function note_element(to, text,    parts, count, i, type, base, index_value, sum, variable) {
  sub(/^getelementptr +/, "", text)
  while (sub(/^(inbounds|nuw|nusw|inrange\([^)]*\)) +/, "", text)) {}
  sub(/, ![a-z].*$/, "", text)
  count = split_list(text, parts)
  if (count < 3 || parts[1] ~ /^<[0-9]/) return
  type = parts[1]
  base = value_of(parts[2])
  variable = root_of(base)
  sum = constant_of(base)
  for (i = 3; i <= count; i++) {
    index_value = value_of(parts[i])
    if (i > 3) { # into the type
      if (type ~ /^%/ && type in body) type = body[type]
      if (type ~ /^<?[{]/) {
        measure(type)
        if (size == 0 || index_value !~ /^[0-9]+$/) return
        sum += field_at[type, index_value]
        type = field_type[type, index_value]
        continue
      }
      if (!match(type, /^[[<][0-9]+ x /)) return
      type = substr(type, RLENGTH + 1, length(type) - RLENGTH - 1)
    }
    measure(type)
    if (size == 0) return
    if (index_value ~ /^-?[0-9]+$/)
      sum += index_value * size
    else
      variable = variable " " index_value "*" size
  }
  root[to] = variable
  constant[to] = sum
}

# ---- groups: loads, or stores, of one block from one root with nothing between them ----

# What an address in a local array is a multiple of.
function local_alignment(pointer,    name, bytes) {
  name = root_of(pointer)
  if (!(name in array_alignment)) return 1
  for (bytes = array_alignment[name]; constant_of(pointer) % bytes; bytes /= 2) {}
  return bytes
}

# Notes the access of the block's line n. what: "load" or "store".
function note_access(what, n, pointer, type, value,    key, known) {
  if (type !~ /^(i8|i16|i32|i64|half|bfloat|float|double)$/) return
  if (line[n] !~ /, align [0-9]+/) return
  measure(type)
  key = what " " (what == "load" ? load_epoch : store_epoch) " " root_of(value_of(pointer)) " " size
  if (!(key in members)) group[++group_count] = key
  member[key, ++members[key]] = n
  at[n] = constant_of(value_of(pointer))
  match(line[n], /, align [0-9]+/)
  aligned[n] = substr(line[n], RSTART + 8, RLENGTH - 8) + 0
  known = local_alignment(value_of(pointer))
  if (known > aligned[n]) aligned[n] = known
  pointer_of[n] = pointer
  element[n] = type
  stored[n] = value
}

# Sorts a group by address; of two at one address the later one stays by itself.
function sort_group(key,    i, k, n) {
  for (i = 2; i <= members[key]; i++) {
    n = member[key, i]
    for (k = i - 1; k >= 1 && at[member[key, k]] > at[n]; k--) member[key, k + 1] = member[key, k]
    member[key, k + 1] = n
  }
  for (i = k = 1; i <= members[key]; i++)
    if (i == 1 || at[member[key, i]] != at[member[key, k]]) {
      if (i > 1) k++
      member[key, k] = member[key, i]
    } else if (key ~ /^store/) {
      return 0 # the order of the two counts
    }
  return members[key] >= 1 ? k : 0
}

# How many from member i on make a vector; lanes: of how many elements.
function neighbours(key, i, count, bytes,    k, first) {
  first = member[key, i]
  for (lanes = bytes > 4 ? 16 / bytes : 4; lanes >= 2; lanes /= 2) {
    if (aligned[first] % (lanes * bytes)) continue
    for (k = 1; k < lanes && i + k <= count; k++)
      if (at[member[key, i + k]] != at[first] + k * bytes) break
    if (k == lanes || (k == 3 && lanes == 4 && key ~ /^load/)) return k
  }
  return 1
}

function debug_of(n) { return match(line[n], /, !dbg ![0-9]+/) ? substr(line[n], RSTART, RLENGTH) : "" }

# The address of the vector, which begins `back` bytes before what line n accesses: lines of text.
function vector_pointer(n, back, type,    space, base, text) {
  base = value_of(pointer_of[n])
  space = match(pointer_of[n], /addrspace\([0-9]+\)/) ? " " substr(pointer_of[n], RSTART, RLENGTH) : ""
  vectors++
  if (pointer_of[n] ~ /^ptr/) {
    address = "ptr" space " " base
    if (back == 0) return ""
    address = "ptr" space " %kit.at" vectors
    return "  %kit.at" vectors " = getelementptr i8, ptr" space " " base ", i64 -" back "\n"
  }
  if (back > 0) {
    text = "  %kit.bytes" vectors " = bitcast " pointer_of[n] " to i8" space "*\n  %kit.back" vectors \
      " = getelementptr i8, i8" space "* %kit.bytes" vectors ", i64 -" back "\n"
    pointer_of[n] = "i8" space "* %kit.back" vectors
  }
  address = type space "* %kit.at" vectors
  return text "  %kit.at" vectors " = bitcast " pointer_of[n] " to " type space "*\n"
}

# Sets first and last: the lines between which `count` members from i on stand.
function find_span(key, i, count,    k, n) {
  first = last = member[key, i]
  for (k = 1; k < count; k++) {
    n = member[key, i + k]
    if (n < first) first = n
    if (n > last) last = n
  }
}

# Do other stores stand between these? They may be to the same place: then the order counts.
function others_between(key, i, count,    n, stores) {
  find_span(key, i, count)
  for (n = first; n <= last; n++) stores += is_store[n]
  return stores > count
}

# Makes a vector of `count` members from i on.
function make_vector(key, i, count, bytes,    k, n, type, vector, text, value, name) {
  find_span(key, i, count)
  type = element[member[key, i]]
  vector = "<" lanes " x " type ">"
  if (key ~ /^load/) {
    text = vector_pointer(first, at[first] - at[member[key, i]], vector)
    text = text "  %kit.vector" vectors " = load " vector ", " address ", align " lanes * bytes \
      debug_of(first) "\n"
    for (k = 0; k < count; k++) {
      n = member[key, i + k]
      name = line[n]
      sub(/ = .*/, "", name)
      value = "extractelement " vector " %kit.vector" vectors ", i32 " k debug_of(n)
      line[n] = name " = " value
      if (element[n] != type) {
        line[n] = "  %kit.part" vectors "." k " = " value "\n" name " = bitcast " type " %kit.part" \
          vectors "." k " to " element[n] debug_of(n)
      }
    }
    line[first] = text line[first]
    return
  }
  text = vector_pointer(member[key, i], 0, vector)
  value = "undef"
  for (k = 0; k < count; k++) {
    n = member[key, i + k]
    name = stored[n]
    if (element[n] != type) {
      text = text "  %kit.part" vectors "." k " = bitcast " element[n] " " name " to " type "\n"
      name = "%kit.part" vectors "." k
    }
    text = text "  %kit.with" vectors "." k " = insertelement " vector " " value ", " type " " name \
      ", i32 " k "\n"
    value = "%kit.with" vectors "." k
  }
  text = text "  store " vector " " value ", " address ", align " lanes * bytes debug_of(last)
  for (k = 0; k < count; k++) line[member[key, i + k]] = ""
  line[last] = text
}

# The end of a block: prints it, with its vectors.
function end_block(    g, key, i, count, took, bytes) {
  for (g = 1; g <= group_count; g++) {
    key = group[g]
    bytes = key
    sub(/.* /, "", bytes)
    count = sort_group(key)
    for (i = 1; i <= count; i += took) {
      took = neighbours(key, i, count, bytes)
      if (took == 1 || (key ~ /^store/ && others_between(key, i, took))) continue
      make_vector(key, i, took, bytes)
    }
  }
  for (i = 1; i <= line_count; i++)
    if (line[i] != "" || blank[i]) print line[i]
  split("", members)
  split("", member)
  split("", is_store)
  group_count = line_count = 0
}

# Does this call neither read nor write memory, and does nobody wait in it?
function is_pure(text) {
  return text ~ /@llvm\.(dbg|lifetime|assume|fma|fmuladd|sqrt|fabs|minnum|maxnum|floor|ceil|trunc|rint|abs|smin|smax|umin|umax|ctpop|ctlz|cttz|bswap|fshl|fshr|copysign|nvvm\.(read\.ptx\.sreg|fma|mul|add|div|sqrt|rcp|rsqrt|ex2|lg2|sin|cos|fabs|fmin|fmax|saturate|floor|ceil|round|trunc|[dfilu][a-z0-9]*2[dfilu]))[.(0-9]/
}

/^%[^ ]* = type / {
  text = $0
  sub(/^[^ ]* = type /, "", text)
  body[$1] = text
}

/^define / {
  inside = 1
  split("", root)
  split("", constant)
  split("", array_alignment)
  print
  next
}

!inside {
  sub(/^![0-9]+ = !{!"llvm\.loop\.unroll\.count", i32 1}/, substr($0, 1, index($0, " ")) "= !{!\"llvm.loop.unroll.disable\"}")
  print
  next
}

/^}/ {
  end_block()
  inside = 0
  print
  next
}

{
  if (/^[^ ]+:( |$)/) end_block() # a label
  line[++line_count] = $0
  blank[line_count] = $0 == ""
}

/^  %[^ ]+ = alloca / && match($0, /, align [0-9]+/) {
  array_alignment[$1] = substr($0, RSTART + 8, RLENGTH - 8) + 0
}

/^  %[^ ]+ = getelementptr / {
  text = $0
  sub(/^  [^ ]+ = /, "", text)
  note_element($1, text)
  next
}

/^  %[^ ]+ = bitcast .*[*] %[^ ]+ to .*[*](,|$)/ {
  text = $0
  sub(/^  [^ ]+ = bitcast /, "", text)
  sub(/ to .*/, "", text)
  text = value_of(text)
  root[$1] = root_of(text)
  constant[$1] = constant_of(text)
  next
}

/^  %[^ ]+ = load [^va]/ {
  text = $0
  sub(/^  [^ ]+ = load /, "", text)
  count = split_list(text, parts)
  if (count >= 3) {
    note_access("load", line_count, parts[2], parts[1], "")
    store_epoch++
  }
  next
}

/^  store / { is_store[line_count] = 1 }

/^  store [^va]/ {
  text = $0
  sub(/^  store /, "", text)
  count = split_list(text, parts)
  if (count >= 3) note_access("store", line_count, parts[2], type_of(parts[1]), value_of(parts[1]))
  load_epoch++
  next
}

/ (call|invoke) / {
  if (!is_pure($0)) {
    load_epoch++
    store_epoch++
  }
  next
}

/^  (fence|store|%[^ ]+ = (load|atomicrmw|cmpxchg)) / {
  load_epoch++
  store_epoch++
}
