/* test_class_moodle_date.c: dates of Moodle's worksheets, in its languages and several time zones.
 * Zones are given by their rules, so that no files of a time zone database are needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "grader/class/intake/roster.h"

#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"
#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"
#define KOLKATA "IST-5:30"
#define CHATHAM "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"

static void set_zone(const char *zone) {
  setenv("TZ", zone, 1);
  tzset();
}

static void check(const char *text, long long expected) {
  long long seconds = 12345;
  if (!moodle_date(text, &seconds)) fail_msg("'%s' is no date", text);
  if (seconds != expected) fail_msg("'%s' is %lld, not %lld", text, seconds, expected);
}

static void check_none(const char *text) {
  long long seconds = 12345;
  if (moodle_date(text, &seconds)) fail_msg("'%s' is %lld", text, seconds);
  assert_int_equal(seconds, 12345);
}

/* date --utc -d '2026-01-31 23:59' +%s */
#define LAST_OF_JANUARY 1769903940LL

static void test_languages(void **state) {
  (void)state;
  set_zone("UTC0");
  static const char *const same[] = {
      "Saturday, 31 January 2026, 11:59 PM",
      "31 January 2026, 11:59 PM",
      "Saturday, January 31, 2026, 11:59 PM",
      "January 31 2026, 11:59 PM",
      "January 31, 2026, 11:59 pm",
      "Saturday, 31 January 2026, 23:59",
      "Samstag, 31. Januar 2026, 23:59",
      "31. Januar 2026, 23:59",
      "samedi 31 janvier 2026, 23:59",
      " sábado, 31 de enero de 2026, 23:59",
      "31 de enero de 2026, 23:59",
      "sabato, 31 gennaio 2026, 23:59",
      "sábado, 31 de janeiro de 2026 às 23:59",
      "31 de janeiro de 2026 às 23:59",
      "sábado, 31 jan. 2026, 23:59",
      "zaterdag, 31 januari 2026, 23:59",
      "SATURDAY,  31 JANUARY 2026 , 11:59PM ",
      "2026-01-31 23:59",
      "2026-01-31 23:59:00",
      "Saturday, 31 January 2026, 11:59:00 PM",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) check(same[i], LAST_OF_JANUARY);
  check("31. Januar 2026, 23:59:58", LAST_OF_JANUARY + 58);
}

/* Names as ICU has them, and how Moodle places them: the name of the day, the day, the name of the
 * month, the year. */
static const struct {
  const char *format;
  const char *months[12];
  const char *weekdays[7];
} languages[] = {
    {"%s, %d %s %d, 11:58 PM",
     {"January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December"},
     {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}},
    {"%s, %d. %s %d, 23:58",
     {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
      "November", "Dezember"},
     {"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}},
    {"%s %d %s %d, 23:58",
     {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
      "octobre", "novembre", "décembre"},
     {"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}},
    {"%s, %d de %s de %d, 23:58",
     {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
      "octubre", "noviembre", "diciembre"},
     {"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}},
    {"%s, %d %s %d, 23:58",
     {"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
      "ottobre", "novembre", "dicembre"},
     {"domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"}},
    {"%s, %d de %s de %d às 23:58",
     {"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro",
      "outubro", "novembro", "dezembro"},
     {"domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira",
      "sábado"}},
    {"%s, %d %s %d, 23:58", /* of Brazil, with shortened months */
     {"jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"},
     {"domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"}},
    {"%s, %d %s %d, 23:58",
     {"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september",
      "oktober", "november", "december"},
     {"zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"}},
};

/* Every day of four years, one of them a leap year. */
static void test_every_day(void **state) {
  (void)state;
  set_zone("UTC0");
  for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
    for (time_t day = 1767225480; day < 1767225480 + 4 * 366 * 86400LL; day += 86400) {
      struct tm date;
      char text[100];
      gmtime_r(&day, &date);
      date.tm_hour = 23;
      date.tm_min = 58;
      date.tm_sec = 0;
      snprintf(text, sizeof text, languages[l].format, languages[l].weekdays[date.tm_wday],
               date.tm_mday, languages[l].months[date.tm_mon], date.tm_year + 1900);
      check(text, timegm(&date));
    }
  }
}

static void test_twelve_hours(void **state) {
  (void)state;
  set_zone("UTC0");
  const long long midnight = LAST_OF_JANUARY - 86340;
  check("31 January 2026, 12:00 AM", midnight);
  check("31 January 2026, 12:59 AM", midnight + 59 * 60);
  check("31 January 2026, 1:00 AM", midnight + 3600);
  check("31 January 2026, 09:05 AM", midnight + 9 * 3600 + 300);
  check("31 January 2026, 11:59 AM", midnight + 12 * 3600 - 60);
  check("31 January 2026, 12:00 PM", midnight + 12 * 3600);
  check("31 January 2026, 12:30 PM", midnight + 12 * 3600 + 1800);
  check("31 January 2026, 1:00 PM", midnight + 13 * 3600);
  check("31 January 2026, 0:00", midnight);
  check_none("31 January 2026, 0:30 AM");
  check_none("31 January 2026, 13:00 PM");
  check_none("31 January 2026, 23:59 PM");
}

static void test_zones(void **state) {
  (void)state;
  static const struct {
    const char *zone;
    int winter, summer; /* minutes east of Greenwich, in the north's seasons */
  } zones[] = {{"UTC0", 0, 0},
               {BERLIN, 60, 120},
               {NEW_YORK, -300, -240},
               {KOLKATA, 330, 330},
               {CHATHAM, 825, 12 * 60 + 45}};
  for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
    set_zone(zones[i].zone);
    check("Saturday, 31 January 2026, 11:59 PM", LAST_OF_JANUARY - 60 * zones[i].winter);
    check("2026-01-31 23:59", LAST_OF_JANUARY - 60 * zones[i].winter);
    /* date --utc -d '2026-07-15 12:00' +%s */
    check("Mittwoch, 15. Juli 2026, 12:00", 1784116800 - 60 * zones[i].summer);
  }
  set_zone(BERLIN); /* an hour apart on the clock, two hours in truth, and the other way round */
  long long before, after;
  assert_true(moodle_date("Sonntag, 29. März 2026, 01:30", &before));
  assert_true(moodle_date("Sonntag, 29. März 2026, 03:30", &after));
  assert_int_equal(after - before, 3600);
  assert_true(moodle_date("Sonntag, 25. Oktober 2026, 01:30", &before));
  assert_true(moodle_date("Sonntag, 25. Oktober 2026, 03:30", &after));
  assert_int_equal(after - before, 3 * 3600);
}

static void test_no_dates(void **state) {
  (void)state;
  set_zone("UTC0");
  static const char *const none[] = {
      "", "-", " ", ",", "Never", "1769903940", "23:59", "31", "January", "Saturday",
      /* not all of it, or more */
      "31 January 2026", "2026-01-31", "Saturday, 31 January 2026,", "31 January, 11:59 PM",
      "31 January 26, 11:59 PM", "31 January 2026, 11 PM", "31 January 2026, 11:5 PM",
      "31 January 2026, 11:59 PM x", "31 January 2026, 11:59 XM",
      "31 January 2026, 11:59:", "31 January 2026, 11:59:1", "31 January 2026, 11:59 PM AM",
      "31 January 2026, 111:59", "31 January 20260, 11:59", "131 January 2026, 11:59",
      "x 31 January 2026, 11:59 PM", "Saturday, x 31 January 2026, 11:59 PM",
      "Saturday Saturday January 31, 2026, 11:59 PM", "Saturday, 31 2026, 11:59 PM",
      "31 2026, 11:59 PM", "Saturday, 31, 2026, 11:59 PM", "31 January 2026 at 11:59 PM",
      "Saturday, January 31 January 2026, 11:59 PM",
      /* other orders and writings */
      "2026-1-31 23:59", "2026-01-31T23:59", "2026-01-31 23:59Z", "31.01.2026 23:59",
      "01/31/2026 11:59 PM", "31-01-2026 23:59", "2026 January 31, 11:59 PM",
      /* no such month, day, hour */
      "31 Foo 2026, 11:59 PM", "31 ja 2026, 23:59", "31 jui 2026, 23:59", "31 mi 2026, 23:59",
      "0 January 2026, 11:59 PM", "32 January 2026, 11:59 PM", "31 April 2026, 11:59 PM",
      "29 February 2026, 11:59 PM", "30 de febrero de 2028, 23:59", "2026-02-29 12:00",
      "2026-00-10 12:00", "2026-13-10 12:00", "2026-01-00 12:00", "30 January 2026, 24:00",
      "31 January 2026, 23:60", "31 January 2026, 10:60", "31 January 2026, 10:30:60",
      "31 January 2026, 23:59:60", "31 January 2026, -1:59", "31 January 1969, 11:59 PM",
      "0000-01-01 00:00",
      /* not on that day of the week */
      "Sunday, 31 January 2026, 11:59 PM", "Montag, 31. Januar 2026, 23:59",
      "Foo, 31 January 2026, 11:59 PM", "Sunday, January 31, 2026, 11:59 PM",
      /* hostile */
      "January\xff 31, 2026", "\xff\xfe", "de de de", "31 de", "31 de de 2026, 23:59",
      "99999999999999999999 January 2026, 11:59 PM", "31 January 99999999999999999999, 11:59 PM",
      "Januaryyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy 31, 2026, 11:59 PM",
      "=1+1", "%s%s%n"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) check_none(none[i]);
  check("29 February 2028, 11:59 PM", 1835481540); /* date --utc -d '2028-02-29 23:59' +%s */
}

/* Nothing but the whole is a date, and nothing is read past the end of what was cut off. */
static void test_cut_off(void **state) {
  (void)state;
  set_zone("UTC0");
  static const char *const dates[] = {"Saturday, January 31, 2026, 23:59",
                                      "sábado, 31 de janeiro de 2026 às 23:59", "2026-01-31 23:59"};
  for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
    check(dates[i], LAST_OF_JANUARY);
    for (size_t length = 0; length < strlen(dates[i]); length++) {
      char *text = strndup(dates[i], length); /* no longer than that, for AddressSanitizer */
      check_none(text);
      free(text);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_languages),    cmocka_unit_test(test_every_day),
      cmocka_unit_test(test_twelve_hours), cmocka_unit_test(test_zones),
      cmocka_unit_test(test_no_dates),     cmocka_unit_test(test_cut_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
