# listing.awk: PTX with the lines of its source as comments, each where code of it begins (harness/compile --ptx).
#
#     awk -v name=lab2.cu -f listing.awk lab2.cu device.ptx device.ptx
#
# PTX has numbers of files and lines (.loc), the files' names stand at its end: it is read twice. Only the source itself is
# quoted, not headers.
FILENAME != last || FNR == 1 {
  if (FNR == 1) part++
  last = FILENAME
}

part == 1 {
  source[FNR] = $0
  next
}

part == 2 {
  if ($1 == ".file") {
    path = $3
    gsub(/"/, "", path)
    sub(/.*\//, "", path)
    file[$2] = path
  }
  next
}

$1 == ".loc" {
  place = $2 ":" $3
  if (place != shown && $3 > 0) {
    line = file[$2] == name ? source[$3] : ""
    sub(/^[ \t]+/, "", line)
    printf "\n\t// %s:%d%s%s\n", file[$2], $3, line == "" ? "" : "  ", line
    shown = place
  }
}
/^\}/ { shown = "" }
{ print }
