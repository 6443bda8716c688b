/* gradebook.h: STATE/gradebook.sqlite, all that is known of a class. The tables are in gradebook.c;
 * times are UTC, "2026-01-31T23:59:59Z".
 *
 * SQLite in WAL mode with synchronous=FULL: what a transaction committed survives kill -9 and power
 * loss, what it did not never shows. Whatever goes wrong (a full disk, a damaged file, no
 * permission) is the machine's fault and ends the program by die(), with nothing half written. */
#ifndef KIT_CLASS_GRADEBOOK_H
#define KIT_CLASS_GRADEBOOK_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "grader/class/base/digest.h"

enum { GRADEBOOK_SCHEMA = 2 };

struct gradebook {
  sqlite3 *db;
  char *path;
};

/* Opens the file, which is made if it is missing and migrated if its schema is an older one; one of
 * a newer kit is refused. read_only: it must be there, and nothing is changed. */
struct gradebook *gradebook_open(const char *path, bool read_only);
void gradebook_close(struct gradebook *book);

/* Runs one statement to its end. types: a letter for each parameter ?1, ?2, ...:
 * s (const char *, NULL is null), b (const void *, size_t), i (int), l (long long),
 * d (double, NaN is null). */
void gradebook_run(struct gradebook *book, const char *sql, const char *types, ...);
/* The same for a statement that gives rows:   while (row_next(rows)) puts(row_text(rows, 0)); */
sqlite3_stmt *gradebook_query(struct gradebook *book, const char *sql, const char *types, ...);
/* False when there are no more rows, which are freed then. */
bool row_next(sqlite3_stmt *rows);
/* A row's columns, from 0; NULL or NaN for SQL's null.
 * Text lasts until the next row; a copy is the caller's. */
const char *row_text(sqlite3_stmt *row, int column);
char *row_copy(sqlite3_stmt *row, int column);
double row_double(sqlite3_stmt *row, int column);
/* The first row's first column: a number (0: no row, or null), or a string (NULL; the caller's). */
long long gradebook_number(struct gradebook *book, const char *sql, const char *types, ...);
char *gradebook_string(struct gradebook *book, const char *sql, const char *types, ...);

/* A transaction that is to write, from its start. */
void gradebook_begin(struct gradebook *book);
void gradebook_commit(struct gradebook *book);

/* meta: NULL if there is none; the caller's. */
char *gradebook_meta(struct gradebook *book, const char *key);
void gradebook_set_meta(struct gradebook *book, const char *key, const char *value);

/* Words from outside as the gradebook has them: UTF-8 without control characters.
 * NULL for nothing. The caller's. */
char *gradebook_text(const char *words);
/* Now, or a time, as the gradebook has it; the caller's. */
char *gradebook_now(void);
char *gradebook_time(long long seconds);

/* --- pseudonyms (pseudonym.c): names for what a class may see: pronounceable, and always the same
 * for a student. One is chosen by a keyed hash of the student's id. The key is drawn at random once
 * for each gradebook and stays in it: who has the list of pseudonyms and the list of ids, but not
 * the gradebook, cannot find out which belongs to whom. */

/* Gives every student without a pseudonym one of their own, all or nothing; others keep theirs. */
void pseudonym_assign(struct gradebook *book);
/* The student's pseudonym, such as "Amber Heron", if `taken` earlier choices belonged to others
 * already; the caller's. */
char *pseudonym_make(const uint8_t key[SIPHASH_KEY], const char *student, unsigned taken);

/* --- dump.c --- */

/* Prints the gradebook as text, to compare two: every row of every table, in an order that does not
 * depend on when it was written; without clock times (graded_at, seconds), pseudonyms and their
 * key, which differ from one run to the next. */
void gradebook_dump(struct gradebook *book, FILE *file);

/* --- results (result.c): a work's whole grade, packed to a tenth of its JSON.
 * Those of earlier kits are plain text. --- */

/* Keeps the JSON of a work in place of an earlier one; in the caller's transaction. */
void result_store(struct gradebook *book, const char *work, const char *json);
/* The JSON; NULL: there is none. The caller's. */
char *result_read(struct gradebook *book, const char *work);
/* That of a row of a query for result.json. */
char *result_column(sqlite3_stmt *rows, int column);

#endif
