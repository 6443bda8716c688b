/* attempt.c: names attempts, reads times, and decides which attempts count and are late. */
#include "grader/class/book/attempt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grader/base/text.h"
#include "grader/class/base/digest.h"

void attempt_id(const struct attempt_facts *facts, char id[17]) {
  autofree char *words =
      xprintf("%s\n%s\n%s\n%s\n%s\n%lld\n%s", facts->submitter, facts->lab, facts->sha256,
              facts->conf_hash, facts->kit_version, facts->seed, facts->backend);
  char hex[SHA256_HEX];
  sha256(words, strlen(words), hex);
  memcpy(id, hex, 16);
  id[16] = '\0';
}

bool attempt_parse_time(const char *text, long long *seconds) {
  int year, month, day, hour = 23, minute = 59, second = 59, used = 0, more = 0;
  if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3) return false;
  const char *rest = text + used;
  if (strspn(text, "0123456789") != 4 || strpbrk(rest, "+-")) return false;
  if (*rest == 'T' || *rest == ' ') {
    second = 0;
    if (sscanf(rest + 1, "%2d:%2d%n", &hour, &minute, &more) != 2) return false;
    rest += 1 + more;
    if (*rest == ':') {
      if (sscanf(rest + 1, "%2d%n", &second, &more) != 1) return false;
      rest += 1 + more;
    }
  }
  struct tm parts = {.tm_year = year - 1900,
                     .tm_mon = month - 1,
                     .tm_mday = day,
                     .tm_hour = hour,
                     .tm_min = minute,
                     .tm_sec = second,
                     .tm_isdst = -1};
  bool utc = *rest == 'Z';
  if (rest[utc] || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59)
    return false;
  time_t when = utc ? timegm(&parts) : mktime(&parts);
  *seconds = (long long)when;
  return parts.tm_mday == day && when != (time_t)-1;
}

void attempts_count(struct gradebook *book) {
  autofree char *policy = gradebook_meta(book, "policy"), *due = gradebook_meta(book, "due");
  /* Where only the platform's mark shows that it is late, it is not known by how much: one second.
   * Where nothing shows when it came, it is not late (import.c: time_of, report_times). */
  gradebook_run(book,
                "UPDATE attempt SET late=CASE"
                "  WHEN ?1 IS NOT NULL AND submitted IS NOT NULL AND submitted > ?1"
                "    THEN CAST(strftime('%s', submitted) AS INTEGER)"
                "       - CAST(strftime('%s', ?1) AS INTEGER)"
                "  WHEN marked_late THEN 1 ELSE 0 END",
                "s", due);
  bool best = policy && strcmp(policy, "best") == 0;
  /* One that was refused counts only if there is no other. */
  gradebook_run(book,
                best ? "UPDATE attempt SET counts=(id=(SELECT id FROM attempt AS a"
                       "  WHERE a.student=attempt.student AND a.lab=attempt.lab"
                       "  ORDER BY a.status='refused', a.score IS NULL, a.score DESC, a.late,"
                       "    a.number, a.id LIMIT 1))"
                     : "UPDATE attempt SET counts=(id=(SELECT id FROM attempt AS a"
                       "  WHERE a.student=attempt.student AND a.lab=attempt.lab"
                       "  ORDER BY a.status='refused', a.number DESC, a.status<>'graded',"
                       "  a.rowid DESC LIMIT 1))",
                "");
}
