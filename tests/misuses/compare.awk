# compare.awk: rows of misuses against those of a GPU, and the differences that are explained.
#
#   awk -f compare.awk GPU differences.tsv ROWS
#
# GPU are the rows of a GPU; of several of a name the last counts. ROWS are the simulator's (main.cu
# has their columns); differences.tsv has such rows, and why they differ from the GPU's as one column
# more. Prints a line for each misuse, ok or FAIL.
BEGIN { FS = "\t" }
/^#/ { next }
FILENAME == ARGV[1] {
  gpu[$1] = $0
  next
}
FILENAME == ARGV[2] {
  sub(/\t[^\t]*$/, "")
  explained[$1] = $0
  next
}
{ seen[$1] = 1 }
!($1 in gpu) {
  others++
  next
}
$0 == gpu[$1] && $1 in explained {
  print "FAIL " $1 ": in the list of differences, but there is none"
  next
}
$0 == gpu[$1] {
  print "ok " $1
  next
}
$0 == explained[$1] {
  print "ok " $1 " differs, as explained"
  next
}
{
  printf "FAIL %s:\n  simulated %s\n  GPU       %s\n", $1, $0, gpu[$1]
}
END {
  for (name in gpu)
    if (!(name in seen)) print "FAIL " name ": no such misuse"
  for (name in explained)
    if (!(name in gpu)) print "FAIL " name ": in the list of differences, but not recorded"
  if (others) print "skip " others " misuses that are not recorded (tests/misuses/record)"
}
