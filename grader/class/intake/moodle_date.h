/* moodle_date.h: dates as Moodle writes them into a grading worksheet ("Last modified
 * (submission)", "Last modified (grade)"). */
#ifndef KIT_CLASS_MOODLE_DATE_H
#define KIT_CLASS_MOODLE_DATE_H

#include <stdbool.h>

/* Reads a date with its time into seconds since 1970. Moodle writes it in the instructor's time
 * zone, without naming that: this machine's is taken ($TZ). In English, German, French, Spanish,
 * Italian, Portuguese or Dutch, as strftimedaydatetime and strftimedatetime of Moodle's language
 * packs have it (langconfig.php, 4.4), with the name of the day or without:
 *
 *     Saturday, 31 January 2026, 11:59 PM         Samstag, 31. Januar 2026, 23:59
 *     Saturday, January 31, 2026, 11:59 PM        sábado, 31 de janeiro de 2026 às 23:59
 *
 * or 2026-01-31 23:59. Seconds may follow the minutes. Returns false, with *seconds as it was, for
 * anything else ("-", nothing), and for what no calendar has: 31 February, the wrong day of the
 * week. */
bool moodle_date(const char *text, long long *seconds);

#endif
