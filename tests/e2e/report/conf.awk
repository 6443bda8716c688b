# conf.awk: what tables.sql has to know of a lab.conf, as SQL.
#     awk -f conf.awk labs/lab3_transpose/lab.conf
/^\[/ {
  kind = $1; name = $2
  gsub(/[][]/, "", kind); gsub(/[][]/, "", name)
}
kind == "lab" && $1 == "baseline" { printf "UPDATE asked SET baseline = '%s';\n", $3 }
kind == "case" && $1 == "show" && $3 == "yes" { printf "INSERT INTO shown VALUES(%d, '%s');\n", shown++, name }
kind == "sweep" && $1 == "case" { printf "INSERT INTO swept VALUES('%s');\n", $3 }
kind == "item" && $1 == "case" { printf "INSERT INTO looks_at VALUES('%s', '%s');\n", name, $3 }
