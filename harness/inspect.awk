# inspect.awk: judges what harness/inspect has read of a submission's object.
#
#     awk -f inspect.awk -v source=FILE.cu -v backend=sim part=symbols FILE part=taken FILE part=code FILE part=elf FILE
#
# symbols: harness/symbols; taken: `kit NAME` and `function NAME`; code: objdump -d --no-show-raw-insn of the object; elf:
# readelf -W -S -s -r of it. Prints one error a line; exit status 1 if there is any, 3 if that goes by what is in `taken` and
# nothing is.

BEGIN {
  # Compilers' own constructors: of C++ globals, and what registers kernels (clang, nvcc).
  constructor = "^(_GLOBAL__(sub_)?I|__cxx_global_var_init|__cuda_module_ctor$|_ZL24__sti____cudaRegisterAllv$)"
}

function refuse(words) {
  print source ": error: " words
  refused = 1
}

# A pattern of harness/symbols as a regular expression.
function expression(glob) {
  gsub(/\./, "\\.", glob)
  gsub(/\*/, ".*", glob)
  return "^" glob "$"
}

# Remembers the names and patterns of a list, in order.
function take_list(line,    words, count, i) {
  count = split(line, words, " ")
  for (i = 1; i <= count; i++) {
    if (words[i] ~ /[*[]/) {
      pattern[++patterns] = expression(words[i])
      list_of_pattern[patterns] = lists
    } else if (!(words[i] in list_of)) {
      list_of[words[i]] = lists
    }
  }
}

# The first list that has the name, 0: none.
function find_list(name,    first, i) {
  first = name in list_of ? list_of[name] : 0
  for (i = 1; i <= patterns; i++) {
    if (first && list_of_pattern[i] >= first) break
    if (name ~ pattern[i]) return list_of_pattern[i]
  }
  return first
}

function check_use(name,    list) {
  list = find_list(name)
  if (!list && !told[list]++)
    refuse("it uses " name ", which is not among the functions that a lab's file may use: kernels, the functions of the CUDA " \
           "runtime that the simulator has, the C++ library, printf and threads that are joined are (harness/symbols)")
  else if (reason[list] && !told[list]++)
    refuse("it uses " name ": " reason[list])
}

function check_definition(name, type, section) {
  if (name ~ /@/)
    refuse("it gives " name " a version, as a library does; leave that out")
  else if (type == "IFUNC")
    refuse("it picks " name " while the program is being loaded (ifunc); call the function that you mean")
  else if (name ~ /^_Z/ || name ~ /^DW\.ref\./ || name == "__clang_call_terminate")
    return
  else if (name ~ /^(cuda|cu[A-Z]|nvml|cublas|__|kit_|libcudart)/)
    refuse("it defines " name ", a name of the CUDA runtime, the compiler or the harness; use another name")
  else
    check_taken(name, section)
}

function check_taken(name, section) {
  asked = 1
  if (("function " name) in taken && section ~ /^\.text/)
    refuse("the C library has a function " name ", which this would replace for everybody; use another name")
  else if (("kit " name) in taken)
    refuse("the harness uses " name ", which this would replace; use another name")
}

function check_section(name, flags) {
  if (name ~ /^\.(preinit_array|ctors|dtors|fini_array)/ || name ~ /^\.(init|fini)$/)
    refuse("it has code that runs before or after everything else (section " name "); do the work in the function that is called")
  else if (flags ~ /X/ && (flags ~ /W/ || name !~ /^\.text/))
    refuse("it has code in section " name ", which is none of the compiler's; leave out what puts it there")
}

part == "symbols" && /^\[/ {
  lists++
  if (match($0, /^\[refused /)) reason[lists] = substr($0, RLENGTH + 1, length($0) - RLENGTH - 1)
}
part == "symbols" && !/^[#[]/ { take_list($0) }

part == "taken" {
  taken[$0] = 1
  any_taken = 1
}

# Instructions that call the system's kernel without a function of a library.
part == "code" && /^ *[0-9a-f]+:[ \t]+(syscall|sysenter|int +\$0x80|svc)/ {
  name = $2 == "int" ? $2 " " $3 : $2
  if (!told[name]++)
    refuse("its host code calls the kernel of the system by itself (" name "), past every library; leave that out")
}

part != "elf" { next }

/^ *\[ *[0-9]+\] / {
  number = $0
  sub(/^ *\[ */, "", number)
  sub(/\].*/, "", number)
  sub(/^ *\[ *[0-9]+\] */, "")
  if ($1 == "" || NF < 9) next
  section_name[number] = $1
  section_number[$1] = number
  check_section($1, NF > 9 ? $7 : "")
  next
}

/^Relocation section / {
  in_constructors = $3 ~ /^'\.rela?\.init_array/
  next
}
in_constructors && $3 ~ /^R_/ {
  target[++targets] = $5 == "" ? "?" : $5
  offset[targets] = $6 == "+" ? $7 : "0"
  next
}

# Num: Value Size Type Bind Vis Ndx Name
/^ *[0-9]+: [0-9a-f]+ / {
  gsub(/<OS specific>: 10/, "IFUNC") # what clang's objects have; as a binding, C++'s unique
  if (NF < 8) next
  value = $2
  sub(/^0+/, "", value)
  if ($7 != "UND" && $4 == "FUNC" && !(($7, value) in function_at)) function_at[$7, value] = $8
  # nvcc has a name there of its own, and nothing is put into the section afterwards.
  if (backend != "gpu" && section_name[$7] == ".nv_fatbin" && $4 != "SECTION")
    refuse("it puts " $8 " where the compiler puts its kernels, section .nv_fatbin; leave that out")
  if ($5 == "LOCAL") next
  if ($7 == "UND") {
    name = $8
    sub(/@.*/, "", name)
    check_use(name)
  } else {
    check_definition($8, $4, section_name[$7])
  }
}

END {
  for (i = 1; i <= targets; i++) {
    name = target[i]
    sub(/^0+/, "", offset[i])
    if (name in section_number) name = function_at[section_number[name], offset[i]]
    if (name !~ constructor)
      refuse("it has a constructor" (name == "" || name == "?" ? "" : " " name) ", code that runs before the measurement; do the work " \
             "in the function that is called")
  }
  exit asked && !any_taken ? 3 : refused
}
