# reduce.awk: what of a program's output can be compared with that of another run: a line for each,
# with its numbers, and in place of each word a number that is made of it; or '~' where it is about
# times, rates or the device, as are the columns below a heading with a unit, but for the first.
BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
function varies(line) {
  line = tolower(line)
  if (line ~ /time|took|elapsed|second|per sec|bandwidth|throughput|clock|cycle|speed|device|gpu|cuda/ ||
      line ~ /(^|[^a-z])[kmgt]?(flops|ops)([^a-z]|$)/) return 1
  return line ~ /[a-z]\/s(ec)?([^a-z]|$)/ ||
    line ~ /[0-9.] ?[(]?(ns|us|ms|s|sec|hz|[kmg]i?b\/s|[mg]flops?\/?s?)([^a-z]|$)/
}
function is_number(word) { return word ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
function mark(word, i, sum) {
  sum = 7
  for (i = 1; i <= length(word); i++) sum = (sum * 31 + code[substr(word, i, 1)]) % 65521
  return sprintf("#%x", sum)
}
# A heading with a unit, behind which the names of the columns may come.
{ since = tolower($0) ~ /[(]([kmg]i?b\/s|[num]?s)[)]/ ? 0 : since + 1 }
since == 0 { in_table = 1 }
varies($0) {
  print "~"
  in_table = since == 0
  next
}
in_table && /^[-+0-9.eE, \t]+$/ {
  gsub(",", " ")
  print $1, "~"
  next
}
{
  in_table = in_table && since <= 1
  gsub(/[^A-Za-z0-9.+_-]+/, " ")
  gsub(/\. | \.|\.$/, " ")
  count = split($0, word, " ")
  for (i = 1; i <= count; i++)
    printf("%s%s", i > 1 ? " " : "", is_number(word[i]) ? word[i] : mark(word[i]))
  print ""
}
