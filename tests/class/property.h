/* property.h: random classes whose truth is known; see property.c.
 *
 * A course has students, who hand in over several runs through one platform; after each run the
 * class program's exports are compared with what the course knows. Every submission has a score of
 * its own, so a grade that went to somebody else shows. */
#ifndef KIT_PROPERTY_H
#define KIT_PROPERTY_H

#include <stdbool.h>
#include <stdio.h>

#include "grader/base/text.h"
#include "grader/class/people/identity.h"

enum platform { CANVAS, MOODLE, GRADESCOPE, GITHUB, FOLDER, PLATFORMS };
extern const char *const platform_names[];

enum { MAX_STUDENTS = 16, LABS = 2, MAX_MEMBERS = 3, NOBODY = -1, TEAM = 1000, SCORE_MAX = 10000 };

struct student {
  char *given, *family;
  char *value[IDENTITY_KINDS]; /* what they truly go by; IDENTITY_MOODLE: of the first lab's
                                  assignment; NULL: nothing */
  char *moodle[LABS];
  char *mailbox; /* their address in Gradescope */
  char *folder;  /* what they call their folder; NULL: in no way that says whose it is */
  enum identity_kind folder_kind;
  char *section;
  bool enrolled, listed; /* in the platform's tables, in the roster */
};

/* What was handed in, once. */
struct handed_in {
  int score, lab;
  int owner[MAX_MEMBERS], owners; /* students; or TEAM + n alone: a group, which is nobody */
  char *as; /* what the platform calls who handed it in: a number, an account, a folder */
  bool broken;
};

/* Who hands in together in a lab. */
struct group {
  int members[MAX_MEMBERS], count;
  char *number; /* Moodle's */
  int last;     /* their last submission; -1: none */
};

/* What a table says that a student goes by. */
struct row {
  int student;
  char *name;
  char *value[IDENTITY_KINDS];
  bool mistyped; /* the name is */
};

struct course {
  unsigned long long seed, random;
  enum platform platform;
  struct student students[MAX_STUDENTS];
  int count;
  struct group groups[LABS][MAX_STUDENTS];
  int group_count[LABS];
  bool teams[LABS]; /* Moodle: groups hand in */
  const char *slug; /* of GitHub's assignment, without the lab */
  struct handed_in *handed;
  int handed_count;
  bool roster;                   /* there is one, */
  bool mistaken;                 /* in which somebody made a mistake */
  struct row rows[MAX_STUDENTS]; /* its rows, as the program read them last */
  int row_count, roster_shape;
  bool columns[IDENTITY_KINDS];
  int run, lab; /* of now */
  char *folder, *download, *gradebook, *worksheet,
      *made;    /* paths; gradebook, worksheet: NULL for none */
  int possible; /* points in these tables; 0: not given */
};

/* --- chance (property.c) --- */
int chance_below(struct course *course, int most); /* 0 to most - 1 */
bool chance(struct course *course, int percent);
char *path_in(const struct course *course, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- the course (property_course.c) --- */
void course_make(struct course *course);
/* Somebody hands in; the roster may change. */
void course_go_on(struct course *course);
void course_free(struct course *course);
/* Has nobody else anything that looks like it? */
bool course_is_only(const struct course *course, int student, const char *value);
/* Could two be taken for one by what they are called? */
bool course_namesakes(const struct course *course, int a, int b);
/* Do they share an address, and a part of their name? */
bool course_kin(const struct course *course, int a, int b);
/* A name as some table or platform may write it; the caller's. */
char *course_name(struct course *course, int student, bool family_first);

/* --- what the program is given (property_files.c) --- */
void files_write(struct course *course);

/* --- what it made of that (property_check.c) --- */
struct tally {
  int exported, nobody, excused, refused_rosters;
};
/* Says on stderr what is wrong; false then. */
bool check_run(struct course *course, int status, struct tally *tally);

#endif
