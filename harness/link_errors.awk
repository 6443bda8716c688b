# link_errors.awk: what the linker says, with the names of sources in place of kcc's own objects:
#
#   awk -f link_errors.awk -v lacking=' -lcufft' NAMES MESSAGES
#
# NAMES has OBJECT, a tab, SOURCE in each line. A program without main, or with two, is told so;
# lacking are the libraries that it names and that are not simulated.
BEGIN { FS = "\t" }
FILENAME == ARGV[1] {
  source[$1] = $2
  next
}
/linker command failed/ { next }
{
  for (object in source)
    while (at = index($0, object))
      $0 = substr($0, 1, at - 1) source[object] substr($0, at + length(object))
  sub(/^[^ ]*ld[.a-z]*: /, "")
}
/: in function .*:$/ { # the place is in the next line, or, without debug information, here
  place = $0
  sub(/: in function .*/, "", place)
  next
}
{ sub(/^\(\.[^)]*\)/, place) }
/undefined reference to .main'$/ {
  print "error: no main(): it is in none of these files"
  next
}
/multiple definition of .main'/ {
  first = $0
  sub(/.*main'; /, "", first)
  sub(/: first defined here.*/, "", first)
  sub(/^[^:]*:[^:]*:[0-9]+$/, "&", first) && sub(/^[^:]*:/, "", first)
  sub(/:? *multiple definition of .*/, "")
  print $0 ": error: a second main(); the first one: " first
  next
}
{
  undefined += /undefined reference/
  print
}
END { if (undefined && lacking != "") print "error: not simulated:" lacking }
