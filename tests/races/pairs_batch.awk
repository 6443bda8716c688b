# pairs_batch.awk: makes one program of several pairs, each twice, in a namespace of its own; the argument says which to run.
#
#   awk -f pairs_batch.awk pairs/NAME.cu... >batch.cu
#
# A line that ends in `// racy: TEXT` is TEXT in the racy program, nothing if TEXT is `(nothing)`; where the line is nothing but that
# comment, the right program has nothing there.
function identifier(name) { gsub(/[^A-Za-z0-9]/, "_", name); return name }
function add(variant, line) { text[name, variant] = text[name, variant] line "\n" }

FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name); sub(/\.cu$/, "", name)
  order[++count] = name
  file[name] = FILENAME
}
/^#include/ { # outside of namespaces, once
  if (!($0 in included)) { included[$0]; includes = includes $0 "\n" }
  add("racy", ""); add("right", ""); next
}
{
  at = index($0, "// racy: ")
  if (!at) { add("racy", $0); add("right", $0); next }
  changed = substr($0, at + 9)
  add("right", substr($0, 1, at - 1))
  add("racy", changed == "(nothing)" ? "" : changed)
}
END {
  printf "// Made by pairs_batch.awk.\n%s#include <string.h>\n", includes
  for (i = 1; i <= count; i++)
    for (v = 0; v < 2; v++) {
      variant = v ? "right" : "racy"
      printf "namespace %s_%s {\n#line 1 \"%s\"\n%s}\n", identifier(order[i]), variant, file[order[i]], text[order[i], variant]
    }
  print "#line 1 \"batch\"\nint main(int, char **argv) {"
  for (i = 1; i <= count; i++)
    for (v = 0; v < 2; v++) {
      variant = v ? "right" : "racy"
      printf "  if (strcmp(argv[1], \"%s.%s\") == 0) return %s_%s::main();\n", order[i], variant, identifier(order[i]), variant
    }
  print "  return 4;\n}"
}
