# kernels.awk: makes kernels of functions, in the LLVM IR of a file whose kernels launch
# kernels: those of section "kit_kernel" become kernels, and calls of them calls of __kit_child$NAME,
# which is declared only (harness/sim/include/kit_device_runtime.h).
#
#   awk -f kernels.awk device.ll device.ll >kernels.ll
#
# The IR is read twice: calls may come before what they call. No pass over it has run yet, so nothing
# has been concluded from what kernels do.

# The name behind the first @ of the line, with the @.
function function_name(line) {
  match(line, /@("[^"]*"|[-A-Za-z$._0-9]+)/)
  return substr(line, RSTART, RLENGTH)
}

# "@k" to "@__kit_child$k".
function child(name) {
  if (name ~ /^@"/) return "@\"__kit_child$" substr(name, 3)
  return "@__kit_child$" substr(name, 2)
}

# The line with the names of kernels replaced.
function with_children(line,    done, name) {
  while (match(line, /@("[^"]*"|[-A-Za-z$._0-9]+)/)) {
    name = substr(line, RSTART, RLENGTH)
    done = done substr(line, 1, RSTART - 1)
    line = substr(line, RSTART + RLENGTH)
    if (name in parameters) {
      called[name]
      name = child(name)
    }
    done = done name
  }
  return done line
}

# The parameters in a function's first line, from ( to ).
function parameter_list(line, name,    start, at, depth, c) {
  start = index(line, name "(") + length(name)
  for (at = start; at <= length(line); at++) {
    c = substr(line, at, 1)
    if (c == "(") depth++
    if (c == ")" && --depth == 0) break
  }
  return substr(line, start, at - start + 1)
}

NR == FNR {
  if (/^(define|declare) .* section "kit_kernel"/) {
    name = function_name($0)
    parameters[name] = parameter_list($0, name)
  }
  next
}

/ section "kit_kernel"/ && /^define/ {
  sub(/ section "kit_kernel"/, "")
  sub(/^define (internal|linkonce_odr) /, "define weak_odr ")
  sub(/ void @/, " ptx_kernel void @")
  print
  next
}
/ section "kit_kernel"/ && /^declare/ { next }
/^!|^@llvm\.(compiler\.)?used / || !/@/ {
  print
  next
}
{ print with_children($0) }

END {
  for (name in called) print "declare void " child(name) parameters[name] " convergent"
}
