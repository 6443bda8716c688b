# bodies.awk: empties those functions of the device that launch kernels or call the runtime, in
# preprocessed CUDA, for the host's pass. It emits nothing of them, but would refuse what they call.
#
#   clang++ -E ... | awk -f parts.awk -f bodies.awk >host.cu
#
# Lines stay where they are.

# Is what stands before a { the head of a function of the device only?
function is_device(head) {
  return head ~ /__attribute__\(\((device|global)\)\)/ && head !~ /__attribute__\(\(host\)\)/ && \
    head ~ /\(.*\)/
}

# Text of a body is kept back until its end is there, and what stands for it if it launches.
function put(text, lines) {
  if (!depth) {
    printf "%s", text
    return
  }
  body = body text
  emptied = emptied lines
}

function take(part) {
  put(part, "")
  if (depth) {
    if (part ~ /^(<<<|cuda[A-Z].*)$/) launches = 1
    if (part == "{") depth++
    if (part != "}" || --depth) return
    printf "%s", launches ? emptied "}" : body
    head = ""
  } else if (part == "{" && is_device(head)) {
    depth = 1
    body = emptied = ""
    launches = 0
  } else if (part ~ /^[;{}]$/) {
    head = ""
  } else {
    head = head part
  }
}

/^#/ {
  is_marker = /^# [0-9]/
  put($0 "\n", is_marker ? $0 "\n" : "\n")
  if (is_marker) of_system = /"[ 0-9]* 3( |$)/
  next
}

of_system && !depth {
  print
  next
}

{
  take_line($0)
  head = head " "
  put("\n", "\n")
}
