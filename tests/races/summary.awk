# summary.awk: makes the summary that tests/races/run prints.
#
#   awk -F '\t' -f summary.awk -v build=build/races -v list=yes -v graph=.. -v threads=.. -v blocks=.. -v ms=.. unreachable.tsv kernels
#
# kernels: suite, kernel, source. What each did is in build/SUITE/KERNEL.tsv (report.c) and KERNEL.run (status, ms).
# Exit status 1 unless every kernel ran, every race was found or is listed as unreachable, and there was no false alarm.

# label SUITE KERNEL: racy, clean, or bounds, which gen_table1.py of the artifact leaves out.
function label(suite, kernel) {
  if (suite == "ScoR") return kernel ~ /^race_/ ? "racy" : "clean"
  if (kernel ~ /boundsBug/) return "bounds"
  return kernel ~ /Bug/ ? "racy" : "clean"
}

# May a store of the value that is already there be the labelled race? Indigo labels what the code does, whatever the values are (README.md
# has the list); the races of ScoR all store different values.
function warnings_count(suite, kernel) { return suite == "HiRace" && kernel ~ /atomicBug|syncBug/ }

# read_report FILE: sets races, warnings, bounds, others (hazards of each sort), first (the first of the sort that tells most), ended.
function read_report(file,   line, part, text) {
  races = warnings = bounds = others = ended = 0
  first = ""
  while ((getline line < file) > 0) {
    split(line, part, "\t")
    if (part[1] == "end") { ended = 1; continue }
    text = part[1] (part[2] == "warning" ? " (warning)" : "") " " part[3] "/" part[4] " " part[5] ": " part[8]
    if (part[1] == "race" && part[2] == "error") { if (!races++) first = text; continue }
    if (first == "") first = text
    if (part[1] == "race") warnings++
    else if (part[1] == "oob") bounds++
    else others++
    if (part[1] == "unsupported") ended = -1
  }
  close(file)
}

function print_names(title, names) { if (names != "") printf "  %s:%s\n", title, names }

/^#/ || NF == 0 { next }
FILENAME ~ /unreachable\.tsv$/ { if ($1 == graph) reason[$2] = $3; next }
{
  suite = $1; kernel = $2; what = label(suite, kernel)
  file = build "/" suite "/" kernel
  status = "missing"; took = 0
  if ((getline line < (file ".run")) > 0) { split(line, run, " "); status = run[1]; took = run[2] }
  close(file ".run")
  read_report(file ".tsv")
  suites[suite]; total[suite]++; count[suite, what]++
  ran = ended == 1 && status != "compile" && status != "link"
  found = races > 0 || (warnings > 0 && warnings_count(suite, kernel))
  if (!ran) {
    verdict = status == "compile" ? "does not compile" : status == "link" ? "does not link" : \
      status == 124 || status == 137 ? "stopped at the limit" : ended < 0 ? "not supported" : "crashed"
    broken[suite]++; broken_names[suite] = broken_names[suite] "\n    " kernel " (" verdict ")"
  } else if (what == "racy") {
    if (kernel in reason) {
      verdict = found ? "found, though listed as unreachable" : "unreachable"
      if (found) { rotten[suite]++; rotten_names[suite] = rotten_names[suite] "\n    " kernel }
      else unreachable[suite]++
    } else {
      verdict = found ? "found" : "missed"
      if (found) hits[suite]++
      else { missed[suite]++; missed_names[suite] = missed_names[suite] "\n    " kernel }
      if (found && !races) by_warning[suite]++
    }
  } else if (what == "clean") {
    verdict = races ? "false alarm" : "silent"
    if (races) { alarms[suite]++; alarm_names[suite] = alarm_names[suite] "\n    " kernel }
    if (warnings && !races) clean_warnings[suite]++
    if (bounds + others) { other[suite]++; other_names[suite] = other_names[suite] "\n    " kernel " (" first ")" }
  } else {
    verdict = bounds ? "out of bounds" : races ? "race only" : "nothing"
    if (bounds) bounds_found[suite]++
    if (races) bounds_races[suite]++
  }
  if (list == "yes") printf "%s\t%s\t%s\t%s\t%.2f s\t%s\n", suite, kernel, what, verdict, took / 1000, first
}

END {
  bad = 0
  if (list == "yes") print ""
  for (i = 1; i <= 2; i++) {
    suite = i == 1 ? "HiRace" : "ScoR"
    if (!(suite in suites)) continue
    printf "%s: %d kernels", suite, total[suite]
    if (suite == "HiRace") printf ", on %s, %d blocks of %d threads", graph, blocks, threads
    printf "\n  %d with a race: %d found, %d missed", count[suite, "racy"], hits[suite], missed[suite]
    if (unreachable[suite]) printf ", %d that this input never executes", unreachable[suite]
    if (by_warning[suite]) printf " (%d of those found are warnings: the same value stored)", by_warning[suite]
    printf "\n  %d without: %d false alarms", count[suite, "clean"], alarms[suite]
    if (clean_warnings[suite]) printf " (warnings: %d)", clean_warnings[suite]
    printf "\n"
    if (count[suite, "bounds"])
      printf "  %d that leave an array, not counted above: %d reported so, %d as a race\n", count[suite, "bounds"], \
        bounds_found[suite], bounds_races[suite]
    if (broken[suite]) printf "  %d did not run to their end\n", broken[suite]
    print_names("missed", missed_names[suite])
    print_names("false alarms", alarm_names[suite])
    print_names("other hazards in kernels without a race", other_names[suite])
    print_names("found, though unreachable.tsv lists them", rotten_names[suite])
    print_names("did not run", broken_names[suite])
    if (missed[suite] + alarms[suite] + rotten[suite] + broken[suite]) bad = 1
  }
  printf "%.1f s\n", ms / 1000
  exit bad
}
