# values.jq: the numbers of a grade (./grade --json), as lines `name<tab>value` for fill.awk.
#
#   jq -r --arg run lab1.exchanged -f values.jq build/handouts/runs/lab1.exchanged.json
#
#   RUN.score, RUN.max;  RUN.CASE.time_ns, .bound, every counter;  RUN.CASE.line15.waves
#   RUN.CASE.work_ns, .copies_both_ways and .kernels_beside_kernels (percent of the result),
#   .kernels_at_once (where a case has a timeline)
#   RUN.CASE.call.time_ns, every counter, .active_lanes: of all launches of a call together
#   RUN.CASE.sectors_per_load, .sectors_per_store, .wavefronts_per_load (shared memory)

# An object with one number, or an empty one where there is nothing to divide by.
def ratio($name; a; b): if (b // 0) > 0 then {($name): (a / b)} else {} end;

def launch:
  {time_ns, bound, shared_bytes, registers}
  + .counters
  + (.counters
     | ratio("sectors_per_load"; .global_load_sectors; .global_load_requests)
     + ratio("sectors_per_store"; .global_store_sectors; .global_store_requests)
     + ratio("lines_per_load"; .global_load_lines; .global_load_requests)
     + ratio("lines_per_store"; .global_store_lines; .global_store_requests)
     + ratio("wavefronts_per_load"; .shared_load_wavefronts; .shared_load_inst)
     + ratio("wavefronts_per_store"; .shared_store_wavefronts; .shared_store_inst))
  + ([.lines[]
      | "line\(.line).waves" as $name
      | .counters
      | ratio($name; (.shared_load_wavefronts // 0) + (.shared_store_wavefronts // 0);
              (.shared_load_inst // 0) + (.shared_store_inst // 0))] | add // {});

def call:
  {time_ns} + .counters
  + (.counters | ratio("active_lanes"; .thread_inst_executed; .inst_executed)
     + ratio("wavefronts_per_load"; .shared_load_wavefronts; .shared_load_inst))
  | with_entries(select(.value != null));

def work:
  {work_ns: .time_ns}
  + (.overlap
     | {copies_both_ways: (100 * .both_ways / .result),
        kernels_beside_kernels: (100 * .beside_kernels / .result),
        kernels_at_once: .most_kernels});

(["\($run).score", .score],
 ["\($run).max", .max],
 (.cases[] | select(.of == "submission" and .overlap) | .case as $case | work | to_entries[]
  | ["\($run).\($case).\(.key)", .value]),
 (.cases[] | select(.of == "submission" and .counters) | .case as $case | call | to_entries[]
  | ["\($run).\($case).call.\(.key)", .value]),
 (.launches[] | .case as $case | launch | to_entries[] | ["\($run).\($case).\(.key)", .value]))
| @tsv
