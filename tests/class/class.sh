# class.sh: what the scripts here share. To be sourced in the kit's folder, with $work set to a
# folder of theirs.
# shellcheck shell=sh disable=SC2154 # $work is the script's

# students COUNT LAB...: $work/class with a folder for each student, from the kit's right and wrong
# solutions in turn.
students() {
  wanted=$1
  shift
  mkdir -p "$work/class"
  # The labs in turn.
  for lab; do
    for file in solutions/"$lab"_*/"$lab".cu solutions/"$lab"_*/wrong/*.cu; do
      echo "$lab $file"
    done | cat -n
  done | sort -s -n -k 1,1 | awk '{ print $2, $3 }' >"$work/files"
  made=0
  while [ "$made" -lt "$wanted" ]; do
    while read -r lab file; do
      [ "$made" -lt "$wanted" ] || break
      made=$((made + 1))
      student=$(printf 'student%03d' "$made")
      mkdir -p "$work/class/$student"
      # A declaration of its own for each: files of the same code would be graded once.
      { cat "$file"; echo "struct $student;"; } >"$work/class/$student/$lab.cu"
    done <"$work/files"
  done
}
