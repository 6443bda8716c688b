# pairs.awk: compares what the simulator has reported on pairs with what their opening comments say.
#
#   awk -f pairs.awk fixes.tsv [pairs/NAME.cu NAME.racy.tsv NAME.right.tsv]...
#
# Prints `ok NAME racy`, `FAIL NAME racy: why`, and the same for `right`; exit status 1 if anything failed. report.c describes the
# tables; the last line of each is `status` and that of the program.

function trim(s) { sub(/^[ \t]+/, "", s); sub(/[ \t]+$/, "", s); return s }

# Is one of the words, separated by |, in the message?
function any_word(words, message,   part, n, i) {
  n = split(words, part, "|")
  for (i = 1; i <= n; i++) if (index(tolower(message), tolower(trim(part[i])))) return 1
  return 0
}

# Does hazard h fit `A B array`? Lines in either order; the array's namespace is that of the batch.
function fits(h, expected, want_warning, kind,   part, n, first, second, array, i) {
  n = split(expected, part, " ")
  first = mark[part[1]]; second = n > 1 ? mark[part[2]] : 0
  array = ""
  for (i = 3; i <= n; i++) if (part[i] != "shared") array = array (array == "" ? "" : " ") part[i]
  return h_kind[h] == kind && (h_warning[h] == "warning") == want_warning && \
    ((h_line[h] == first && h_other[h] == second) || (h_line[h] == second && h_other[h] == first)) && \
    (array == "" || h_array[h] == array)
}

# What is wrong with the message of h, or "".
function message_fault(h,   part, n, i) {
  n = split(says, part, ";")
  for (i = 1; i <= n; i++)
    if (!index(h_message[h], trim(part[i]))) return "the report does not say '" trim(part[i]) "': " h_message[h]
  if (fix != "" && !any_word(fixes[fix], h_message[h])) return "the report does not propose " fix ": " h_message[h]
  return ""
}

function describe(h) { return h_kind[h] (h_warning[h] == "warning" ? " (warning)" : "") " " h_line[h] "/" h_other[h] " " h_array[h] }

function all_reports(   i, s) {
  for (i = 1; i <= hazards; i++) s = s (i > 1 ? ", " : "") describe(i)
  return hazards ? s : "nothing"
}

# Is hazard h one of the alternatives of an expectation?
function is_expected(h,   e, n, i, part) {
  for (e = 1; e <= expectations; e++) {
    n = split(expectation[e], part, "|")
    for (i = 1; i <= n; i++) if (fits(h, trim(part[i]), expects_warning[e], expects_kind[e])) return 1
  }
  return 0
}

# The expectations of one pair, `kind: A B array | C D array`: at least one alternative of each must be reported.
function check_racy(   e, n, i, h, part, good, why, marked) {
  if (status == "124" || status == "137") return "stopped after its time"
  if (!ended) return "the program crashed (status " status ")"
  for (e = 1; e <= expectations; e++) {
    n = split(expectation[e], part, "|")
    good = 0; why = ""
    for (i = 1; i <= n && !good; i++)
      for (h = 1; h <= hazards && !good; h++)
        if (fits(h, trim(part[i]), expects_warning[e], expects_kind[e])) {
          why = message_fault(h)
          good = why == ""
        }
    if (!good) return why != "" ? why : "expected " expectation_text[e] ", reported " all_reports()
  }
  for (h = 1; h <= hazards; h++) { # nothing else, save races on the marked lines
    if (h_kind[h] == "race" && (h_line[h] in marked_line) && (h_other[h] in marked_line)) continue
    if (is_expected(h)) continue # its other line is not known
    if (index(" " also " ", " " h_kind[h] " ")) continue
    for (e = 1; e <= expectations; e++)
      if (expects_kind[e] == h_kind[h] && h_kind[h] != "race") break
    if (e <= expectations) continue
    return "also reported: " describe(h) ": " h_message[h]
  }
  return ""
}

function check_right() {
  if (status == "124" || status == "137") return "stopped after its time"
  if (!ended) return "the program crashed (status " status ")"
  if (hazards) return describe(1) ": " h_message[1]
  if (status != "0") return "wrong results (status " status ")"
  return ""
}

function finish_report(   why) {
  if (variant == "") return
  why = racy_lines != 1 ? "has " racy_lines " lines with `// racy: `, not one" : !expectations ? "expects nothing" : !rules ? "has no rule" : \
     status == "" || status == "126" || status == "127" ? "does not compile" : variant == "racy" ? check_racy() : check_right()
  if (why == "") print "ok " name " " variant
  else { print "FAIL " name " " variant ": " why; failed = 1 }
  variant = ""
}

FNR == 1 && FILENAME ~ /\.cu$/ {
  finish_report()
  name = FILENAME; sub(/.*\//, "", name); sub(/\.cu$/, "", name)
  split("", mark); split("", marked_line)
  mark["-"] = 0 # no line is known
  says = fix = also = ""
  racy_lines = rules = 0
  expectations = 0
}
FNR == 1 && FILENAME ~ /(racy|right)\.tsv$/ {
  finish_report()
  variant = FILENAME ~ /racy\.tsv$/ ? "racy" : "right"
  hazards = ended = 0
  status = ""
}
FILENAME ~ /fixes\.tsv$/ { if ($0 !~ /^#/) { at = index($0, "\t"); fixes[substr($0, 1, at - 1)] = substr($0, at + 1) } next }
FILENAME ~ /\.cu$/ {
  if (match($0, /^\/\/ (race|warning|deadlock): /)) {
    kind = substr($0, 4, RLENGTH - 5)
    expectation[++expectations] = trim(substr($0, RLENGTH + 1))
    expectation_text[expectations] = kind " " expectation[expectations]
    expects_warning[expectations] = kind == "warning"
    expects_kind[expectations] = kind == "deadlock" ? "deadlock" : "race"
  }
  if (index($0, "// racy: ")) racy_lines++
  if (/^\/\/ rule: /) rules++
  if (sub(/^\/\/ says: /, "")) says = $0
  if (sub(/^\/\/ fix: /, "")) { fix = trim($0); if (!(fix in fixes)) { print "FAIL " name " fix: " fix " is not in fixes.tsv"; failed = 1 } }
  if (sub(/^\/\/ also: /, "")) also = $0
  rest = $0
  while (match(rest, /\[[A-Z]\]/)) {
    mark[substr(rest, RSTART + 1, 1)] = FNR
    marked_line[FNR]
    rest = substr(rest, RSTART + 3)
  }
  next
}
{
  n = split($0, field, "\t")
  if (field[1] == "end") ended = 1
  else if (field[1] == "status") status = field[2]
  else {
    hazards++
    h_kind[hazards] = field[1]; h_warning[hazards] = field[2]; h_line[hazards] = field[3] + 0; h_other[hazards] = field[4] + 0
    h_array[hazards] = field[5]; sub(/^.*::/, "", h_array[hazards])
    h_message[hazards] = field[8]
  }
}
END {
  finish_report()
  exit failed
}
