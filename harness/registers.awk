# registers.awk: what ptxas -v says of kernels, one a line: its mangled name, registers a thread, bytes of static shared
# memory, bytes spilled (harness/compile --registers).
/Compiling entry function/ {
  split($0, part, "'")
  name = part[2]
  spilled = 0
}

/bytes spill stores/ {
  sub(/.*stack frame, /, "")
  spilled = $1
}

name != "" && /Used [0-9]+ registers/ {
  shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
  sub(/.*Used /, "")
  printf "%s\t%d\t%d\t%d\n", name, $1, shared, spilled
  name = ""
}
