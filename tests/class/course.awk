# course.awk: what a large course hands in, for tests/class/course:
#     awk -v students=N -v work=DIR -f tests/class/course.awk
# Writes DIR/class/uNNNNNN/lab*.cu (folders are there), each of which says which recorded grade it is to get, DIR/roster.csv and
# DIR/gradebook.csv. One in four of the second attempts is better than the first.

BEGIN {
  split("lab1-solution lab1-no_bounds_check lab1-solution lab1-no_bounds_check", first)
  split("lab2-no_shared lab2-no_second_barrier lab2-no_second_barrier lab2-solution", second)
  split("lab3-solution lab3-copy_only lab3-copy_only lab3-broken", third)
  roster = work "/roster.csv"
  gradebook = work "/gradebook.csv"
  print "id,login,name,email,canvas id,section" >roster
  print "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (771),Lab 2 (772)" >gradebook
  print "    Points Possible,,,,,100,100" >gradebook
  for (i = 1; i <= students; i++) {
    id = sprintf("u%06d", i)
    name = sprintf("Given%d", i % 997) " " sprintf("Family%d", i % 4999)
    section = "Section " i % 40
    printf "%s,l%d,%s,l%d@example.edu,%d,%s\n", id, i, name, i, 100000 + i, section >roster
    printf "\"%s\",%d,%s,l%d,%s,,\n", name, 100000 + i, id, i, section >gradebook
    file("lab1", first[i % 4 + 1])
    file("lab2", second[i % 4 + 1])
    file("lab2-1", second[(i + 1) % 4 + 1])
    file("lab3", third[i % 4 + 1])
    file("lab4", "lab4-solution")
  }
}

function file(name, record,    path) {
  path = work "/class/" id "/" name ".cu"
  printf "// replay = %s\n// %s %s\n", record, id, name >path
  close(path)
}
