/* property_check.c: whose grade stands where, against whose it is; see property.h. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/class/base/csv.h"
#include "tests/class/property.h"

/* --- what the program said --- */

/* An attempt, as --jsonl has it. */
struct line {
  char *student;
  int score; /* 0: it has none */
  bool counts;
};

struct output {
  struct line *lines;
  int count;
  char *log;
};

static struct output read_output(const struct course *course) {
  struct output output = {0};
  char *path = path_in(course, "lines.jsonl"), *text = file_read(path, NULL), *rest = text, *words;
  while (text && (words = strsep(&rest, "\n")) != NULL) {
    json_auto_t *json = json_loads(words, 0, NULL);
    if (!json) continue;
    autofree char *lab = xprintf("lab%d", course->lab + 1);
    bool ours = strcmp(json_string_value(json_object_get(json, "lab")), lab) == 0;
    if (ours) {
      output.lines = xrealloc(output.lines, sizeof *output.lines * (size_t)(output.count + 1));
      output.lines[output.count++] = (struct line){
          xstrdup(json_string_value(json_object_get(json, "student"))),
          (int)json_integer_value(json_object_get(json_object_get(json, "grade"), "score")),
          json_is_true(json_object_get(json, "counts"))};
    }
  }
  free_all(text, path);
  path = path_in(course, "run%d/log", course->run);
  output.log = file_read(path, NULL);
  free(path);
  return output;
}

static void free_output(struct output *output) {
  for (int i = 0; i < output->count; i++) free(output->lines[i].student);
  free_all(output->lines, output->log);
}

/* Is there a line in the log with these words, then the student, then comma, colon or its end? */
static bool is_reported(const struct output *output, const char *words, const char *student) {
  size_t length = strlen(student);
  for (const char *at = output->log; (at = strstr(at, words)) != NULL; at++) {
    const char *who = at + strlen(words);
    if (strncmp(who, student, length) == 0 && strchr(",:\n", who[length])) return true;
  }
  return false;
}

/* --- what is true --- */

static bool owns(const struct handed_in *handed, int student) {
  for (int o = 0; o < handed->owners; o++)
    if (handed->owner[o] == student) return true;
  return false;
}

/* What counts for the student (or TEAM + n) in the lab of now; NULL: nothing. */
static const struct handed_in *last_of(const struct course *course, int student) {
  for (int h = course->handed_count - 1; h >= 0; h--) {
    const struct handed_in *handed = &course->handed[h];
    if (handed->lab == course->lab && !handed->broken && owns(handed, student)) return handed;
  }
  return NULL;
}

static const struct row *roster_row(const struct course *course, int student) {
  for (int r = 0; r < course->row_count; r++)
    if (course->rows[r].student == student) return &course->rows[r];
  return NULL;
}

/* --- what is known on both sides --- */

/* What somebody goes by in one place. */
struct card {
  const char *value[IDENTITY_KINDS];
};

static bool gradescope_shows(const struct course *course, int student, enum identity_kind kind) {
  int which = (student + (int)(course->seed % 11)) % 7;
  return kind == IDENTITY_ID ? which != 2 && which != 5 : which != 6;
}

static struct card submission_card(const struct course *course, int student) {
  const struct student *who = &course->students[student];
  struct card card = {0};
  switch (course->platform) {
    case CANVAS:
      card.value[IDENTITY_CANVAS] = who->value[IDENTITY_CANVAS];
      break;
    case MOODLE:
      card.value[IDENTITY_MOODLE] = who->moodle[course->lab];
      break;
    case GRADESCOPE:
      if (gradescope_shows(course, student, IDENTITY_ID))
        card.value[IDENTITY_ID] = who->value[IDENTITY_ID];
      if (gradescope_shows(course, student, IDENTITY_EMAIL))
        card.value[IDENTITY_EMAIL] = who->mailbox;
      break;
    case GITHUB:
      card.value[IDENTITY_GITHUB] = who->value[IDENTITY_GITHUB];
      break;
    default:
      if (who->folder_kind < IDENTITY_FOLDER) card.value[who->folder_kind] = who->folder;
  }
  return card;
}

static struct card row_card(const struct row *row) {
  struct card card = {0};
  for (int kind = 0; kind < IDENTITY_KINDS; kind++) card.value[kind] = row->value[kind];
  return card;
}

static struct card table_card(const struct course *course, int student, bool gradebook) {
  const struct student *who = &course->students[student];
  struct card card = {0};
  if (gradebook) {
    card.value[IDENTITY_CANVAS] = who->value[IDENTITY_CANVAS];
    card.value[IDENTITY_ID] = student % 6 == 5 ? NULL : who->value[IDENTITY_ID];
    card.value[IDENTITY_LOGIN] = who->value[IDENTITY_LOGIN];
  } else {
    card.value[IDENTITY_MOODLE] = who->moodle[course->lab];
    card.value[IDENTITY_EMAIL] = student % 6 == 4 ? NULL : who->value[IDENTITY_EMAIL];
  }
  return card;
}

/* Do both name the same thing, which is nobody else's? */
static bool linked(const struct course *course, int student, const struct card *a,
                   const struct card *b) {
  for (int kind = 0; kind < IDENTITY_KINDS; kind++)
    if (a->value[kind] && b->value[kind] && strcmp(a->value[kind], b->value[kind]) == 0 &&
        course_is_only(course, student, a->value[kind]))
      return true;
  return false;
}

/* Do they name two things of one kind, and so two people? Addresses may differ. */
static bool contradict(const struct card *a, const struct card *b) {
  for (int kind = 0; kind <= IDENTITY_ID; kind++)
    if (kind != IDENTITY_MOODLE && a->value[kind] && b->value[kind] &&
        strcmp(a->value[kind], b->value[kind]) != 0)
      return true;
  return false;
}

/* Accounts end clones' names behind hyphens: with a few others, it is clear where. */
static bool clones_are_clear(const struct course *course) {
  int known = 0;
  for (int g = 0; g < course->group_count[course->lab]; g++) {
    const struct group *group = &course->groups[course->lab][g];
    const struct row *row = roster_row(course, group->members[0]);
    known += group->last >= 0 && row && row->value[IDENTITY_GITHUB];
  }
  return known > 2;
}

/* Is the address of a submission in the roster, but in another's row only? */
static bool is_anothers(const struct course *course, const struct row *own, const char *email) {
  const char *listed = own->value[IDENTITY_EMAIL];
  if (!email || (listed && strcmp(listed, email) == 0)) return false;
  for (int r = 0; r < course->row_count; r++) {
    const char *other = course->rows[r].value[IDENTITY_EMAIL];
    if (other && strcmp(other, email) == 0) return true;
  }
  return false;
}

static bool roster_links(const struct course *course, int student) {
  const struct row *row = roster_row(course, student);
  if (!row || course->mistaken) return false;
  if (course->platform == GITHUB && !clones_are_clear(course)) return false;
  if (course->platform == MOODLE && row->mistyped) return false;
  struct card submission = submission_card(course, student), card = row_card(row);
  return linked(course, student, &submission, &card) &&
         !is_anothers(course, row, submission.value[IDENTITY_EMAIL]);
}

/* Has somebody else the student's name? Then, without surer signs, one may pass for the other. */
static bool may_be_another(const struct course *course, int student) {
  for (int s = 0; s < course->count; s++)
    if (s != student && course_namesakes(course, student, s)) return true;
  return false;
}

static bool must_be_exported(const struct course *course, int student, bool gradebook) {
  if (!course->students[student].enrolled) return false;
  if (course->platform == CANVAS && gradebook) return true;
  if (course->platform == MOODLE && !gradebook) return true;
  if (course->mistaken) return false;
  struct card submission = submission_card(course, student),
              table = table_card(course, student, gradebook);
  const struct row *row = roster_row(course, student);
  bool surely = roster_links(course, student);
  if (surely) {
    struct card card = row_card(row);
    if (linked(course, student, &card, &table)) return true;
  }
  /* Their number may be somebody's of another name, in a roster where theirs is mistyped. */
  if (!surely && row && row->mistyped) return false;
  return course->platform != GITHUB && linked(course, student, &submission, &table) &&
         (surely || !may_be_another(course, student));
}

/* --- who may have a grade that is not theirs --- */

/* The owner where another is, too. */
struct beside {
  struct card card;
  bool named; /* by their right name */
};

/* Is the owner, known by `from`, taken for somebody of the same name or address, known by `theirs`,
 * as nothing there tells them apart? */
static bool alike(const struct course *course, int owner, const struct card *from,
                  const struct beside *own, int other, const struct card *theirs) {
  const char *email = course->students[owner].value[IDENTITY_EMAIL],
             *listed = own->card.value[IDENTITY_EMAIL];
  bool name = !own->named && course_namesakes(course, owner, other),
       address = !(listed && strcmp(listed, email) == 0) && course_kin(course, owner, other);
  return (name || address) && !linked(course, owner, from, &own->card) && !contradict(from, theirs);
}

/* The same of a submission and somebody of the roster. */
static bool alike_in_roster(const struct course *course, int owner, int other) {
  const struct row *theirs = roster_row(course, other), *row = roster_row(course, owner);
  if (!theirs || roster_links(course, owner)) return false;
  struct card from = submission_card(course, owner), card = row_card(theirs);
  const char *email = course->students[owner].value[IDENTITY_EMAIL],
             *other_email = theirs->value[IDENTITY_EMAIL];
  struct beside own = {.named = row && *row->name && !row->mistyped};
  if (row) own.card = row_card(row);
  /* A shared address, without a name to tell whose it is. */
  if (!*theirs->name && other_email && strcmp(email, other_email) == 0) return true;
  return alike(course, owner, &from, &own, other, &card);
}

/* May it be in the other's row of a table? Through the roster, or directly. */
static bool could_be_either(const struct course *course, int owner, int other, bool gradebook) {
  if (owner >= TEAM) return false;
  if (alike_in_roster(course, owner, other)) return true;
  struct card from = submission_card(course, owner), theirs = table_card(course, other, gradebook);
  struct beside own = {.named = course->students[owner].enrolled};
  if (own.named) own.card = table_card(course, owner, gradebook);
  const struct row *row = roster_row(course, owner);
  struct card listed = row ? row_card(row) : (struct card){0};
  /* A shared address, without a name to tell whose it is. */
  if (row && !*row->name && listed.value[IDENTITY_EMAIL] && theirs.value[IDENTITY_EMAIL] &&
      strcmp(listed.value[IDENTITY_EMAIL], theirs.value[IDENTITY_EMAIL]) == 0)
    return true;
  if (row && roster_links(course, owner))
    return alike(course, owner, &listed, &own, other, &theirs);
  return alike(course, owner, &from, &own, other, &theirs);
}

static bool wrong(const struct course *course, const char *where, int student, double is,
                  int score) {
  const struct student *who = &course->students[student];
  fprintf(stderr, "%s %llu, run %d: %s: %s %s (%d) has %g, and should have %d\n",
          platform_names[course->platform], course->seed, course->run, where, who->given,
          who->family, student, is, score);
  return false;
}

static int owner_of(const struct course *course, double score) {
  int index = (int)(score + 0.5) - 1;
  return index >= 0 && index < course->handed_count ? course->handed[index].owner[0] : NOBODY;
}

/* With a name. */
static bool number_is_listed(const struct course *course, int student) {
  const char *number = course->students[student].moodle[course->lab];
  for (int r = 0; r < course->row_count; r++)
    if (course->rows[r].value[IDENTITY_MOODLE] && *course->rows[r].name &&
        strcmp(course->rows[r].value[IDENTITY_MOODLE], number) == 0)
      return true;
  return false;
}

/* The grade in a student's cell (0: none). */
static bool check_cell(const struct course *course, const char *where, int student, double score,
                       bool gradebook, struct tally *tally) {
  bool native = course->platform == (gradebook ? CANVAS : MOODLE);
  const struct handed_in *last = last_of(course, student);
  int expected = last ? last->score : 0;
  if (score > 0) {
    tally->exported++;
    if ((int)(score + 0.5) == expected) return true;
    int owner = owner_of(course, score);
    const struct handed_in *handed =
        owner == NOBODY ? NULL : &course->handed[(int)(score + 0.5) - 1];
    if (handed && owns(handed, student) && handed->lab == course->lab &&
        !must_be_exported(course, student, gradebook))
      return true; /* an older one of theirs: the newer one is looked for as everybody's */
    bool excused = !native && course->mistaken;
    for (int o = 0; handed && o < handed->owners && !native; o++)
      excused |= could_be_either(course, handed->owner[o], student, gradebook);
    /* A group's number, of which nothing says that it is some participant's. */
    excused |= native && owner >= TEAM && course->made && !number_is_listed(course, student);
    /* Nor, through a roster without names, of anybody. */
    const struct row *row = roster_row(course, student);
    excused |= owner >= TEAM && row && !*row->name;
    tally->excused += excused;
    return excused ? true : wrong(course, where, student, score, expected);
  }
  if (!expected || !must_be_exported(course, student, gradebook)) return true;
  return wrong(course, where, student, 0, expected);
}

/* --- tables --- */

static int column_of(const struct csv *csv, const char *heading) {
  const char *const words[] = {heading, NULL};
  return csv_column(csv, words);
}

/* Whose row of a table it is, by the platform's own number. */
static int student_of(const struct course *course, const char *number, bool gradebook) {
  const char *digits = gradebook ? number : number + strcspn(number, "0123456789");
  for (int s = 0; s < course->count; s++)
    if (strcmp(gradebook ? course->students[s].value[IDENTITY_CANVAS]
                         : course->students[s].moodle[course->lab],
               digits) == 0)
      return s;
  return NOBODY;
}

/* Every grade that counts and is in no cell must be reported. found: students who have theirs. */
static bool check_rest(const struct course *course, const struct output *output, const char *where,
                       const bool *scores, struct tally *tally) {
  for (int i = 0; i < output->count; i++) {
    const struct line *line = &output->lines[i];
    if (!line->counts || !line->score || scores[line->score]) continue;
    bool reported = is_reported(output, "no row belongs to ", line->student) ||
                    is_reported(output, "known for ", line->student);
    tally->nobody += reported;
    if (reported) continue;
    fprintf(stderr, "%s %llu, run %d: %s: the grade %d of %s is nowhere, and nothing says so\n",
            platform_names[course->platform], course->seed, course->run, where, line->score,
            line->student);
    return false;
  }
  return true;
}

static bool check_table(const struct course *course, const struct output *output, const char *path,
                        bool gradebook, const char *where, struct tally *tally) {
  struct csv csv;
  char *fault = csv_read(path, &csv);
  if (fault) {
    fprintf(stderr, "%s: %s\n", path, fault);
    free(fault);
    return false;
  }
  bool *scores = xcalloc(SCORE_MAX + 1, sizeof *scores), good = true, seen[MAX_STUDENTS] = {0};
  int id = column_of(&csv, gradebook ? "ID" : "Identifier"),
      grade = column_of(&csv, gradebook ? (course->lab ? "Lab 2 (772)" : "Lab 1 (771)") : "Grade");
  double possible = course->possible && !course->made ? course->possible : SCORE_MAX;
  if (gradebook && course->possible) possible = course->possible;
  for (int row = 1; good && row < csv.count; row++) {
    int student = student_of(course, csv_value(&csv, row, id), gradebook);
    double score = strtod(csv_value(&csv, row, grade), NULL) * SCORE_MAX / possible;
    if (score > 0 && score <= SCORE_MAX) scores[(int)(score + 0.5)] = true;
    if (student == NOBODY) continue; /* of another assignment */
    if (seen[student] && score > 0) good = wrong(course, where, student, score, 0);
    seen[student] = true;
    good = good && check_cell(course, where, student, score, gradebook, tally);
  }
  for (int s = 0; good && s < course->count; s++)
    if (!seen[s] && !course->made) good = check_cell(course, where, s, 0, gradebook, tally);
  good = good && check_rest(course, output, where, scores, tally);
  free(scores);
  csv_free(&csv);
  return good;
}

/* --- students of the gradebook --- */

/* What a student of the roster is called in it. */
static const char *id_of(const struct row *row) {
  static const enum identity_kind kinds[] = {IDENTITY_ID,     IDENTITY_LOGIN,  IDENTITY_GITHUB,
                                             IDENTITY_CANVAS, IDENTITY_MOODLE, IDENTITY_EMAIL};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (row->value[kinds[k]]) return row->value[kinds[k]];
  return row->name;
}

static bool check_student(const struct course *course, const struct output *output,
                          const struct line *line, struct tally *tally) {
  const struct handed_in *handed = &course->handed[line->score - 1];
  bool listed = false;
  for (int r = 0; r < course->row_count; r++) {
    const struct row *row = &course->rows[r];
    if (strcmp(id_of(row), line->student) != 0) continue;
    listed = true;
    if (course->mistaken || owns(handed, row->student)) continue;
    /* A group's number, without a name to tell that it is no participant's. Or of a group each. */
    bool excused = handed->owner[0] >= TEAM && !*row->name;
    for (int o = 0; o < handed->owners; o++)
      excused |= handed->owner[o] < TEAM && alike_in_roster(course, handed->owner[o], row->student);
    tally->excused += excused;
    if (excused) continue;
    return wrong(course, "jsonl", row->student, line->score, 0);
  }
  if (listed || course->row_count == 0 ||
      is_reported(output, "not in the roster, but graded: ", line->student))
    return true;
  fprintf(stderr, "%s %llu, run %d: %s is not in the roster, and nothing says so\n",
          platform_names[course->platform], course->seed, course->run, line->student);
  return false;
}

/* Nothing vanishes: as many attempts as people handed in. */
static bool check_all_there(const struct course *course, const struct output *output) {
  int wanted = 0;
  for (int h = 0; h < course->handed_count; h++)
    if (course->handed[h].lab == course->lab) wanted += course->handed[h].owners;
  if (output->count == wanted) return true;
  fprintf(stderr, "%s %llu, run %d: %d attempts, and %d were handed in\n",
          platform_names[course->platform], course->seed, course->run, output->count, wanted);
  return false;
}

/* What is known on both sides is found. */
static bool check_found(const struct course *course, const struct output *output) {
  for (int h = 0; h < course->handed_count; h++) {
    const struct handed_in *handed = &course->handed[h];
    for (int o = 0; o < handed->owners && handed->lab == course->lab && !handed->broken; o++) {
      int student = handed->owner[o];
      if (student >= TEAM || !roster_links(course, student)) continue;
      const char *id = id_of(roster_row(course, student));
      bool found = false;
      for (int i = 0; i < output->count; i++)
        found |=
            output->lines[i].score == handed->score && strcmp(output->lines[i].student, id) == 0;
      if (!found) return wrong(course, "jsonl (roster)", student, 0, handed->score);
    }
  }
  return true;
}

bool check_run(struct course *course, int status, struct tally *tally) {
  struct output output = read_output(course);
  bool good = status <= 1;
  if (!good)
    fprintf(stderr, "exit status %d, %d attempts: %s\n", status, output.count,
            output.log ? output.log : "");
  for (int i = 0; good && i < output.count; i++)
    if (output.lines[i].score) good = check_student(course, &output, &output.lines[i], tally);
  good = good && check_all_there(course, &output) && check_found(course, &output);
  autofree char *gradebook = course->gradebook
                                 ? path_in(course, "run%d/gradebook.graded.csv", course->run)
                                 : NULL,
                *worksheet = course->worksheet
                                 ? path_in(course, "run%d/worksheet.graded.csv", course->run)
                             : course->made ? xstrdup(course->made)
                                            : NULL;
  if (good && gradebook) good = check_table(course, &output, gradebook, true, "gradebook", tally);
  if (good && worksheet)
    good = check_table(course, &output, worksheet, false,
                       course->made ? "made worksheet" : "worksheet", tally);
  free_output(&output);
  return good;
}
