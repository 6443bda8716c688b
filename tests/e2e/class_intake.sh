#!/bin/sh
# class_intake.sh: ./grade class: whose grade it is. Downloads as Canvas, Moodle, Gradescope and
# GitHub Classroom make them (people/names.c, intake/roster.c and export/export_*.c of grader/class
# say where that is written down), rosters, and the tables that grades are exported into.
#
#   tests/e2e/class_intake.sh [WORD]   the parts whose name has the word in it
#
# Prints ok, FAIL and skip lines; exits with 1 if any failed. Submissions are of a lab3 with four
# small cases, so that each student's can be given a score of its own.
#
# test-all: every kind of archive; class.sh and test_class_* have the rules. Run it after a
#   change of class/intake
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -x build/class ] ||
  { echo 'skip class_intake: it is not built (./setup --class, then make class)'; exit 0; }
for tool in zip jq; do
  command -v $tool >/dev/null ||
    { echo "skip class_intake: $tool is not installed (./setup --all)"; exit 0; }
done
. tests/e2e/lib/check.sh
only=${1:-}

# --- a kit ---
linked_kit
{
  printf '[lab]\ntitle = Transpose\nproblem = transpose\n'
  for size in 16 32 48 64; do printf '[case c%d]\ndims = ROWS=%d COLS=%d\n' $size $size $size; done
  echo 'show = yes'
  for item in '16 10' '32 20' '48 30' '64 40'; do
    printf '[item i%d]\nclass = correctness\ntitle = %d\n' "${item% *}" "${item% *}"
    printf 'points = %d\ncases = c%d\nhint = Think.\n' "${item#* }" "${item% *}"
  done
} >"$(echo "$kit"/labs/lab3_*/lab.conf)"

# work SCORE [WORDS]: a file that gets this score, a multiple of ten; 0 is the quickest to grade: it
# does not compile.
work() {
  sizes=
  left=$1
  [ "$left" -ge 40 ] && sizes="$sizes || rows == 64" && left=$((left - 40))
  [ "$left" -ge 30 ] && sizes="$sizes || rows == 48" && left=$((left - 30))
  [ "$left" -ge 20 ] && sizes="$sizes || rows == 32" && left=$((left - 20))
  [ "$left" -ge 10 ] && sizes="$sizes || rows == 16"
  [ "$1" -gt 0 ] || { printf '#error not this time\n// %s\n' "${2:-}"; return; }
  printf '// %s\n' "${2:-}"
  cat <<CU
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (${sizes# || }) out[column * rows + row] = in[row * cols + column];
}
void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<dim3(cols / 16, rows / 16), dim3(16, 16)>>>(in, out, rows, cols);
}
CU
}
# put SCORE PATH: makes that file, and its folders.
put() {
  mkdir -p "$(dirname "$2")"
  words=$2
  work "$1" "$words" >"$2"
}
zip_of() { (cd "$1" && rm -f "$2" && zip -qr "$2" .); }

# part NAME: a part of the test, in an empty folder; false if it was not asked for. Afterwards: ok,
# or what note() was given.
part() {
  end
  name=$1
  wrong=
  : >"$work/log"
  rm -rf "$work/part"
  mkdir "$work/part"
  cd "$work/part" || exit 2
  case $name in *"$only"*) ;; *) name='' && return 1 ;; esac
}
end() {
  [ -n "${name:-}" ] || return 0
  if [ -z "$wrong" ]; then
    ok "$name"
  else
    fail "$name" "$wrong"
    grep -v '^[0-9]* of [0-9]* graded' "$work/shown" | head -n 20 | sed 's/^/    /'
  fi
  name=
}
note() {
  [ -n "$wrong" ] || cp "$work/log" "$work/shown"
  wrong="$wrong${wrong:+; }$*"
}

# run STATUS ARGUMENT...: ./grade class of that kit ends so; what it prints is in $work/log, all
# attempts in $work/jsonl.
run() {
  wanted=$1 status=0
  shift
  KIT_ROOT=$kit "$root/build/class" "$@" --seed 1 --jsonl "$work/jsonl" >"$work/log" 2>&1 ||
    status=$?
  [ "$status" -eq "$wanted" ] || note "exit status $status, not $wanted: class $*"
}
# said WORDS...: the last run has printed each of them. unsaid WORDS...: none.
said() { for words; do grep -qF -e "$words" "$work/log" || note "not said: $words"; done; }
unsaid() { for words; do ! grep -qF -e "$words" "$work/log" || note "said: $words"; done; }
# list FILTER WANTED: what jq's filter gives for each attempt, sorted, in one line.
list() {
  is=$(jq -r "$1" "$work/jsonl" | LC_ALL=C sort | tr '\n' ' ')
  [ "${is% }" = "$2" ] || note "wanted '$2', got '${is% }'"
}
# scores 'STUDENT=SCORE ...': of what counts; "refused" in place of a score.
scores() {
  list 'select(.counts) |
    "\(.student)=\(if .status == "graded" then .grade.score else .status end)"' "$1"
}
# lines FILE LINE...: each is in the file.
lines() {
  file=$1
  shift
  for line; do
    tr -d '\r' <"$file" | grep -qxF -e "$line" ||
      note "$file has no line $line: $(tr '\r\n' ' |' <"$file")"
  done
}

# --- one name, two people -------------------------------------------------------------------------
canvas_head='Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (773)'
moodle_head='Identifier,"Full name","Email address",Status,Grade,"Maximum grade"'
moodle_head=$moodle_head',"Grade can be changed","Last modified (submission)"'
moodle_head=$moodle_head',"Last modified (grade)","Feedback comments"'

if part \
  'Canvas: its numbers outrank names; a group is its representative; who is anonymous is nobody'
then
  put 100 in/leeann_1001_501_lab3.cu
  put 30 in/leeann_1002_502_lab3.cu
  put 0 in/studygroup1_1003_503_lab3.cu
  put 0 in/anon_a1B2c_504_lab3.cu
  put 0 in/leeann1001_question_7_505_lab3.cu # of a quiz
  zip_of in "$PWD/canvas.zip"
  cat >gradebook.csv <<CSV
$canvas_head
    Points Possible,,,,,100
"Lee, Ann",1002,u2,u1,Section 1,
"Lee, Ann",1001,u1,u2,Section 1,
"Turing, Alan",1003,u3,alan,Section 1,
"Hopper, Grace",1004,,grace,Section 1,
"Student, Test",1005,,abcdef,Section 1,
CSV
  run 1 canvas.zip --canvas gradebook.csv
  scores '1001=100 1002=30 1003=0 anon_a1B2c=0 leeann1001=0'
  lines gradebook.graded.csv '"Lee, Ann",1002,u2,u1,Section 1,30' \
    '"Lee, Ann",1001,u1,u2,Section 1,100' \
    '"Turing, Alan",1003,u3,alan,Section 1,0' '"Hopper, Grace",1004,,grace,Section 1,'
  said '1001 and 1002 are two students' 'no row belongs to anon_a1B2c: the grade is not exported' \
    'no row belongs to leeann1001: the grade is not exported'

  # The gradebook as the roster: another's number as a login counts for less than Canvas's own.
  rm gradebook.graded.csv
  run 1 canvas.zip --roster gradebook.csv --canvas gradebook.csv
  scores 'anon_a1B2c=0 leeann1001=0 u1=100 u2=30 u3=0'
  lines gradebook.graded.csv '"Lee, Ann",1002,u2,u1,Section 1,30' \
    '"Lee, Ann",1001,u1,u2,Section 1,100'

  # Names alone: two rows, two submissions, and nobody can tell which is whose.
  cat >names.csv <<CSV
name,email
Ann Lee,ann1@example.edu
Ann Lee,ann2@example.edu
CSV
  run 0 canvas.zip --roster names.csv
  said \
    "canvas 1001 (leeann) is matched with nobody: it has the name of ann1@example.edu, and of \
ann2@example.edu" \
    'canvas 1002 (leeann) is matched with nobody' \
    'not in the roster, but graded: 1001, leeann' '2 of the roster handed in nothing'
  grep -q '^canvas.1001.leeann.1001' canvas.grades/people.tsv ||
    note 'people.tsv does not list 1001'
fi

if part 'Moodle: participants outrank names; the number of a group is nobody'"'"'s'; then
  put 100 'in/Ann Lee_7001_assignsubmission_file_/lab3.cu'
  put 30 'in/Ann Lee_7002_assignsubmission_file_lab3.cu'
  # 7003 is the group's number, and Alan's
  put 0 'in/Team A_7003_assignsubmission_file_/lab3.cu'
  put 0 'in/Participant_7004_assignsubmission_file_/lab3.cu'  # blind marking
  put 0 'in/Default group_assignsubmission_file_/lab3.cu'
  mkdir -p 'in/Grace Hopper_7005_assignsubmission_onlinetext_'
  echo '<p>__global__ ...</p>' >'in/Grace Hopper_7005_assignsubmission_onlinetext_/onlinetext.html'
  zip_of in "$PWD/moodle.zip"
  {
    printf '\357\273\277%s\n' "$moodle_head"
    for row in '7002,"Ann Lee",a2' '7001,"Ann Lee",a1' '7003,"Alan Turing",alan' \
      '7004,"Don Knuth",don' '7005,"Grace Hopper",grace'; do
      echo "Participant $row@example.edu,Submitted,,100.00,Yes,-,-,"
    done
  } >sheet.csv
  run 1 moodle.zip --moodle sheet.csv
  scores '7001=100 7002=30 7003=0 7004=0 7005=refused Default group=0'
  cut -d, -f 1,2,5 sheet.graded.csv >cells
  lines cells 'Participant 7002,"Ann Lee",30' 'Participant 7001,"Ann Lee",100' \
    'Participant 7003,"Alan Turing",' \
    'Participant 7004,"Don Knuth",0' 'Participant 7005,"Grace Hopper",'
  said 'no row belongs to 7003, Team A: the grade is not exported' 'is it a group'"'"'s?' \
    'no row belongs to Default group: the grade is not exported' 'text typed in the browser'
  # The same with the worksheet as the roster.
  run 1 moodle.zip --roster sheet.csv --moodle sheet.csv
  cut -d, -f 1,2,5 sheet.graded.csv >cells
  lines cells 'Participant 7002,"Ann Lee",30' 'Participant 7001,"Ann Lee",100' \
    'Participant 7003,"Alan Turing",' \
    'Participant 7004,"Don Knuth",0'
  said 'moodle 7003 (Team A) is matched with nobody: it has the number of 7003, Alan Turing, but'\
' not the name'
  # A worksheet that is made has nobody's number either.
  run 1 moodle.zip --moodle made.csv
  lines made.csv 'Participant 7001,Ann Lee,a1@example.edu,100,100,-,lab3: 100 / 100'
  ! grep -q 7003 made.csv || note "made.csv has the group's number"
  said 'moodle 7003'
fi

if part 'folders that differ in capitals, or in how accents are written'; then
  nfc=$(printf 'Jos\303\251') nfd=$(printf 'Jose\314\201')
  put 100 in/alice/lab3.cu
  put 30 in/Alice/lab3.cu
  put 40 "in/$nfc/lab3.cu"
  put 0 "in/$nfd/lab3.cu"
  run 0 in
  scores "Alice=30 $nfd=0 $nfc=40 alice=100"
  said 'Alice and alice are two students: they differ in capitals or in how accents are written'
  [ "$(grep -c 'are two students' "$work/log")" -eq 2 ] || note 'the two José are not told of'
  cat >gradebook.csv <<CSV
$canvas_head
    Points Possible,,,,,100
"One, Alice",1,,alice,1,
"Two, José",2,,$nfd,1,
CSV
  run 1 in --roster gradebook.csv --canvas gradebook.csv
  lines gradebook.graded.csv '"One, Alice",1,,alice,1,100' "\"Two, José\",2,,$nfd,1,0"
  said 'folder Alice is matched with nobody: it is nearly the account of alice' 'and another is' \
    'no row belongs to Alice: the grade is not exported' 'not in the roster, but graded: Alice'
  # One alone is matched, and that is said.
  rm -r in/alice "in/$nfd"
  run 0 in --roster gradebook.csv --canvas gradebook.csv --state other
  lines gradebook.graded.csv '"One, Alice",1,,alice,1,30' "\"Two, José\",2,,$nfd,1,40"
  said 'folder Alice is taken for alice, One, Alice: they differ only in capitals or in how accents'
fi

# --- when it came ---------------------------------------------------------------------------------
if part 'late: Canvas'"'"'s own marks, the times of Moodle'"'"'s worksheet'; then
  put 0 in/lovelaceada_1001_501_lab3.cu
  put 0 in/hopperg_LATE_1002_502_lab3.cu
  zip_of in "$PWD/canvas.zip"
  run 0 canvas.zip --due 2001-01-01
  list '"\(.student)=\(.late)"' '1001=0 1002=1'
  said "Canvas's zip has no times of submission: late is what Canvas marked LATE"
  mkdir moodle
  for row in 1:Ada 2:Ben 3:Cyd; do
    put 0 "moodle/${row#*:} Lee_700${row%:*}_assignsubmission_file_/lab3.cu"
  done
  zip_of moodle "$PWD/moodle.zip"
  run 0 moodle.zip --due 2026-01-31T23:59
  list '.late' '0 0 0'
  said "3 submissions count as on time: Moodle's zip has no times of submission" '--roster FILE.csv'
  cat >sheet.csv <<CSV
$moodle_head
Participant 7001,Ada Lee,a@x.edu,Submitted,,100.00,Yes,"Saturday, 31 January 2026, 11:59 PM",-,
Participant 7002,Ben Lee,b@x.edu,Submitted,,100.00,Yes,"Sunday, 1 February 2026, 12:59 AM",-,
Participant 7003,Cyd Lee,c@x.edu,Submitted,,100.00,Yes,"Sunnuntai 1. helmikuuta 2026",-,
CSV
  run 0 moodle.zip --roster sheet.csv
  list '"\(.student)=\(.late)"' '7001=0 7002=3600 7003=0'
  said "line 4: 'Sunnuntai 1. helmikuuta 2026' is not a date" '1 submission counts as on time'
  # What is handed in again has the new time, what came before keeps its own.
  put 0 'moodle/Ada Lee_7001_assignsubmission_file_/lab3.cu' again
  echo '// again' >>'moodle/Ada Lee_7001_assignsubmission_file_/lab3.cu'
  zip_of moodle "$PWD/moodle.zip"
  sed 's/Saturday, 31 January 2026, 11:59 PM/Sunday, 1 February 2026, 11:59 PM/' sheet.csv \
    >sheet2.csv
  run 0 moodle.zip --roster sheet2.csv
  list 'select(.student == "7001") | "\(.number)=\(.late)"' '1=0 2=86400'
fi

if ! command -v git >/dev/null; then
  echo 'skip GitHub Classroom: git is not installed'
elif part 'GitHub Classroom: accounts with hyphens, times of commits, a hostile .git/config'; then
  # commit FOLDER TIME: of all in it.
  commit() {
    [ -d "$1/.git" ] || git -C "$1" init -q
    git -C "$1" add -A
    GIT_AUTHOR_DATE=2020-01-01T00:00:00Z GIT_COMMITTER_DATE=$2 git -C "$1" -c user.name=x \
      -c user.email=x@x.edu commit -q -m x
  }
  classroom=lab3-tiles-submissions
  put 100 $classroom/lab3-tiles-love-ada/lab3.cu
  put 30 $classroom/lab3-tiles-ada/lab3.cu # an account that another ends in
  put 0 $classroom/lab3-tiles-Grace-H/lab3.cu
  put 0 $classroom/lab3-tiles-nobody/lab3.cu
  for clone in love-ada ada Grace-H nobody; do
    commit "$classroom/lab3-tiles-$clone" 2026-01-31T22:00:00Z
  done
  echo '// later' >>$classroom/lab3-tiles-ada/lab3.cu
  commit $classroom/lab3-tiles-ada 2026-02-01T01:00:00Z
  echo readme >$classroom/lab3-tiles-love-ada/README.md
  commit $classroom/lab3-tiles-love-ada 2026-02-02T01:00:00Z # not the file that is graded
  printf '#!/bin/sh\ntouch "%s/run"\n' "$PWD" >evil && chmod +x evil
  for key in core.fsmonitor core.sshCommand core.pager core.editor gpg.program filter.evil.clean \
    filter.evil.smudge diff.external; do
    git -C $classroom/lab3-tiles-nobody config $key "$PWD/evil"
  done
  echo '*.cu filter=evil' >$classroom/lab3-tiles-nobody/.git/info/attributes
  put 0 $classroom/lab3-tiles-pipe/lab3.cu # which is never read to its end
  commit $classroom/lab3-tiles-pipe 2026-01-31T22:00:00Z
  rm $classroom/lab3-tiles-pipe/.git/config && mkfifo $classroom/lab3-tiles-pipe/.git/config
  cat >roster.csv <<CSV
"identifier","github_username","github_id","name"
"s1001","love-ada","1","Ada Lovelace"
"s1002","ada","2","Ada Byron"
"s1003","grace-h","3","Grace Hopper"
"s1004","","",""
CSV
  run 0 $classroom --roster roster.csv --due 2026-02-01T00:00Z
  scores 's1001=100 s1002=30 s1003=0 tiles-nobody=0 tiles-pipe=0'
  list 'select(.student != "tiles-pipe") | "\(.student)=\(.late)"' \
    's1001=0 s1002=3600 s1003=0 tiles-nobody=0'
  said 'not in the roster, but graded: tiles-nobody'
  [ ! -e run ] || note 'the hostile .git/config ran something'
fi

# --- tables ---------------------------------------------------------------------------------------
if part 'numbers as the table writes them: 12,50 is twelve and a half'; then
  put 70 in/leeann_1001_501_lab3.cu
  put 0 in/turinga_1002_502_lab3.cu
  zip_of in "$PWD/canvas.zip"
  # gradebook POSSIBLE GRADE SEPARATOR
  gradebook() {
    printf '%s\n' "$canvas_head" "    Points Possible,,,,,$1" '"Lee, Ann",1001,,ann,1,' \
      "\"Turing, Alan\",1002,,alan,1,$2" >gradebook.csv
    [ "$3" = , ] ||
      sed 's/"\([^",]*\), \([^"]*\)"/\1 \2/; s/,/;/g; s/\([0-9]\);\([0-9][0-9]*\)$/\1,\2/' \
      gradebook.csv >semicolons.csv
  }
  gradebook '"12,50"' '"7,25"' ,
  run 0 canvas.zip --canvas gradebook.csv
  lines gradebook.graded.csv '"Lee, Ann",1001,,ann,1,"8,75"' '"Turing, Alan",1002,,alan,1,0' \
    '    Points Possible,,,,,"12,50"'
  gradebook 12.50 '' ,
  run 0 canvas.zip --canvas gradebook.csv
  lines gradebook.graded.csv '"Lee, Ann",1001,,ann,1,8.75'
  gradebook 12,50 '' ';'
  run 0 canvas.zip --canvas semicolons.csv
  lines semicolons.graded.csv 'Lee Ann;1001;;ann;1;8,75'
  gradebook '"12,50"' 7.25 ,
  rm -f gradebook.graded.csv
  run 2 canvas.zip --canvas gradebook.csv
  said 'line 2' 'line 4' '12,50' '7.25'
  [ ! -e gradebook.graded.csv ] || note 'a table that contradicts itself is filled'
  gradebook '"1,000"' '' ,
  run 2 canvas.zip --canvas gradebook.csv
  said --decimal
  run 0 canvas.zip --canvas gradebook.csv --decimal comma
  lines gradebook.graded.csv '"Lee, Ann",1001,,ann,1,"0,7"'
  run 0 canvas.zip --canvas gradebook.csv --decimal point
  lines gradebook.graded.csv '"Lee, Ann",1001,,ann,1,700'
  gradebook 'ten' '' ,
  run 2 canvas.zip --canvas gradebook.csv
  said "line 2: 'ten' is not a number"
  gradebook 100 EX ,
  run 0 canvas.zip --canvas gradebook.csv
  lines gradebook.graded.csv '"Turing, Alan",1002,,alan,1,EX' '"Lee, Ann",1001,,ann,1,70'
fi

if part 'headings in German, names in two columns, and any others by --columns'; then
  put 70 'in/Ann Lee_7001_assignsubmission_file_/lab3.cu'
  put 20 'in/Jörg Weiß_7002_assignsubmission_file_/lab3.cu'
  zip_of in "$PWD/moodle.zip"
  {
    printf 'ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,'
    printf '"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)",'
    printf '"Zuletzt geändert (Bewertung)","Feedback als Kommentar"\n'
    handed_in=',"Zur Bewertung abgegeben",,"12,50",Ja,'
    printf '%s' 'Teilnehmer/in7001,"Ann Lee",ann@example.edu'
    echo "$handed_in\"Dienstag, 2. Dezember 2025, 10:37\",-,"
    printf '%s' 'Teilnehmer/in7002,"Jörg Weiß",j@example.edu'
    echo "$handed_in\"Mittwoch, 3. Dezember 2025, 01:00\",-,"
  } >sheet.csv
  run 0 moodle.zip --roster sheet.csv --moodle sheet.csv --due 2025-12-02T23:59
  cut -d, -f 1-3,5-8 sheet.graded.csv >cells
  lines cells 'Teilnehmer/in7001,"Ann Lee",ann@example.edu,"8,75","12,50"' \
    'Teilnehmer/in7002,"Jörg Weiß",j@example.edu,"2,5","12,50"' ||
    :
  list '"\(.email)=\(.late)"' 'ann@example.edu=0 j@example.edu=3660'
  # A language that is not known: it says what there is, and then does what it is told.
  finnish='Tunniste,"Koko nimi",Posti,Tila,Arvosana,Maksimi'
  finnish=$finnish',Muokattavissa,Palautettu,Arvioitu,Palaute'
  sed "1s/.*/$finnish/; s,Teilnehmer/in,Osallistuja ," \
    sheet.csv >finnish.csv
  run 2 moodle.zip --moodle finnish.csv
  said "'Tunniste', 'Koko nimi', 'Posti'" --columns
  run 2 moodle.zip --moodle finnish.csv --columns 'name=Nimi'
  said '--columns name=Nimi: there is no such heading' "'Koko nimi'"
  run 2 moodle.zip --moodle finnish.csv --columns moodle=Tunniste
  said 'no column is called Grade' "'Arvosana'" grade=HEADING
  run 0 moodle.zip --moodle finnish.csv --columns moodle=Tunniste --columns grade=Arvosana \
    --columns max=Maksimi --columns feedback=Palaute
  cut -d, -f 1,5,6 finnish.graded.csv >cells
  lines cells 'Osallistuja 7001,"8,75"' 'Osallistuja 7002,"2,5"'
  # Canvas with the names in two columns.
  mkdir canvas && put 30 canvas/leeann_1001_501_lab3.cu && put 0 canvas/leeanna_1002_502_lab3.cu &&
    zip_of canvas "$PWD/canvas.zip"
  cat >gradebook.csv <<CSV
LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 3 (773)
    Points Possible,,,,,,100
Lee,Anna,1002,,anna,1,
Lee,Ann,1001,,ann,1,
CSV
  run 0 canvas.zip --roster gradebook.csv --canvas gradebook.csv
  lines gradebook.graded.csv 'Lee,Anna,1002,,anna,1,0' 'Lee,Ann,1001,,ann,1,30'
  list '"\(.name)=\(.grade.score)"' 'Ann Lee=30 Anna Lee=0'
fi

if part 'a worksheet made for Moodle: what its import asks for'; then
  put 70 'in/Lee, "Ann"_7001_assignsubmission_file_/lab3.cu'
  put 0 'in/=Turing_7002_assignsubmission_file_/lab3.cu'
  zip_of in "$PWD/moodle.zip"
  run 0 moodle.zip --moodle made.csv
  # As mod/assign/feedback/offline/importgradeslib.php: these headings, as many fields as the header
  # has, the number behind the words.
  head -n 1 made.csv | tr -d '\r' >headings
  for heading in Identifier Grade 'Last modified (grade)'; do
    tr ',' '\n' <headings | grep -qxF -e "$heading" || note "no heading $heading"
  done
  if command -v python3 >/dev/null; then
    python3 - made.csv >rows <<'PY' || note 'it is no CSV'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))
assert all(len(row) == len(rows[0]) for row in rows)
for row in rows[1:]:
    identifier, grade = row[rows[0].index('Identifier')], row[rows[0].index('Grade')]
    assert identifier.startswith('Participant ')
    print(identifier[len('Participant '):], grade, row[rows[0].index('Last modified (grade)')])
PY
    lines rows '7001 70 -' '7002 0 -'
  fi
  # It can be filled again.
  run 0 moodle.zip --moodle made.csv
  said 'made.graded.csv: 2 grades'
fi

# --- what was handed in ---------------------------------------------------------------------------
if part 'several files of one submission are one attempt; headers beside it'; then
  header='static const int half = 1;'
  user() { printf '#include "tiles.h"\n' && work "$1" "$2" && echo 'static int use = half;'; }
  mkdir in
  user 30 canvas >in/leeann_1001_502_lab3.cu
  echo "$header" >in/leeann_1001_503_tiles-1.h # Canvas: tiles.h came before
  put 0 in/leeann_1001_501_notes.cu
  user 40 zip >lab3.cu && echo "$header" >tiles.h && zip -q in/hopperg_1002_504_hw.zip lab3.cu \
    tiles.h
  mkdir include && mv tiles.h include/ && zip -q in/turinga_1003_505_hw.zip lab3.cu include/tiles.h
  put 100 in/knuthd_1004_506_lab3.cu
  put 0 in/knuthd_1004_507_lab3-1.cu # again: the newer one
  put 0 in/byrona_1005_508_one.cu
  put 0 in/byrona_1005_509_two.cu
  zip_of in "$PWD/canvas.zip"
  run 1 canvas.zip
  list '"\(.student)=\(.grade.score // .status)"' '1001=30 1002=40 1003=0 1004=0 1005=refused'
  said 'leeann_1001_501_notes.cu: left out: other files of this submission name a lab' \
    'include/tiles.h: left out: a header has to be in the same folder as the .cu file' \
    'knuthd_1004_506_lab3.cu: left out: lab3-1.cu is graded' \
    'there are several .cu files (one.cu, two.cu): name the one to grade after its lab, as in '\
'lab1.cu'
  # Moodle, and a folder.
  mkdir -p 'moodle/Ann Lee_7001_assignsubmission_file_' folder/ann/first folder/ann/second
  user 30 moodle >'moodle/Ann Lee_7001_assignsubmission_file_/lab3.cu'
  echo "$header" | tee folder/ann/first/tiles.h \
    >'moodle/Ann Lee_7001_assignsubmission_file_/tiles.h'
  put 0 'moodle/Ann Lee_7001_assignsubmission_file_/old/lab3.cu'
  run 0 moodle
  list .grade.score 30
  user 20 folder >folder/ann/first/lab3.cu
  put 0 folder/ann/second/lab3.cu
  touch -d '2026-01-01' folder/ann/first/lab3.cu
  put 0 folder/ben/lab3.cu
  run 0 folder
  list '"\(.student)\(.number)=\(.grade.score)"' 'ann1=20 ann2=0 ben1=0'
  # A header with a name that no file system takes is left out, and does not end the run.
  long=$(printf '%0150d' 0)
  mkdir -p odd/ann && work 0 >lab3.cu && echo "$header" >"$long$(printf '%090d' 0).h" &&
    zip -q odd/ann/hw.zip lab3.cu ./*0.h
  run 0 odd
  said 'left out: its name is too long'
fi

if part 'what an earlier run has written is nobody'"'"'s'; then
  put 0 in/ann/lab3.cu
  put 0 in/ben/lab3.cu
  run 0 in --feedback
  cp -R in/grades in/old
  cp -R in/grades in/results
  run 0 in --state elsewhere
  scores 'ann=0 ben=0'
  said 'in/grades: left out: an earlier run of ./grade class wrote it' 'in/old: left out' \
    'in/results: left out'
  zip_of in "$PWD/class.zip"
  run 0 class.zip --state elsewhere
  scores 'ann=0 ben=0'
  said 'grades/: left out: an earlier run' 'old/: left out' 'results/: left out'
  mkdir outer && mv in outer/class && zip_of outer "$PWD/outer.zip"
  run 0 outer --state elsewhere
  scores 'ann=0 ben=0'
  run 0 outer.zip --state elsewhere
  scores 'ann=0 ben=0'
fi

if part 'what cannot be graded is refused with a reason, wherever it came from'; then
  # things FOLDER: a folder for each.
  things() {
    put 0 "$1/1fine/lab3.cu"
    mkdir -p "$1/2rar" "$1/3cpp" "$1/4wide" "$1/5shot" "$1/6text" "$1/7cut"
    echo rar >"$1/2rar/lab3.rar"
    work 0 >"$1/3cpp/lab3.cpp"
    { printf '\377\376' && work 0 | sed 's/./&\n/g' | tr '\n' '\0'; } >"$1/4wide/lab3.cu"
    echo png >"$1/5shot/Screenshot.png"
    echo text >"$1/6text/onlinetext.html"
    echo PK >"$1/7cut/lab3.zip"
  }
  refusals() {
    jq -r 'select(.status == "refused") | "\(.student) \(.reason)"' "$work/jsonl" | LC_ALL=C sort \
      >refusals
  }
  # reasons PREFIX NUMBER...: of those from 2 on.
  reasons() {
    for reason in 'a .rar archive' 'it is C++, not CUDA' 'it is UTF-16: save it as UTF-8' \
      'it is a picture' 'typed in the browser' \
      'damaged or cut off'; do
      grep -qF -e "$reason" refusals || note "$1: not refused: $reason ($(tr '\n' '|' <refusals))"
    done
    [ "$(wc -l <refusals)" -eq "$2" ] || note "$1: $(wc -l <refusals) refused, not $2"
  }
  things in
  mkdir in/8empty out
  put 0 out/lab3.cu
  ln -s "$PWD/out" in/9.link
  echo notes >in/README.md
  echo notes >in/Makefile
  echo a,b >in/roster.csv
  run 1 in --report --state other
  refusals
  reasons folder 8
  grep -q '^8empty the folder is empty' refusals || note 'the empty folder'
  grep -q '^9.link it is a symbolic link' refusals || note 'the link'
  said 'Left out, as they are in nobody'"'"'s folder: Makefile, README.md, roster.csv' \
    '1 graded, 8 refused' 'All 9 students handed in'
  rm in/9.link in/README.md in/Makefile in/roster.csv
  mkdir in/9hidden && echo x >in/9hidden/.keep
  zip_of in "$PWD/in.zip"
  run 1 in.zip
  refusals
  reasons zip 8
  grep -q '^8empty the folder is empty' refusals || note 'the empty folder in a zip'
  grep -q '^9hidden the folder is empty' refusals || note 'the folder with nothing but hidden files'
  # Canvas, Moodle, Gradescope: the same things under their names.
  rm -r in/8empty in/9hidden
  mkdir canvas moodle gradescope
  for folder in in/*; do
    student=${folder#in/?}
    number=$(printf '%s' "${folder#in/}" | cut -c 1)
    for file in "$folder"/*; do
      case $file in
        *.html) cp "$file" "canvas/${student}_10${number}_text.html" ;;
        *) cp "$file" "canvas/${student}_10${number}_50${number}_${file##*/}" ;;
      esac
      case $file in *.html) plugin='onlinetext' ;; *) plugin='file' ;; esac
      mkdir -p "moodle/${student}_70${number}_assignsubmission_${plugin}_" \
        "gradescope/submission_$number"
      cp "$file" "moodle/${student}_70${number}_assignsubmission_${plugin}_/"
      cp "$file" "gradescope/submission_$number/"
    done
    printf 'submission_%s:\n  :submitters:\n  - :name: %s\n    :email: %s@x.edu\n' "$number" \
      "$student" "$student" \
      >>gradescope/submission_metadata.yml
  done
  for format in canvas moodle gradescope; do
    zip_of $format "$PWD/$format.zip"
    run 1 $format.zip
    said "as $format: " '1 graded, 6 refused'
    refusals
    reasons $format 6
  done
  echo '<a href="x">' >canvas/byrona_120_link.html
  zip_of canvas "$PWD/canvas.zip"
  run 1 canvas.zip
  said 'it is a link (byrona_120_link.html)'
  if [ "$(id -u)" -ne 0 ]; then
    chmod 0 in/5shot
    run 1 in --state other
    chmod 755 in/5shot
    said 'the folder cannot be read'
  fi
fi

if part 'a zip of a class with links and a huge file in it: one person is refused, not all'; then
  put 0 in/ann/lab3.cu
  mkdir in/ben in/cyd && ln -s /etc/passwd in/ben/lab3.cu && ln -s /etc in/dan
  head -c 70000000 /dev/zero | tr '\0' 'x' >in/cyd/lab3.cu
  (cd in && zip -qry0 ../in.zip .)
  run 1 in.zip
  list '"\(.student)=\(.status)"' 'ann=graded ben=refused cyd=refused dan=refused'
  said 'ben, lab3: refused: it is a symbolic link' 'cyd, lab3: refused: it is too large' \
    'dan, lab3: refused: it is a symbolic link'
fi

if part 'one person alone, whose files are in folders'; then
  put 0 in/ann/src/lab3.cu
  mkdir in/ann/doc && echo text >in/ann/doc/readme.pdf
  run 0 in
  list '"\(.student)=\(.status)"' 'ann=graded'
fi

if part 'several labs, and what does not say which'; then
  put 0 in/ann/lab1.cu
  put 0 in/ann/lab3.cu
  put 0 in/ben/lab3/main.cu
  put 0 in/cyd/homework.cu
  mkdir in/dan
  run 1 in --report --feedback --similar
  list '"\(.student) \(.lab)=\(.status)"' \
    'ann lab1=graded ann lab3=graded ben lab3=graded cyd =refused dan =refused'
  said 'cyd: refused: its name does not show which lab it is for: name it with --lab LAB' \
    'dan: refused: the folder is empty' \
    '3 of 4 students handed in. 2 handed in nothing that can be graded.' \
    'All 4 students handed in. 2 handed in nothing that can be graded.'
  [ -s in/grades/report/lab3.html ] || note 'no page of lab3'
  [ ! -e in/grades/report/.html ] || note 'a page of no lab'
  [ -s in/grades/feedback/cyd/unknown-lab.txt ] || note 'cyd has no feedback'
  run 1 in --lab lab3 --feedback
  [ ! -e in/grades/feedback/cyd/unknown-lab.txt ] || note 'cyd has feedback of the earlier run'
  list '"\(.student) \(.lab)=\(.status)"' \
    'ann lab1=graded ann lab3=graded ben lab3=graded cyd lab3=graded dan lab3=refused'
  put 0 in/dan/lab3.cu
  run 0 in --lab lab3
  scores 'ann=0 ann=0 ben=0 cyd=0 dan=0'
fi

if part 'names with line ends, escape codes and bytes that are no text'; then
  put 0 "in/$(printf 'a\nb')/lab3.cu"
  put 0 "in/$(printf 'c\033[31md')/lab3.cu"
  put 20 "in/$(printf 'caf\351')/lab3.cu"
  put 0 "in/$(printf 'caf\350')/lab3.cu"
  put 0 "in/caf%E9/lab3.cu"
  for file in a b; do put 0 "in/two/$file$(printf '\351').cu"; done # their names are in the reason
  run 1 in --feedback
  scores 'a%0Ab=0 c%1B[31md=0 caf%25E9=0 caf%E8=0 caf%E9=20 two=refused'
  ! LC_ALL=C grep -q "$(printf '\033')" "$work/log" || note 'the terminal gets an escape code'
  [ "$(find in/grades/feedback -name lab3.txt | wc -l)" -eq 6 ] || note 'not six texts of feedback'
  zip_of in "$PWD/class.zip"
  run 1 class.zip --state in/grades # the same people
  said '0 new to grade'
fi

# --- rosters --------------------------------------------------------------------------------------
if part 'a roster that is corrected, one with people twice'; then
  put 70 in/leeann_1001_501_lab3.cu
  put 20 in/turinga_1002_502_lab3.cu
  zip_of in "$PWD/canvas.zip"
  # exchanged
  printf 'id,canvas id,name,section\nu1,1002,Ann Lee,A\nu2,1001,Alan Turing,A\n' >roster.csv
  run 0 canvas.zip --roster roster.csv
  scores 'u1=20 u2=70'
  printf 'id,canvas id,name,section\nu1,1001,Ann Lee-Byron,B\nu2,1002,Alan Turing,A\n' >roster.csv
  run 0 canvas.zip --roster roster.csv --report --names
  scores 'u1=70 u2=20'
  list '"\(.name) \(.section)"' 'Alan Turing A Ann Lee-Byron B'
  said '0 new to grade'
  grep -q 'Ann Lee-Byron' canvas.grades/report/*.html || note 'the report has the old name'
  printf '%s\n' "$canvas_head" '    Points Possible,,,,,100' '"Turing, Alan",1002,u2,alan,A,' \
    '"Lee-Byron, Ann",1001,u1,ann,B,' >gradebook.csv
  run 0 canvas.zip --canvas gradebook.csv
  lines gradebook.graded.csv '"Turing, Alan",1002,u2,alan,A,20' '"Lee-Byron, Ann",1001,u1,ann,B,70'
  # Twice: nothing is changed.
  printf 'id,login,name\nu1,ann,Ann Lee\nu2,alan,Alan Turing\nu1,ben,Ben Lee\nu4,alan,Alan Kay\n' \
    >twice.csv
  run 2 canvas.zip --roster twice.csv
  said 'student u1: lines 2 and 4' 'login alan: lines 3 and 5'
  run 0 canvas.zip
  list '"\(.name) \(.section)"' 'Alan Turing A Ann Lee-Byron B'
  # Who is no longer in it is still graded, and told of.
  printf 'id,canvas id,name\nu1,1001,Ann Lee\n' >roster.csv
  run 0 canvas.zip --roster roster.csv
  said 'not in the roster, but graded: 1002'
fi

# --- Gradescope -----------------------------------------------------------------------------------
if part 'Gradescope: a group is one work and a grade for each; people without an address'; then
  export=in/assignment_9_export
  put 70 $export/submission_11/lab3.cu
  put 20 $export/submission_12/lab3.cu
  put 0 $export/submission_13/lab3.cu
  put 0 $export/submission_14/lab3.cu
  cat >$export/submission_metadata.yml <<'YML'
---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1001'
    :email: ada@example.edu
  - :name: Grace Hopper
    :sid: '1002'
    :email: grace@example.edu
  :created_at: 2023-12-04 05:26:26.899837000 Z
  :score: 0.0
  :status: processed
  :history: []
submission_12:
  :submitters:
  - :name: Alan Turing
    :sid: 0010
    :email:
  :created_at: 2023-12-05 05:26:26.899837000 Z
  :history: []
submission_13:
  :submitters: []
  :created_at: 2023-12-04 05:26:26.899837000 Z
submission_14:
  :submitters:
  - :name: Ada Lovelace
    :sid:
    :email: ada2@example.edu
  :created_at: 2023-12-04 05:26:26.899837000 Z
YML
  zip_of in "$PWD/gs.zip"
  cat >gradebook.csv <<CSV
$canvas_head
    Points Possible,,,,,100
"Lovelace, Ada",1,1001,ada@example.edu,1,
"Hopper, Grace",2,1002,grace@example.edu,1,
"Turing, Alan",3,0010,alan@example.edu,1,
"Lovelace, Ada",4,1004,ada2@example.edu,1,
CSV
  run 1 gs.zip --roster gradebook.csv --canvas gradebook.csv --similar --due 2023-12-05T00:00Z
  lines gradebook.graded.csv '"Lovelace, Ada",1,1001,ada@example.edu,1,70' \
    '"Hopper, Grace",2,1002,grace@example.edu,1,70' \
    '"Turing, Alan",3,0010,alan@example.edu,1,20' '"Lovelace, Ada",4,1004,ada2@example.edu,1,0'
  said 'Grading 3,' '1 more has the same code' 'not in the roster, but graded: submission_13'
  list 'select(.late > 0) | .student' 0010
  [ "$(find gs.grades/files -name lab3.cu | wc -l)" -eq 4 ] ||
    note 'a group'"'"'s file is there more than once'
  unsaid 'Ada Lovelace and Grace'
  # Without the metadata they are nobody's.
  rm $export/submission_metadata.yml
  zip_of in "$PWD/bare.zip"
  run 1 bare.zip --roster gradebook.csv --canvas gradebook.csv
  scores 'submission_11=70 submission_12=20 submission_13=0 submission_14=0'
  said 'no row belongs to submission_11: the grade is not exported' '0 grades of lab3'
fi

end
exit $failed
