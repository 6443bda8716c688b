/* moodle_date.c: reads dates as Moodle writes them in several languages.
 *
 * A worksheet does not name its language, so one table has the months' names of all languages, and
 * another those of the days. Within a table no two mean something else and begin alike; "mar" is in
 * both, but a month and a day of the week stand in different places. */
#include "grader/class/intake/roster.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

/* How names begin, in lower case. */
static const char *const months[] = {
    "jan ene gen",     "feb fev fév",     "mar mär maa",  "apr avr abr",
    "may mai mag mei", "jun juin giu",    "jul juil lug", "aug aoû ago",
    "sep set",         "oct okt ott out", "nov",          "dec dez déc dic",
};
static const char *const weekdays[] = {
    "sun son dim dom zon",     "mon lun seg maa",         "tue die mar ter din",
    "wed mit mer mié qua woe", "thu don jeu jue gio qui", "fri fre ven vie sex vri",
    "sat sam sáb sab zat",
};

/* The place of a name in such a table, or -1. */
static int find_name(const char *name, const char *const *table, int count) {
  for (int i = 0; i < count; i++) {
    for (const char *start = table[i]; *start; start += strspn(start, " ")) {
      size_t length = strcspn(start, " ");
      if (strncmp(name, start, length) == 0) return i;
      start += length;
    }
  }
  return -1;
}

/* --- pieces of the text: each function goes on past what it has read --- */

static void skip_between(const char **at) { *at += strspn(*at, " ,"); }

/* A number with so many digits. */
static bool read_number(const char **at, size_t min, size_t max, int *number) {
  size_t digits = strspn(*at, "0123456789");
  if (digits < min || digits > max) return false;
  *number = 0;
  for (; digits > 0; digits--) *number = 10 * *number + *(*at)++ - '0';
  return true;
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || (unsigned char)c >= 0x80; }

/* Letters, ASCII's in lower case; a hyphen in between (segunda-feira), a point behind (jan.). */
static bool read_word(const char **at, char *word, size_t room) {
  size_t length = 0;
  while (is_letter((*at)[length]) || (length && (*at)[length] == '-')) length++;
  if (length == 0 || length >= room) return false;
  for (size_t i = 0; i < length; i++) word[i] = (char)tolower((unsigned char)(*at)[i]);
  word[length] = '\0';
  *at += length + ((*at)[length] == '.');
  skip_between(at);
  return true;
}

/* One word, if it is what comes next. */
static bool read_this(const char **at, const char *wanted) {
  char word[32];
  const char *after = *at;
  if (!read_word(&after, word, sizeof word) || strcmp(word, wanted) != 0) return false;
  *at = after;
  return true;
}

/* --- the two parts --- */

static bool read_iso_date(const char **at, struct tm *date) {
  const char *after = *at;
  if (!read_number(&after, 4, 4, &date->tm_year) || *after++ != '-') return false;
  if (!read_number(&after, 2, 2, &date->tm_mon) || *after++ != '-') return false;
  if (!read_number(&after, 2, 2, &date->tm_mday) || *after != ' ') return false;
  date->tm_year -= 1900;
  date->tm_mon--;
  *at = after;
  return true;
}

/* "Saturday, 31 January 2026", "Saturday, January 31, 2026"; tm_wday is -1 if it is not named. */
static bool read_named_date(const char **at, struct tm *date) {
  char before[2][32], after[32];
  const char *month;
  int count = 0;
  while (count < 2 && read_word(at, before[count], sizeof before[count])) count++;
  if (!read_number(at, 1, 2, &date->tm_mday)) return false;
  *at += **at == '.';
  skip_between(at);
  read_this(at, "de");
  if (read_word(at, after, sizeof after)) {
    month = after;
    read_this(at, "de");
  } else {
    if (count == 0) return false;
    month = before[--count];
  }
  date->tm_mon = find_name(month, months, 12);
  date->tm_wday = count ? find_name(before[0], weekdays, 7) : -1;
  if (date->tm_mon < 0 || count > 1 || (count && date->tm_wday < 0)) return false;
  if (!read_number(at, 4, 4, &date->tm_year)) return false;
  date->tm_year -= 1900;
  return true;
}

/* "23:59", "11:59:30 PM" */
static bool read_time(const char **at, struct tm *date) {
  if (!read_number(at, 1, 2, &date->tm_hour) || *(*at)++ != ':') return false;
  if (!read_number(at, 2, 2, &date->tm_min)) return false;
  if (**at == ':') {
    (*at)++;
    if (!read_number(at, 2, 2, &date->tm_sec)) return false;
  }
  skip_between(at);
  bool am = read_this(at, "am"), pm = !am && read_this(at, "pm");
  if (am || pm) {
    if (date->tm_hour < 1 || date->tm_hour > 12) return false;
    date->tm_hour = date->tm_hour % 12 + (pm ? 12 : 0);
  }
  return date->tm_hour < 24 && date->tm_min < 60 && date->tm_sec < 60;
}

bool moodle_date(const char *text, long long *seconds) {
  struct tm date = {.tm_wday = -1, .tm_isdst = -1};
  skip_between(&text);
  if (!read_iso_date(&text, &date) && !read_named_date(&text, &date)) return false;
  skip_between(&text);
  read_this(&text, "às");
  if (!read_time(&text, &date) || *text) return false;
  struct tm there = date; /* mktime() turns 31 February into 3 March */
  time_t when = mktime(&there);
  if (there.tm_mon != date.tm_mon) return false;
  if (date.tm_wday >= 0 && there.tm_wday != date.tm_wday) return false;
  if (when <= 0) return false;
  *seconds = (long long)when;
  return true;
}
