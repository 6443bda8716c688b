/* report_width.c: measures words by a table of a font's widths. */
#include "grader/class/report/report_charts.h"

#include <stddef.h>
#include <string.h>

#include "grader/base/text.h"

/* Advance widths of ' ' to '~' in DejaVu Sans (its table `hmtx`), in hundredths of its size. */
static const unsigned char widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
enum { OTHER = 70, FULL = 100 }; /* letters of most alphabets; ideographs, and the ellipsis */
static const char ellipsis[] = "\u2026";

/* Where the next character begins. */
static const char *skip_character(const char *at) {
  at++;
  while (((unsigned char)*at & 0xc0) == 0x80) at++;
  return at;
}

static int character_width(const char *at) {
  unsigned char first = (unsigned char)*at;
  if (first >= ' ' && first <= '~') return widths[first - ' '];
  return first >= 0xe2 ? FULL : OTHER; /* U+2000 and above: ideographs, most of them */
}

double report_width(const char *words, int letters) {
  int sum = 0;
  for (; *words; words = skip_character(words)) sum += character_width(words);
  return sum * letters / 100.0;
}

/* The bytes of the longest beginning that is no wider than that: at least one character. */
static size_t fit(const char *words, int letters, double pixels) {
  const char *end = words;
  for (int sum = 0; *end; end = skip_character(end)) {
    sum += character_width(end);
    if (end > words && sum * letters / 100.0 > pixels) break;
  }
  return (size_t)(end - words);
}

/* Where to break before that: at a space, else after a hyphen or an underscore, else there. */
static size_t breaking_place(const char *words, size_t length) {
  for (size_t at = length; at > 0; at--)
    if (words[at] == ' ') return at;
  for (size_t at = length; at > 0; at--)
    if (words[at - 1] == '-' || words[at - 1] == '_') return at;
  return length;
}

char *report_lines(const char *words, int letters, double pixels, int max_lines) {
  struct text lines = {0};
  for (int line = 1;; line++) {
    words += strspn(words, " ");
    size_t length = fit(words, letters, pixels);
    if (!words[length]) break;
    if (line == max_lines) {
      length = fit(words, letters, pixels - report_width(ellipsis, letters));
      while (length > 0 && words[length - 1] == ' ') length--;
      text_add(&lines, "%.*s%s", (int)length, words, ellipsis);
      return lines.data;
    }
    length = breaking_place(words, length);
    text_add(&lines, "%.*s\n", (int)length, words);
    words += length;
  }
  text_add(&lines, "%s", words);
  return lines.data;
}
