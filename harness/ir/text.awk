# text.awk: lists in LLVM IR; to be read before vectors.awk and copies.awk.

# Splits at commas outside of brackets; the parts are without blanks around them.
function split_list(text, parts,    count, depth, i, c, from) {
  count = 1
  parts[1] = ""
  from = 1
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (index("([{<", c)) depth++
    if (index(")]}>", c)) depth--
    if (c == "," && depth == 0) {
      parts[count++] = trimmed(substr(text, from, i - from))
      from = i + 1
    }
  }
  parts[count] = trimmed(substr(text, from))
  return count
}

function trimmed(text) {
  sub(/^ +/, "", text)
  sub(/ +$/, "", text)
  return text
}
