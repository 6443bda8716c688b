/* export.h: grades for other programs: Canvas, Moodle, anything that reads JSON. */
#ifndef KIT_CLASS_EXPORT_H
#define KIT_CLASS_EXPORT_H

#include "class.h"
#include "csv.h"

/* --canvas FILE.csv: fills one column of the instructor's own gradebook export, into
 * FILE.graded.csv; every other byte stays what it is. */
void export_canvas(struct class *class, const char *path);
/* --moodle FILE.csv: the same for the grade and feedback of Moodle's offline grading worksheet;
 * a FILE that is not there is made. */
void export_moodle(struct class *class, const char *path);
/* --jsonl FILE: a line for every attempt, "-" being stdout. */
void export_jsonl(struct class *class, const char *path);

/* --- what they share (export.c) --- */

/* The lab to export: the one asked for, or the only one; ends the program if that is not clear.
 * The caller's. */
char *export_lab(struct class *class, const char *option);

struct export_grade {
  char *attempt;
  double score, max;
};
/* What counts for a student; false: there is no grade. */
bool export_find(struct class *class, const char *student, const char *lab,
                 struct export_grade *grade);
/* A score out of `possible` points (0: as many as the lab has), as people write it: "88", "8.8".
 * The caller's. */
char *export_points(const struct export_grade *grade, double possible);

/* New text for cells of a table; everything else is copied. */
struct export_change {
  int row, column;
  char *text; /* as it is to stand in the file */
};
struct text export_apply(const struct csv *csv, const struct export_change *changes, int count);

/* "grades.csv" as "grades.graded.csv". The caller's. */
char *export_beside(const char *path);
/* Writes a file whole or not at all; ends the program if it cannot. */
void export_write(const char *path, const struct text *text);
/* Reads a table; ends the program if it is none. */
void export_read(const char *option, const char *path, struct csv *csv);
/* Says which students with a grade have no row. seen: their ids, each with a newline before and
 * behind. */
void export_tell_missing(struct class *class, const char *lab, const char *seen, const char *path);

#endif
