# plan.awk: who hands in what and when, for tests/class/make-class: one line an attempt, tab-separated,
#     ID NAME SECTION LAB ATTEMPT TIME SOURCE EDIT
# SOURCE: a file of the kit, or `cut` (an archive that ends too early), `empty` (a file of 0 bytes), `note` (no program at all), or `-`:
# nothing, the student is only on the roster. EDIT: what to change in it (TILE 16, BLOCK 16 16), `-`: nothing.
#
#     awk -v students=120 -f tests/class/plan.awk tests/class/people.tsv FILE...
# FILE...: solutions and mistakes; their own comments (`verdict:`) say how bad a mistake is. The same arguments give the same plan with
# any awk: the random numbers are made here (Park and Miller's).

function uniform() { state = state * 16807 % 2147483647; return state / 2147483647 }
function pick(n) { return int(uniform() * n) + 1 }

# Two digits of a time; all of them lie before the due date, 8 March, or after it if late.
function time(attempt, late,    day) {
  day = late ? 9 : 2 + attempt + pick(2) - 1
  if (!late && day > 8) day = 8
  return sprintf("2026-03-%02dT%02d:%02d:00Z", day, 8 + pick(12), pick(59))
}

FNR == 1 { file = FILENAME; lab = ""; if (match(file, /lab[0-9]+/)) lab = substr(file, RSTART, RLENGTH) }
FILENAME ~ /people\.tsv$/ && !/^#/ {
  split($0, part, "\t")
  groups++
  given[groups] = part[1]; family[groups] = part[2]; family_first[groups] = part[3] == "f"
}
FILENAME !~ /people\.tsv$/ && FNR == 1 && file !~ /\/wrong\// { if (file ~ /^labs\//) skeleton[lab] = file; else right[lab] = file }
FILENAME ~ /\/wrong\// && /^\/\/ verdict:/ {
  kind = lab SUBSEP ($3 == "fail" ? "bad" : "middling")
  wrong[kind, ++wrongs[kind]] = file
}

# A mistake of this kind that the student has not handed in yet.
function mistake(lab, kind,    i, file, tries) {
  for (tries = 0; tries < 50; tries++) {
    file = wrong[lab, kind, pick(wrongs[lab, kind])]
    if (!((person, file) in seen)) break
  }
  seen[person, file] = 1
  return file
}

function person_name(i,    g, givens, families, n, m, name, tries) {
  for (tries = 0; tries < 99; tries++) {
    g = (i - 1) % groups + 1
    n = split(given[g], givens, ",")
    m = split(family[g], families, ",")
    name = family_first[g] ? families[pick(m)] givens[pick(n)] : givens[pick(n)] " " families[pick(m)]
    if (!(name in named)) break
  }
  named[name] = 1
  return name
}

function say(lab, attempt, late, source, edit) {
  printf "u%04d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", 1000 + person * 7, name, section, lab, attempt, time(attempt, late), source, edit
}

# How those who are right differ.
function variant(lab,    shape) {
  if (lab == "lab2") return uniform() < 0.35 ? "TILE 16" : "-"
  if (lab != "lab3") return "-"
  shape = split("8 32,8 32,8 32,16 16,16 16,32 8,32 32,32 32,8 8,4 64,16 32,8 64,8 16,4 32,16 8,64 8,32 4", shapes, ",")
  return "BLOCK " shapes[pick(shape)]
}

function plan(lab, hardness,    attempt, attempts, level, late, luck) {
  luck = uniform()
  if (luck < 0.1) { say(lab, 1, 0, "-", "-"); return }
  late = uniform() < 0.08
  if (luck < 0.112) { say(lab, 1, late, "cut", "-"); return }
  if (luck < 0.123) { say(lab, 1, late, "empty", "-"); return }
  if (luck < 0.13) { say(lab, 1, late, "note", "-"); return }
  luck = uniform()
  attempts = luck < 0.68 ? 1 : luck < 0.82 ? 2 : luck < 0.93 ? 3 : 4
  for (attempt = 1; attempt <= attempts; attempt++) {
    level = skill - hardness + 0.22 * (attempt - 1) * (skill > 0.2) + 0.15 * (uniform() - 0.5)
    if (level > 0.47) { say(lab, attempt, late && attempt == attempts, right[lab], variant(lab)); return }
    if (level < 0.02 && attempt == 1 && uniform() < 0.5) say(lab, attempt, late && attempts == 1, skeleton[lab], "-")
    else say(lab, attempt, late && attempt == attempts, mistake(lab, level < 0.12 ? "bad" : "middling"), "-")
  }
}

END {
  state = 20260308
  for (i = 0; i < 20; i++) uniform()
  for (person = 1; person <= students; person++) {
    name = person_name(person)
    section = substr("ABC", person % 3 + 1, 1)
    skill = uniform()
    if ("lab2" in right) plan("lab2", 0.05)
    if ("lab3" in right) plan("lab3", -0.02)
  }
}
