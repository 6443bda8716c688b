# launches.awk: preprocessed CUDA in which kernels launch kernels, as clang reads it for the
# device: kernel<<<grid, block>>>(arguments) becomes kernel(arguments) , __kit_launch(grid, block).
#
#   clang++ -E ... | awk -f parts.awk -f launches.awk >device.cu
#
# What that means: harness/sim/include/kit_device_runtime.h. Lines stay where they are; of a launch
# over several, the configuration moves to the one on which the arguments end. The arguments may hold
# launches, in lambdas: those under way are a stack.

function put(text) {
  if (depth && state[depth] == "configuration") configuration[depth] = configuration[depth] text
  else printf "%s", text
}

function take(part) {
  if (part == "<<<") {
    state[++depth] = "configuration"
    configuration[depth] = ""
    open[depth] = 0
  } else if (part == ">>>" && depth && state[depth] == "configuration" && !open[depth]) {
    state[depth] = "arguments"
  } else {
    if (depth && part ~ /^[({[]$/) open[depth]++
    if (depth && part ~ /^[]})]$/) open[depth]--
    put(part)
    if (depth && state[depth] == "arguments" && part == ")" && !open[depth])
      put(" , __kit_launch(" configuration[depth--] ")")
  }
}

/^#/ || (!depth && raw_end == "" && !/<<<|R"/) {
  print
  next
}

{
  take_line($0)
  if (depth && state[depth] == "configuration") configuration[depth] = configuration[depth] " "
  print ""
}
