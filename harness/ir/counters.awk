# counters.awk: has loops whose int counter is compared with an unsigned number of 64 bits count in 32
# bits, in the LLVM IR of device code before clang optimises it.
#
#   awk -f counters.awk source.ll source.ll >counters.ll
#
#     for (int i = 0; i < n; i++)    // size_t n
#
# nvcc knows how many turns there are; clang 14 extends the counter in each of them, loses sight of it,
# and neither unrolls the loop nor adds to addresses. i < n says the same as i < min(n, 2^31), both
# taken for unsigned: if i is negative, neither holds (of n below 2^63).
#
# The condition is in the block that a loop begins with; the IR is read twice, for these.

# The block that a branch with metadata of a loop leads to.
NR == FNR {
  if (/^define /) functions++
  if (/^  br label %.*!llvm\.loop/) {
    sub(/,.*/, "", $3)
    begins[functions, substr($3, 2)]
  }
  next
}

/^define / {
  function_number++
  in_condition = 0
}
/^[0-9]+:/ { in_condition = (function_number, $1 + 0) in begins }
!in_condition { print; next }

/^  %[0-9]+ = sext i32 %[0-9]+ to i64/ { counter[function_number, $1] = $5 }

/^  %[0-9]+ = icmp (ult|ugt) i64 / {
  left = $6
  right = $7
  sub(/,$/, "", left)
  sub(/,$/, "", right)
  smaller = $4 == "ult" ? left : right
  larger = $4 == "ult" ? right : left
  if ((function_number, smaller) in counter && larger ~ /^%[0-9]+$/) {
    name = "%counters." substr($1, 2)
    print "  " name ".fits = icmp ult i64 " larger ", 2147483648"
    print "  " name ".most = select i1 " name ".fits, i64 " larger ", i64 2147483648"
    print "  " name ".low = trunc i64 " name ".most to i32"
    $0 = "  " $1 " = icmp ult i32 " counter[function_number, smaller] ", " name ".low"
  }
}

{ print }
