/* property_course.c: people who are hard to tell apart, and what they do; see property.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "tests/class/property.h"

/* Given and family names that look alike to somebody: each line with its neighbours. */
static const char *const names[][2] = {
    {"Ann", "Alee"},
    {"Anna", "Lee"},
    {"Ann", "Lee"},
    {"Lee", "Ann"},
    {"anna", "lee"},
    {"Anna Lee", "Alee"},
    {"Ada", "Lovelace"},
    {"ADA", "LOVELACE"},
    {"Ada", "Lovelace-King"},
    {"Jos\u00e9", "Garc\u00eda"},
    {"Jose\u0301", "Garci\u0301a"},
    {"Jose", "Garcia"},
    {"Mary-Jane", "O'Brien"},
    {"Mary Jane", "OBrien"},
    {"Vincent", "van Gogh"},
    {"Vincent van", "Gogh"},
    {"Juan", "de la Cruz"},
    {"Juan de", "la Cruz"},
    {"Wei", "Li"},
    {"Li", "Wei"},
    {"\u4f1f", "\u738b"},
    {"\u738b", "\u4f1f"},
    {"\u0410\u043d\u043d\u0430", "\u041b\u0438"},
    {"\u0623\u062d\u0645\u062f", "\u0627\u0644\u062d\u0633\u0646"},
    {"\u0906\u0930\u0935", "\u0936\u0930\u094d\u092e\u093e"},
    {"J\u00fcrgen", "Wei\u00df"},
    {"Ju\u0308rgen", "Weiss"},
    {"\u0130brahim", "\u00c7elik"},
    {"Ibrahim", "Celik"},
    {"Madonna", ""},
    {"Madonna", "Madonna"},
    {"Sam", "Lee, Jr."},
    {"Jr., Sam", "Lee"},
    {"Nguy\u1ec5n", "Th\u1ecb H\u01b0\u01a1ng"},
    {"D\u2019Arcy", "\u00d3 S\u00failleabh\u00e1in"},
    {"Grace", "Hopper"},
    {"Alan", "Turing"},
    {"Donald", "Knuth"},
    {"Barbara", "Liskov"},
};
enum { NAMES = sizeof names / sizeof *names };

/* --- names --- */

static char *decomposed(const char *text) {
  char *copy = (char *)utf8proc_NFD((const utf8proc_uint8_t *)text);
  return copy ? copy : xstrdup(text);
}

static char *in_capitals(const char *text) {
  char *copy = xstrdup(text);
  for (char *at = copy; *at; at++)
    if (*at >= 'a' && *at <= 'z') *at = (char)(*at - 'a' + 'A');
  return copy;
}

char *course_name(struct course *course, int student, bool family_first) {
  const struct student *who = &course->students[student];
  bool both = *who->given && *who->family;
  char *name = family_first ? xprintf("%s%s%s", who->family, both ? ", " : "", who->given)
                            : xprintf("%s%s%s", who->given, both ? " " : "", who->family),
       *other = chance(course, 10)  ? decomposed(name)
                : chance(course, 5) ? in_capitals(name)
                                    : xstrdup(name);
  free(name);
  return other;
}

/* Letters only, whatever their order: rougher than the program's own rules. */
static int letters_of(const struct student *who, char letters[256]) {
  char *both = xprintf("%s%s", who->given, who->family),
       *folded = (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)both);
  int count = 0;
  for (const char *at = folded; at && *at && count < 255; at++)
    if (!strchr(" ,.-'", *at)) letters[count++] = *at;
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && letters[j - 1] > letters[j]; j--) {
      char other = letters[j];
      letters[j] = letters[j - 1];
      letters[j - 1] = other;
    }
  letters[count] = '\0';
  free_all(folded, both);
  return count;
}

bool course_namesakes(const struct course *course, int a, int b) {
  char x[256], y[256];
  if (a >= course->count || b >= course->count) return false;
  int one = letters_of(&course->students[a], x), two = letters_of(&course->students[b], y);
  /* A name may be told with a letter less than it has. */
  if (abs(one - two) > 2) return false;
  int i = 0, j = 0, apart = 0;
  while (i < one || j < two) {
    if (i < one && j < two && x[i] == y[j]) {
      i++;
      j++;
    } else if (j == two || (i < one && x[i] < y[j])) {
      i++;
      apart++;
    } else {
      j++;
      apart++;
    }
  }
  return apart <= 2;
}

bool course_kin(const struct course *course, int a, int b) {
  if (a >= course->count || b >= course->count) return false;
  const struct student *x = &course->students[a], *y = &course->students[b];
  autofree char *one = xprintf("%s %s", x->given, x->family),
                *two = xprintf("%s %s", y->given, y->family);
  return strcmp(x->value[IDENTITY_EMAIL], y->value[IDENTITY_EMAIL]) == 0 && names_related(one, two);
}

/* --- who is who --- */

/* To libarchive, which composes accents as it reads. */
static bool same_folder(const char *a, const char *b) {
  autofree char *x = identity_fold(a), *y = identity_fold(b);
  return strcmp(x, y) == 0;
}

bool course_is_only(const struct course *course, int student, const char *value) {
  for (int s = 0; s < course->count; s++) {
    const struct student *other = &course->students[s];
    if (s == student) continue;
    for (int kind = 0; kind < IDENTITY_KINDS; kind++) {
      const char *own = other->value[kind];
      if (own && strcasecmp(own, value) == 0) return false;
      if (own && kind == IDENTITY_EMAIL && strncasecmp(own, value, strcspn(own, "@")) == 0 &&
          !value[strcspn(own, "@")])
        return false;
    }
    for (int lab = 0; lab < LABS; lab++)
      if (strcmp(other->moodle[lab], value) == 0) return false;
    if (strcasecmp(other->mailbox, value) == 0) return false;
    if (other->folder && same_folder(other->folder, value)) return false;
  }
  return true;
}

/* "a.lee", with a number where that is taken. */
static char *login_of(const struct course *course, int student) {
  const struct student *who = &course->students[student];
  char letters[32];
  int count = 0;
  const char *words[] = {who->given, who->family};
  for (int w = 0; w < 2; w++)
    for (const char *at = words[w]; *at && count < 20; at++)
      if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))
        letters[count++] = (char)(*at | 0x20);
  letters[count] = '\0';
  char *login = count ? xstrdup(letters) : xprintf("s%d", student);
  for (int other = 0; other < student; other++) {
    if (strcmp(course->students[other].value[IDENTITY_LOGIN], login) != 0) continue;
    free(login);
    login = xprintf("%s%d", count ? letters : "s", student + 2);
    break;
  }
  return login;
}

/* Numbers of all kinds come from one small range, so that one's number is another's elsewhere. */
static char *number_of(const struct course *course, int student, int kind) {
  return xprintf("%d", 1001 + (student * 5 + kind * 3 + (int)(course->seed % 7)) % 16);
}

static void identify(struct course *course, int student, int scheme) {
  struct student *who = &course->students[student];
  char **value = who->value;
  value[IDENTITY_LOGIN] = login_of(course, student);
  value[IDENTITY_CANVAS] = number_of(course, student, 0);
  value[IDENTITY_ID] = scheme == 0   ? number_of(course, student, 1)
                       : scheme == 1 ? xprintf("u%d", 2000 + student)
                                     : xprintf("00%d", 1001 + student);
  /* Moodle counts participants of all its assignments in one sequence. */
  who->moodle[0] = number_of(course, student, 2);
  who->moodle[1] = xprintf("%d", 1017 + student);
  value[IDENTITY_EMAIL] =
      student > 0 && chance(course, 8)
          ? xstrdup(course->students[student - 1].value[IDENTITY_EMAIL])
          : xprintf("%s@%s.edu", value[IDENTITY_LOGIN], chance(course, 80) ? "x" : "y");
  bool own = true; /* an account has an address of its own */
  for (int other = 0; other < student; other++)
    own &= strcmp(course->students[other].value[IDENTITY_EMAIL], value[IDENTITY_EMAIL]) != 0;
  who->mailbox = own && chance(course, 75)
                     ? xstrdup(value[IDENTITY_EMAIL])
                     : xprintf("%s.%d@home.org", value[IDENTITY_LOGIN], student);
  /* Accounts hold hyphens; the end of one may be another's. */
  value[IDENTITY_GITHUB] =
      student > 0 && chance(course, 15)
          ? xprintf("x%d-%s", student, course->students[student - 1].value[IDENTITY_GITHUB])
      : chance(course, 30) ? xprintf("%s-%d", value[IDENTITY_LOGIN], student)
                           : xprintf("%sgh", value[IDENTITY_LOGIN]);
  who->section = xprintf("Section %d", chance_below(course, 3));
  who->enrolled = chance(course, 92);
  who->listed = chance(course, 90);
}

static char *without_blanks(const char *text) {
  struct text joined = {0};
  for (; *text; text++)
    if (!strchr(" ,'", *text)) text_append(&joined, text, 1);
  return joined.data ? joined.data : xstrdup("x");
}

/* Is it what somebody else's name becomes without blanks? */
static bool is_other_name(const struct course *course, int student, const char *folder) {
  for (int s = 0; s < course->count; s++) {
    const struct student *other = &course->students[s];
    autofree char *one = xprintf("%s%s", other->given, other->family),
                  *two = xprintf("%s%s", other->family, other->given), *x = without_blanks(one),
                  *y = without_blanks(two);
    bool same = s != student && (strcasecmp(x, folder) == 0 || strcasecmp(y, folder) == 0);
    if (same) return true;
  }
  return false;
}

/* Most name their folders as the course asks them to. */
static void name_folder(struct course *course, int student, enum identity_kind kind) {
  struct student *who = &course->students[student];
  if (chance(course, 10)) kind = chance(course, 50) ? IDENTITY_FOLDER : IDENTITY_LOGIN;
  char *name = course_name(course, student, chance(course, 50)),
       *folder = kind != IDENTITY_FOLDER ? xstrdup(who->value[kind])
                 : chance(course, 60)    ? xstrdup(name)
                                         : without_blanks(name);
  who->folder_kind = kind;
  for (char *at = folder; *at; at++)
    if (*at == '/') *at = '-';
  free(name);
  bool clear = kind == IDENTITY_FOLDER || !is_other_name(course, student, folder);
  if (clear && course_is_only(course, student, folder) && *folder != '.') {
    who->folder = folder;
    return;
  }
  free(folder);
  who->folder = xprintf("someone %d", student);
  who->folder_kind = IDENTITY_KINDS;
}

static void form_groups(struct course *course, int lab) {
  bool alone = chance(course, 60);
  course->teams[lab] = course->platform == MOODLE && !alone && chance(course, 70);
  for (int s = 0; s < course->count;) {
    struct group *group = &course->groups[lab][course->group_count[lab]++];
    group->last = -1;
    int size =
        alone || (course->platform == MOODLE && !course->teams[lab]) || course->platform >= GITHUB
            ? 1
            : 1 + chance_below(course, MAX_MEMBERS);
    while (group->count < size && s < course->count) group->members[group->count++] = s++;
    /* A group's number is often some participant's. */
    group->number = xstrdup(course->students[chance_below(course, course->count)].moodle[lab]);
    for (int other = 0; other < course->group_count[lab] - 1; other++) {
      if (strcmp(course->groups[lab][other].number, group->number) != 0) continue;
      free(group->number);
      group->number = xprintf("%d", 50 + course->group_count[lab]);
    }
  }
}

void course_make(struct course *course) {
  static const char *const slugs[] = {"", "-tiled", "-x1", "-hpc-course"};
  course->count = 2 + chance_below(course, MAX_STUDENTS - 2);
  course->slug = slugs[chance_below(course, 4)];
  int scheme = chance_below(course, 3), first = chance_below(course, NAMES);
  static const enum identity_kind kinds[] = {IDENTITY_ID, IDENTITY_LOGIN, IDENTITY_EMAIL,
                                             IDENTITY_GITHUB, IDENTITY_FOLDER};
  enum identity_kind folders = kinds[chance_below(course, 5)];
  for (int s = 0; s < course->count; s++) {
    const char *const *name = names[(first + chance_below(course, 12)) % NAMES];
    if (s > 0 && chance(course, 10)) { /* the same once more */
      course->students[s].given = xstrdup(course->students[s - 1].given);
      course->students[s].family = xstrdup(course->students[s - 1].family);
    } else {
      course->students[s].given = xstrdup(name[0]);
      course->students[s].family = xstrdup(name[1]);
    }
    identify(course, s, scheme);
  }
  for (int s = 0; s < course->count; s++) name_folder(course, s, folders);
  for (int lab = 0; lab < LABS; lab++) form_groups(course, lab);
  course->roster = chance(course, 70);
  static const int shapes[] = {0, 1, 2, 2, 2, 3};
  course->roster_shape = shapes[chance_below(course, 6)];
  if (course->platform == GITHUB && chance(course, 50))
    course->roster_shape = 2 + chance_below(course, 2);
  if (course->platform == FOLDER && chance(course, 60)) course->roster_shape = 2;
  bool any = false;
  for (int kind = 0; kind < IDENTITY_FOLDER; kind++)
    any |= course->columns[kind] = chance(course, 45);
  if (!any) course->columns[IDENTITY_EMAIL] = true;
  if (course->platform == GITHUB && chance(course, 80)) course->columns[IDENTITY_GITHUB] = true;
  if (course->platform == FOLDER && chance(course, 80)) course->columns[folders] = true;
  course->columns[IDENTITY_GRADESCOPE] = false;
  course->columns[IDENTITY_FOLDER] = chance(course, 85); /* stands for the name */
}

/* --- what they do --- */

static const char *called(struct course *course, const struct group *group, int representative) {
  const struct student *who = &course->students[representative];
  switch (course->platform) {
    case CANVAS:
      return who->value[IDENTITY_CANVAS];
    case MOODLE:
      return course->teams[course->lab] ? group->number : who->moodle[course->lab];
    case GRADESCOPE:
      return who->mailbox;
    case GITHUB:
      return who->value[IDENTITY_GITHUB];
    default:
      return who->folder;
  }
}

static void hand_in(struct course *course, int g) {
  struct group *group = &course->groups[course->lab][g];
  course->handed =
      xrealloc(course->handed, sizeof *course->handed * (size_t)(course->handed_count + 1));
  struct handed_in *handed = &course->handed[course->handed_count];
  *handed = (struct handed_in){
      .score = 1 + course->handed_count, .lab = course->lab, .broken = chance(course, 8)};
  int representative = group->members[chance_below(course, group->count)];
  if (course->platform == GRADESCOPE) {
    handed->owners = group->count;
    memcpy(handed->owner, group->members, sizeof handed->owner);
  } else {
    handed->owners = 1;
    handed->owner[0] = course->teams[course->lab] ? TEAM + g : representative;
  }
  handed->as = xstrdup(called(course, group, representative));
  group->last = course->handed_count++;
}

static void swap_values(struct row *a, struct row *b, enum identity_kind kind) {
  char *value = a->value[kind];
  a->value[kind] = b->value[kind];
  b->value[kind] = value;
}

/* The name without its last letter, as somebody mistyped it. */
static void mistype(char *name) {
  size_t length = strlen(name);
  if (length > 4 && (unsigned char)name[length - 1] < 0x80) name[length - 1] = '\0';
}

static void free_rows(struct course *course) {
  for (int r = 0; r < course->row_count; r++) {
    free(course->rows[r].name);
    for (int kind = 0; kind < IDENTITY_KINDS; kind++) free(course->rows[r].value[kind]);
  }
  course->row_count = 0;
}

/* Of a Canvas export, a worksheet, a table of the instructor's, GitHub Classroom's. */
static bool shows(const struct course *course, int kind) {
  switch (course->roster_shape) {
    case 0:
      return kind == IDENTITY_CANVAS || kind == IDENTITY_ID || kind == IDENTITY_LOGIN ||
             kind == IDENTITY_FOLDER;
    case 1:
      return kind == IDENTITY_MOODLE || kind == IDENTITY_EMAIL || kind == IDENTITY_FOLDER;
    case 2:
      return course->columns[kind];
    default:
      return kind == IDENTITY_ID || kind == IDENTITY_GITHUB || kind == IDENTITY_FOLDER;
  }
}

static void write_rows(struct course *course) {
  int listed = 0;
  for (int s = 0; s < course->count; s++) listed += course->students[s].listed;
  if (listed == 0) return; /* the gradebook keeps the roster that it has */
  free_rows(course);
  course->mistaken = false;
  for (int s = 0; s < course->count; s++) {
    const struct student *who = &course->students[s];
    if (!who->listed) continue;
    struct row *row = &course->rows[course->row_count++];
    *row = (struct row){.student = s};
    row->name = shows(course, IDENTITY_FOLDER) ? course_name(course, s, course->roster_shape == 0)
                                               : xstrdup("");
    row->mistyped = chance(course, 4);
    if (row->mistyped) mistype(row->name);
    for (int kind = 0; kind < IDENTITY_FOLDER; kind++) {
      bool always = (course->roster_shape == 0 && kind == IDENTITY_CANVAS) ||
                    (course->roster_shape == 1 && kind == IDENTITY_MOODLE);
      const char *value = kind == IDENTITY_MOODLE ? who->moodle[course->lab] : who->value[kind];
      if (value && shows(course, kind) && (always || chance(course, 93)))
        row->value[kind] = xstrdup(value);
    }
  }
  if (course->row_count > 1 && chance(course, 15)) {
    enum identity_kind kind = (enum identity_kind)chance_below(course, IDENTITY_FOLDER);
    int a = chance_below(course, course->row_count), b = chance_below(course, course->row_count);
    course->mistaken = a != b && shows(course, (int)kind);
    if (course->mistaken) swap_values(&course->rows[a], &course->rows[b], kind);
  }
}

void course_go_on(struct course *course) {
  course->lab = chance(course, 75) ? 0 : 1;
  for (int s = 0; s < course->count; s++) {
    struct student *who = &course->students[s];
    if (chance(course, 5)) who->enrolled = !who->enrolled;
    if (chance(course, 8)) who->listed = !who->listed;
    if (chance(course, 5)) {
      free(who->section);
      who->section = xstrdup("Section 9");
    }
  }
  for (int g = 0; g < course->group_count[course->lab]; g++)
    if (chance(course, 70)) hand_in(course, g);
  bool any = false;
  for (int g = 0; g < course->group_count[course->lab]; g++)
    any |= course->groups[course->lab][g].last >= 0;
  if (!any) hand_in(course, 0);
  if (course->roster && (course->run == 0 || chance(course, 60) || course->mistaken))
    write_rows(course);
  static const int possible[] = {0, SCORE_MAX, SCORE_MAX / 10, SCORE_MAX * 2};
  course->possible = possible[chance_below(course, 4)];
}

void course_free(struct course *course) {
  free_rows(course);
  for (int s = 0; s < course->count; s++) {
    struct student *who = &course->students[s];
    for (int kind = 0; kind < IDENTITY_KINDS; kind++) free(who->value[kind]);
    for (int lab = 0; lab < LABS; lab++) free(who->moodle[lab]);
    free_all(who->given, who->family, who->mailbox, who->folder, who->section);
  }
  for (int lab = 0; lab < LABS; lab++)
    for (int g = 0; g < course->group_count[lab]; g++) free(course->groups[lab][g].number);
  for (int h = 0; h < course->handed_count; h++) free(course->handed[h].as);
  free(course->handed);
}
