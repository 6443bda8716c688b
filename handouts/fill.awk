# fill.awk: puts the kit's numbers into a handout or a diagram.
#
#   awk -v cards=build/handouts/runs -f fill.awk build/handouts/values.tsv lab2.md >build/handouts/lab2.md
#
# values.tsv: a name, a tab, a number or a word. Times are in ns, memory in bytes.
#   @{lab2.points}                  the value, to 3 significant digits if it is no whole number
#   @{lab2.n512.time_ns:us}         scaled: us ms KiB MiB MB million percent; .1 .2 ... are digits after the point
#   @{( h100.a - h100.b ) / 2:.1}   names and numbers with + - * / ( ), all of them with spaces around
#   @{card:lab1.exchanged}          on a line by itself: what ./grade printed in that run ("# run" in the page's head);
#   @{card:lab1.exchanged loads}    only the item `loads` with its reasons; or several; or `start`, the cause that stands
#                                   above them; or `lines`, the table of lines; or
#                                   `counters`, the same without the source, which would give a solution away; or
#                                   `compare`, what stands between items and lines if a card shows several cases
#   @{listing:lab2.ptx 6 ld.shared} on a line by itself: of that listing (in the folder `cards`, too) so many instructions,
#                                   the first one with these words and those behind it; without what is for debuggers
#
#   <!-- claim: lab1.n512.time_ns > lab2.n512.time_ns -->   on a line by itself: what the text around it says; left out
#
# What it does not know, and a claim that is not true, is an error with file and line; it reads on, to name them all, and the status is 1.

function fail(message) {
  print FILENAME ":" FNR ": " message >"/dev/stderr"
  failed = 1
  return "?"
}

function group(digits) { # 1234567 -> 1,234,567
  if (length(digits) < 5) return digits
  return group5(digits)
}
function group5(digits) {
  if (length(digits) <= 3) return digits
  return group5(substr(digits, 1, length(digits) - 3)) "," substr(digits, length(digits) - 2)
}

function short(v, sign, text) { # three significant digits, no trailing zeros
  sign = v < 0 ? "-" : ""
  if (v < 0) v = -v
  if (v == int(v) || v >= 100) return sign group(sprintf("%.0f", v))
  text = sprintf(v >= 10 ? "%.1f" : v >= 1 ? "%.2f" : v >= 0.1 ? "%.3f" : "%.4f", v)
  sub(/0+$/, "", text)
  sub(/\.$/, "", text)
  return sign text
}

function operand(name) {
  if (name ~ /^[0-9.]+$/) return name
  if (name in value) return value[name]
  fail("no value is called `" name "`")
  return ""
}

# Expressions: sum = product {+|- product}; product = factor {*|/ factor}; factor = name, number or ( sum ). word[] holds
# the words, at is the one to read next.
function sum(v) {
  v = product()
  while (word[at] == "+" || word[at] == "-") v = word[at++] == "+" ? v + product() : v - product()
  return v
}
function product(v, right) {
  v = factor()
  while (word[at] == "*" || word[at] == "/") {
    if (word[at++] == "*") {
      v *= factor()
      continue
    }
    right = factor()
    if (right == 0) fail("a division by 0")
    else v /= right
  }
  return v
}
function factor(v) {
  if (word[at] != "(") return operand(word[at++]) + 0
  at++
  v = sum()
  if (word[at++] != ")") fail("a ( without its )")
  return v
}

function number(expression, count, v) {
  count = split(expression, word, " ")
  at = 1
  word[count + 1] = ""
  v = sum()
  if (at != count + 1) fail("`" expression "` is no expression: what is `" word[at] "`?")
  return v
}

function evaluate(expression, format, v) {
  if (expression !~ / / && format == "") {
    v = operand(expression)
    return v ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ ? short(v + 0) : v == "" ? "?" : v
  }
  v = number(expression)
  if (format ~ /^\.[0-9]$/) return sprintf("%" format "f", v)
  if (format != "" && !(format in scale)) return fail("no format is called `" format "`")
  return short(format == "" ? v : v / scale[format])
}

function replace(inner, colon, format) {
  colon = index(inner, ":")
  format = colon ? substr(inner, colon + 1) : ""
  return evaluate(colon ? substr(inner, 1, colon - 1) : inner, format)
}

# Prints the file NAME.txt of the folder `cards`, or the parts asked for.
function card(request, words, count, i, want, path, line, got, part, rules, seen, source) {
  count = split(request, words, " ")
  path = cards "/" words[1] ".txt"
  for (i = 2; i <= count; i++) want[words[i]] = 1
  while ((got = (getline line <path)) > 0) {
    seen = 1
    if (line ~ /^─/) {
      rules++
      part = rules < 2 ? "" : "compare"
      if (count > 1) continue
    } else if (rules > 1 && line ~ /^case /) {
      part = "counters" in want ? "counters" : "lines"
    } else if (rules == 1 && line ~ /^  (✓|✗) /) {
      split(line, words, " ")
      part = words[2]
    } else if (line ~ /^  Start here: /) {
      part = "start"
    } else if (line ~ /^(  also|Ceiling|Next|Your own|Only the cases)/) {
      part = "end"
    }
    if (count == 1 || part in want) {
      if (line ~ /^  line .* source/) source = index(line, "source")
      if (part == "counters" && source) {
        line = substr(line, 1, source - 1)
        sub(/ +$/, "", line)
      }
      print line
      found[request " " part] = 1
    }
  }
  close(path)
  if (!seen) fail("no run is called `" request "` (`# run NAME: ...` in the head of its page)")
  for (part in want)
    if (!((request " " part) in found)) fail("the card of `" request "` has no part `" part "`")
}

# Prints so many instructions of the listing NAME of the folder `cards`, from the first on that has the words.
function listing(request, words, path, line, wanted, from) {
  split(request, words, " ")
  path = cards "/" words[1]
  wanted = words[2] + 0
  from = substr(request, length(words[1] " " words[2] " ") + 1)
  while (wanted > 0 && (getline line <path) > 0) {
    if (line !~ /^\t(@|[a-z])|^[ \t]*\/\*[0-9a-f]+\*\/ +[@A-Z]/) continue # PTX; SASS behind its address
    if (from != "" && !index(line, from)) continue
    from = ""
    wanted--
    sub(/^[ \t]*(\/\*[0-9a-f]+\*\/ +)?/, "", line)
    sub(/ *;[ \t]*(\/\*.*)?$/, ";", line)
    gsub(/ *\t/, " ", line)
    print line
  }
  close(path)
  if (wanted) fail("the listing " words[1] " has not " words[2] " instructions from one with `" from "` on")
}

BEGIN {
  scale["us"] = 1e3; scale["ms"] = 1e6; scale["KiB"] = 1024; scale["MiB"] = 1048576
  scale["MB"] = 1e6; scale["million"] = 1e6; scale["percent"] = 0.01
}

FILENAME == ARGV[1] {
  value[$1] = substr($0, length($1) + 2)
  next
}

/^@\{card:[^}]*\}$/ {
  card(substr($0, 8, length($0) - 8))
  next
}

/^@\{listing:[^}]*\}$/ {
  listing(substr($0, 11, length($0) - 11))
  next
}

/^<!-- claim: .* -->$/ {
  count = split(substr($0, 13, length($0) - 16), side, " [<>] ")
  if (count != 2) fail("a claim is one < or > between two expressions")
  else {
    side[1] = number(side[1])
    side[2] = number(side[2])
    if (index($0, " < ") ? side[1] >= side[2] : side[1] <= side[2])
      fail("no longer true: " $0 " (" side[1] ", " side[2] "); the text around it says so")
  }
  next
}

{
  out = ""
  rest = $0
  while ((start = index(rest, "@{"))) {
    out = out substr(rest, 1, start - 1)
    rest = substr(rest, start + 2)
    end = index(rest, "}")
    if (!end) {
      fail("@{ without }")
      break
    }
    out = out replace(substr(rest, 1, end - 1))
    rest = substr(rest, end + 1)
  }
  print out rest
}

END { exit failed }
