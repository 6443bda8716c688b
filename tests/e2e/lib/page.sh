# page.sh: what is true of every page that the kit writes. To be sourced after check.sh.
#
# It sets $xml: yes, or no where xmllint is missing, which it says.
# shellcheck shell=sh disable=SC2154 # $work is check.sh's
xml=yes
command -v xmllint >/dev/null 2>&1 || {
  xml=no
  echo 'skip pages are well-formed XML: xmllint is not installed (libxml2-utils)'
}

# xpath FILE EXPRESSION: a statement about a page as XML, which must say `true`.
xpath() { [ "$(xmllint --nonet --huge --xpath "$2" "$1" 2>&1)" = true ]; }
nothing_runs='count(//*[local-name() = "script"] | //@*[starts-with(name(), "on")] |
  //iframe | //object | //embed | //form | //base | //link) = 0'
# Links lead into the page, or to a file beside it; images are in the page.
links='count(//@href[not(starts-with(., "#") or starts-with(., "./"))] |
  //@src[not(starts-with(., "data:image/"))]) = 0'
anchors='count(//@*[local-name() = "href"][starts-with(., "#")][not(//@id = substring(., 2))]) = 0'

# wrong_with FILE: says what is wrong with a page, if anything.
wrong_with() {
  if ! [ -s "$1" ]; then
    echo 'it is not there'
  elif ! iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1; then
    echo 'not UTF-8'
  elif LC_ALL=C tr -d '\t\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]'; then
    echo 'control characters'
  elif grep -q "$(printf '\342\200\256')" "$1"; then
    echo 'it turns text round'
  elif [ $xml = no ]; then
    return
  elif ! xmllint --nonet --huge --noout "$1" >"$work/xml" 2>&1; then
    echo "not well-formed: $(head -n 1 "$work/xml")"
  elif ! xpath "$1" "$nothing_runs"; then
    echo 'something in it could run'
  elif ! xpath "$1" "$links"; then
    echo 'links to elsewhere'
  elif ! xpath "$1" "$anchors"; then
    echo 'dead links inside the page'
  elif ! xpath "$1" 'count(//@id[. = preceding::*/@id]) = 0'; then
    echo 'an id twice'
  fi
}
