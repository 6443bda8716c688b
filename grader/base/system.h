/* system.h: what the operating system gives: time, random numbers, and bytes written in full. */
#ifndef KIT_SYSTEM_H
#define KIT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/base/text.h"

/* Seconds on a clock that only goes forward (CLOCK_MONOTONIC), to the nanosecond. */
double clock_seconds(void);
/* Numbers that nobody can guess; ends the program if there are none. For a sequence that a seed
 * repeats see random_next() in harness/problems/problem.h. */
void random_bytes(void *to, size_t length);
uint64_t random_number(void);
/* Appends the file's first bytes, at most `max`, wherever the descriptor stands. */
void read_all(int fd, size_t max, struct text *to);
/* Writes all of it, however often write() stops early or is interrupted; false with errno set. */
bool write_all(int fd, const void *bytes, size_t length);

#endif
