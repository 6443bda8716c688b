# ncu.awk: joins the table of times with what Nsight Compute read, launch by launch in the same order.
#
#     awk -f ncu.awk metrics ncu.csv times.tsv
#
# metrics lists the columns to add; ncu.csv is the output of `ncu --csv --page raw`; times.tsv is time.cu's. A metric that ncu does
# not have for this GPU is a column of `-`.

# Splits a line of quoted values into field[1..]; returns how many.
function split_csv(line, field) {
  sub(/^"/, "", line)
  sub(/"[\r]*$/, "", line)
  return split(line, field, /","/)
}

# "product_tiled<16>" and "void (anonymous namespace)::product_tiled<float, 16>(...)" -> "product_tiled"
function base_name(kernel) {
  gsub(/\(anonymous namespace\)::|<unnamed>::/, "", kernel)
  sub(/^void /, "", kernel)
  sub(/[<(].*/, "", kernel)
  sub(/.*::/, "", kernel)
  return kernel
}

FILENAME != file {
  file = FILENAME
  part++
}

part == 1 && !/^#/ { metric[++metrics] = $1 }

part == 2 && /^"ID"/ {
  count = split_csv($0, field)
  for (i = 1; i <= count; i++) place[field[i]] = i
}

part == 2 && /^"[0-9]/ {
  split_csv($0, field)
  kernel[++launches] = base_name(field[place["Kernel Name"]])
  for (m = 1; m <= metrics; m++) {
    value = metric[m] in place ? field[place[metric[m]]] : "-"
    gsub(/,/, "", value)
    read[launches, m] = value ~ /^[0-9]/ ? sprintf("%.12g", value) : "-"
  }
}

part == 3 {
  printf "%s", $0
  if (FNR > 1) {
    split($0, field, "\t")
    if (base_name(field[2]) != kernel[FNR - 1]) {
      print "ncu.awk: launch " FNR - 1 " is " field[2] ", ncu read " kernel[FNR - 1] | "cat >&2"
      failed = 1
      exit
    }
  }
  for (m = 1; m <= metrics; m++) printf "\t%s", FNR == 1 ? metric[m] : read[FNR - 1, m]
  print ""
}

END {
  if (!failed && launches != FNR - 1) {
    print "ncu.awk: " FNR - 1 " launches, ncu read " launches | "cat >&2"
    failed = 1
  }
  exit failed
}
