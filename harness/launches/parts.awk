# parts.awk: how lines of preprocessed CUDA come apart, for the scripts that rewrite it: into
# tokens, literals and blanks. raw_end is what ends the raw string literal under way, or "".

# In a raw string literal, which ends with raw_end: returns how much of the text belongs to it.
function raw_length(text,    at) {
  at = index(text, raw_end)
  if (!at) return length(text)
  at += length(raw_end) - 1
  raw_end = ""
  return at
}

# How long the literal at the start of the text is.
function quoted_length(text,    quote, at, c) {
  quote = substr(text, 1, 1)
  for (at = 2; at <= length(text); at++) {
    c = substr(text, at, 1)
    if (c == "\\") at++
    else if (c == quote) return at
  }
  return length(text)
}

# How long the token, or part of one, at the start of the text is.
function part_length(text,    word) {
  if (text ~ /^["']/) return quoted_length(text)
  if (text ~ /^(<<<|>>>)/) return 3
  if (!match(text, /^[A-Za-z_0-9]+('[0-9A-Fa-f]+)*/)) return 1
  word = substr(text, 1, RLENGTH)
  if (word !~ /^(u8|[uUL])?R$/ || !match(text, /^[a-zA-Z0-9]*"[^ ()\\]*\(/)) return length(word)
  raw_end = ")" substr(text, length(word) + 2, RLENGTH - length(word) - 2) "\""
  return RLENGTH + raw_length(substr(text, RLENGTH + 1))
}

# How long the next part is.
function next_length(text) { return raw_end != "" ? raw_length(text) : part_length(text) }

# Gives all parts of a line to the script's take().
function take_line(line,    length_of_part) {
  while (line != "") {
    length_of_part = next_length(line)
    take(substr(line, 1, length_of_part))
    line = substr(line, length_of_part + 1)
  }
}
