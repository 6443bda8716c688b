# links.awk: finds links in HTML pages that lead nowhere.
#
#   awk -f links.awk build/handouts/*.html
#
# Looked at: every href, src and xlink:href. Dead are: an anchor that no element of the page has, a page that is not among
# the files given, and anything that a page would have to fetch (images and styles must be in the page itself).
# Links to other sites may stand in href; they are not followed. Status 1 if there is a dead link.

function base(path) { sub(/.*\//, "", path); return path }

# Remembers every attribute NAME="..." of the text by calling note(kind, value).
function attributes(text, name, pattern, value) {
  pattern = "[ \t]" name "=\"[^\"]*\""
  while (match(text, pattern)) {
    value = substr(text, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
    text = substr(text, RSTART + RLENGTH)
    if (name == "id") id[page "#" value] = 1
    else {
      links++
      from[links] = FILENAME
      attribute[links] = name
      target[links] = value
    }
  }
}

FNR == 1 { page = base(FILENAME); pages[page] = 1 }

{
  line = " " $0
  gsub(/data:[^"]*"/, "data:\"", line) # long; needs nothing else
  attributes(line, "id")
  attributes(line, "href")
  attributes(line, "src")
  attributes(line, "xlink:href")
}

END {
  for (i = 1; i <= links; i++) {
    link = target[i]
    hash = index(link, "#")
    file = hash ? substr(link, 1, hash - 1) : link
    anchor = hash ? substr(link, hash + 1) : ""
    if (file == "") file = base(from[i])
    if (link ~ /^data:/ || (link ~ /^https?:/ && attribute[i] == "href")) continue
    if (!(file in pages) || (hash && !((file "#" anchor) in id))) {
      printf "%s: dead link: %s=\"%s\"\n", from[i], attribute[i], link
      dead++
    }
  }
  if (!links) { print "links.awk: no links at all: is this HTML?"; dead++ }
  exit dead ? 1 : 0
}
