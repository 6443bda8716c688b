/* attempt.h: attempts in the gradebook: their names, their grades, which of them counts, and every
 * change of a grade. */
#ifndef KIT_CLASS_ATTEMPT_H
#define KIT_CLASS_ATTEMPT_H

#include "grader/class/base/class.h"

/* What a grade depends on: an attempt's id is made of it, so that no work ever has two. */
struct attempt_facts {
  const char *submitter, *lab, *sha256, *conf_hash, *kit_version, *backend;
  long long seed;
};

/* 16 hex digits. */
void attempt_id(const struct attempt_facts *facts, char id[17]);

/* Sets all attempts' `counts` and `late` by meta's policy and due, in the caller's transaction. */
void attempts_count(struct gradebook *book);

/* "2026-01-31" (its end), "2026-01-31T23:59[:59]", both in local time, or with Z: in UTC. False: it
 * is none of these. */
bool attempt_parse_time(const char *text, long long *seconds);

/* --- grades (merge.c), in the caller's transaction --- */

/* Takes the result of a work, which is that of its attempts (a group has several): whatever was
 * there before is replaced, so that merging again is harmless. Sets their status: graded, or error
 * if the kit or machine failed. Returns NULL, or why the JSON is no grade of that work (the
 * caller's): then nothing is changed. */
char *merge_result(struct gradebook *book, const char *work, const json_t *result);
/* The same of the JSON's text. */
char *merge_text(struct gradebook *book, const char *work, const char *text);
/* The same for a work of the same code as `of`, whose JSON it is; "graded_with" then names
 * that one. */
char *merge_copy(struct gradebook *book, const char *of, const char *work, const char *text);
/* The work has no result, and gets none: why. */
void merge_failure(struct gradebook *book, const char *work, const char *reason);

/* --- changes of grades (history.c) ---
 *
 * The grade of a student in a lab is that of the attempt that counts. What it was is kept in the
 * gradebook's `standing`; whatever differs from that is a change, whoever made it: what a killed
 * run did not record, the next one does. */

/* Decides which attempts count, and records what has changed since the last call; in the caller's
 * transaction. cause: what has happened, for people ("--policy best", "the roster"). */
void history_record(struct gradebook *book, const char *cause);

/* --log STUDENT: prints their grades' changes on stdout, oldest first. Ends the program if there is
 * no such student. */
void history_print(struct class *class, const char *student);

#endif
