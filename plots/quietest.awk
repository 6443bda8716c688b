# quietest.awk: of rows with the same size and code (columns 1 and 2) the one with the least median (column 4), where the
# first of them stands.
BEGIN { FS = "\t" }
!(($1, $2) in least) { order[++count] = $1 SUBSEP $2 }
!(($1, $2) in least) || $4 + 0 < least[$1, $2] { least[$1, $2] = $4 + 0; row[$1, $2] = $0 }
END { for (i = 1; i <= count; i++) print row[order[i]] }
