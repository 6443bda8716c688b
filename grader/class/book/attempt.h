/* attempt.h: attempts in the gradebook: their names, which of them counts, which is late. */
#ifndef KIT_CLASS_ATTEMPT_H
#define KIT_CLASS_ATTEMPT_H

#include "grader/class/base/class.h"

/* What decides what a grading gives: an attempt's id is made of it, so that the same work never
 * has two. */
struct attempt_facts {
  const char *submitter, *lab, *sha256, *conf_hash, *kit_version, *backend;
  long long seed;
};

/* 16 hex digits. */
void attempt_id(const struct attempt_facts *facts, char id[17]);

/* Sets `counts` and `late` of all attempts by meta's policy and due; in the caller's
 * transaction. */
void attempts_count(struct gradebook *book);

/* "2026-01-31" (its end), "2026-01-31T23:59[:59]", both in local time, or with Z: in UTC. False:
 * it is none of these. */
bool attempt_parse_time(const char *text, long long *seconds);
/* Seconds since 1970 of a time as the gradebook has it; 0: none. */
long long attempt_seconds(const char *time);

#endif
