# schema.jq: is this a results.json as Gradescope documents it? Prints what is wrong, a line each.
# https://gradescope-autograders.readthedocs.io/en/latest/specs/, "Output format", read in 2026: a key that is not listed there, a
# value of another type, or a word that is none of those listed is a fault, and either there is a score at the top or
# every test has one.
#
#   jq -r -f schema.jq results.json
def visibilities: ["hidden", "after_due_date", "after_published", "visible"];
def formats: ["text", "html", "simple_format", "md", "ansi"];
def one_of($key; $words): if has($key) and (.[$key] as $word | $words | index([$word]) | not)
  then "\($key): \(.[$key]) is none of \($words | join(", "))" else empty end;
def of_type($key; $type): if has($key) and (.[$key] | type) != $type
  then "\($key): \(.[$key] | type), not \($type)" else empty end;
def known($keys): (keys - $keys)[] | "\(.): no such key";

def top:
  known(["score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility",
    "stdout_visibility", "extra_data", "tests", "leaderboard"]),
  of_type("score"; "number"), of_type("execution_time"; "number"), of_type("output"; "string"), of_type("extra_data"; "object"),
  of_type("tests"; "array"), of_type("leaderboard"; "array"),
  one_of("output_format"; formats), one_of("test_output_format"; formats), one_of("test_name_format"; formats),
  one_of("visibility"; visibilities), one_of("stdout_visibility"; visibilities),
  if has("score") or ((.tests // []) | length > 0 and all(has("score"))) then empty else "no score" end;
def test:
  known(["score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags", "visibility",
    "extra_data"]),
  of_type("score"; "number"), of_type("max_score"; "number"), of_type("name"; "string"), of_type("number"; "string"),
  of_type("output"; "string"), of_type("tags"; "array"),
  one_of("status"; ["passed", "failed"]), one_of("output_format"; formats), one_of("name_format"; formats),
  one_of("visibility"; visibilities),
  ((.tags // [])[] | select(type != "string") | "tags: \(.) is no string");
def place:
  known(["name", "value", "order"]), of_type("name"; "string"), one_of("order"; ["asc", "desc"]),
  if (.value | type) as $type | $type == "number" or $type == "string" then empty else "value: \(.value)" end;

if type != "object" then "it is no object" else
  top, ((.tests // [])[] | "test \(.name): " + test), ((.leaderboard // [])[] | "leaderboard \(.name): " + place)
end
