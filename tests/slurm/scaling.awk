# scaling.awk: how long a class takes on a number of nodes, simulated event by event.
#
#     awk -f tests/slurm/scaling.awk plots/data/slurm/cluster.tsv plots/data/slurm/tasks.tsv
#
# Each CPU of a node runs a task at a time. One that is free stays so for the gap that was measured between two tasks, then takes
# the next of the array. How long a task takes is drawn from the gradings measured, in an order that is shuffled with a
# fixed seed. Not in it: other people's jobs, a file system that many nodes slow down.
# Output: students, nodes, CPUs a node, minutes until the last result is there.

BEGIN { FS = "\t"; OFS = "\t"; CPUS = 8; SEED = 20240229 }
/^#/ || $1 == "nodes" || $1 == "lab" { next }
FILENAME ~ /cluster/ { gap = gap < $5 ? $5 : gap; first = first < $4 ? $4 : first; next }
{ time[++kinds] = $3; sum += $3 }

# A small generator, so that every awk draws the same: Park and Miller's, products below 2^53.
function draw(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) + 1 }

# The CPU that is free first is at the root of a heap: free[1..slots].
function sift(slots,    at, child, t) {
  at = 1
  while ((child = 2 * at) <= slots) {
    if (child < slots && free[child + 1] < free[child]) child++
    if (free[at] <= free[child]) break
    t = free[at]; free[at] = free[child]; free[child] = t
    at = child
  }
}

function simulate(students, nodes, cpus,    slots, i, end, last) {
  slots = nodes * cpus
  state = SEED
  for (i = 1; i <= slots; i++) free[i] = first
  for (i = 1; i <= students; i++) {
    end = free[1] + time[draw(kinds)]
    if (end > last) last = end
    free[1] = end + gap
    sift(slots)
  }
  return last
}

END {
  print "# title: How long a class takes in Slurm, by its size"
  printf "# source: simulated from %d gradings measured on the simulator (%.1f s CPU on average) and %.1f s that Slurm took between two, measured on a test cluster\n",
    kinds, sum / kinds, gap
  printf "# note: One lab a student, a task a CPU, %d CPUs a node; 1 CPU: without Slurm's nodes, one task at a time.\n", CPUS
  print "students", "nodes", "cpus", "minutes"
  sizes = split("1 30 60 100 150 200 300 400 600 800 1000", size, " ")
  for (n = 0; n <= 4; n++)
    for (i = 1; i <= sizes; i++)
      printf "%d\t%d\t%d\t%.3f\n", size[i], n ? 2 ^ (n - 1) : 1, n ? CPUS : 1, simulate(size[i], n ? 2 ^ (n - 1) : 1, n ? CPUS : 1) / 60
}
