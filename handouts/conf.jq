# conf.jq: the points and thresholds of a lab, as lines `name<tab>value` for fill.awk.
#
#   ./grade conf lab2 --public --json | jq -r -f conf.jq
#
#   lab2.points, lab2.points.correctness, lab2.traffic.points, .full, .zero, .half
.lab as $lab
| ([$lab, "points", .max_points],
   (.items | group_by(.class)[] | [$lab, "points", .[0].class, (map(.points) | add)]),
   (.items[]
    | [$lab, .id, "points", .points],
      (["full", "zero", "half"][] as $key | select(.[$key]) | [$lab, .id, $key, .[$key].value])))
| (.[:-1] | join(".")) + "\t" + (.[-1] | tostring)
