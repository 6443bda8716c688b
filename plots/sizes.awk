# sizes.awk: recorded times over size as the table of plots/size_time.gp, or of size_speedup.gp.
#
#   awk -v what=time|speedup -v kind=modelled -f plots/sizes.awk plots/data/sim/sizes.tsv plots/data/cpu.tsv
#
# Speedups are over the code of the CPU that is fastest at the largest size. Comments in front say what the chart has to
# be told: `# roles: ` and, of speedups, `# over: `.
BEGIN { FS = OFS = "\t" }

function add(id, title, size, ns, deviation) {
  if (!(id in name)) { ids[++count] = id; name[id] = title }
  time[id, size] = ns
  spread[id, size] = deviation
  if (!(size in known)) { sizes[++size_count] = size; known[size] = 1 }
  if (size > last) last = size
}

/^#/ { next }
FNR == NR {
  add("own", "GPU, shared tiles (" kind ")", $1 + 0, $4, $5)
  add("baseline", "GPU, global memory (" kind ")", $1 + 0, $2, $3)
  next
}
{
  if (!($2 in role)) role[$2] = "cpu" ++cpus
  add(role[$2], "CPU: " $3 " (measured)", $1 + 0, $4, $5)
}

END {
  best = "cpu1"
  for (i = 1; i <= cpus; i++) if (time["cpu" i, last] < time[best, last]) best = "cpu" i
  shown = what == "speedup" ? 2 : count
  roles = ids[1]
  for (i = 2; i <= shown; i++) roles = roles " " ids[i]
  print "# roles: " roles
  over = name[best]
  sub(/ \(measured\)$/, "", over)
  print "# over: " over
  for (i = 1; i <= shown; i++) {
    id = ids[i]
    print (i > 1 ? "\n\n" : "") name[id]
    for (k = 1; k <= size_count; k++) {
      size = sizes[k]
      ns = time[id, size]
      base = time[best, size]
      if (what == "speedup") { # relative deviations add up as squares
        share = sqrt((spread[id, size] / ns) ^ 2 + (spread[best, size] / base) ^ 2)
        print size, base / ns, base / ns * share
      } else print size, ns, spread[id, size]
    }
  }
}
