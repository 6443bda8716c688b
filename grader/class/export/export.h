/* export.h: grades for other programs: Canvas, Moodle, anything that reads JSON. */
#ifndef KIT_CLASS_EXPORT_H
#define KIT_CLASS_EXPORT_H

#include "grader/class/base/class.h"
#include "grader/class/base/csv.h"
#include "grader/class/base/decimal.h"
#include "grader/class/intake/roster.h"
#include "grader/class/people/people.h"

/* --canvas FILE.csv: fills one column of the instructor's own gradebook export, into
 * FILE.graded.csv; every other byte stays what it is. */
void export_canvas(struct class *class, const char *path);
/* --moodle FILE.csv: the same for the grade and feedback of Moodle's offline grading worksheet;
 * a FILE that is not there is made. */
void export_moodle(struct class *class, const char *path);
/* --jsonl FILE: a line for every attempt, "-" being stdout. */
void export_jsonl(struct class *class, const char *path);

/* --- what they share (export.c) --- */

/* The lab asked for, or the only one (the caller's); ends the program if that is not clear. */
char *export_lab(struct class *class, const char *option);

struct export_grade {
  char *attempt;
  double score, max;
};
/* What counts for a student; false: there is no grade. */
bool export_find(struct class *class, const char *student, const char *lab,
                 struct export_grade *grade);
/* New text for cells of a table; everything else is copied. */
struct export_change {
  int row, column;
  char *text; /* as it is to stand in the file */
};
struct text export_apply(const struct csv *csv, const struct export_change *changes, int count);

/* --- whose row it is (export_table.c) --- */

/* A platform's table of people, and the students of its rows. */
struct export_table {
  const char *option, *path;
  struct csv csv;
  struct roster_columns columns;
  struct people people;
  struct mention *rows; /* of each row, from 1; person: -1 if it is nobody's */
  bool *is_person;      /* is it a row of somebody at all? */
  char **names;
  struct decimal_format format;
};

/* Reads the table; ends the program if it is none. */
void export_table_read(struct class *class, const char *option, const char *path,
                       struct export_table *table);
/* Finds out whose the rows are. Of two rows of one student, neither is theirs. */
void export_table_match(struct class *class, struct export_table *table);
/* Decides on the format of the table's numbers from these columns (-1: none); ends the program if
 * it is not clear. */
void export_table_numbers(struct class *class, struct export_table *table, const int *columns,
                          int count);
/* The number in a cell; 0: there is none. Ends the program if it is something else. */
double export_table_number(const struct export_table *table, int row, int column);

/* What is written into a table's rows. */
struct export_filling {
  const char *lab;
  int grade, max, feedback; /* columns; -1: none */
  double possible;          /* points, unless a column has them; 0: as many as the lab has */
  const char *excused;      /* what stands for a grade that is not to be given; NULL: nothing */
  char *(*feedback_of)(struct class *class, const char *lab, const struct export_grade *grade);
  /* What became of it: */
  char *path;         /* the file that was written; the caller's */
  int count, without; /* rows that got a grade, and people's rows that did not */
  bool scaled;        /* to other points than the lab's */
};
/* Writes a copy of the table with grades in it: "grades.csv" as "grades.graded.csv". Reports whose
 * grades have no row, as problems, and which rows may be theirs. */
void export_table_fill(struct class *class, struct export_table *table,
                       struct export_filling *filling);
void export_table_free(struct export_table *table);

/* --- feedback (feedback.c) --- */

/* Writes STATE/feedback/STUDENT/LAB.html and LAB.txt of every attempt that counts: the page and the
 * card of ./grade. */
void feedback_write(struct class *class);

/* The name of a student's folder: what is no letter, digit or one of . _ @ - becomes _, with a
 * number behind it then, so that no two students have the same. The caller's. */
char *feedback_folder(const char *student);

#endif
