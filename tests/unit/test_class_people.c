/* test_class_people.c: which person of a list is meant: people.h's rules, a row of a table each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/class/people/people.h"

/* What somebody goes by: "canvas=1001,email=ada@x.edu"; +kind: they handed in as it. */
static enum identity_kind next_identity(char **rest, char **value, bool *submitted) {
  char *word = strsep(rest, ",");
  *value = strchr(word, '=');
  assert_non_null(*value);
  *(*value)++ = '\0';
  *submitted = *word == '+';
  return identity_find(word + *submitted);
}

struct known {
  const char *id, *name, *identities;
};

struct meant {
  const char *identities, *name;
  const char *person; /* NULL: nobody */
  enum match match;
  bool handed_in, clone;
  const char *why; /* words of it; NULL: none is given */
};

/* Up to the first without an id, or without identities and a name. */
struct example {
  const char *what;
  struct known people[8];
  struct meant mentions[8];
};

static const struct example examples[] = {
    /* 1. the platform's own number */
    {"a number outranks a name",
     {{"u1", "Ann Lee", "canvas=1"}, {"u2", "Bob Ray", "canvas=2"}},
     {{"canvas=1", "raybob", "u1", MATCH_IDENTITY}, {"canvas=2", "leeann", "u2", MATCH_IDENTITY}}},
    {"whoever handed in as it has it, whatever the roster says of other numbers",
     {{"u2", "Bob Ray", "+canvas=1,id=u2"}},
     {{"canvas=1,id=u1", "Lee, Ann", "u2", MATCH_IDENTITY}}},
    {"one that only the roster gives is contradicted by another id",
     {{"u2", "Bob Ray", "canvas=1,id=u2"}},
     {{"canvas=1,id=u1", "Lee, Ann", NULL, MATCH_NONE, .why = "has another number, u2"}}},
    {"numbers are equal only byte by byte",
     {{"u1", "Ann Lee", "canvas=0012"}},
     {{"canvas=12", NULL, NULL}}},
    {"an account's case does not matter",
     {{"u1", NULL, "github=Ada-L"}},
     {{"github=ada-l", NULL, "u1", MATCH_IDENTITY}}},
    {"a group has a participant's number",
     {{"u1", "Ann Lee", "moodle=17"}},
     {{"moodle=17", "Team 5", NULL, MATCH_NONE, true, .why = "is it a group's?"},
      {"moodle=17", "Lee, Ann", "u1", MATCH_IDENTITY, true}}},
    {"a row's number is no group's",
     {{"u1", "Ann Lee", "moodle=17"}},
     {{"moodle=17", "Anne Lee", "u1", MATCH_IDENTITY}}},
    {"a group's grade is not for the participant of its number",
     {{"17", "Team 5", "+moodle=17"}, {"u1", "Ann Lee", "id=u1"}},
     {{"moodle=17", "Ann Lee", NULL, MATCH_NONE, .why = "is it a group's?"}}},
    {"names that are hidden contradict nothing",
     {{"u1", "Ann Lee", "moodle=17"}},
     {{"moodle=17", NULL, "u1", MATCH_IDENTITY, true}}},

    /* 2. other numbers, accounts and addresses */
    {"an id, where the platform's number is not known",
     {{"u1", "Ann Lee", "id=u1"}, {"u2", "Ann Lee", "id=u2"}},
     {{"canvas=9,id=u2", "Lee, Ann", "u2", MATCH_IDENTITY}}},
    {"a login may be the university's number",
     {{"u1", "Ann Lee", "login=7001"}},
     {{"id=7001", NULL, "u1", MATCH_IDENTITY}}},
    {"an id is not the platform's number by itself",
     {{"1001", "Ann Lee", "id=1001"}},
     {{"canvas=1001", "raybob", NULL}}},
    {"nor if the names of most say otherwise",
     {{"1001", "Ann Lee", "id=1001"},
      {"1002", "Bob Ray", "id=1002"},
      {"1003", "Cy Fox", "id=1003"}},
     {{"canvas=1001", "Lee, Ann", "1001", MATCH_NAME},
      {"canvas=1002", "Fox, Cy", "1003", MATCH_NAME},
      {"canvas=1003", "Ray, Bob", "1002", MATCH_NAME}}},
    {"it is if the names of most agree, too",
     {{"1001", "Ann Lee", "id=1001"},
      {"1002", "Ann Lee", "id=1002"},
      {"1003", "Cy Fox", "id=1003"},
      {"1004", "Di Roe", "id=1004"},
      {"1005", "Ed Poe", "id=1005"}},
     {{"canvas=1001", "Lee, Ann", "1001", MATCH_IDENTITY},
      {"canvas=1002", "Lee, Ann", "1002", MATCH_IDENTITY},
      {"canvas=1003", "Ray, Bob", NULL, MATCH_NONE, .why = "but not the name"},
      {"canvas=1004", "Roe, Di", "1004", MATCH_IDENTITY},
      {"canvas=1005", "Poe, Ed", "1005", MATCH_IDENTITY}}},
    {"but of namesakes one may have it by chance",
     {{"1001", "Ann Lee", "id=1001"}, {"1002", "Ann Lee", "id=1002"}},
     {{"canvas=1001", "Lee, Ann", NULL, MATCH_NONE, .why = "the name of 1001, and of 1002"}}},
    {"an address that two share tells nobody",
     {{"u1", "Ann Lee", "email=lee@x.edu"}, {"u2", "Bo Lee", "email=lee@x.edu"}},
     {{"gradescope=lee@x.edu", "Cy Lee", NULL, MATCH_NONE, .why = "it may be u1 or u2"}}},
    {"nor one of somebody with quite another name",
     {{"u1", "Ann Lee", "email=lee@x.edu"}},
     {{"gradescope=lee@x.edu", "Bob Ray", NULL},
      {"gradescope=LEE@x.edu", "Annie Lee", "u1", MATCH_IDENTITY}}},
    {"names in two scripts cannot be compared",
     {{"u1", "\u738b \u4f1f", "email=wei@x.edu"}},
     {{"gradescope=wei@x.edu", "Wei Wang", "u1", MATCH_IDENTITY}}},
    {"an address of whom another number is known is not theirs",
     {{"u1", "Ann Lee", "canvas=1,email=lee@x.edu"}},
     {{"canvas=2,email=lee@x.edu", "Bo Lee", NULL, MATCH_NONE, .why = "has another number, 1"}}},
    {"a folder may be called anything",
     {{"u1", "Ann Lee", "id=u1,login=ann,email=ann@x.edu"}, {"u2", "Bob Ray", "github=b-ray"}},
     {{"folder=u1", NULL, "u1", MATCH_IDENTITY, true},
      {"folder=b-ray", NULL, "u2", MATCH_IDENTITY, true}}},
    {"one's login is another's name",
     {{"u1", "Ann Alee", "login=aalee"}, {"u2", "Anna Lee", "login=annalee"}},
     {{"folder=annalee", NULL, "u2", MATCH_IDENTITY, true}}},
    {"a row of two, one of whom has handed in",
     {{"u1", NULL, "+folder=u1"}, {"ann", "Ann Lee", "login=ann"}},
     {{"canvas=3,id=u1,login=ann", "Lee, Ann", "u1", MATCH_IDENTITY}}},
    {"a row of two who have both",
     {{"u1", NULL, "+folder=u1"}, {"ann", "Ann Lee", "+login=ann"}},
     {{"canvas=3,id=u1,login=ann", "Lee, Ann", NULL, MATCH_NONE, .why = "it may be u1 or ann"}}},
    {"two accounts of one platform with one id",
     {{"u1", "Ann Lee", "id=u1"}},
     {{"canvas=1,id=u1", "Lee, Ann", NULL, MATCH_NONE, .why = "another"},
      {"canvas=2,id=u1", "Lee, Anna", NULL, MATCH_NONE, .why = "another"}}},

    /* 3. the same but for case and accents */
    {"case, if only one is like it",
     {{"u1", NULL, "id=Alice"}, {"u2", NULL, "id=bob"}},
     {{"folder=alice", NULL, "u1", MATCH_CASE, true}}},
    {"two differ only in case",
     {{"u1", NULL, "id=Alice"}, {"u2", NULL, "id=alice"}},
     {{"folder=ALICE", NULL, NULL, MATCH_NONE, true, .why = "of u1, and of u2"},
      {"folder=alice", NULL, "u2", MATCH_IDENTITY, true}}},
    {"two mean one that is nearly it",
     {{"u1", NULL, "id=Alice"}},
     {{"folder=ALICE", NULL, NULL, MATCH_NONE, true, .why = "another"},
      {"folder=alice", NULL, NULL, MATCH_NONE, true, .why = "another"}}},
    {"accents as one character or two",
     {{"u1", NULL, "login=jos\u00e9"}},
     {{"folder=jose\u0301", NULL, "u1", MATCH_CASE, true}}},

    /* 4. the name */
    {"the words of a name in any order",
     {{"u1", "Lovelace, Ada", "id=u1"}, {"u2", "Jos\u00e9 Garc\u00eda", "id=u2"}},
     {{"canvas=1", "lovelaceada", "u1", MATCH_NAME},
      {"canvas=2", "Jose\u0301 GARCI\u0301A", "u2", MATCH_NAME}}},
    {"Ann Alee is not Anna Lee",
     {{"u1", "Ann Alee", "id=u1"}, {"u2", "Anna Lee", "id=u2"}},
     {{"folder=Anna Lee", NULL, "u2", MATCH_NAME, true},
      {"folder=Ann Alee", NULL, "u1", MATCH_NAME, true}}},
    {"annalee may be both",
     {{"u1", "Ann Alee", "id=u1"}, {"u2", "Anna Lee", "id=u2"}},
     {{"folder=annalee", NULL, NULL, MATCH_NONE, true, .why = "of u1, and of u2"}}},
    {"two on the one side",
     {{"u1", "Ann Lee", "id=u1"}, {"u2", "Ann Lee", "id=u2"}},
     {{"canvas=1", "leeann", NULL, MATCH_NONE, .why = "of u1, and of u2"}}},
    {"two on the other",
     {{"u1", "Ann Lee", "id=u1"}},
     {{"canvas=1", "leeann", NULL, MATCH_NONE, .why = "another"},
      {"canvas=2", "leeann", NULL, MATCH_NONE, .why = "another"}}},
    {"one of the two was refused before, and counts",
     {{"u1", "Ann Lee", "email=lee@x.edu"}, {"u2", "Bo Lee", "email=lee@x.edu"}},
     {{"gradescope=lee@x.edu", "Ann Lee", NULL, MATCH_NONE, .why = "it may be u1 or u2"},
      {"gradescope=ann@y.edu", "Ann Lee", NULL, MATCH_NONE, .why = "another"}}},
    {"Gradescope knows one by an address, one by a number",
     {{"9", "Ann Lee", "canvas=9"}},
     {{"gradescope=ann@y.edu", "Ann Lee", NULL, MATCH_NONE, .why = "another"},
      {"id=u2", "Ann Lee", NULL, MATCH_NONE, .why = "another"}}},
    {"somebody of the name with another number",
     {{"u1", "Ann Lee", "canvas=1"}},
     {{"canvas=2", "Lee, Ann", NULL, MATCH_NONE, .why = "has another number, 1"}}},
    {"the first part of an address",
     {{"u1", "Ann Lee", "email=ann.lee@x.edu"}},
     {{"folder=ann.lee", NULL, "u1", MATCH_NAME, true}}},
    {"nothing at all",
     {{"u1", "Ann Lee", "id=u1"}},
     {{"folder=someone", NULL, NULL, MATCH_NONE, true}}},

    /* Clones: ASSIGNMENT-ACCOUNT */
    {"accounts with hyphens, by what all clones begin with",
     {{"u1", NULL, "github=ada"}, {"u2", NULL, "github=x-ada"}, {"u3", NULL, "github=bob"}},
     {{"folder=lab1-ada", NULL, "u1", MATCH_IDENTITY, true, true},
      {"folder=lab1-x-ada", NULL, "u2", MATCH_IDENTITY, true, true},
      {"folder=lab1-bob", NULL, "u3", MATCH_IDENTITY, true, true}}},
    {"an assignment with hyphens",
     {{"u1", NULL, "github=ada"}, {"u2", NULL, "github=x-ada"}, {"u3", NULL, "github=bob"}},
     {{"folder=lab1-x-ada", NULL, "u1", MATCH_IDENTITY, true, true},
      {"folder=lab1-x-x-ada", NULL, "u2", MATCH_IDENTITY, true, true},
      {"folder=lab1-x-bob", NULL, "u3", MATCH_IDENTITY, true, true}}},
    {"an account that is not in the roster and ends as another's",
     {{"u1", NULL, "github=ada"}, {"u3", NULL, "github=bob"}, {"u4", NULL, "github=cy"}},
     {{"folder=lab1-x-ada", NULL, NULL, MATCH_NONE, true, true, "another that ends the same"},
      {"folder=lab1-ada", NULL, "u1", MATCH_IDENTITY, true, true},
      {"folder=lab1-bob", NULL, "u3", MATCH_IDENTITY, true, true}}},
    {"the only clone",
     {{"u1", NULL, "github=ada"}},
     {{"folder=lab1-ada", NULL, "u1", MATCH_IDENTITY, true, true}}},
    {"the only clone, of whom it is not clear where the account begins",
     {{"u1", NULL, "github=ada"}},
     {{"folder=lab1-x-ada", NULL, NULL, MATCH_NONE, true, true, "another that ends the same"}}},
    {"assignments of a course",
     {{"u1", NULL, "github=ada"}},
     {{"folder=hpc-lab1-ada", NULL, "u1", MATCH_IDENTITY, true, true},
      {"folder=hpc-lab2-ada", NULL, "u1", MATCH_IDENTITY, true, true}}},
};

static void add_person(struct people *people, const struct known *known) {
  struct person *person = people_add(people, known->id, known->name);
  char *words = xstrdup(known->identities), *rest = words, *value;
  while (rest) {
    bool submitted;
    enum identity_kind kind = next_identity(&rest, &value, &submitted);
    assert_in_range(kind, 0, IDENTITY_KINDS - 1);
    person_identify(person,
                    &(struct identity){kind, value, submitted ? ORIGIN_SUBMISSION : ORIGIN_ROSTER,
                                       submitted ? (char *)known->name : NULL});
  }
  free(words);
}

static void add_mention(struct mention *mention, const struct meant *meant) {
  *mention =
      (struct mention){.name = meant->name, .handed_in = meant->handed_in, .clone = meant->clone};
  char *words = xstrdup(meant->identities), *rest = words, *value;
  bool submitted;
  while (rest) {
    enum identity_kind kind = next_identity(&rest, &value, &submitted);
    mention_identify(mention, kind, value);
  }
  free(words);
}

static void check_mention(const struct example *example, const struct people *people,
                          const struct mention *mention, const struct meant *meant) {
  const char *person = mention->person < 0 ? NULL : people->list[mention->person].id;
  if ((person == NULL) != (meant->person == NULL) || (person && strcmp(person, meant->person) != 0))
    fail_msg("%s: %s is %s, and should be %s (%s)", example->what, meant->identities,
             person ? person : "nobody", meant->person ? meant->person : "nobody",
             mention->why ? mention->why : "");
  if (mention->match != meant->match)
    fail_msg("%s: %s is matched by %d, not %d", example->what, meant->identities,
             (int)mention->match, (int)meant->match);
  if (meant->why ? !mention->why || !strstr(mention->why, meant->why) : mention->why != NULL)
    fail_msg("%s: %s: says '%s', not '%s'", example->what, meant->identities,
             mention->why ? mention->why : "", meant->why ? meant->why : "");
}

static void test_examples(void **state) {
  (void)state;
  for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
    const struct example *example = &examples[e];
    struct people people = {0};
    struct mention mentions[8];
    int count = 0;
    for (int i = 0; i < 8 && example->people[i].id; i++) add_person(&people, &example->people[i]);
    people_index(&people);
    for (; count < 8 && example->mentions[count].identities; count++)
      add_mention(&mentions[count], &example->mentions[count]);
    people_match(&people, mentions, count);
    for (int i = 0; i < count; i++) {
      check_mention(example, &people, &mentions[i], &example->mentions[i]);
      mention_free(&mentions[i]);
    }
    people_free(&people);
  }
}

/* Of two numbers in one assignment two people are the owners; in two assignments one may be. */
static void test_assignments(void **state) {
  (void)state;
  for (int same = 0; same < 2; same++) {
    struct people people = {0};
    struct person *ann = people_add(&people, "u1", "Ann Lee");
    person_identify(ann, &(struct identity){.kind = IDENTITY_ID, .value = (char *)"u1"});
    people_index(&people);
    struct mention mentions[2] = {
        {.name = "Ann Lee", .scope = "lab1.zip", .handed_in = true},
        {.name = "Ann Lee", .scope = same ? "lab1.zip" : "lab2.zip", .handed_in = true}};
    mention_identify(&mentions[0], IDENTITY_MOODLE, "17");
    mention_identify(&mentions[1], IDENTITY_MOODLE, "18");
    people_match(&people, mentions, 2);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(mentions[i].person, same ? -1 : 0);
      mention_free(&mentions[i]);
    }
    people_free(&people);
  }
}

static void check_clean(const char *value, const char *clean) {
  autofree char *own = identity_clean(value);
  assert_string_equal(own, clean);
}

static void test_identities(void **state) {
  (void)state;
  check_clean("  ada ", "ada");
  check_clean("\u00a0ada lovelace\u2003", "ada lovelace");
  check_clean("a\tb", "a%09b");
  check_clean("caf\xe9", "caf%E9");
  check_clean("100%", "100%25");
  check_clean("", "");
  assert_true(identity_comparable(IDENTITY_FOLDER, IDENTITY_EMAIL));
  assert_true(identity_comparable(IDENTITY_LOGIN, IDENTITY_ID));
  assert_false(identity_comparable(IDENTITY_CANVAS, IDENTITY_MOODLE));
  assert_false(identity_comparable(IDENTITY_CANVAS, IDENTITY_LOGIN));
}

static bool match(const char *a, const char *b) {
  struct name_keys x = name_keys_make(a), y = name_keys_make(b);
  bool matched = name_keys_match(&x, &y);
  assert_int_equal(matched, name_keys_match(&y, &x));
  name_keys_free(&x);
  name_keys_free(&y);
  return matched;
}

static void test_names(void **state) {
  (void)state;
  assert_true(match("Lovelace, Ada", " ada  LOVELACE"));
  assert_true(match("Lovelace, Ada", "lovelaceada"));
  assert_true(match("Vincent van Gogh", "vangoghvincent"));
  assert_true(match("Mary-Jane O'Brien", "MaryJane OBrien"));
  assert_true(match("Wei\u00df, J\u00fcrgen", "Ju\u0308rgen WEISS"));
  assert_false(match("Ann Alee", "Anna Lee"));
  assert_false(match("Ada", ""));
  assert_false(match("...", "..."));
  assert_false(match("Jose Garcia", "Jos\u00e9 Garc\u00eda"));
  assert_true(names_related("Bob Smith", "Smith, Robert"));
  assert_false(names_related("Bob Smith", "Ann Lee"));
  assert_true(names_related("Bob Smith", ""));
  assert_true(names_related("\u738b \u4f1f", "Wang Wei"));
  assert_false(names_related("\u738b \u4f1f", "\u674e \u5a1c"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples), cmocka_unit_test(test_assignments),
      cmocka_unit_test(test_identities), cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
